"""Cases: what a written test is made from. A search finds them, and here they become tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from pessimal.json_values import rebuilt
from pessimal.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Reach:
    """An arc that a case is the first to reach: from a line to a line, and how the condition there came out."""

    file: str
    line: int
    to_line: int
    condition: str | None = None
    """The source text of the condition, such as ``margin is None`` or ``for item in items``."""
    came_out: bool | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the last step ended: it returned, or it raised an exception of a class with a message."""

    kind: Literal["returned", "raised"] = "returned"
    module: str = ""
    qualname: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A scenario, what it is the first to reach, and how it ended."""

    scenario: Scenario
    reaches: tuple[Reach, ...] = ()
    outcome: Outcome = Outcome()

    def to_json(self) -> dict[str, Any]:
        """The case as JSON values."""
        reaches = [asdict(reach) for reach in self.reaches]
        return {"scenario": self.scenario.to_json(), "reaches": reaches, "outcome": asdict(self.outcome)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Case:
        """The case that :meth:`to_json` wrote."""
        reaches = rebuilt(tuple[Reach, ...], data["reaches"])
        return cls(Scenario.from_json(data["scenario"]), reaches, rebuilt(Outcome, data["outcome"]))


@dataclass(frozen=True, slots=True)
class Module:
    """A module that tests import: its name in scenarios, and its file if it has one."""

    name: str
    file: str | None = None
