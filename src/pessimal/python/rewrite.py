"""The selective source rewrite: calls, ``in`` and ``is`` go through handlers; everything else is left alone.

Tests, comparisons and operators are not touched: overloading sees them exactly. Positions of the original source are
kept, so that sites, tracebacks and coverage speak of the user's own lines.
"""

from __future__ import annotations

import ast
from typing import Any

from pessimal.python import refusals
from pessimal.python.handlers import containers, formatting, operators, resolve, subscripts, templates
from pessimal.python.syntax import (
    RESOLVE,
    are_ints,
    assigned,
    bind,
    call_of,
    is_constant_place,
    is_truth,
    is_view,
    load_name,
    needs_handler,
    nesting,
    place_of,
    plain_names,
    statement,
)
from pessimal.python.values import keyed, members

NAMES: dict[str, Any] = {
    RESOLVE: resolve,
    "__pessimal_in__": operators.contains,
    "__pessimal_not_in__": operators.lacks,
    "__pessimal_is__": operators.same,
    "__pessimal_is_not__": operators.differs,
    "__pessimal_bool__": operators.decided,
    "__pessimal_plain__": operators.plain,
    "__pessimal_truths__": operators.TRUTHS,
    "__pessimal_dict__": containers.dict_of,
    "__pessimal_dict_pairs__": containers.dict_of_pairs,
    "__pessimal_dict_plain__": keyed.Dict,
    "__pessimal_items__": containers.items_of,
    "__pessimal_set__": members.make_set,
    "__pessimal_views__": members.of_views,
    "__pessimal_load__": subscripts.load,
    "__pessimal_store__": subscripts.store,
    "__pessimal_delete__": subscripts.delete,
    "__pessimal_joined__": formatting.joined,
    "__pessimal_formatted__": formatting.formatted,
    "__pessimal_lazy_text__": formatting.lazy_text,
    "__pessimal_field__": formatting.field,
    "__pessimal_percent__": templates.percent,
    "__pessimal_caught__": refusals.caught,
    "__pessimal_type__": type,
    "__pessimal_int__": int,
    "__pessimal_slice__": slice,
    "__pessimal_texts__": (str, bytes),
}
"""What rewritten code refers to; the loader puts these into the module's globals."""

_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.In: "__pessimal_in__",
    ast.NotIn: "__pessimal_not_in__",
    ast.Is: "__pessimal_is__",
    ast.IsNot: "__pessimal_is_not__",
}


_PLAIN_RESULTS = {
    "__bool__": "__pessimal_bool__",
    **dict.fromkeys(("__hash__", "__len__", "__index__", "__int__", "__float__"), "__pessimal_plain__"),
}
"""Methods from which Python takes nothing but a real value, and what makes it one."""

_SET_OPERATORS: dict[type[ast.operator], str] = {ast.Sub: "-", ast.BitOr: "|", ast.BitXor: "^", ast.BitAnd: "&"}

MAX_NESTING = 3


