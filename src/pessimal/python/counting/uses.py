"""What a function's source uses: the values that it names, the functions that it calls, and what the rewrite changes.

It matters to a concrete run which copy of the code it runs only where a counted value can reach something that the
rewrite changes: calls, ``in``, ``is True``, ``case True``, ``__bool__``, and constructs that make text of values.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from types import FunctionType, GenericAlias
from typing import Any

from pessimal.python.counting.names import UNKNOWN, Comprehension, Names, bound_in
from pessimal.python.counting.plain import Plain, computes
from pessimal.python.definitions import Definition
from pessimal.python.syntax import is_truth

_TEXT_METHODS = frozenset(
    name for kind in (str, bytes) for name, member in vars(kind).items() if callable(member) and name[0] != "_"
) - {"find", "rfind", "index", "rindex", "count"}
"""Methods of text that may lose a counted argument; the others return a plain number in the rewritten code, too."""

_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.Tuple, *Comprehension.__args__)
_MAKES_TEXT = (str, repr, format, ascii, hex, oct, bin)
_TESTS_TYPES = (isinstance, issubclass)
_TEMPLATE = re.compile(r"%[-#0 +]*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?[hlL]?[a-zA-Z]|%\(")


class Uses:
    """Goes through one definition and collects what it uses.

    ``values`` are the values of the names other than its own variables; ``calls`` are the functions that it calls by
    name, with the parameters that get plain values; ``constructs`` are those that the rewrite changes. Annotations, the
    types in an ``isinstance``, and what makes the message of an error are left out.
    """

    def __init__(self, definition: Definition, names: Names, plain: Plain, *, is_method: bool) -> None:
        self.values: list[Any] = []
        self.calls: list[tuple[FunctionType, frozenset[str]]] = []
        self.constructs: set[str] = set()
        self._names = names
        self._plain = plain
        self._in_message = False
        self._owner = _own_object(definition, plain) if is_method else None
        self._readers: dict[type[ast.AST], Callable[[Any], None]] = {
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Constant: self._constant,
            ast.Call: self._call,
            ast.Compare: self._compare,
            ast.Subscript: self._subscript,
            ast.BinOp: self._operation,
            ast.AugAssign: self._operation,
            ast.JoinedStr: self._joined,
            **dict.fromkeys((ast.Import, ast.ImportFrom), self._import),
            **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda), self._function),
            **dict.fromkeys(Comprehension.__args__, self._comprehension),
            ast.ClassDef: self._class,
            ast.arg: self._nothing,
            ast.AnnAssign: self._annotated,
            ast.MatchSingleton: self._singleton,
            ast.MatchClass: self._class_pattern,
            ast.Raise: self._raise,
            ast.Assert: self._assert,
            ast.Expr: self._expression,
        }
        self._body(definition)

    def _read(self, *nodes: ast.AST | None) -> None:
        for node in nodes:
            if node is not None:
                self._readers.get(type(node), self._parts)(node)

    def _parts(self, node: ast.AST) -> None:
        self._read(*ast.iter_child_nodes(node))

    def _nothing(self, node: ast.AST) -> None:
        pass

    def _name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load) and not self._names.is_local(node.id):
            self._use(self._names.value(node))

    def _use(self, value: Any) -> None:
        if not (self._in_message and _is_among(_MAKES_TEXT, value)):
            self.values.append(value)

    def _attribute(self, node: ast.Attribute) -> None:
        """An attribute of a module or class stands for a value; any other may be a method of text."""
        value = self._names.value(node)
        if value is UNKNOWN:
            self._read(node.value)
            self._attribute_of(node.value, node.attr)
        else:
            self._use(value)

    def _attribute_of(self, owner: ast.expr, name: str) -> None:
        if name in _TEXT_METHODS and self._may_be_text(owner) and not self._in_message:
            self.constructs.add(f".{name}()")

    def _may_be_text(self, owner: ast.expr | None) -> bool:
        """Whether an object can be a text: not if it is a method's own object, or of a known other class."""
        if isinstance(owner, ast.Call):
            kind = self._names.value(owner.func)
            return not isinstance(kind, type) or issubclass(kind, str | bytes)
        if not isinstance(owner, ast.Name):
            return not isinstance(owner, _DISPLAYS)
        if not self._names.is_local(owner.id):
            return isinstance(self._names.value(owner), str | bytes)
        bound = self._plain.bindings.get(owner.id, [None])
        return owner.id != self._owner and any(isinstance(it, ast.Name) or self._may_be_text(it) for it in bound)

    def _call(self, node: ast.Call) -> None:
        """What is called is used, unless no argument depends on the input."""
        function = self._names.value(node.func)
        arguments: list[ast.expr] = [*node.args, *(keyword.value for keyword in node.keywords)]
        if _is_among(_TESTS_TYPES, function):
            arguments = arguments[:1]
        elif function is getattr:
            self._looked_up(node)
        elif function is defaultdict and arguments and isinstance(self._names.value(arguments[0]), type):
            arguments = arguments[1:]  # a class that is called without arguments
        elif isinstance(function, FunctionType):
            self.calls.append((function, self._plain.parameters_of(function, node)))
        elif not self._plain.takes(node):
            self._read(node.func)
        elif function is UNKNOWN and isinstance(node.func, ast.Attribute):
            self._read(node.func.value)
        elif not computes(function):
            self._read(node.func)
        self._read(*arguments)

    def _looked_up(self, call: ast.Call) -> None:
        """``getattr(owner, name)``: an attribute, if the name is written down."""
        name = call.args[1] if len(call.args) > 1 else None
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            self._attribute_of(call.args[0], name.value)
        else:
            self.constructs.add("getattr()")

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        self.values += self._names.imported(node)

    def _compare(self, node: ast.Compare) -> None:
        """``in`` and ``is True``; chains are not rewritten."""
        self._parts(node)
        operator = node.ops[0] if len(node.ops) == 1 else None
        if isinstance(operator, ast.In | ast.NotIn):
            self.constructs.add("in")
        if isinstance(operator, ast.Is | ast.IsNot) and is_truth(node.comparators[0]):
            self.constructs.add("is")

    def _singleton(self, node: ast.MatchSingleton) -> None:
        """``case True``."""
        if node.value is not None:
            self.constructs.add("is")

    def _class_pattern(self, node: ast.MatchClass) -> None:
        """The class in a pattern is not called."""
        self._read(*node.patterns, *node.kwd_patterns)

    def _joined(self, node: ast.JoinedStr) -> None:
        fields = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
        if not self._in_message and not all(map(self._plain.includes, fields)):
            self.constructs.add("f-string")
        self._read(*fields)

    def _constant(self, node: ast.Constant) -> None:
        if not self._in_message:
            self.constructs |= of_constant(node.value)

    def _operation(self, node: ast.BinOp | ast.AugAssign) -> None:
        """``%`` makes a text of a template."""
        self._parts(node)
        if isinstance(node.op, ast.Mod):
            self.constructs.add("%")

    def _expression(self, node: ast.Expr) -> None:
        """A docstring is not used."""
        if not isinstance(node.value, ast.Constant):
            self._read(node.value)

    def _raise(self, node: ast.Raise) -> None:
        self._in_message = True
        self._parts(node)
        self._in_message = False

    def _assert(self, node: ast.Assert) -> None:
        self._read(node.test)

    def _annotated(self, node: ast.AnnAssign) -> None:
        self._read(node.value)

    def _subscript(self, node: ast.Subscript) -> None:
        """``list[int]`` is a type."""
        owner = self._names.value(node.value)
        if not (isinstance(owner, type | GenericAlias) or getattr(owner, "__module__", None) == "typing"):
            self._parts(node)

    def _function(self, node: Definition) -> None:
        self._read(*getattr(node, "decorator_list", ()), *node.args.defaults, *node.args.kw_defaults)
        self._body(node)

    def _body(self, node: Definition) -> None:
        if isinstance(node, ast.Lambda):
            self._within(node, [node.body])
            return
        if node.name == "__bool__":
            self.constructs.add("is")  # what it returns must be a real bool
        self._within(node, node.body)

    def _class(self, node: ast.ClassDef) -> None:
        """What a class derives from is not called."""
        self._read(*node.decorator_list, *node.body)

    def _comprehension(self, node: ast.AST) -> None:
        self._within(node, ast.iter_child_nodes(node))

    def _within(self, scope: ast.AST, parts: Iterable[ast.AST]) -> None:
        self._names.enter(bound_in(scope))
        self._read(*parts)
        self._names.leave()


def of_constant(value: Any) -> set[str]:
    """What a constant can be used for: a template for ``%``, or bytes that ``in`` looks for a number in."""
    if isinstance(value, bytes):
        return {"bytes", "template"} if b"%" in value else {"bytes"}
    return {"template"} if isinstance(value, str) and _TEMPLATE.search(value) else set()


def _is_among(options: tuple[Any, ...], value: Any) -> bool:
    return any(value is option for option in options)


def _own_object(method: Definition, plain: Plain) -> str | None:
    """The name of the object that a method belongs to, unless it is given another meaning."""
    first = [arg.arg for arg in (*method.args.posonlyargs, *method.args.args)][:1]
    return first[0] if first and plain.bindings.get(first[0]) == [None] else None
