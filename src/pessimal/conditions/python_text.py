"""Reading a condition that is written as a Python expression: ``sin(x) * x > 3 and x * y == 12.5``.

The text is never run before it was read completely: only names, operators and functions that are known here pass. Then
Python itself judges a model by evaluating the text.
"""

from __future__ import annotations

import ast
import difflib
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pessimal.conditions import terms
from pessimal.conditions.condition import Condition, ConditionError, NoValue, Variable
from pessimal.conditions.functions import CONSTANTS, FUNCTIONS, METHODS, OF_LISTS, build, names_for_python
from pessimal.conditions.terms import Value
from pessimal.expr import BlackBox, Expr, conjunction, disjunction, negation
from pessimal.expr.intervals import Intervals

MAX_LENGTH = 100_000
MAX_DEPTH = 200

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}


class Box(NamedTuple):
    """A function that a condition may call but nobody sees through; ``sort`` is that of its value."""

    box: BlackBox
    sort: str


class Reading(NamedTuple):
    """A value, and when it has one: where Python would raise, ``defined`` is false."""

    value: Value
    defined: Expr = True


def read_python(text: str, variables: Sequence[Variable], boxes: Mapping[str, Box] | None = None) -> Condition:
    """The condition that a Python expression is, over declared variables and black boxes by their names."""
    tree = _parsed(text)
    reader = _Reader(variables, boxes or {})
    expression = reader.holds(tree.body)
    return Condition(text, expression, tuple(variables), _judge(tree, boxes or {}), is_limited=reader.is_limited)


def _parsed(text: str) -> ast.Expression:
    if len(text) > MAX_LENGTH:
        raise ConditionError(f"the condition has {len(text)} characters: at most {MAX_LENGTH} are read")
    try:
        return ast.parse(text.strip(), mode="eval")
    except SyntaxError as error:
        where = f" near {error.text.strip()[:40]!r}" if error.text and error.text.strip() else ""
        hint = ": write == to compare" if _SINGLE_EQUALS.search(text) else ""
        raise ConditionError(f"the condition is not a Python expression: {error.msg}{where}{hint}") from None
    except (ValueError, MemoryError, RecursionError) as error:
        raise ConditionError(f"the condition cannot be parsed: {error or 'it is nested too deeply'}") from None


def _judge(tree: ast.Expression, boxes: Mapping[str, Box]) -> Callable[[Mapping[str, Any]], bool]:
    code = compile(tree, "<condition>", "eval")
    names = {**names_for_python(), **_namespaces(boxes)}

    def judge(values: Mapping[str, Any]) -> bool:
        try:
            return bool(eval(code, {"__builtins__": {}}, {**names, **values}))
        except (ArithmeticError, ValueError, TypeError, AttributeError):
            return False

    return judge


def _namespaces(boxes: Mapping[str, Box]) -> dict[str, Any]:
    """Black boxes as Python names: those with dots as attributes of attributes."""
    root = _Namespace()
    for name, (box, _) in boxes.items():
        *path, last = name.split(".")
        place = root
        for part in path:
            place = place.__dict__.setdefault(part, _Namespace())
        place.__dict__[last] = box.function
    if "math" in root.__dict__:
        root.__dict__["math"].__dict__.update({**vars(math), **root.__dict__["math"].__dict__})
    return dict(root.__dict__)


_SINGLE_EQUALS = re.compile(r"(?<![=<>!:])=(?!=)")


class _Namespace:
    """Holds the functions of a module as attributes."""


