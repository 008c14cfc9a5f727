"""Symbolic runs of a Python function in a process of its own, as environments ask for them."""

from __future__ import annotations

import json
import select
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pessimal.errors import TargetError, UsageError
from pessimal.expr import Leaf
from pessimal.trace import Outcome

PATIENCE = 300.0
"""After so many seconds without an answer the process is replaced; its runs have a limit of their own."""


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
    """The runs of one target; a process that dies or hangs is replaced, and its run is lost."""

    def __init__(self, target: str, size: int, inputs: Mapping[str, str]) -> None:
        self._asked = json.dumps({"target": target, "size": size, "inputs": dict(inputs)})
        self.first = self._start()
        if not len(self.first):
            self.close()
            raise UsageError(f"{target} makes no branch that depends on its input", slug="target")

    def _start(self) -> Run:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pessimal.worker.symbolic_runs", self._asked],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        answer = self._answer()
        if answer is None:
            self.close()
            raise TargetError("the target ends the process that runs it: run it by itself to see why")
        if "error" in answer:
            self.close()
            raise UsageError.from_json(answer["error"])
        return _run(answer)

    def follow(self, decisions: bytes, leaves: Sequence[Leaf]) -> Run:
        """Take these decisions from an input on, then what the input leads to."""
        return self._ask({"decisions": decisions.hex(), "leaves": list(leaves)})

    def random(self, seed: int) -> Run:
        """The run of a random input."""
        return self._ask({"seed": seed})

    def _ask(self, request: dict[str, Any]) -> Run:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            answer = self._answer()
        except BrokenPipeError:
            answer = None
        if answer is None:
            self.close()
            self._start()
            return LOST
        return _run(answer)

    def _answer(self) -> dict[str, Any] | None:
        """The next line; None if there is none."""
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], PATIENCE)
        line = self._process.stdout.readline() if ready else b""
        return dict(json.loads(line)) if line.endswith(b"\n") else None

    def close(self) -> None:
        """End the process; may be called again."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


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
