"""The symbolic execution of Python code: symbolic values tell it the frame that they stand in, it finds the site."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from sys import _getframe
from types import FrameType
from typing import Any

from pessimal.execution import MAX_BRANCHES, Execution, Note
from pessimal.expr import Expr, Term
from pessimal.expr.intervals import Intervals
from pessimal.expr.marked import counts, has_marks, unmarked
from pessimal.python.callers import Callers
from pessimal.python.sites import Sites
from pessimal.runs import Request
from pessimal.solve import PathSolver
from pessimal.trace import Outcome


class PythonExecution(Execution):
    """The run that symbolic values report their truth tests to."""

    def __init__(
        self,
        solver: PathSolver,
        request: Request,
        sites: Sites,
        *,
        identity_hash: bool = False,
        limit: int = MAX_BRANCHES,
        note: Note | None = None,
        fatal: Mapping[bytes, Outcome] | None = None,
        uncounted_files: Collection[str] = (),
    ) -> None:
        super().__init__(solver, request, limit=limit, note=note, fatal=fatal)
        self.sites = sites
        self.identity_hash = identity_hash
        self.notes: dict[Any, Any] = {}
        self.tables: list[Any] = []  # those that got their first symbolic key in this run
        self.intervals = Intervals(solver.bounds)
        self._uncounted_files = uncounted_files
        self.has_uncounted_tests = bool(uncounted_files)  # whether there can be truth tests that are not branches
        self._callers = Callers()
        self._frame: FrameType | None = None
        self._base = 0

    def __enter__(self) -> PythonExecution:
        self._base = _depth(_getframe(1))
        return self

    def __exit__(self, *exc: object) -> None:
        self._frame = None
        self._callers.forget()
        self.trace.leaves = self.solver.leaves

    @property
    def caller(self) -> int:
        """A number for the frame that called the function which makes the decision."""
        return self._callers.number(self._frame)

    def branch(self, condition: Expr, frame: FrameType) -> bool:
        """Decide a truth test of the program."""
        if self._stopped is not None:
            raise self._stopped
        self.site = site = self.sites.locate(frame)
        if self.has_uncounted_tests:
            marked = has_marks(condition)
            if site.file in self._uncounted_files or (marked and not counts(condition)):
                return self.choice(condition, frame)
            if marked:
                condition = unmarked(condition)
        if frame is not self._frame:
            self._enter(frame)
        self.condition = condition
        return self._decide(condition, self.policy.choose(self), False)

    def choice(self, condition: Expr, frame: FrameType) -> bool:
        """Decide something that the program does not test itself; it is recorded but is not a branch."""
        self._enter(frame)
        return self.choice_at(self.sites.locate(frame), unmarked(condition))

    def concretise(self, terms: tuple[Term, ...], reason: str, frame: FrameType) -> list[Any]:
        """Give terms the values that they have now, as a choice that can be revisited by avoiding these values."""
        self._enter(frame)
        return self.concretise_at(self.sites.locate(frame), tuple(unmarked(term) for term in terms), reason)

    def settle(self, condition: Expr, reason: str, frame: FrameType) -> bool:
        """Decide a truth value that something outside the program's branches needs."""
        self._enter(frame)
        return self.concretise_truth_at(self.sites.locate(frame), unmarked(condition), reason)

    def refuse(self, reason: str) -> None:
        """Note why the run does not go the target's own way; the first reason counts."""
        self.trace.refused = self.trace.refused or reason

    @contextmanager
    def assuming(self) -> Iterator[None]:
        """Treat truth tests as choices: those of the precondition are not branches of the program."""
        self.branch = self.choice  # type: ignore[method-assign]
        try:
            yield
        finally:
            del self.branch

    def _enter(self, frame: FrameType) -> None:
        """Note the frame that decides, whose depth belongs to the decision."""
        if frame is not self._frame:
            self._frame = frame
            self.depth = _depth(frame) - self._base


def _depth(frame: FrameType | None) -> int:
    depth = 0
    while frame is not None:
        depth += 1
        frame = frame.f_back
    return depth
