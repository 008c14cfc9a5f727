"""The seam between a kind of target and everything else: what a front-end offers, and which one runs a target."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from pessimal.coverage import CoverageGain, Place
from pessimal.expr import Leaf
from pessimal.fatal_runs import FatalRun
from pessimal.inputs import Domain, Inputs
from pessimal.pool import Recorder
from pessimal.registry import FRONT_ENDS
from pessimal.runs import Request
from pessimal.solve import Statistics
from pessimal.target import PYTHON, Reference
from pessimal.target_spec import TargetSpec
from pessimal.trace import Trace


class CoverageMeter(Protocol):
    """Measures which ways through the target's code inputs take, one after the other."""

    def run(self, leaves: Sequence[Leaf], seconds: float) -> CoverageGain:
        """Run an input natively; what it adds to the runs before."""
        ...


class FrontEnd(Protocol):
    """One target at one size. It is made from a :class:`TargetSpec`, a flight recorder, and runs known to be fatal.

    ``name`` is the target's; ``inputs`` lays its arguments out as leaves; ``initial`` is the simplest input, after
    :meth:`prepare` one that satisfies the preconditions. Every method that runs the target takes the seconds that
    this may take.
    """

    name: str
    size: int
    inputs: Inputs
    initial: list[Leaf]

    @property
    def domains(self) -> Sequence[Domain]:
        """The domains of the leaves."""
        ...

    @property
    def path_determined(self) -> bool:
        """Whether the cost is the same for all inputs of one path."""
        ...

    @property
    def counts_branches(self) -> bool:
        """Whether a concrete run counts branches without recording them."""
        ...

    @property
    def statistics(self) -> Statistics:
        """What solving cost so far."""
        ...

    def prepare(self) -> None:
        """Find an input that satisfies the preconditions, for strategies to start from."""
        ...

    def run(self, request: Request, seconds: float) -> Trace:
        """One symbolic execution."""
        ...

    def evaluate(self, leaves: Sequence[Leaf], seconds: float, recording: bool = False) -> Trace:
        """One concrete execution, with its cost; with recording, its branches too."""
        ...

    def native(self, leaves: Sequence[Leaf], seconds: float) -> Trace:
        """One execution of the target as it is, with nothing measured."""
        ...

    def cost(self, trace: Trace, seconds: float) -> float:
        """The cost of a run: read off its trace, or measured now on its input."""
        ...

    def admits(self, leaves: Sequence[Leaf]) -> bool:
        """Whether an input satisfies all preconditions."""
        ...

    def describe_call(self, leaves: Sequence[Leaf]) -> str:
        """The call of the target on an input, as its users would write it."""
        ...

    def coverage(self, places: Sequence[Place]) -> CoverageMeter:
        """A meter of the ways through the code, which notes those that are passed after one of the places."""
        ...

    def resized(self, size: int) -> FrontEnd:
        """The same target at another size, ready to run."""
        ...

    def importing(self) -> AbstractContextManager[None]:
        """Let code of ours be imported inside, out of the target's reach."""
        ...


def make_front_end(spec: TargetSpec, recorder: Recorder | None = None, fatal: Sequence[FatalRun] = ()) -> FrontEnd:
    """The front-end for the kind of target that is asked for."""
    kind = spec.target.kind if isinstance(spec.target, Reference) else PYTHON
    front_end: FrontEnd = FRONT_ENDS.get(kind)(spec, recorder, fatal)
    return front_end
