"""The portfolio that follows one path: the live model, and the layers that keep it true to the path condition.

At a branch the cheapest layer that can answer does: the model already agrees; the order solver moves one variable or
propagates; one variable of a sum is moved; the order of whole sums forbids it; a back-end is asked. Every layer is
exact where it says infeasible, and the model satisfies every committed condition at every moment, so that it is an
input that drives the target here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from time import perf_counter
from types import MappingProxyType
from typing import NamedTuple

from pessimal.expr import Compare, Evaluator, Expr, Leaf, Offset
from pessimal.solve.base import Answer, Bounds, Literal, Query, Solver, Statistics, Status, admits, satisfies
from pessimal.solve.difference import Difference
from pessimal.solve.moves import Moves
from pessimal.solve.sums import Sums
from pessimal.trace import Side

__all__ = ["PathSolver", "Selection", "satisfies"]


class Selection(NamedTuple):
    """A decision among several outcomes: the one taken, and what is known of each, as one :class:`Side` per outcome.

    ``confidences`` has the back-end's estimate for each outcome that is unknown; it is empty where there is none.
    """

    taken: int
    sides: bytes
    confidences: Mapping[int, float] = MappingProxyType({})


Shortcut = Callable[[Expr, bool], tuple[int, int] | bool | None]
"""What a front-end knows by itself of a condition that shall be true or false: a leaf and its new value with which it
is, and so is all that was committed; False if that cannot be; None if it does not know."""


class PathSolver:
    """Decides branches in order along one path and owns the model that satisfies them.

    ``decide`` answers with ``taken + 2 * side``: the direction that is taken, and what is known of the other one. Where
    that is unknown, ``confidence`` is the back-end's estimate that it is feasible, None if it has none.
    """

    __slots__ = (
        "_back_end",
        "_below",
        "_bounds",
        "_deadline",
        "_difference",
        "_evaluator",
        "_make_back_end",
        "_moves",
        "_pending",
        "_rng",
        "_shortcut",
        "_sums",
        "_values",
        "_watch",
        "_zero",
        "confidence",
        "path",
        "statistics",
    )

    def __init__(
        self,
        leaves: Sequence[Leaf],
        bounds: Bounds,
        back_end: Callable[[], Solver],
        *,
        rng: Random | None = None,
        deadline: float | None = None,
    ) -> None:
        self._difference = difference = Difference(list(leaves))
        self._values = difference.values
        self._below = difference.below
        self._zero = difference.zero
        self._evaluator = Evaluator(difference.values)
        self._bounds = bounds
        self._sums = Sums()
        self._make_back_end = back_end
        self._back_end: Solver | None = None
        self._rng = rng
        self._deadline = deadline
        self.confidence: float | None = None
        self._shortcut: Shortcut | None = None
        self.path: list[Literal] = []
        self._pending: list[Literal] = []  # committed, but not looked into before the model has to move
        self.statistics = Statistics()
        self._moves = Moves(difference, self._evaluator, bounds, self.statistics)
        self._watch = self._moves.watch
        for var, (low, high) in enumerate(bounds):
            self._bound(var, low, high)

    def _bound(self, var: int, low: Leaf | None, high: Leaf | None) -> None:
        if isinstance(self._values[var], float):
            return  # a float's range is kept by the back-end and by the exact check of its model
        if high is not None:
            self._difference.add(var, self._zero, int(high))
        if low is not None:
            self._difference.add(self._zero, var, -int(low))

    def use_shortcut(self, shortcut: Shortcut) -> None:
        """Ask a front-end first that knows its conditions better; single values are not looked for after it then."""
        self._shortcut = shortcut
        self._moves.most_searches = 0

    @property
    def bounds(self) -> Bounds:
        """The range of each leaf."""
        return self._bounds

    @property
    def leaves(self) -> list[Leaf]:
        """The input that satisfies everything committed so far."""
        return list(self._values[: self._zero])

    def value(self, term: object) -> Leaf | bool:
        """The value of a term in the live model."""
        result: Leaf | bool = self._evaluator.term(term)
        return result

    def decide(self, condition: Expr, want: bool | None, probe_other: bool = False) -> int:
        """Take a direction: the wanted one if it is feasible (None: the one that the model takes)."""
        if probe_other or type(condition) is not Compare or condition.op in ("==", "!="):
            return self._decide(condition, want, probe_other)
        left, right = condition.left, condition.right
        if type(left) is Offset:
            u, c = left.var, -left.const
        elif type(left) is int:
            u, c = self._zero, -left
        else:
            return self._decide(condition, want, probe_other)
        if type(right) is Offset:
            v = right.var
            c += right.const
        elif type(right) is int:
            v = self._zero
            c += right
        else:
            return self._decide(condition, want, probe_other)
        # The condition is x_u - x_v <= c, where > and >= change sides and strictness costs one.
        op = condition.op
        if op == "<":
            c -= 1
        elif op == ">":
            u, v, c = v, u, -c - 1
        elif op == ">=":
            u, v, c = v, u, -c
        values = self._values
        now = values[u] - values[v] <= c
        if want is None:
            want = now
        if not want:
            u, v, c = v, u, -c - 1
        self.path.append((condition, want))
        if now is want:
            self.statistics.agreed += 1
            below = self._below[v]
            old = below.get(u)
            if old is None or old > c:
                below[u] = c
                self._difference.above[u][v] = c
            return want
        self._keep_pending()
        difference = self._difference
        verdict = difference.tighten(u, v, c)
        self._evaluator.changed()
        if verdict and (not self._watch or self._watch.intact(difference.moved(0))):
            difference.trail.clear()
            self.statistics.ordered += 1
            return want
        difference.undo(0)
        self._evaluator.changed()
        self.path.pop()
        if verdict is False:
            self.statistics.ordered += 1
            return (not want) + 2 * Side.INFEASIBLE
        return self._decide(condition, want, probe_other)

    def assume(self, condition: Expr, want: bool) -> bool | None:
        """Commit a condition that the program does not test; False: it contradicts the path, None: unknown."""
        answer = self.decide(condition, want)
        if answer & 1 == want:
            return True
        return False if answer >> 1 == Side.INFEASIBLE else None

    def select(self, conditions: Sequence[Expr], want: int | None, probe_others: bool = False) -> Selection:
        """Take one of several outcomes: the wanted one if it is feasible (None: the one that the model takes).

        Of the conditions exactly one holds for every input, as in a switch. What is kept of the decision is that the
        condition of the outcome taken is true.
        """
        now = self._outcome(conditions)
        wanted = now if want is None else want
        if not 0 <= wanted < len(conditions):
            raise ValueError(f"there is no outcome {want} of {len(conditions)}")
        sides, confidences = bytearray(len(conditions)), dict[int, float]()
        for outcome, condition in enumerate(conditions) if probe_others else ():
            if outcome != wanted:
                sides[outcome] = self._note(self.feasible(condition), outcome, confidences)
        taken = now
        if wanted == now:
            self.statistics.agreed += 1
        elif verdict := self._reach(conditions[wanted], True):
            taken = wanted
        else:
            sides[wanted] = self._note(_side(verdict), wanted, confidences)
        sides[taken] = Side.FEASIBLE
        self._commit(conditions[taken], True)
        return Selection(taken, bytes(sides), confidences)

    def _outcome(self, conditions: Sequence[Expr]) -> int:
        """The outcome that the model takes."""
        holding = [outcome for outcome, condition in enumerate(conditions) if self._evaluator.condition(condition)]
        if len(holding) != 1:
            raise ValueError(f"exactly one of {len(conditions)} outcomes must hold, not {len(holding)}")
        return holding[0]

    def _note(self, side: Side, outcome: int, confidences: dict[int, float]) -> Side:
        if side is Side.UNKNOWN and self.confidence is not None:
            confidences[outcome] = self.confidence
        return side

    def feasible(self, condition: Expr, want: bool = True) -> Side:
        """Whether a condition can have a truth value here; model and path stay as they are."""
        if self._evaluator.condition(condition) is want:
            return Side.FEASIBLE
        known = None if self._shortcut is None else self._shortcut(condition, want)
        if known is not None:
            return Side.FEASIBLE if known else Side.INFEASIBLE
        self._keep_pending()
        verdict = self._moves.move(condition, want)
        self._retreat()
        if verdict is None:
            verdict = self._ask(condition, want)
            self._retreat()
        return _side(verdict)

    def _decide(self, condition: Expr, want: bool | None, probe_other: bool) -> int:
        now = self._evaluator.condition(condition)
        if want is None:
            want = now
        side = Side.UNTRIED
        if probe_other:
            side = self.feasible(condition, not want)
        if now is want:
            self.statistics.agreed += 1
        else:
            verdict = self._reach(condition, want)
            if not verdict:
                want, side = now, _side(verdict)
        self._commit(condition, want)
        return want + 2 * side

    def _reach(self, condition: Expr, want: bool) -> bool | None:
        """Move the model to where a condition holds, by whichever solver finds the place; on failure it stays."""
        known = None if self._shortcut is None else self._shortcut(condition, want)
        if known is not None:
            return self._put(known)
        self._keep_pending()
        verdict = self._moves.move(condition, want)
        if verdict is None:
            verdict = self._ask(condition, want)
        self._difference.trail.clear()
        return verdict

    def _put(self, known: tuple[int, int] | bool) -> bool:
        """Do what a shortcut says."""
        self.statistics.ordered += 1
        if isinstance(known, bool):
            return known
        self._difference.put(*known)
        self._difference.trail.clear()
        self._evaluator.changed()
        return True

    def _ask(self, condition: Expr, want: bool) -> bool | None:
        """Ask the back-end; the model becomes its own if it has one, and can be had back."""
        if self._sums.forbid(self.path, (condition, want)):
            self.statistics.ordered += 1
            return False
        if self._back_end is None:
            self._back_end = self._make_back_end()
            self._rng = self._rng or Random(0)
        assert self._rng is not None
        start = perf_counter()
        query = Query(self.path, (condition, want), self._bounds, self.leaves, self._rng, self._deadline)
        answer = self._back_end.solve(query)
        self.statistics.calls += 1
        self.statistics.seconds += perf_counter() - start
        self.confidence = answer.confidence
        if answer.status is Status.SAT:
            return self._adopt(answer, condition, want) or None
        return False if answer.status is Status.UNSAT else None

    def _adopt(self, answer: Answer, condition: Expr, want: bool) -> bool:
        """Make a back-end's model ours if exact evaluation confirms it: only what its changes bear on is looked at."""
        for var, value in answer.values.items():
            if not (0 <= var < self._zero and admits(self._bounds[var], self._values[var], value)):
                break
            self._difference.put(var, value)  # type: ignore[arg-type]
        else:
            self._evaluator.changed()
            moved = self._difference.moved(0)
            is_sound = self._difference.consistent(moved) and self._watch.intact(moved)
            if is_sound and self._evaluator.agrees(condition, want):
                return True
        self._retreat()
        self.statistics.refuted += 1
        return False

    def _retreat(self) -> None:
        """Give back what was moved since the last commitment."""
        self._difference.undo(0)
        self._evaluator.changed()

    def _commit(self, condition: Expr, want: bool) -> None:
        """Keep a condition that the model satisfies."""
        self.path.append((condition, want))
        self._pending.append((condition, want))

    def _keep_pending(self) -> None:
        """Look into what was committed; most of it never is, since a run that follows its input moves nothing."""
        pending, self._pending = self._pending, []
        for condition, want in pending:
            self._moves.keep(condition, want)


def _side(verdict: bool | None) -> Side:
    """What a verdict of the layers says of an outcome."""
    if verdict is None:
        return Side.UNKNOWN
    return Side.FEASIBLE if verdict else Side.INFEASIBLE
