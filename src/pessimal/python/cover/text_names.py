"""Which expressions of a method hold nothing but texts, and which calls give the same text until something happens.

``self.peek()``, which only looks, gives the same text as long as nothing but looking is done. ``self.take()``, which
looks first and returns what it saw, gives the text that ``self.peek()`` would have given. Hints are believed, and so is
that a class without any below it in its module has none elsewhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from pessimal.python.cover.int_names import Function, bindings, hinted_parameters

LOOKED = "self."
"""How the names begin that stand for what a method gives which only looks."""
_LOOKING = (
    *(ast.Constant, ast.Subscript, ast.Compare, ast.IfExp, ast.BoolOp, ast.BinOp, ast.Add, ast.Sub, ast.UnaryOp),
    *(ast.USub, ast.Not, ast.expr_context, ast.cmpop, ast.boolop),
)
_QUIET = (
    *(ast.Constant, ast.Name, ast.Assign, ast.Expr, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Not, ast.Tuple, ast.Pass),
    *(ast.expr_context, ast.cmpop, ast.boolop, ast.Continue, ast.Break),
)
_BUILT_IN = ("list", "dict", "tuple", "str", "int")


class Texts:
    """What is known of texts in a function: its names, and the methods of its class that look at them."""

    def __init__(self, tree: ast.Module, function: Function) -> None:
        self._functions = {node.name: node for node in tree.body if isinstance(node, Function)}
        owner = next((node for node in tree.body if isinstance(node, ast.ClassDef) and function in node.body), None)
        self._owner = owner if owner is not None and _is_alone(owner, tree) else ast.Module([], [])
        self._methods = {node.name: node for node in self._owner.body if isinstance(node, Function)}
        self._looking = {name for name, node in self._methods.items() if self._only_looks(node)}
        self.names = self._names(function)

    def looked(self, node: ast.AST) -> tuple[str, bool] | None:
        """The name for what a call gives that looks, and whether it does more than that."""
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name), args=[], keywords=[]):
                method = self._methods.get(name)
                first = name if name in self._looking else None if method is None else self._looks_first(method)
                return None if first is None else (f"{LOOKED}{first}()", first != name)
        return None

    def is_text(self, node: ast.expr, names: frozenset[str] | None = None) -> bool:
        """Whether an expression has a text for its value."""
        match node:
            case ast.Constant():
                return type(node.value) is str
            case ast.Name():
                return node.id.startswith(LOOKED) or node.id in (self.names if names is None else names)
            case ast.Call():
                return self.looked(node) is not None
        return False

    def _names(self, function: Function) -> frozenset[str]:
        """The local names that hold nothing but texts; parameters do if their hint says so."""
        hinted, others = hinted_parameters(function, "str")
        bound = [pair for node in ast.walk(function) for pair in bindings(node)]
        declared = [node for node in ast.walk(function) if isinstance(node, ast.Global | ast.Nonlocal)]
        free = {name for node in declared for name in node.names}
        names = frozenset(({name for name, _ in bound} | hinted) - others - free)
        while wrong := {name for name, value in bound if value is None or not self.is_text(value, names)} & names:
            names -= wrong
        return names

    def _only_looks(self, method: Function) -> bool:
        """Whether a method returns a text and does nothing that can be noticed: it is one expression of attributes."""
        is_text = _takes_self_alone(method) and _is_hint(method.returns, ("str",))
        match _without_docstring(method.body):
            case [ast.Return(value=ast.expr() as value)] if is_text:
                return all(self._is_looking(node) for node in ast.walk(value))
        return False

    def _is_looking(self, node: ast.AST) -> bool:
        match node:
            case ast.Call(func=ast.Name(id="len")):
                return "len" not in self._functions
            case ast.Call():
                return False
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                return self._holds_built_in(name)
            case ast.Name(id=name):
                return name in ("self", "len")
        return isinstance(node, _LOOKING)

    def _holds_built_in(self, attribute: str) -> bool:
        """Whether all that the class assigns to an attribute is of a built-in type."""
        values = [value for node in ast.walk(self._owner) for value in _assigned(node, attribute)]
        is_plain = attribute not in self._methods and bool(values)
        return is_plain and all(value is not None and self._is_built_in(value) for value in values)

    def _is_built_in(self, value: ast.expr) -> bool:
        match value:
            case ast.Constant() | ast.List() | ast.Dict() | ast.Tuple() | ast.ListComp() | ast.DictComp():
                return True
            case ast.Call(func=ast.Name(id=name)):
                return name in self._functions and _is_hint(self._functions[name].returns, _BUILT_IN)
        return False

    def _looks_first(self, method: Function) -> str | None:
        """The method that only looks whose text a method returns: it asks for that before it does anything else."""
        match _without_docstring(method.body):
            case [ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call), *_, ast.Return()] if (
                _takes_self_alone(method)
            ):
                nodes = list(ast.walk(method))
                returned = [node.value for node in nodes if isinstance(node, ast.Return)]
                is_same = all(isinstance(value, ast.Name) and value.id == name for value in returned)
                is_once = [bound for node in nodes for bound, _ in bindings(node)].count(name) == 1
                is_call = not any(isinstance(node, ast.Yield | ast.YieldFrom) for node in nodes)
                return self._look(call) if is_same and is_once and is_call else None
        return None

    def _look(self, call: ast.Call) -> str | None:
        """The method that a call asks which only looks."""
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name), args=[], keywords=[]):
                return name if name in self._looking else None
        return None


def is_quiet(node: ast.AST) -> bool:
    """Whether a statement or an expression does nothing but look at names and compare them."""
    return all(isinstance(part, _QUIET) and not getattr(part, "acts", False) for part in ast.walk(node))


def _takes_self_alone(method: Function) -> bool:
    arguments = method.args
    others = (*arguments.posonlyargs, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
    is_plain = isinstance(method, ast.FunctionDef) and not method.decorator_list and not any(others)
    return is_plain and [item.arg for item in arguments.args] == ["self"]


def _without_docstring(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    is_text = bool(body) and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    return body[1:] if is_text else body


def _is_hint(node: ast.expr | None, names: Sequence[str]) -> bool:
    inner = node.value if isinstance(node, ast.Subscript) else node
    return isinstance(inner, ast.Name) and inner.id in names


def _is_alone(owner: ast.ClassDef, tree: ast.Module) -> bool:
    """Whether a class has none above it and none below it, and attributes are what they seem to be."""
    is_plain = not owner.bases and not owner.keywords and not owner.decorator_list
    special = ("__getattribute__", "__getattr__", "__setattr__")
    is_plain = is_plain and not any(isinstance(node, Function) and node.name in special for node in owner.body)
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    bases = [part for node in classes for base in node.bases for part in ast.walk(base)]
    return is_plain and not any(isinstance(part, ast.Name) and part.id == owner.name for part in bases)


def _assigned(node: ast.AST, attribute: str) -> Iterator[ast.expr | None]:
    """What a node assigns to an attribute of ``self``; None if that is not known."""
    targets = node.targets if isinstance(node, ast.Assign | ast.Delete) else [getattr(node, "target", None)]
    for target in targets:
        for part in ast.walk(target) if target is not None else ():
            if isinstance(part, ast.Attribute) and part.attr == attribute:
                yield getattr(node, "value", None) if part is target else None
