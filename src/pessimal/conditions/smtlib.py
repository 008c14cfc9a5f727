"""Reading an SMT-LIB 2 file: its declarations become variables, its assertions one condition.

Int, Bool, bit-vectors and Real are read; Real is read as double, which is what samples are. So a file over Real is only
satisfiable for us if the model satisfies it exactly, and unsatisfiable if Z3 proves it of the file itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pessimal.conditions import terms
from pessimal.conditions.condition import Condition, ConditionError, Variable
from pessimal.conditions.smt_operations import OPERATIONS, Unsupported, indexed, literal
from pessimal.conditions.smt_syntax import Node, parse
from pessimal.expr import Evaluator, Expr, Offset, conjunction

_QUANTIFIERS = frozenset(("forall", "exists"))
_IGNORED = frozenset(
    ("set-logic", "set-info", "set-option", "check-sat", "get-model", "get-value", "exit", "get-info", "echo")
)
_SORTS = {"Int": "int", "Real": "float", "Bool": "bool", "Float64": "float"}

__all__ = ["Unsupported", "read_smtlib"]


def read_smtlib(text: str) -> Condition:
    """The condition of a file; raises :class:`Unsupported` for what is SMT-LIB but not read here."""
    reader = _Reader()
    try:
        for command in parse(text):
            reader.command(command)
    except (ValueError, IndexError, RecursionError) as error:
        raise Unsupported(f"a term is not read: {error}") from None
    expression = conjunction([*reader.defined, *reader.asserted])
    variables = tuple(reader.variables.values())
    names = list(reader.variables)

    def judge(values: Mapping[str, Any]) -> bool:
        leaves = [int(values[name]) if isinstance(values[name], bool) else values[name] for name in names]
        return Evaluator(leaves).agrees(expression, True)

    return Condition("", expression, variables, judge, is_over_reals="Real" in reader.sorts)


class _Reader:
    """Goes through the commands of a file."""

    def __init__(self) -> None:
        self.variables: dict[str, Variable] = {}
        self.asserted: list[Expr] = []
        self.defined: list[Expr] = []
        self.sorts: set[str] = set()
        self._names: dict[str, Any] = {}
        self._macros: dict[str, tuple[list[str], Node]] = {}

    def command(self, command: Node) -> None:
        if not isinstance(command, list) or not command or not isinstance(command[0], str):
            raise ConditionError(f"{_shown(command)} is not a command of SMT-LIB")
        head, rest = command[0], command[1:]
        if head in _IGNORED:
            return
        handlers: dict[str, Callable[..., None]] = {
            "declare-const": self._declare_const,
            "declare-fun": self._declare_fun,
            "define-fun": self._define,
            "define-const": self._define_const,
            "assert": self._assert,
        }
        if head not in handlers:
            raise Unsupported(f"the command {head} is not read")
        try:
            handlers[head](*rest)
        except TypeError:
            raise ConditionError(f"the command {_shown(command)} has the wrong number of parts") from None

    def _declare_const(self, name: Any, sort: Node) -> None:
        self._declare(name, sort)

    def _declare_fun(self, name: Any, arguments: Node, sort: Node) -> None:
        if arguments:
            raise Unsupported(f"the function {name} is not interpreted")
        self._declare(name, sort)

    def _declare(self, name: str, sort: Node) -> None:
        if name in self._names:
            raise ConditionError(f"{name!r} is declared twice")
        leaf = len(self.variables)
        if isinstance(sort, list) and sort[:2] == ["_", "BitVec"]:
            width = int(sort[2])  # type: ignore[arg-type]
            self.variables[name] = Variable(name, "int", 0, (1 << width) - 1)
            self._names[name] = terms.wrapped(width, False, Offset(leaf))
            return
        kind = _SORTS.get(str(sort))
        if kind is None:
            raise Unsupported(f"the sort {_shown(sort)} is not read")
        self.sorts.add(str(sort))
        ends = (0, 1) if kind == "bool" else (None, None)
        self.variables[name] = Variable(name, kind, *ends)
        self._names[name] = self.variables[name].term(leaf)

    def _define(self, name: Any, parameters: Any, sort: Node, body: Node) -> None:
        self._macros[name] = [part[0] for part in parameters], body

    def _define_const(self, name: Any, sort: Node, body: Node) -> None:
        self._names[name] = self._term(body, {})

    def _assert(self, node: Node) -> None:
        value = self._term(node, {})
        if not terms.is_truth(value):
            raise ConditionError(f"the assertion {_shown(node)} is no truth value")
        self.asserted.append(value)

    def _term(self, node: Any, scope: Mapping[str, Any]) -> Any:
        if isinstance(node, str):
            return self._atom(node, scope)
        if not node:
            raise ConditionError("() is no term")
        head = node[0]
        if head == "let":
            bound = {name: self._term(value, scope) for name, value in node[1]}
            return self._term(node[2], {**scope, **bound})
        if head == "!":
            return self._term(node[1], scope)
        if head in _QUANTIFIERS:
            raise Unsupported(f"a quantifier ({head}) is not read")
        if head == "_" or isinstance(head, list):
            return self._indexed(node, scope)
        args = [self._term(arg, scope) for arg in node[1:]]
        if head in self._macros:
            names, body = self._macros[head]
            return self._term(body, dict(zip(names, args, strict=True)))
        if head not in OPERATIONS:
            raise Unsupported(f"the function {head} is not read")
        return OPERATIONS[head](args, self.defined)

    def _indexed(self, node: Any, scope: Mapping[str, Any]) -> Any:
        if node[0] == "_":
            return indexed(node[1:], [])
        head = node[0]
        if head[:1] != ["_"]:
            raise Unsupported(f"{_shown(head)} is not read")
        return indexed(head[1:], [self._term(arg, scope) for arg in node[1:]])

    def _atom(self, name: str, scope: Mapping[str, Any]) -> Any:
        if name in scope:
            return scope[name]
        if name in self._names:
            return self._names[name]
        if name in self._macros:
            return self._term(self._macros[name][1], {})
        value = literal(name)
        if value is None:
            raise ConditionError(f"{name!r} is not declared")
        return value


def _shown(node: Node) -> str:
    text = node if isinstance(node, str) else "(" + " ".join(map(_shown, node)) + ")"
    return text if len(text) <= 60 else text[:57] + "..."
