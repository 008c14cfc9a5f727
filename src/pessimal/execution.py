"""One symbolic execution while it happens: it asks the policy, asks the solver, and writes the trace.

Every front-end that runs a target symbolically tells it which decision the target makes next, and takes the outcome
from here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from pessimal.expr import Compare, Expr, Leaf, Term, conjunction
from pessimal.runs import FollowInput, Request, Step
from pessimal.solve import PathSolver
from pessimal.trace import Concretisation, Outcome, Side, Site, Switch, Trace

MAX_BRANCHES = 20_000_000

Note = Callable[[int, int], None]
"""Is called with the position and the outcome of every decision, as soon as it is made."""


class Stop(BaseException):
    """Ends the run from inside the target; no ``except Exception`` of the target's swallows it."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome)
        self.outcome = outcome


class Execution:
    """The run in progress: a :class:`pessimal.runs.RunView` for the policy, and the place where decisions are made.

    ``fatal`` are decisions after which the process is known to die, with what becomes of it.
    """

    site: Site

    def __init__(
        self,
        solver: PathSolver,
        request: Request,
        *,
        limit: int = MAX_BRANCHES,
        note: Note | None = None,
        fatal: Mapping[bytes, Outcome] | None = None,
    ) -> None:
        self.solver = solver
        self.policy = request.policy or FollowInput()
        self.trace = Trace()
        self.condition: Expr | None = None
        self.arity = 2
        self.depth = 0
        self._conditions: Sequence[Expr] = ()
        self._probe_other = request.probe_other
        self._known_prefix = request.known_prefix
        self._stop_when_infeasible = request.stop_when_infeasible
        self._avoid = request.avoid
        self._limit = limit
        self._note = note
        self._fatal = fatal or {}
        self._fatal_lengths = {len(decisions) for decisions in self._fatal}
        self._stopped: Stop | None = None

    @property
    def position(self) -> int:
        """How many decisions were made so far."""
        return len(self.trace.decisions)

    @property
    def caller(self) -> int:
        """The activation that called the function which decides; the same for all where a front-end knows no calls."""
        return 0

    def step(self, position: int) -> Step:
        """A decision that was made earlier in this run."""
        trace = self.trace
        taken = trace.decisions[position]
        return Step(trace.sites[position], trace.conditions[position], taken, trace.arity(position))

    def open_outcomes(self) -> list[int]:
        """The outcomes of the decision in question that are not known to be infeasible."""
        if self.condition is None:
            sides = [self.solver.feasible(condition, True) for condition in self._conditions]
        else:
            sides = [self.solver.feasible(self.condition, want) for want in (False, True)]
        return [outcome for outcome, side in enumerate(sides) if side != Side.INFEASIBLE]

    def begin(self) -> None:
        """End the run before it starts, if it is known to kill its process before its first decision."""
        if b"" in self._fatal:
            self._foresee(b"")

    def finish(self) -> None:
        """Repeat what ended the run, in case the target swallowed it."""
        if self._stopped is not None:
            raise self._stopped

    def branch_at(self, site: Site, condition: Expr) -> bool:
        """Decide a truth test of the program."""
        self.finish()
        self.site, self.condition = site, condition
        return self._decide(condition, self.policy.choose(self), is_choice=False)

    def choice_at(self, site: Site, condition: Expr) -> bool:
        """Decide something that the program does not test itself; it is recorded but is not a branch."""
        self.finish()
        self.site, self.condition = site, condition
        return self._decide(condition, self.policy.pick(self), is_choice=True)

    def switch_at(self, site: Site, conditions: Sequence[Expr]) -> int:
        """Decide a branch with any number of outcomes, of whose conditions exactly one holds for every input."""
        self.finish()
        self.site, self.condition, self.arity, self._conditions = site, None, len(conditions), conditions
        want = self.policy.choose(self)
        self.arity = 2
        taken, sides = self.solver.select(conditions, want, self._probe_other and self._settles(want, False))
        switch = self.trace.switches[self.position] = Switch(tuple(conditions), bytearray(sides))
        wanted_side = Side.FEASIBLE if want is None else switch.sides[want]
        self._record(None, taken, switch.summary(taken), want, wanted_side, is_choice=False)
        return taken

    def concretise_at(self, site: Site, terms: tuple[Term, ...], reason: str) -> list[Any]:
        """Give terms the values that they have now, as a choice that can be revisited by avoiding these values."""
        self.finish()
        if self._avoid is not None and self._avoid.position == self.position:
            for values in self._avoid.values:
                self._exclude(_same(terms, values))
        found = [self.solver.value(term) for term in terms]
        event = Concretisation(site, reason, tuple(found), self.position)
        self.site, self.condition = site, _same(terms, found)
        self._decide(self.condition, 1, is_choice=True)
        self.trace.concretisations.append(event)
        return found

    def settle_at(self, site: Site, condition: Expr, reason: str) -> bool:
        """Decide a truth value that something outside the program's branches needs."""
        taken = self.choice_at(site, condition)
        self.trace.concretisations.append(Concretisation(site, reason, (), self.position - 1))
        return taken

    def reject(self) -> NoReturn:
        """End the run because the input breaks a precondition."""
        self._stop(Outcome.REJECTED)

    def _exclude(self, condition: Expr) -> None:
        """Go on only where a condition does not hold."""
        avoided = self.solver.assume(condition, False)
        if avoided is None:
            self.trace.refused = "it is unknown whether there are other values"
        if not avoided:
            self._stop(Outcome.INFEASIBLE)

    def _decide(self, condition: Expr, want: int | None, is_choice: bool) -> bool:
        probe_other = self._probe_other and self._settles(want, is_choice)
        try:
            answer = self.solver.decide(condition, None if want is None else want == 1, probe_other)
        except RecursionError:
            # The target is as deep as Python allows, so that our own few frames do not fit any more.
            self.trace.exception = "RecursionError"
            self._stop(Outcome.RAISED)
        taken = answer & 1
        if answer >> 1 == Side.UNKNOWN and self.solver.confidence is not None:
            self.trace.confidences[self.position] = self.solver.confidence
        self._record(condition, taken, answer >> 1, want, answer >> 1, is_choice)
        return taken == 1

    def _record(
        self, condition: Expr | None, taken: int, other: int, want: int | None, wanted_side: int, is_choice: bool
    ) -> None:
        """Write a decision into the trace, and end the run where its wish or a limit says so."""
        trace = self.trace
        decisions = trace.decisions
        decisions.append(taken)
        if is_choice:
            trace.choices.add(len(trace.sites))
        trace.sites.append(self.site)
        trace.conditions.append(condition)
        trace.others.append(other)
        trace.depths.append(self.depth)
        length = len(decisions)
        if self._note is not None:
            self._note(length - 1, taken)
        if want is not None and taken != want:
            self._forced(want, wanted_side)
        if length >= self._limit:
            trace.truncated = True
            self._stop(Outcome.TIMED_OUT)
        if length in self._fatal_lengths and bytes(decisions) in self._fatal:
            self._foresee(bytes(decisions))

    def _settles(self, want: int | None, is_choice: bool) -> bool:
        """Whether the other outcomes are of interest here: not if the policy insists on its wish."""
        insists = self._stop_when_infeasible and want is not None and not is_choice
        return not insists and self.position >= self._known_prefix

    def _forced(self, want: int, side: int) -> None:
        """The wanted outcome is not possible: by default the run goes on along the one that the input takes."""
        if self._stop_when_infeasible and side == Side.INFEASIBLE:
            self.trace.wanted = want
            self._stop(Outcome.INFEASIBLE)

    def _foresee(self, decisions: bytes) -> NoReturn:
        self.trace.foreseen = True
        self._stop(self._fatal[decisions])

    def _stop(self, outcome: Outcome) -> NoReturn:
        self._stopped = Stop(outcome)
        raise self._stopped


def _same(terms: Sequence[Term], values: Sequence[Leaf]) -> Expr:
    return conjunction([Compare("==", term, value) for term, value in zip(terms, values, strict=True)])
