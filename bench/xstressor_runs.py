"""What the XSTRESSOR bench runs: the whole command in a fresh process, and single inputs before two solvers.

A cell's wall seconds are what a user waits: the start of Python, the small runs, model, path, solver, replay. The CPU
seconds beside them, of all processes, tell how much of it was waiting for a busy machine.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, process_time
from typing import TYPE_CHECKING, Any

import pessimal
from bench.cells import ROOT, Cell, Outcome
from bench.xstressor_subjects import Subject
from pessimal.errors import InternalError
from pessimal.expr import Leaf
from pessimal.inputs import encode
from pessimal.solve import PathSolver
from pessimal.strategy import Session
from pessimal.target_spec import Limits
from pessimal.trace import Trace

if TYPE_CHECKING:
    from pessimal.synthesis.condition import Condition

PESSIMAL = Path(sys.executable).with_name("pessimal")
RUN_SECONDS = 60
Z3_SECONDS = 60
SAMPLE_SECONDS = 300.0

SMALL = range(4, 11)
"""The sizes that a model is made from to time it."""

TIMES = 3
"""How often is timed what is short; the least counts."""


@dataclass(frozen=True, slots=True)
class Command(Cell):
    """A search by the command line."""

    inputs: Mapping[str, str] = field(default_factory=dict)
    require: tuple[str, ...] = ()
    cost: str = "branches"

    def run(self) -> Outcome:
        """Search in a process of its own, and measure that from outside."""
        with tempfile.TemporaryFile("w+") as report, tempfile.TemporaryFile("w+") as said:
            started = monotonic()
            process = subprocess.Popen(list(self._words()), cwd=ROOT, stdout=report, stderr=said)
            _, status, used = os.wait4(process.pid, 0)
            wall = monotonic() - started
            process.returncode = os.waitstatus_to_exitcode(status)
            report.seek(0)
            said.seek(0)
            if process.returncode not in (0, 1):
                raise InternalError(said.read() or f"exit code {process.returncode}")
            result = json.load(report)
        return {
            **{
                name: result[name] for name in ("paths", "found_run", "found_after", "seconds", "stopped", "difference")
            },
            "cost": result["cost"]["value"] or 0,
            "report": result.get("report", {}),
            "wall": round(wall, 3),
            "cpu": round(used.ru_utime + used.ru_stime, 3),
            "peak": used.ru_maxrss >> 10,
            "load": os.getloadavg()[0],
        }

    def _words(self) -> Iterator[str]:
        yield from (str(PESSIMAL), "stress", self.target, "--json", "--quiet", "--stop-after", "none")
        yield from ("--size", str(self.size), "--strategy", self.strategy, "--cost", self.cost)
        yield from ("--budget", f"{self.seconds}s", "--seed", str(self.seed), "--run-timeout", f"{RUN_SECONDS}s")
        yield from () if self.goal is None else ("--stop-at", str(self.goal))
        for name, spec in self.inputs.items():
            yield from ("--input", f"{name}={spec}")
        for expression in self.require:
            yield from ("--require", expression)


def command(subject: Subject, size: int, seconds: float, strategy: str = "synthesis") -> Command:
    """The search of a subject at a size; all but ``synthesis`` stop where no more can be had."""
    goal = None if strategy == "synthesis" else subject.longest(size)
    return Command(subject.target, size, strategy, seconds, goal=goal, **_asked(subject))


def sample(subject: Subject, size: int, generator: str, question: str) -> Sample:
    """A question about the input that a generator makes of a size."""
    return Sample(
        subject.target, size, "given", SAMPLE_SECONDS, generator=generator, question=question, **_asked(subject)
    )


def _asked(subject: Subject) -> dict[str, Any]:
    return {"inputs": subject.inputs, "require": subject.require, "cost": subject.cost}


@dataclass(frozen=True, slots=True)
class Sample(Command):
    """One input from a generator, and what is asked about it: ``cost``, ``z3`` or ``model``."""

    generator: str = ""
    question: str = "cost"

    def run(self) -> Outcome:
        """Ask, through the function that users call."""
        result = pessimal.stress(
            self.target,
            size=self.size,
            strategy=Asking(self.question, self.generator),
            inputs=self.inputs,
            require=self.require,
            cost=self.cost,
            budget=self.seconds,
            limits=Limits(run_seconds=RUN_SECONDS),
            warn=lambda text: None,
        )
        effort = result.effort
        return {
            "paths": effort.paths,
            "found_run": effort.found_run,
            "seconds": effort.seconds,
            "stopped": effort.stopped,
            "cost": result.cost["value"] or 0,
            "report": result.report or {},
            "load": os.getloadavg()[0],
        }


class Asking:
    """A strategy that asks one question about the inputs of a generator.

    ``cost``: what does it cost? ``z3``: how long does Z3 take for its path condition, how long do we? ``model``: how
    long does it take to write the path condition of the size from small ones, and to solve that?
    """

    name = "given"

    def __init__(self, question: str, generator: str) -> None:
        self._question = question
        self._generator = generator
        self._report: dict[str, Any] = {}

    def search(self, session: Session) -> None:
        """Ask."""
        with session.importing():  # as in synthesis
            import z3  # noqa: F401  (loaded here, used below)

            import pessimal.synthesis.proposal  # noqa: F401
        if self._question == "cost":
            session.evaluate(self._leaves(session))
        elif self._question == "z3":
            self._report = _solved(self._trace(session), session)
        else:
            self._report = self._written(session)

    def _leaves(self, session: Session) -> list[Leaf]:
        return encode(session.inputs, build(self._generator, session.size))

    def _trace(self, session: Session) -> Trace:
        return session.run(start=self._leaves(session))

    def _written(self, session: Session) -> dict[str, Any]:
        from pessimal.synthesis.proposal import proposals

        examples = {size: [self._trace(session.at(size))] for size in SMALL}
        proposal = next(proposals(examples, session.size))
        writing, solving = [], []
        for _ in range(TIMES):
            started = process_time()
            condition = proposal.condition(session.size, session.domains)
            written = process_time()
            _solve(condition, session)
            writing.append(written - started)
            solving.append(process_time() - written)
        return {"conditions": condition.conditions, "seconds": {"synthesis": min(writing), "solving": min(solving)}}

    def report(self) -> dict[str, Any]:
        """The answer, but for the cost."""
        return self._report


def _solve(condition: Condition, session: Session) -> None:
    """Solve a condition as synthesis does: as arrays, or one literal after the other."""
    from pessimal.solve.z3 import Z3Solver
    from pessimal.synthesis.arrays.system import Unsupported

    try:
        condition.solve()
    except Unsupported:
        bounds = [(domain.low, domain.high) for domain in session.domains]
        solver = PathSolver(session.initial, bounds, Z3Solver)
        if not all(solver.assume(literal, want) for literal, want in condition.literals()):
            raise


def _solved(trace: Trace, session: Session) -> dict[str, Any]:
    """Our CPU seconds and Z3's for one path condition, by the tactic that is cheapest to fill."""
    import z3

    from pessimal.expr.smt import Translator
    from pessimal.synthesis.proposal import condition_of

    condition = condition_of(trace, session.domains)
    ours = []
    for _ in range(TIMES):
        started = process_time()
        _solve(condition, session)
        ours.append(process_time() - started)
    literals = list(condition.literals())
    solver = z3.Tactic("smt").solver()
    solver.set("timeout", Z3_SECONDS * 1000)
    translator = Translator()
    started = process_time()
    made = [translator.condition(literal) for literal, _ in literals]
    solver.add([some if want else z3.Not(some) for some, (_, want) in zip(made, literals, strict=True)])
    for number, variable in translator.variables.items():
        low, high = session.domains[number].low, session.domains[number].high
        solver.add([] if low is None else [variable >= low])
        solver.add([] if high is None else [variable <= high])
    filled = process_time()
    answer = str(solver.check())
    seconds = {"ours": min(ours), "telling": filled - started, "z3": process_time() - filled}
    return {"conditions": condition.conditions, "answer": answer, "seconds": seconds}


def build(code: str, size: int) -> dict[str, Any]:
    """What a generator makes at a size."""
    names: dict[str, Any] = {}
    exec(code, names)  # as written by synthesis a moment ago
    made: dict[str, Any] = names["worst_case"](size)
    return made


def body(code: str) -> str:
    """What a generator does, in one line."""
    (function,) = ast.parse(code).body
    assert isinstance(function, ast.FunctionDef)
    return "; ".join(ast.unparse(statement) for statement in function.body[1:])


def checked(code: str) -> str | None:
    """The sizes at which a generator says that it was checked."""
    found = re.search(r"checked at n = ([^.]*)\.", code)
    return None if found is None else " ".join(found[1].split())
