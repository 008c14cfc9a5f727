"""Symbolic runs of a Python function in a process of its own, as environments ask for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pessimal.errors import UsageError
from pessimal.expr import Leaf
from pessimal.trace import Outcome
from pessimal.worker.run_client import RunClient


@dataclass(frozen=True, slots=True)
class Run:
    """One run: its decisions with their sites and how many outcomes each has, its input, and how it ended."""

    outcome: str
    decisions: bytes
    sites: Sequence[str]
    arities: Sequence[int]
    choices: frozenset[int]
    leaves: Sequence[Leaf]
    call: str

    def __len__(self) -> int:
        return len(self.decisions)

    def has_followed(self, decisions: bytes) -> bool:
        """Whether it made these decisions, and no other one was found infeasible."""
        return self.outcome != Outcome.INFEASIBLE.value and self.decisions.startswith(decisions)


LOST = Run(Outcome.CRASHED.value, b"", (), (), frozenset(), (), "")
"""A run that ended its process."""


class SymbolicRuns:
    """The runs of one target; one that ends its process is lost."""

    def __init__(self, target: str, size: int, inputs: Mapping[str, str]) -> None:
        self._client = RunClient(target, size, inputs, "path")
        self.first = _run(self._client.first)
        if not len(self.first):
            self.close()
            raise UsageError(f"{target} makes no branch that depends on its input", slug="target")

    def follow(self, decisions: bytes, leaves: Sequence[Leaf]) -> Run:
        """Take these decisions from an input on, then what the input leads to."""
        return self._asked({"decisions": decisions.hex(), "leaves": list(leaves)})

    def random(self, seed: int) -> Run:
        """The run of a random input."""
        return self._asked({"seed": seed})

    def _asked(self, request: Mapping[str, Any]) -> Run:
        answer = self._client.ask(request)
        return LOST if answer is None else _run(answer)

    def close(self) -> None:
        """End the process; may be called again."""
        self._client.close()


def _run(answer: Mapping[str, Any]) -> Run:
    return Run(
        answer["outcome"],
        bytes.fromhex(answer["decisions"]),
        answer["sites"],
        answer["arities"],
        frozenset(answer["choices"]),
        answer["leaves"],
        answer["call"],
    )
