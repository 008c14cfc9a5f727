"""Observations: what a scenario did when it ran natively, as assertions in the words of scenarios."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pessimal.scenario import Argument, Name, Plain, Scenario, Step

Relation = Literal["==", "is", "isinstance"]
PROGRAM = "program"
"""The name of the program, its only argument, where a scenario looks at that."""


@dataclass(frozen=True, slots=True)
class Check:
    """One assertion: a relation between a subject and what is expected of it.

    The subject is made of results of steps. A result with the number of steps or more means an argument of the last
    step after the call: its subject first, then its positional arguments, then the others.
    """

    subject: Argument
    relation: Relation
    expected: Argument


@dataclass(frozen=True, slots=True)
class Observation:
    """What a scenario did: checks of what it returned or changed, or the exception; and what names its values have."""

    checks: tuple[Check, ...] = ()
    raised: Name | None = None
    match: str | None = None
    """A part of the exception's message that is written in the code."""
    printed: str | None = None
    consumed: Argument | None = None
    """How the result was consumed when that raised, such as ``list(result)``."""
    kinds: tuple[str, ...] = ()
    """The name of the class of what each step returned."""
    owner: str = ""
    """The class that the method or attribute of the last step belongs to."""
    parameters: tuple[tuple[str, ...], ...] = ()
    """For each step, the names of the parameters that its positional arguments are for."""
    in_scratch: bool = False
    """Whether it looked at files in the current directory, or changed them, and so needs one of its own."""
    reads_arguments: bool = False
    """Whether it looked at the arguments of the program, which are others when tests run."""
    weaker: tuple[Check, ...] = ()
    """What is asserted of a result that is another one each time: its class."""
    states: tuple[str, ...] = ()
    """What the steps before the last one returned, as text: where that varies, the result may depend on chance."""

    def to_json(self) -> dict[str, Any]:
        """The observation as JSON values; assertions travel as steps."""
        return {
            "checks": [_check_to_json(check) for check in self.checks],
            "raised": None if self.raised is None else [self.raised.module, self.raised.qualname],
            "match": self.match,
            "printed": self.printed,
            "consumed": None if self.consumed is None else _packed(self.consumed),
            "kinds": list(self.kinds),
            "owner": self.owner,
            "parameters": [list(names) for names in self.parameters],
            "in_scratch": self.in_scratch,
            "reads_arguments": self.reads_arguments,
            "weaker": [_check_to_json(check) for check in self.weaker],
            "states": list(self.states),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Observation:
        """The observation that :meth:`to_json` wrote."""
        return cls(
            _checks_from_json(data["checks"]),
            None if data["raised"] is None else Name(*data["raised"]),
            data["match"],
            data["printed"],
            None if data["consumed"] is None else _unpacked(data["consumed"]),
            tuple(data["kinds"]),
            data["owner"],
            tuple(map(tuple, data["parameters"])),
            data["in_scratch"],
            data["reads_arguments"],
            _checks_from_json(data["weaker"]),
            tuple(data["states"]),
        )


def agreed(first: Observation, second: Observation) -> Observation | None:
    """What two observations of one scenario agree on; nothing if even their outcomes differ, or all they assert."""
    if first.raised != second.raised or first.consumed != second.consumed:
        return None
    weaker = _common(first.weaker, second.weaker)
    checks = _common(first.checks, second.checks)
    if first.states != second.states:
        checks = tuple(check for check in checks if check.expected == Plain(None))
    checks = checks or weaker
    if first.checks and not checks:
        return None
    match = first.match if first.match == second.match else None
    printed = first.printed if first.printed == second.printed else None
    return replace(first, checks=checks, weaker=weaker, match=match, printed=printed)


def _common(first: Sequence[Check], second: Sequence[Check]) -> tuple[Check, ...]:
    others = list(map(_check_to_json, second))
    return tuple(check for check in first if _check_to_json(check) in others)


def _check_to_json(check: Check) -> list[Any]:
    """A check as JSON values, in which sets have an order that does not depend on hashes."""
    return [check.relation, _packed(check.subject), _packed(check.expected)]


def _checks_from_json(data: Sequence[Any]) -> tuple[Check, ...]:
    return tuple(Check(_unpacked(item), relation, _unpacked(other)) for relation, item, other in data)


def _packed(argument: Argument) -> Sequence[Any]:
    return Scenario((Step("call", argument),)).to_json()


def _unpacked(data: Sequence[Any]) -> Argument:
    return Scenario.from_json(data).steps[0].subject