class _Reader:
    """Reads one expression bottom-up."""

    def __init__(self, variables: Sequence[Variable], boxes: Mapping[str, Box]) -> None:
        self._variables = {variable.name: variable.term(leaf) for leaf, variable in enumerate(variables)}
        self._boxes = boxes
        self._intervals = Intervals([(variable.low, variable.high) for variable in variables])
        self._depth = 0
        self.is_limited = False

    def holds(self, node: ast.expr) -> Expr:
        """When Python finds a node true: all operands of an ``and``, each with what it needs to have a value."""
        if not (isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And)):
            value, defined = self.read(node)
            return conjunction([defined, terms.truth(value)])
        first, *later = node.values
        return conjunction([self.holds(first), *map(self._holds_later, later)])

    def _holds_later(self, node: ast.expr) -> Expr:
        try:
            return self.holds(node)
        except NoValue:
            return False

    def read(self, node: ast.expr) -> Reading:
        reader = _READERS.get(type(node))
        if reader is None:
            raise ConditionError(f"{_shown(node)} cannot be part of a condition: use numbers, variables and operators")
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ConditionError(f"the condition is nested more than {MAX_DEPTH} deep: split it")
        try:
            return reader(self, node)
        finally:
            self._depth -= 1

    def _read_later(self, node: ast.expr) -> Reading:
        """A part that Python may never come to: there it does not matter that it has no value."""
        try:
            return self.read(node)
        except NoValue:
            return Reading(False, False)

    def _number(self, node: ast.expr, defined: list[Expr]) -> Any:
        value, condition = self._operand(node) if isinstance(node, ast.BoolOp) else self.read(node)
        defined.append(condition)
        return terms.number(value)

    def constant(self, node: ast.Constant) -> Reading:
        if not isinstance(node.value, bool | int | float):
            raise ConditionError(f"{_shown(node)} is not a number: conditions are about ints, floats and bools")
        return Reading(node.value)

    def name(self, node: ast.Name) -> Reading:
        if node.id in self._variables:
            return Reading(self._variables[node.id])
        if node.id in CONSTANTS:
            return Reading(CONSTANTS[node.id])
        if node.id in FUNCTIONS:
            raise ConditionError(f"{node.id!r} is a function: write {node.id}(...)")
        hint = _close(node.id, [*self._variables, *CONSTANTS])
        raise ConditionError(f"variable {node.id!r} is not declared{hint}: declare it with --var {node.id}=float")

    def attribute(self, node: ast.Attribute) -> Reading:
        name = _dotted(node)
        if name is not None and name.startswith("math.") and name[5:] in CONSTANTS:
            return Reading(CONSTANTS[name[5:]])
        raise ConditionError(f"{_shown(node)} is not known: write math.pi, math.e, math.tau or a declared variable")

    def unary(self, node: ast.UnaryOp) -> Reading:
        if isinstance(node.op, ast.Not):
            value, condition = self.read(node.operand)
            return Reading(negation(terms.truth(value)), condition)
        defined: list[Expr] = []
        value = self._number(node.operand, defined)
        if isinstance(node.op, ast.USub):
            value = terms.negated(value)
        elif isinstance(node.op, ast.Invert):
            value = terms.inverted(value)
        return Reading(value, conjunction(defined))

    def binary(self, node: ast.BinOp) -> Reading:
        op = _BINARY.get(type(node.op))
        if op is None:
            raise ConditionError(f"{_shown(node)} uses an operator that numbers do not have")
        defined: list[Expr] = []
        left, right = self._number(node.left, defined), self._number(node.right, defined)
        if op == "**":
            return Reading(terms.power(left, right, defined, is_whole=self._is_whole(right)), conjunction(defined))
        if op == "<<":
            self._limit(right)
        return Reading(terms.arithmetic(op, left, right, defined), conjunction(defined))

    def _is_whole(self, exponent: Any) -> bool:
        """Whether a power has an integer as its exponent that is never negative."""
        self._limit(exponent)
        found = self._intervals.of(exponent)
        return found is not None and found[0] >= 0

    def _limit(self, exponent: Any) -> None:
        """Notice exponents that may be so large that they are not followed."""
        found = self._intervals.of(exponent)
        self.is_limited = self.is_limited or (
            terms.sort_of(exponent) == "int" and (found is None or found[1] > terms.MAX_SHIFT)
        )

    def junction(self, node: ast.BoolOp) -> Reading:
        """What comes later matters only if what came before did not settle the question."""
        readings = [self.read(node.values[0]), *map(self._read_later, node.values[1:])]
        truths = [terms.truth(reading.value) for reading in readings]
        is_and = isinstance(node.op, ast.And)
        defined = readings[-1].defined
        for reading, value in zip(readings[-2::-1], truths[-2::-1], strict=True):
            settled = negation(value) if is_and else value
            defined = conjunction([reading.defined, disjunction([settled, defined])])
        return Reading((conjunction if is_and else disjunction)(truths), defined)

    def _operand(self, node: ast.BoolOp) -> Reading:
        """``and`` and ``or`` between numbers: one of their operands, and no truth value."""
        readings = [self.read(node.values[0]), *map(self._read_later, node.values[1:])]
        is_and = isinstance(node.op, ast.And)
        value, defined = terms.number(readings[-1].value), readings[-1].defined
        for reading in readings[-2::-1]:
            goes_on = terms.truth(reading.value) if is_and else negation(terms.truth(reading.value))
            value = terms.case(goes_on, value, terms.number(reading.value))
            defined = conjunction([reading.defined, disjunction([negation(goes_on), defined])])
        return Reading(value, defined)

    def compare(self, node: ast.Compare) -> Reading:
        defined: list[Expr] = []
        left, parts = self._number(node.left, defined), list[Expr]()
        for op, side in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, ast.In | ast.NotIn):
                member = self._member(left, side, defined)
                parts.append(member if isinstance(op, ast.In) else negation(member))
                continue
            if type(op) not in _COMPARED:
                raise ConditionError(f"{_shown(node)} compares identities: write == or !=")
            right = self._number(side, defined)
            parts.append(terms.relation(_COMPARED[type(op)], left, right))
            left = right
        return Reading(conjunction(parts), conjunction(defined))

    def _member(self, left: Any, node: ast.expr, defined: list[Expr]) -> Expr:
        if not isinstance(node, ast.Tuple | ast.List | ast.Set):
            raise ConditionError(f"{_shown(node)} is no list of numbers: write x in (1, 2, 3)")
        return disjunction([terms.relation("==", left, self._number(item, defined)) for item in node.elts])

    def conditional(self, node: ast.IfExp) -> Reading:
        test, then, other = self.read(node.test), self._read_later(node.body), self._read_later(node.orelse)
        condition = terms.truth(test.value)
        chosen = disjunction(
            [conjunction([condition, then.defined]), conjunction([negation(condition), other.defined])]
        )
        value = terms.case(condition, terms.number(then.value), terms.number(other.value))
        return Reading(value, conjunction([test.defined, chosen]))

    def call(self, node: ast.Call) -> Reading:
        name, nodes = self._called(node)
        if name is None or node.keywords or any(isinstance(arg, ast.Starred) for arg in nodes):
            raise ConditionError(f"{_shown(node)} is not a plain call: write f(x, y)")
        if (first := name.partition(".")[0]) in self._variables:
            raise ConditionError(f"{first!r} is a variable and is called as {name!r}: give the variable another name")
        defined: list[Expr] = []
        args = [self._number(arg, defined) for arg in nodes]
        if name in self._boxes:
            box, sort = self._boxes[name]
            return Reading(box(*args, sort=sort), conjunction(defined))
        return Reading(build(self._function(name), args, defined), conjunction(defined))

    def _called(self, node: ast.Call) -> tuple[str | None, list[ast.expr]]:
        """The name of the function and its arguments: also of a method of a number, and those in a list."""
        name = _dotted(node.func)
        if name not in self._boxes and isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
            return node.func.attr, [node.func.value, *node.args]
        is_list = len(node.args) == 1 and isinstance(node.args[0], ast.Tuple | ast.List)
        if is_list and name is not None and name.removeprefix("math.") in OF_LISTS:
            return name, node.args[0].elts  # type: ignore[attr-defined]
        return name, node.args

    def _function(self, name: str) -> str:
        plain = name if name in FUNCTIONS else name.removeprefix("math.")
        if plain not in FUNCTIONS:
            hint = _close(name, [*FUNCTIONS, *self._boxes])
            raise ConditionError(f"function {name!r} is not known{hint}: name it with --black-box if it is your own")
        return plain


_READERS: dict[type[ast.expr], Callable[[_Reader, Any], Reading]] = {
    ast.Constant: _Reader.constant,
    ast.Name: _Reader.name,
    ast.Attribute: _Reader.attribute,
    ast.UnaryOp: _Reader.unary,
    ast.BinOp: _Reader.binary,
    ast.BoolOp: _Reader.junction,
    ast.Compare: _Reader.compare,
    ast.IfExp: _Reader.conditional,
    ast.Call: _Reader.call,
}


def _dotted(node: ast.expr) -> str | None:
    """A name with dots, if a node is one."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = _dotted(node.value)
        return None if before is None else f"{before}.{node.attr}"
    return None


def _close(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, known, 1)
    return f", did you mean {close[0]!r}?" if close else ""


def _shown(node: ast.AST) -> str:
    text = ast.unparse(node)
    return repr(text if len(text) <= 40 else text[:37] + "...")
