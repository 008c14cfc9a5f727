"""A condition that was read: what it says of which variables, and who judges a model of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pessimal.errors import UsageError
from pessimal.expr import Compare, Expr, Leaf, Offset, Term, Var
from pessimal.inputs import Bool, Float, Int, Spec


class ConditionError(UsageError):
    """A condition that cannot be read: bad syntax, an unknown name, operands that do not fit."""

    slug = "condition"


class NoValue(ConditionError):
    """A part of a condition that has no value whatever the variables are, such as ``1 / 0``."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable by its name and kind (``int``, ``float`` or ``bool``), with its range, both ends included."""

    name: str
    kind: str
    low: Leaf | None = None
    high: Leaf | None = None

    def __post_init__(self) -> None:
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ConditionError(
                f"variable {self.name!r} has the empty range {self.low}..{self.high}: put the smaller bound first"
            )

    @classmethod
    def of(cls, name: str, spec: Spec) -> Variable:
        """The variable that a specification such as ``int:0..9`` describes."""
        if isinstance(spec, Bool):
            return cls(name, "bool", 0, 1)
        if not isinstance(spec, Int | Float):
            raise ConditionError(f"variable {name!r} must be an int, a float or a bool, not {spec}")
        for bound in (spec.low, spec.high):
            if isinstance(bound, str):
                raise ConditionError(
                    f"variable {name!r} has the bound {bound!r}: a condition has no size, write a number"
                )
        if isinstance(spec, Float):
            low, high = (None if bound is None else float(bound) for bound in (spec.low, spec.high))
            return cls(name, "float", low, high)
        return cls(name, "int", spec.low, spec.high)  # type: ignore[arg-type]

    def term(self, leaf: int) -> Term | Expr:
        """The variable as a term of the leaf that has its value, or as a condition."""
        if self.kind == "bool":
            return Compare("==", Offset(leaf), 1)
        return Var(leaf) if self.kind == "float" else Offset(leaf)

    def start(self) -> Leaf:
        """The value nearest to zero."""
        zero: Leaf = 0.0 if self.kind == "float" else 0
        if self.low is not None and self.low > zero:
            return self.low
        return self.high if self.high is not None and self.high < zero else zero

    def value(self, leaf: Leaf) -> Any:
        """The value that people see."""
        return bool(leaf) if self.kind == "bool" else leaf


@dataclass(frozen=True, slots=True)
class Condition:
    """What shall hold, over variables whose order is that of the leaves, and the text that it was read from.

    ``judge`` says whether values by name satisfy what was written, computed independently of the expression.
    Of a condition over the reals, or one that is limited to numbers that can be computed in time, nothing is proved.
    """

    text: str
    expression: Expr
    variables: Sequence[Variable]
    judge: Callable[[Mapping[str, Any]], bool]
    is_over_reals: bool = False
    is_limited: bool = False

    @property
    def domains(self) -> list[tuple[Leaf | None, Leaf | None]]:
        """The range of each leaf."""
        return [(variable.low, variable.high) for variable in self.variables]

    def named(self, leaves: Sequence[Leaf]) -> dict[str, Any]:
        """The values of an input by the names of the variables."""
        return {variable.name: variable.value(leaf) for variable, leaf in zip(self.variables, leaves, strict=True)}
