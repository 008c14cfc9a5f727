"""One symbolic execution while it happens: it asks the policy, asks the solver, and writes the trace."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from sys import _getframe
from types import FrameType
from typing import Any, NamedTuple, NoReturn, Protocol

from pessimal.expr import Compare, Expr, Leaf, Term, conjunction
from pessimal.expr.marked import counts, has_marks, unmarked
from pessimal.python.sites import Sites
from pessimal.solve import PathSolver
from pessimal.trace import Concretisation, Outcome, Side, Site, Trace

MAX_BRANCHES = 20_000_000


class Avoid(NamedTuple):
    """Values that the concretisation at a position must not take, because they were explored before."""

    position: int
    values: tuple[tuple[Leaf, ...], ...]


class Policy(Protocol):
    """Chooses the direction at a branch while the program runs."""

    def choose(self, site: Site, execution: Execution) -> bool | None:
        """The direction wanted at a branch of the program; None leaves it to the current input."""
        ...

    def pick(self, site: Site, execution: Execution) -> bool | None:
        """The direction wanted at a choice, a decision that the program does not make itself."""
        ...


class FollowInput:
    """No wish at all: every decision goes the way that the current input takes."""

    def choose(self, site: Site, execution: Execution) -> bool | None:
        """Leave the branch to the input."""
        return None

    def pick(self, site: Site, execution: Execution) -> bool | None:
        """Leave the choice to the input."""
        return None


@dataclass(frozen=True, slots=True)
class Request:
    """One symbolic execution that is asked for; without a policy it follows the input that it starts from.

    With ``stop_when_infeasible`` the policy insists: the run ends where its wish is infeasible. ``both`` also settles
    at every branch beyond the ``seen`` ones whether the other direction is feasible, unless the policy insists on one;
    ``avoid`` asks for another value where something is made concrete.
    """

    policy: Policy | None = None
    start: Sequence[Leaf] | None = None
    probe_other: bool = False
    stop_when_infeasible: bool = False
    avoid: Avoid | None = None
    known_prefix: int = 0


class Stop(BaseException):
    """Ends the run from inside the target; no ``except Exception`` of the target's swallows it."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome)
        self.outcome = outcome


