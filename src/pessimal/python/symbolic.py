"""Symbolic runs of a target: one call, one trace, with every branch decided by the policy."""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from ctypes import ArgumentError
from time import monotonic
from typing import Any

from pessimal.execution import MAX_BRANCHES, Stop
from pessimal.expr import Compare, Offset, Var
from pessimal.expr.marked import unmarked
from pessimal.importing import describe
from pessimal.inputs import Inputs
from pessimal.inputs.maker import answering, fresh
from pessimal.python import current
from pessimal.python.counterparts import counterpart
from pessimal.python.deciding import decide, number_between
from pessimal.python.execution import PythonExecution
from pessimal.python.handlers import resolve
from pessimal.python.handlers.containers import dict_of_pairs
from pessimal.python.refusals import examine
from pessimal.python.require import Requirement
from pessimal.python.sites import Sites
from pessimal.python.values import SymBool, SymBytes, SymFloat, SymInt, SymStr
from pessimal.python.values.leftovers import take_out
from pessimal.python.values.members import make_frozenset, make_set
from pessimal.runs import Request
from pessimal.solve import PathSolver, Solver, Statistics
from pessimal.trace import Outcome, Trace

ONE_BY_ONE = 16
"""Up to so many alternatives are asked for one after the other, so that lengths grow; more are halved."""


class Symbols:
    """Makes symbolic values from leaves: the front-end's side of an input specification."""

    def __init__(self, bounds: Sequence[tuple[Any, Any]]) -> None:
        self._bounds = bounds

    def integer(self, leaf: int) -> SymInt:
        """A symbolic integer."""
        return SymInt(Offset(leaf))

    def boolean(self, leaf: int) -> SymBool:
        """A symbolic truth value."""
        return SymBool(Compare("==", Offset(leaf), 1))

    def floating(self, leaf: int) -> SymFloat:
        """A symbolic float."""
        return SymFloat(Var(leaf))

    def text(self, leaves: Sequence[int]) -> Any:
        """Text with one symbolic code point per position."""
        return SymStr.make([Offset(leaf) for leaf in leaves])

    def data(self, leaves: Sequence[int]) -> Any:
        """Bytes with one symbolic value per position."""
        return SymBytes.make([Offset(leaf) for leaf in leaves])

    def choose(self, leaf: int) -> int:
        """A concrete alternative, as choices that can be revisited."""
        low, high = self._bounds[leaf]
        if high - low > ONE_BY_ONE:
            return number_between(Offset(leaf), low, high)
        return next((i for i in range(low, high) if decide(Compare("==", Offset(leaf), i))), int(high))

    def mapping(self, pairs: Sequence[tuple[Any, Any]]) -> Any:
        """A dict that can hold symbolic keys."""
        return dict_of_pairs(pairs)

    def members(self, items: Sequence[Any], frozen: bool) -> Any:
        """A set or frozenset that can hold symbolic members."""
        return make_frozenset(items) if frozen else make_set(items)

    def build(self, builder: Callable[..., Any], args: Sequence[Any], fields: Mapping[str, Any]) -> Any:
        """What the rewritten class or function makes of symbolic arguments."""
        return resolve(counterpart(builder))(*args, **fields)

    def function(self, answers: Sequence[Any]) -> Any:
        """A function with symbolic answers."""
        return answering(answers)

    def constant(self, value: Any) -> Any:
        """A copy of a value, or its counterpart in the rewritten modules."""
        return counterpart(fresh(value))


class Symbolic:
    """Runs one target symbolically, again and again, from inputs and policies that a strategy supplies."""

    def __init__(
        self,
        call: Callable[..., Any],
        inputs: Inputs,
        *,
        requirements: Sequence[Requirement] = (),
        namespace: Mapping[str, Any] | None = None,
        sites: Sites | None = None,
        solver: Callable[[], Solver] | None = None,
        identity_hash: bool = False,
        uncounted_files: Collection[str] = (),
        limit: int = MAX_BRANCHES,
    ) -> None:
        self._call = call
        self._inputs = inputs
        self._bounds = [(domain.low, domain.high) for domain in inputs.domains]
        self._requirements = requirements
        self._namespace = namespace or {}
        self._identity_hash = identity_hash
        self._uncounted_files = uncounted_files
        self._limit = limit
        self._solver = solver or self._z3
        self.sites = sites or Sites()
        self.statistics = Statistics()

    def _z3(self) -> Solver:
        from pessimal.solve.z3 import Z3Solver  # Z3 takes a while to load and many targets never need it

        return Z3Solver()

    def run(
        self,
        request: Request,
        *,
        guard: AbstractContextManager[Any] | None = None,
        timeout: type[BaseException] = TimeoutError,
        seconds: float | None = None,
        note: Callable[[int, int], None] | None = None,
        fatal: Mapping[bytes, Outcome] | None = None,
    ) -> Trace:
        """One execution; the guard is around the target's own code alone, ``seconds`` is the time limit of solving."""
        leaves = self._inputs.initial() if request.start is None else self._inputs.finite(request.start)
        deadline = None if seconds is None else monotonic() + seconds
        solver = PathSolver(leaves, self._bounds, self._solver, deadline=deadline)
        execution = PythonExecution(
            solver,
            request,
            self.sites,
            identity_hash=self._identity_hash,
            limit=self._limit,
            note=note,
            fatal=fatal,
            uncounted_files=self._uncounted_files,
        )
        outside, current.execution = current.execution, execution
        gc.disable()  # a path makes a million objects and no garbage: collecting them again and again doubles its time
        try:
            self._run(execution, guard or nullcontext(), timeout)
        finally:
            gc.enable()
            take_out(execution.tables)
            current.execution = outside
            self.statistics.add(solver.statistics)
        return execution.trace

    def _run(
        self, execution: PythonExecution, guard: AbstractContextManager[Any], timeout: type[BaseException]
    ) -> None:
        trace = execution.trace
        try:
            with execution:
                execution.begin()
                self._assume(execution)
                values = self._values(execution)
                args, kwargs = self._inputs.arrange(values)
                try:
                    with guard:
                        self._call(*args, **kwargs)
                except Stop:
                    raise
                except BaseException as error:
                    if _is_timeout(error, timeout):
                        trace.outcome = Outcome.TIMED_OUT
                    else:
                        trace.outcome = Outcome.RAISED
                        trace.exception = type(error).__name__
                        examine(error)
                execution.finish()
        except Stop as stop:
            trace.outcome = stop.outcome

    def _values(self, execution: PythonExecution) -> Mapping[str, Any]:
        """The arguments; values that a constructor rejects are not an input, and what it tests is not a branch."""
        try:
            with execution.assuming():
                return self._inputs.values(Symbols(self._bounds))
        except Exception as error:
            execution.trace.exception = describe(error)
            execution.reject()

    def _assume(self, execution: PythonExecution) -> None:
        for requirement in self._requirements:
            values = self._values(execution)  # its own, since it may hash or change them
            with execution.assuming():
                condition = unmarked(requirement.condition(values, self._namespace))
            execution.trace.assumed.append(condition)
            if not execution.solver.assume(condition, True):
                execution.reject()


def _is_timeout(error: BaseException, timeout: type[BaseException]) -> bool:
    """Whether the deadline ended the run, perhaps inside a call of the solver, where it becomes an ArgumentError."""
    if type(error) is ArgumentError and len(error.args) == 1 and type(error.args[0]) is str:
        return timeout.__name__ in error.args[0]
    return isinstance(error, timeout)