class Rewriter(ast.NodeTransformer):
    """Replaces what overloading cannot see by calls of the handlers."""

    _raising = False

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """``f(x)`` becomes ``resolve(f)(x)``."""
        self.generic_visit(node)
        node.func = call_of(RESOLVE, [node.func], node.func)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """``a in b`` and ``a is True`` become calls; chains are left alone."""
        self.generic_visit(node)
        if len(node.ops) != 1:
            return node
        name = _COMPARISONS.get(type(node.ops[0]))
        right = node.comparators[0]
        if name is None or (name.startswith("__pessimal_is") and not is_truth(right)):
            return node
        return call_of(name, [node.left, right], node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """``a[i]`` asks a handler unless ``i`` is a plain integer; constant places are left alone."""
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or is_constant_place(node.slice):
            return node
        place = place_of(node.slice)
        handled = call_of("__pessimal_load__", [node.value, place], node)
        names = plain_names(node.slice)
        if not names or nesting(node) > MAX_NESTING:
            return handled
        return ast.copy_location(ast.IfExp(are_ints(names, node), node, handled), node)

    def visit_Assign(self, node: ast.Assign) -> Any:
        """``a[i] = v`` becomes a call; several targets are assigned one after the other from one value."""
        self.generic_visit(node)
        if not any(needs_handler(target) for target in node.targets):
            return node
        steps: list[ast.stmt] = []
        value = node.value
        if not isinstance(value, ast.Name | ast.Constant):
            steps.append(bind("__pessimal_value__", value, node))
            value = load_name("__pessimal_value__", node)
        for target in node.targets:
            steps += assigned(target, value, node)
        return steps

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """``a[i] += v`` reads, adds in place and writes, with owner and place evaluated once."""
        self.generic_visit(node)
        target = node.target
        if not isinstance(target, ast.Subscript) or not needs_handler(target):
            return node
        owner, place, value = (f"__pessimal_{what}__" for what in ("owner", "place", "value"))
        loaded = call_of("__pessimal_load__", [load_name(owner, node), load_name(place, node)], node)
        return [
            bind(owner, target.value, node),
            bind(place, place_of(target.slice), node),
            bind(value, loaded, node),
            ast.copy_location(ast.AugAssign(ast.Name(value, ast.Store()), node.op, node.value), node),
            statement(
                "__pessimal_store__", [load_name(owner, node), load_name(place, node), load_name(value, node)], node
            ),
        ]

    def visit_Delete(self, node: ast.Delete) -> Any:
        """``del a[i]`` becomes a call."""
        self.generic_visit(node)
        if not any(needs_handler(target) for target in node.targets):
            return node
        return [
            statement("__pessimal_delete__", [target.value, place_of(target.slice)], node)
            if isinstance(target, ast.Subscript) and needs_handler(target)
            else ast.copy_location(ast.Delete([target]), node)
            for target in node.targets
        ]

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        """``{k: v}`` becomes a dict that can hold symbolic keys."""
        self.generic_visit(node)
        if all(isinstance(key, ast.Constant) for key in node.keys):
            return call_of("__pessimal_dict_plain__", [node] if node.keys else [], node)
        if all(key is not None for key in node.keys):
            pairs = [part for key, value in zip(node.keys, node.values, strict=True) for part in (key, value)]
            return call_of("__pessimal_dict__", [part for part in pairs if part is not None], node)
        return self._merged(node)

    def _merged(self, node: ast.Dict) -> ast.AST:
        """``{**a, k: v}``: pairs, with those of other mappings in between."""
        parts: list[ast.expr] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                items = call_of("__pessimal_items__", [value], node)
                parts.append(ast.copy_location(ast.Starred(items, ast.Load()), node))
            else:
                parts.append(ast.copy_location(ast.Tuple([key, value], ast.Load()), node))
        return call_of("__pessimal_dict_pairs__", [ast.copy_location(ast.List(parts, ast.Load()), node)], node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        """``{k: v for ...}`` becomes a dict that can hold symbolic keys."""
        self.generic_visit(node)
        pair = ast.copy_location(ast.Tuple([node.key, node.value], ast.Load()), node)
        return call_of("__pessimal_dict_pairs__", [ast.copy_location(ast.ListComp(pair, node.generators), node)], node)

    def visit_Set(self, node: ast.Set) -> ast.AST:
        """``{a, b}`` becomes a set that can hold symbolic members."""
        self.generic_visit(node)
        return call_of("__pessimal_set__", [ast.copy_location(ast.Tuple(node.elts, ast.Load()), node)], node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        """``{e for ...}`` becomes a set that can hold symbolic members."""
        self.generic_visit(node)
        return call_of("__pessimal_set__", [ast.copy_location(ast.ListComp(node.elt, node.generators), node)], node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """An f-string becomes a call, so that symbolic values stay so in the text."""
        is_message, self._raising = self._raising, False
        self.generic_visit(node)
        self._raising = is_message
        joined = call_of("__pessimal_lazy_text__" if is_message else "__pessimal_joined__", list(node.values), node)
        for part in node.values if is_message else ():
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
                part.func.id = "__pessimal_field__"
        return joined

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        """An exception that is caught is looked at first, since it may not be the program's own."""
        self.generic_visit(node)
        node.body.insert(0, statement("__pessimal_caught__", [], node))
        return node

    def visit_With(self, node: ast.With) -> ast.AST:
        """An exception that a context may swallow is looked at, too."""
        self.generic_visit(node)
        caught = [statement("__pessimal_caught__", [], node), ast.copy_location(ast.Raise(), node)]
        handler = ast.copy_location(ast.ExceptHandler(None, None, caught), node)
        node.body = [ast.copy_location(ast.Try(node.body, [handler], [], []), node)]
        return node

    def visit_AsyncWith(self, node: ast.AsyncWith) -> ast.AST:
        """As for ``with``."""
        return self.visit_With(node)  # type: ignore[arg-type]

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        """The message of an error is put together when it is read."""
        self._raising = True
        self.generic_visit(node)
        self._raising = False
        return node

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        """One field of an f-string."""
        self.generic_visit(node)
        spec = node.format_spec or ast.copy_location(ast.Constant(""), node)
        conversion = ast.copy_location(ast.Constant(node.conversion), node)
        return call_of("__pessimal_formatted__", [node.value, conversion, spec], node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """``text % values`` and operators of dict views become calls; all else is left to overloading."""
        sign = _SET_OPERATORS.get(type(node.op))
        of_views = sign is not None and (is_view(node.left) or is_view(node.right))
        self.generic_visit(node)
        if of_views:
            return call_of(
                "__pessimal_views__", [ast.copy_location(ast.Constant(sign), node), node.left, node.right], node
            )
        if not isinstance(node.op, ast.Mod):
            return node
        left = node.left
        handled = call_of("__pessimal_percent__", [left, node.right], node)
        if isinstance(left, ast.Name):
            kind = call_of("__pessimal_type__", [left], node)
            is_text = ast.copy_location(ast.Compare(kind, [ast.In()], [load_name("__pessimal_texts__", node)]), node)
            return ast.copy_location(ast.IfExp(is_text, handled, node), node)
        can_be_text = isinstance(left, ast.Constant | ast.Call | ast.Attribute | ast.Subscript)
        is_number = isinstance(left, ast.Constant) and not isinstance(left.value, str | bytes)
        return handled if can_be_text and not is_number else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """From a special method Python may take nothing but a real value."""
        self.generic_visit(node)
        wanted = _PLAIN_RESULTS.get(node.name)
        return node if wanted is None else _deciding(node, wanted)

    def visit_MatchSingleton(self, node: ast.MatchSingleton) -> ast.AST:
        """``case True`` asks for identity, which a symbolic truth value cannot answer; it compares with a twin."""
        if node.value is None:
            return node
        truths = ast.copy_location(ast.Name("__pessimal_truths__", ast.Load()), node)
        twin = ast.copy_location(ast.Attribute(truths, str(node.value).lower(), ast.Load()), node)
        return ast.copy_location(ast.MatchValue(twin), node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Annotations are for people and type checkers: only the value is rewritten."""
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """Annotations of parameters stay as they are."""
        return node


class _Deciding(ast.NodeTransformer):
    """Makes plain what a method returns from which Python takes nothing but a real bool, int or float."""

    def __init__(self, wanted: str) -> None:
        self._wanted = wanted

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if node.value is not None:
            node.value = call_of(self._wanted, [node.value], node.value)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node


def _deciding(function: ast.FunctionDef, wanted: str) -> ast.FunctionDef:
    function.body = [_Deciding(wanted).visit(statement) for statement in function.body]
    return function


def rewrite(tree: ast.Module) -> ast.Module:
    """A module's syntax tree with the rewrite applied."""
    return ast.fix_missing_locations(Rewriter().visit(tree))  # type: ignore[no-any-return]
