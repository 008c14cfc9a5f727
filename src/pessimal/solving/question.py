"""What is asked of a solver, as data that can cross to a worker, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from pessimal.conditions import Variable
from pessimal.pool.task import Task


@dataclass(frozen=True, slots=True)
class Question:
    """A condition as text, its variables, the black boxes that it may call, and how to look for a solution."""

    text: str
    is_smtlib: bool = False
    variables: Sequence[Variable] = ()
    black_boxes: Sequence[str] = ()
    solver: str = "portfolio"
    options: Mapping[str, Any] = field(default_factory=dict)
    experience: Mapping[str, Any] | None = None
    seed: int = 0
    allow_side_effects: bool = False


@dataclass(slots=True)
class SolveResult:
    """The answer: ``sat`` with a model that was confirmed, ``unsat`` if it was proved, otherwise ``unknown``.

    The confidence estimates how probable it is that an unknown condition is satisfiable. Notes tell what went wrong
    with black boxes.
    """

    condition: str
    status: str
    model: dict[str, Any] | None = None
    confidence: float | None = None
    solver: str = ""
    samples: int = 0
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)
    experience: dict[str, Any] | None = None
    interrupted: bool = False

    def to_json(self) -> dict[str, Any]:
        """The answer as it is printed."""
        names = ("condition", "status", "model", "confidence", "solver", "samples", "notes")
        return {**{name: getattr(self, name) for name in names}, "seconds": round(self.seconds, 6)}

    def __str__(self) -> str:
        lines = [self.status]
        if self.model is not None:
            lines += [f"  {name} = {value!r}" for name, value in self.model.items()]
        if self.confidence is not None:
            share = f"{self.confidence:.0%}" if self.confidence >= 0.01 else "below 1%"
            lines.append(f"  confidence {share} that it can be satisfied after all")
        lines += [f"  note      {note}" for note in self.notes]
        lines.append(f"  effort    {self.samples} samples, solver {self.solver or 'none'}, {self.seconds:.2f}s")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class SolveTask(Task[None, SolveResult]):
    """Answer a question in a worker, because it calls functions that are not ours."""

    entry_point: ClassVar[str] = "pessimal.solving.in_worker:answer"

    question: Question
    seconds: float
    ends_at: float | None = None
