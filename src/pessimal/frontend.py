"""The protocol of front-ends, one for each kind of target, and the choice of the front-end for a target."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

from pessimal.comparison import Comparison, Operand
from pessimal.coverage import CoverageGain, Place
from pessimal.expr import Leaf
from pessimal.fatal_runs import FatalRun
from pessimal.inputs import Domain, Inputs
from pessimal.local_search import LocalFindings, LocalSearch
from pessimal.pool import Recorder
from pessimal.registry import FRONT_ENDS
from pessimal.runs import Request
from pessimal.solve import Statistics
from pessimal.target import PYTHON, Reference
from pessimal.target_spec import TargetSpec
from pessimal.trace import Trace


class CoverageMeter(Protocol):
    """Measures which jumps in the target's code are taken, input by input."""

    def run(self, leaves: Sequence[Leaf], seconds: float) -> CoverageGain:
        """Run an input natively, and return what it adds to the coverage of the runs before."""
        ...


class FrontEnd(Protocol):
    """One target at one size, created from a :class:`TargetSpec`, a flight recorder, and the runs known to be fatal.

    ``name`` is the name of the target; ``inputs`` lays out its arguments as leaves; ``initial`` is the simplest input,
    and after :meth:`prepare` one that satisfies the preconditions. Every method that runs the target takes a time limit
    in seconds.
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
        """Whether all inputs that take the same path have the same cost."""
        ...

    @property
    def counts_branches(self) -> bool:
        """Whether a concrete run counts branches without recording them."""
        ...

    @property
    def statistics(self) -> Statistics:
        """Statistics of solving so far."""
        ...

    def prepare(self) -> None:
        """Find an input that satisfies the preconditions, for strategies to start from."""
        ...

    def run(self, request: Request, seconds: float) -> Trace:
        """One symbolic execution."""
        ...

    def evaluate(self, leaves: Sequence[Leaf], seconds: float, recording: bool = False) -> Trace:
        """One concrete execution with its cost; if ``recording``, its branches too."""
        ...

    def survey(self, inputs: Sequence[Sequence[Leaf]], seconds: float) -> list[float] | None:
        """The costs of many inputs, run quickly; None if the front-end cannot, or if one of them goes wrong."""
        ...

    def native(self, leaves: Sequence[Leaf], seconds: float) -> Trace:
        """One execution of the unmodified target, with nothing measured."""
        ...

    def differs_natively(self, leaves: Sequence[Leaf], seconds: float) -> str | None:
        """How a concrete run of an input differs from a native one, in its end or the lines it executes, in words."""
        ...

    def comparisons(self, leaves: Sequence[Leaf], seconds: float) -> list[Comparison]:
        """What a concrete execution compares, as hints for search; empty if the front-end cannot see that."""
        ...

    def literals(self) -> list[Operand]:
        """The literals in the code of the target, as hints for search; empty if the front-end cannot see them."""
        ...

    def cost(self, trace: Trace, seconds: float) -> float:
        """The cost of a run: read from its trace, or measured now with its input."""
        ...

    def admits(self, leaves: Sequence[Leaf]) -> bool:
        """Whether an input satisfies all preconditions."""
        ...

    def describe_call(self, leaves: Sequence[Leaf]) -> str:
        """The call of the target with an input, as a user would write it."""
        ...

    def coverage(self, places: Sequence[Place]) -> CoverageMeter:
        """A coverage meter, which also notes the jumps that are passed after each of the places."""
        ...

    def resized(self, size: int) -> FrontEnd:
        """The same target at another size, ready to run."""
        ...

    def importing(self) -> AbstractContextManager[None]:
        """Import Pessimal's own code inside, invisible to the target."""
        ...


@runtime_checkable
class SearchesNear(Protocol):
    """A front-end that can choose inputs by itself where it runs them: a target that takes less time than a message."""

    def search_near(self, search: LocalSearch) -> LocalFindings | None:
        """Search; None, and nothing was run, where it cannot."""
        ...


@runtime_checkable
class MeasuresDistances(Protocol):
    """A front-end whose concrete runs can tell how far each test was from its other outcome."""

    def approach(self, leaves: Sequence[Leaf], seconds: float) -> Trace:
        """One concrete execution with the distances of its tests, and without a cost."""
        ...


def confines_itself(spec: TargetSpec) -> bool:
    """Whether the front-end runs the target in confined processes of its own, and not in the worker."""
    return bool(getattr(FRONT_ENDS.get(_kind(spec)), "confines_itself", False))


def make_front_end(spec: TargetSpec, recorder: Recorder | None = None, fatal: Sequence[FatalRun] = ()) -> FrontEnd:
    """Create the front-end for the kind of the target."""
    front_end: FrontEnd = FRONT_ENDS.get(_kind(spec))(spec, recorder, fatal)
    return front_end


def start_outside(spec: TargetSpec) -> None:
    """Let the front-end start what a confined process cannot: a class may have ``start_outside(spec)`` for that."""
    start = getattr(FRONT_ENDS.get(_kind(spec)), "start_outside", None)
    if start is not None:
        start(spec)


def _kind(spec: TargetSpec) -> str:
    return spec.target.kind if isinstance(spec.target, Reference) else PYTHON
