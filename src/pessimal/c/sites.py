"""The tests of instrumented code: where each is, and which slots its outcomes have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pessimal.comparison import Operand
from pessimal.trace import Site


@dataclass(frozen=True, slots=True)
class CTest:
    """A test of the source with its outcomes: false and true, or the cases of a switch.

    Outcome ``i`` has the slot ``slot + i``, and ``labels`` has it in words.
    """

    site: Site
    slot: int
    labels: tuple[str, ...] = ("false", "true")

    @property
    def arity(self) -> int:
        """How many outcomes it has."""
        return len(self.labels)

    @property
    def is_switch(self) -> bool:
        """Whether its outcomes are the cases of a switch."""
        return self.labels != ("false", "true")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of the source, which is executed or not."""

    file: str
    function: str
    line: int


@dataclass(frozen=True, slots=True)
class Span:
    """The lines of an instrumented text that a function takes, both inclusive and counted from 1."""

    function: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Instrumented:
    """The text of an instrumented file, its tests and statements, and the functions that it defines.

    ``literals`` has the literals of each function, ``words`` the names that its text has.

    ``spans`` has the functions that were changed, ``declared`` the lengths that parameters are declared with, as in
    ``key[16]``, by function and parameter, ``dimensions`` for each function the parameters that say how long others
    are, ``casts`` the types that it casts pointers to, by their names, ``aliases`` the variables that have
    the value of another one.
    """

    text: bytes
    tests: tuple[CTest, ...]
    statements: tuple[Statement, ...]
    functions: tuple[str, ...]
    literals: Mapping[str, tuple[Operand, ...]] = field(default_factory=dict)
    words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    spans: tuple[Span, ...] = ()
    declared: Mapping[tuple[str, str], int] = field(default_factory=dict)
    dimensions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    casts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    aliases: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def reached(self, function: str) -> list[str]:
        """A function and those of its file that it leads to, the nearest first."""
        order = [function]
        for name in order:
            order += (item for item in self.functions if item in self.words.get(name, ()) and item not in order)
        return order

    def literals_for(self, function: str) -> list[Operand]:
        """The literals of a function and of those that it leads to, the nearest first."""
        return [literal for name in self.reached(function) for literal in self.literals.get(name, ())]

    def mentions(self, function: str, word: str) -> bool:
        """Whether a function or one that it leads to has a word."""
        return any(word in self.words.get(name, ()) for name in self.reached(function))
