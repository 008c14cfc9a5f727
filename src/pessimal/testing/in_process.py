"""A front-end for Python functions that runs inside the test's own process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from pessimal.comparison import Comparison, Operand
from pessimal.coverage import Place
from pessimal.endings import difference
from pessimal.expr import Leaf
from pessimal.inputs import Domain, Inputs
from pessimal.python.concrete import Concrete
from pessimal.python.costs import find
from pessimal.python.coverage import LineCoverage
from pessimal.python.measured.functions import MeasuredFunctions
from pessimal.python.plain_calls import repeated
from pessimal.python.scope import Scope
from pessimal.python.symbolic import Symbolic
from pessimal.runs import Request
from pessimal.solve import Statistics
from pessimal.target import Target
from pessimal.trace import Trace


class InProcess:
    """A front-end without worker processes or guards, for functions that are known to behave well."""

    def __init__(self, function: Callable[..., Any], size: int) -> None:
        self.name = function.__name__
        self.size = size
        self._function = function
        self.inputs = Inputs.of(function, size)
        self.initial: list[Leaf] = self.inputs.initial()
        self._symbolic = Symbolic(function, self.inputs)
        self._cost = find("branches")
        self._measured = MeasuredFunctions()
        self._concrete = Concrete(function, self.inputs.decode, self._cost, timeout=TimeoutError)

    @property
    def domains(self) -> Sequence[Domain]:
        """The domains of the leaves."""
        return self.inputs.domains

    def resized(self, size: int) -> InProcess:
        """The same function at another size."""
        return InProcess(self._function, size)

    @property
    def path_determined(self) -> bool:
        """The number of branches depends on the path alone."""
        return True

    @property
    def counts_branches(self) -> bool:
        """Every concrete run counts branches."""
        return True

    @property
    def statistics(self) -> Statistics:
        """Statistics of solving so far."""
        return self._symbolic.statistics

    def run(self, request: Request, seconds: float) -> Trace:
        """One symbolic execution."""
        return repeated(lambda: self._symbolic.run(request))

    def evaluate(self, leaves: Sequence[Leaf], seconds: float, recording: bool = False) -> Trace:
        """One concrete execution."""
        return self._concrete.run(list(leaves), self._symbolic.sites.locate if recording else None)

    def native(self, leaves: Sequence[Leaf], seconds: float) -> Trace:
        """One execution on plain values."""
        return Concrete(self._function, self.inputs.decode, None, timeout=TimeoutError, counted=False).run(list(leaves))

    def approach(self, leaves: Sequence[Leaf], seconds: float) -> Trace:
        """One execution on plain values with the distances of its tests."""
        self._measured.take([self._function.__module__])
        with self._measured.measuring() as log:
            trace = self.native(leaves, seconds)
        log.fill(trace)
        return trace

    def differs_natively(self, leaves: Sequence[Leaf], seconds: float) -> str | None:
        """How a counted run ends differently from a native one."""
        return difference(self.evaluate(leaves, seconds), self.native(leaves, seconds))

    def comparisons(self, leaves: Sequence[Leaf], seconds: float) -> list[Comparison]:
        """Comparisons are not noted in this process."""
        return []

    def survey(self, inputs: Sequence[Sequence[Leaf]], seconds: float) -> list[float] | None:
        """Inputs are run one by one."""
        return None

    def literals(self) -> list[Operand]:
        """Literals are not read in this process."""
        return []

    def prepare(self) -> None:
        """There are no preconditions to satisfy."""

    def admits(self, leaves: Sequence[Leaf]) -> bool:
        """Every input is admitted."""
        return True

    def describe_call(self, leaves: Sequence[Leaf]) -> str:
        """The call as Python text."""
        return Target.of(self._function).describe_call(self.inputs, leaves)

    def coverage(self, places: Sequence[Place]) -> LineCoverage:
        """A meter of the function's line coverage."""
        return LineCoverage(self.native, places, Scope().includes)

    def importing(self) -> AbstractContextManager[None]:
        """Modules are imported as usual in this process."""
        return nullcontext()

    def cost(self, trace: Trace, seconds: float) -> float:
        """The number of branches."""
        return trace.costs.get("branches", trace.length)
