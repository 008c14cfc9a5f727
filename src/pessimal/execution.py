"""One symbolic execution in progress: it asks the policy and the solver, and writes the trace.

A front-end that runs a target symbolically passes each decision of the target to it, and continues with the outcome
that it returns.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from math import copysign
from typing import Any, NoReturn

from pessimal.expr import App, Compare, Expr, Leaf, Term, conjunction
from pessimal.runs import FollowInput, Request, Step
from pessimal.solve import PathSolver
from pessimal.trace import Concretisation, Outcome, Side, Site, Switch, Trace

MAX_BRANCHES = 20_000_000
_UNKNOWN = int(Side.UNKNOWN)  # compared at every branch, for which an enum is slow
ROOM = 300
"""How many frames deciding a condition may need, however deep the condition."""

Note = Callable[[int, int], None]
"""Called with the position and the outcome of every decision, as soon as it is made."""


class Stop(BaseException):
    """Ends the run from inside the target; no ``except Exception`` of the target catches it."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome)
        self.outcome = outcome


class Execution:
    """The run in progress: it makes the decisions, and is the :class:`pessimal.runs.RunView` of the policy.

    ``fatal`` has the sequences of decisions after which the process is known to die, with the outcome of such a run.
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
        self._next_check = min([limit, *map(len, self._fatal)])
        self._stopped: Stop | None = None

    @property
    def position(self) -> int:
        """How many decisions were made so far."""
        return len(self.trace.decisions)

    @property
    def caller(self) -> int:
        """A number for the caller of the deciding function; always 0 in front-ends that do not track calls."""
        return 0

    def step(self, position: int) -> Step:
        """A decision that was made earlier in this run."""
        trace = self.trace
        taken = trace.decisions[position]
        return Step(trace.sites[position], trace.conditions[position], taken, trace.arity(position))

    def open_outcomes(self) -> list[int]:
        """The outcomes of the current decision that are not known to be infeasible."""
        if self.condition is None:
            sides = [self.solver.feasible(condition, True) for condition in self._conditions]
        else:
            sides = [self.solver.feasible(self.condition, want) for want in (False, True)]
        return [outcome for outcome, side in enumerate(sides) if side != Side.INFEASIBLE]

    def begin(self) -> None:
        """End the run before it starts, if it is known to kill its process before its first decision."""
        if b"" in self._fatal:
            self._stop_known_fatal(b"")

    def finish(self) -> None:
        """Raise again what ended the run, in case the target caught it."""
        if self._stopped is not None:
            raise self._stopped

    def branch_at(self, site: Site, condition: Expr) -> bool:
        """Decide a truth test of the program."""
        self.finish()
        self.site, self.condition = site, condition
        return self._decide(condition, self.policy.choose(self), is_choice=False)

    def choice_at(self, site: Site, condition: Expr) -> bool:
        """Make a choice: a decision that the program does not test itself; it is recorded but is not a branch."""
        self.finish()
        self.site, self.condition = site, condition
        return self._decide(condition, self.policy.pick(self), is_choice=True)

    def settled_at(self, site: Site, condition: Expr, outcome: bool, *, is_choice: bool = False) -> bool:
        """Record a test that has the same outcome for all inputs of this path: nobody is asked, nothing solved."""
        self.finish()
        self.site, self.condition = site, condition
        self._record(condition, int(outcome), Side.INFEASIBLE, None, Side.INFEASIBLE, is_choice)
        return outcome

    def switch_at(self, site: Site, conditions: Sequence[Expr]) -> int:
        """Decide a branch with any number of outcomes; for every input exactly one of the conditions must hold."""
        self.finish()
        self.site, self.condition, self.arity, self._conditions = site, None, len(conditions), conditions
        want = self.policy.choose(self)
        self.arity = 2
        chosen = self.solver.select(conditions, want, self._probe_other and self._probes_other_outcomes(want, False))
        taken = chosen.taken
        switch = self.trace.switches[self.position] = Switch(tuple(conditions), bytearray(chosen.sides))
        if chosen.confidences:
            self.trace.confidences[self.position] = max(chosen.confidences.values())
        wanted_side = Side.FEASIBLE if want is None else switch.sides[want]
        self._record(None, taken, switch.summary(taken), want, wanted_side, is_choice=False)
        return taken

    def concretise_at(self, site: Site, terms: tuple[Term, ...], reason: str) -> list[Any]:
        """Make terms concrete: a choice of their current values, which a later run can avoid to get others."""
        self.finish()
        if self._avoid is not None and self._avoid.position == self.position:
            for values in self._avoid.values:
                self._exclude(_equal(terms, values))
        found = [self.solver.value(term) for term in terms]
        event = Concretisation(site, reason, tuple(found), self.position)
        self.site, self.condition = site, _equal(terms, found)
        self._decide(self.condition, 1, is_choice=True)
        self.trace.concretisations.append(event)
        return found

    def concretise_truth_at(self, site: Site, condition: Expr, reason: str) -> bool:
        """Make a truth value concrete that is needed outside of the program's branches."""
        taken = self.choice_at(site, condition)
        self.trace.concretisations.append(Concretisation(site, reason, (), self.position - 1))
        return taken

    def reject(self) -> NoReturn:
        """End the run because the input violates a precondition."""
        self._stop(Outcome.REJECTED)

    def _exclude(self, condition: Expr) -> None:
        """Continue only with inputs for which a condition does not hold."""
        avoided = self.solver.assume(condition, False)
        if avoided is None:
            self.trace.refused = "it is unknown whether there are other values"
        if not avoided:
            self._stop(Outcome.INFEASIBLE)

    def _decide(self, condition: Expr, want: int | None, is_choice: bool) -> bool:
        probe_other = self._probe_other and self._probes_other_outcomes(want, is_choice)
        try:
            answer = self.solver.decide(condition, None if want is None else want == 1, probe_other)
        except RecursionError:
            if _frames_left() > ROOM:  # otherwise the target's calls are nested as deeply as Python allows
                self.trace.refused = "a condition is nested too deeply to be decided"
            self.trace.exception = "RecursionError"
            self._stop(Outcome.RAISED)
        taken, other = answer & 1, answer >> 1
        if other == _UNKNOWN and self.solver.confidence is not None:
            self.trace.confidences[self.position] = self.solver.confidence
        self._record(condition, taken, other, want, other, is_choice)
        return taken == 1

    def _record(
        self, condition: Expr | None, taken: int, other: int, want: int | None, wanted_side: int, is_choice: bool
    ) -> None:
        """Write a decision into the trace, and end the run if the policy or a limit demands it."""
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
            self._check_insisted(want, wanted_side)
        if length >= self._next_check:
            self._check_length(length)

    def _check_length(self, length: int) -> None:
        """End a run that is too long, or that is known to kill its process."""
        decisions = bytes(self.trace.decisions)
        if length >= self._limit:
            self.trace.truncated = True
            self._stop(Outcome.TIMED_OUT)
        if decisions in self._fatal:
            self._stop_known_fatal(decisions)
        self._next_check = min([self._limit, *(other for other in map(len, self._fatal) if other > length)])

    def _probes_other_outcomes(self, want: int | None, is_choice: bool) -> bool:
        """Whether to find out about the other outcomes here: not if the run ends unless the wanted one is taken."""
        insists = self._stop_when_infeasible and want is not None and not is_choice
        return not insists and self.position >= self._known_prefix

    def _check_insisted(self, want: int, side: int) -> None:
        """End the run if the wanted outcome was not taken because it is infeasible, and the request says so."""
        if self._stop_when_infeasible and side == Side.INFEASIBLE:
            self.trace.wanted = want
            self._stop(Outcome.INFEASIBLE)

    def _stop_known_fatal(self, decisions: bytes) -> NoReturn:
        self.trace.known_fatal = True
        self._stop(self._fatal[decisions])

    def _stop(self, outcome: Outcome) -> NoReturn:
        self._stopped = Stop(outcome)
        raise self._stopped


def _frames_left() -> int:
    depth, frame = 0, sys._getframe(1)
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    return sys.getrecursionlimit() - depth


def _equal(terms: Sequence[Term], values: Sequence[Leaf]) -> Expr:
    """The condition that terms have exactly these values: of the two zeros among floats only the one given."""
    parts: list[Expr] = []
    for term, value in zip(terms, values, strict=True):
        parts.append(Compare("==", term, value) if value == value else Compare("!=", term, term))
        if isinstance(value, float) and value == 0:
            parts.append(Compare("==", App("copysign", (1.0, term), "float"), copysign(1.0, value)))
    return conjunction(parts)