class Execution:
    """The live run that symbolic values report their truth tests to."""

    def __init__(
        self,
        solver: PathSolver,
        policy: Policy,
        sites: Sites,
        *,
        probe_other: bool = False,
        known_prefix: int = 0,
        stop_when_infeasible: bool = False,
        identity_hash: bool = False,
        limit: int = MAX_BRANCHES,
        note: Callable[[int, int], None] | None = None,
        fatal: Mapping[bytes, Outcome] | None = None,
        avoid: Avoid | None = None,
        stand_ins: Collection[str] = (),
    ) -> None:
        self.solver = solver
        self.policy = policy
        self.sites = sites
        self.trace = Trace()
        self.identity_hash = identity_hash
        self.notes: dict[Any, Any] = {}
        self.condition: Expr | None = None  # of the branch that the policy is asked for
        self._probe_other = probe_other
        self._known_prefix = known_prefix
        self._stop_when_infeasible = stop_when_infeasible
        self._limit = limit
        self._note = note
        self._fatal = fatal or {}
        self._fatal_lengths = {len(decisions) for decisions in self._fatal}
        self._avoid = avoid
        self._stand_ins = stand_ins
        self.is_special = bool(stand_ins)  # whether there can be truth tests that are no branches
        self._stopped: Stop | None = None
        self._frame: FrameType | None = None
        self._depth = 0
        self._base = 0

    def __enter__(self) -> Execution:
        self._base = _depth(_getframe(1))
        return self

    def __exit__(self, *exc: object) -> None:
        self._frame = None
        self.trace.leaves = self.solver.leaves

    @property
    def position(self) -> int:
        """How many decisions were made so far."""
        return len(self.trace.decisions)

    def begin(self) -> None:
        """End the run before it starts, if it is known to kill its process before its first decision."""
        if b"" in self._fatal:
            self._foresee(b"")

    def branch(self, condition: Expr, frame: FrameType) -> bool:
        """Decide a truth test of the program."""
        if self._stopped is not None:
            raise self._stopped
        site = self.sites.locate(frame)
        if self.is_special:
            marked = has_marks(condition)
            if site.file in self._stand_ins or (marked and not counts(condition)):
                return self.choice(condition, frame)
            if marked:
                condition = unmarked(condition)
        self.condition = condition
        return self._decide(site, condition, self.policy.choose(site, self), frame, is_choice=False)

    def choice(self, condition: Expr, frame: FrameType) -> bool:
        """Decide something that the program does not test itself; it is recorded but is no branch."""
        if self._stopped is not None:
            raise self._stopped
        condition = unmarked(condition)
        site = self.sites.locate(frame)
        self.condition = condition
        return self._decide(site, condition, self.policy.pick(site, self), frame, is_choice=True)

    def concretise(self, terms: tuple[Term, ...], reason: str, frame: FrameType) -> list[Any]:
        """Give terms the values that they have now, as a choice that can be revisited by avoiding these values."""
        if self._stopped is not None:
            raise self._stopped
        terms = tuple(unmarked(term) for term in terms)
        if self._avoid is not None and self._avoid.position == self.position:
            for values in self._avoid.values:
                avoided = self.solver.assume(_same(terms, values), False)
                if avoided is None:
                    self.trace.refused = "nobody knows whether there are other values"
                if not avoided:
                    self._stop(Outcome.INFEASIBLE)
        found = [self.solver.value(term) for term in terms]
        site = self.sites.locate(frame)
        event = Concretisation(site, reason, tuple(found), self.position)
        self._decide(site, _same(terms, found), True, frame, is_choice=True)
        self.trace.concretisations.append(event)
        return found

    def settle(self, condition: Expr, reason: str, frame: FrameType) -> bool:
        """Decide a truth value that something outside the program's branches needs."""
        taken = self.choice(condition, frame)
        site = self.sites.locate(frame)
        self.trace.concretisations.append(Concretisation(site, reason, (), self.position - 1))
        return taken

    def _decide(self, site: Site, condition: Expr, want: bool | None, frame: FrameType, is_choice: bool) -> bool:
        try:
            answer = self.solver.decide(condition, want, self._settles(want, is_choice))
        except RecursionError:
            # The target is as deep as Python allows, so that our own few frames do not fit any more.
            self.trace.exception = "RecursionError"
            self._stop(Outcome.RAISED)
        taken = answer & 1
        trace = self.trace
        decisions = trace.decisions
        decisions.append(taken)
        if is_choice:
            trace.choices.add(len(trace.sites))
        trace.sites.append(site)
        trace.conditions.append(condition)
        trace.others.append(answer >> 1)
        if frame is not self._frame:
            self._frame = frame
            self._depth = _depth(frame) - self._base
        trace.depths.append(self._depth)
        length = len(decisions)
        if self._note is not None:
            self._note(length - 1, taken)
        if want is not None and taken != want:
            self._forced(answer >> 1)
        if length >= self._limit:
            trace.truncated = True
            self._stop(Outcome.TIMED_OUT)
        if length in self._fatal_lengths and bytes(decisions) in self._fatal:
            self._foresee(bytes(decisions))
        return taken == 1

    def _settles(self, want: bool | None, is_choice: bool) -> bool:
        """Whether the other direction is of interest: not if the policy insists on its wish."""
        insists = self._stop_when_infeasible and want is not None and not is_choice
        return self._probe_other and not insists and self.position >= self._known_prefix

    @contextmanager
    def assuming(self) -> Iterator[None]:
        """Treat truth tests as choices: the precondition's tests are no branches of the program."""
        self.branch = self.choice  # type: ignore[method-assign]
        try:
            yield
        finally:
            del self.branch

    def finish(self) -> None:
        """Say again what ended the run, in case the target swallowed it."""
        if self._stopped is not None:
            raise self._stopped

    def _forced(self, side: int) -> None:
        """The wanted direction was not to be had: by default the run goes on along the other."""
        if self._stop_when_infeasible and side == Side.INFEASIBLE:
            self._stop(Outcome.INFEASIBLE)

    def reject(self) -> NoReturn:
        """End the run because the input breaks a precondition."""
        self._stop(Outcome.REJECTED)

    def _foresee(self, decisions: bytes) -> NoReturn:
        self.trace.foreseen = True
        self._stop(self._fatal[decisions])

    def _stop(self, outcome: Outcome) -> NoReturn:
        self._stopped = Stop(outcome)
        raise self._stopped


def _same(terms: Sequence[Term], values: Sequence[Leaf]) -> Expr:
    return conjunction([Compare("==", term, value) for term, value in zip(terms, values, strict=True)])


def _depth(frame: FrameType | None) -> int:
    depth = 0
    while frame is not None:
        depth += 1
        frame = frame.f_back
    return depth
