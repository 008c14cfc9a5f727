"""A program whose inputs can all be run: what a search claims of it, compared with runs of every single input."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator, Sequence

from pessimal.endings import difference
from pessimal.expr import Leaf
from pessimal.inputs import Domain, Inputs
from pessimal.python.concrete import Concrete
from pessimal.python.costs import find
from pessimal.python.executed_lines import ExecutedLines
from pessimal.python.plain_calls import repeated
from pessimal.python.sites import Sites
from pessimal.python.symbolic import Symbolic
from pessimal.python.work import instrumentation
from pessimal.runs import Request
from pessimal.search.budget import Budget
from pessimal.search.exhaustive import Exhaustive
from pessimal.search.session import SearchSession
from pessimal.solve import Statistics
from pessimal.solve.z3 import Z3Solver
from pessimal.trace import Outcome, Trace
from tests.proof.library_programs import doubles
from tests.python.comparing import WORLDS, load
from tests.python.programs import Program

PATHS = 150
EFFORT = 200_000
"""Z3 may spend little: what it does not settle is unknown, and nothing is claimed."""


class Enumerated:
    """A front-end for a program's text, in this process; ``work`` needs the text in a file of the ``folder``."""

    def __init__(self, program: Program, name: str, cost: str = "branches", folder: str = "/programs") -> None:
        self.name = name
        self.size = 1
        file = self.file = f"{folder}/{name}.py"
        self._plain = load(program.source, file, rewriting=False)
        self._rewritten = load(program.source, file, rewriting=True)
        self.inputs = Inputs.of(self._plain, 1, program.inputs)
        self.initial = self.inputs.initial()
        self.domains: Sequence[Domain] = self.inputs.domains
        self._sites = Sites()
        scope = WORLDS.scope
        self._symbolic = Symbolic(
            self._rewritten,
            self.inputs,
            sites=self._sites,
            solver=lambda: Z3Solver(EFFORT),
            uncounted_files=scope.uncounted_files,
        )
        self._cost = find(cost)
        self._measured = Concrete(self._plain, self.inputs.decode, self._cost, timeout=TimeoutError)
        self._counted = Concrete(
            self._rewritten,
            self.inputs.decode,
            find("branches"),
            timeout=TimeoutError,
            uncounted_files=scope.uncounted_files,
        )
        self._native = Concrete(self._plain, self.inputs.decode, None, timeout=TimeoutError, counted=False)
        self.counts_branches = True
        self.leaves: list[list[Leaf]] = []

    @property
    def path_determined(self) -> bool:
        return self._cost.path_determined and not self._measured.keeps_state

    @property
    def statistics(self) -> Statistics:
        return self._symbolic.statistics

    def run(self, request: Request, seconds: float) -> Trace:
        trace = repeated(lambda: self._symbolic.run(request))
        if trace.outcome is not Outcome.INFEASIBLE:
            self.leaves.append(list(trace.leaves))
        return trace

    def evaluate(self, leaves: Sequence[Leaf], seconds: float = 10, recording: bool = False) -> Trace:
        return self._counted.run(list(leaves), self._sites.locate if recording else None)

    def native(self, leaves: Sequence[Leaf], seconds: float = 10) -> Trace:
        with instrumentation().paused():
            return self._native.run(list(leaves))

    def differs_natively(self, leaves: Sequence[Leaf], seconds: float = 10) -> str | None:
        with ExecutedLines(self._is_own) as ours:
            counted = self.evaluate(leaves)
        with ExecutedLines(self._is_own) as theirs:
            native = self.native(leaves)
        return difference(counted, native) or ours.difference(theirs)

    def _is_own(self, name: str, file: str) -> bool:
        return file == self.file

    def cost(self, trace: Trace, seconds: float = 10) -> float:
        if self._cost.from_trace:
            known = self.evaluate(trace.leaves) if trace.refused else trace
            return known.costs.get("branches", known.length)
        if self._cost.name not in trace.costs:
            trace.costs[self._cost.name] = self._measured.run(list(trace.leaves)).costs[self._cost.name]
        return trace.costs[self._cost.name]

    def describe_call(self, leaves: Sequence[Leaf]) -> str:
        return f"target{tuple(self.inputs.arguments(leaves).values())}"

    def prepare(self) -> None:
        pass

    def every_input(self) -> Iterator[list[Leaf]]:
        """All inputs."""
        spans = [
            doubles(domain.low, domain.high) if domain.kind == "float" else range(domain.low, domain.high + 1)
            for domain in self.domains
        ]
        return map(list, itertools.product(*spans))

    def lines(self, leaves: Sequence[Leaf]) -> tuple[int, ...]:
        """The lines of the program that a native run of an input goes through, in order."""
        file, passed = self.file, []

        def on_line(frame, event, argument):
            if event == "line":
                passed.append(frame.f_lineno)
            return on_line

        previous = sys.gettrace()
        sys.settrace(lambda frame, event, argument: on_line if frame.f_code.co_filename == file else None)
        try:
            self.native(leaves)
        finally:
            sys.settrace(previous)
        return tuple(passed)


def search(front_end: Enumerated, paths: int = PATHS, seconds: float | None = None) -> SearchSession:
    """An exhaustive search of a program, with the attack on what it claims."""
    session = SearchSession(
        front_end, Budget(seconds=seconds, paths=paths), seed=0, run_seconds=10.0, send=lambda message: None
    )
    session.conduct(Exhaustive())
    return session


def fault(front_end: Enumerated, maximum: float, leaves: Sequence[Sequence[Leaf]]) -> str | None:
    """What is wrong with the claim that these inputs take all paths, and that none costs more than the maximum."""
    known = {front_end.lines(item) for item in leaves}
    for item in front_end.every_input():
        cost = front_end.cost(front_end.evaluate(item))
        if cost > maximum:
            return f"{front_end.describe_call(item)} costs {cost:g}, more than {maximum:g}"
        if front_end.lines(item) not in known:
            return f"{front_end.describe_call(item)} goes through other lines than any path"
        differs = front_end.differs_natively(item)
        if differs is not None:
            return f"{front_end.describe_call(item)}: {differs}"
    return None
