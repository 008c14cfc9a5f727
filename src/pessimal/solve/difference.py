"""Order and difference conditions: an incremental solver that owns its model.

A condition ``x_u - x_v <= c`` is an edge. ``values`` satisfies every edge at all times, so a condition that already
holds costs one dictionary write. A violated one is repaired by moving one variable into the gap between its
neighbours; only where there is no gap are changes propagated along the edges, cheapest first, and an edge that
closes a negative cycle is infeasible. Variable ``zero`` is the constant 0, so that bounds are edges too.
Disequalities are kept beside the edges and steer the choice of values; where they leave no local choice the solver
says that it does not know.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush

from pessimal.expr import Leaf

GAP = 1 << 40
"""How far a variable with room is moved away, to leave room for those that must go in between."""


class Difference:
    """The edges, the disequalities and the live model over all leaves of an input."""

    __slots__ = ("_unequal", "above", "below", "trail", "values", "zero")

    def __init__(self, leaves: list[Leaf]) -> None:
        self.zero = len(leaves)
        self.values: list[int] = [*leaves, 0]  # type: ignore[list-item]
        # below[v][u] = c: x_u <= x_v + c; above[u][v] = c: the same edge seen from u.
        self.below: list[dict[int, int]] = [{} for _ in self.values]
        self.above: list[dict[int, int]] = [{} for _ in self.values]
        self._unequal: dict[int, set[tuple[int, int]]] = {}
        self.trail: list[tuple[int, int, int | None]] = []

    def extend(self) -> int:
        """Make room for one variable more, beyond zero; it starts as 0."""
        self.values.append(0)
        self.below.append({})
        self.above.append({})
        return len(self.values) - 1

    def interval(self, var: int) -> tuple[int | None, int | None]:
        """The values that a variable can take while all others stay where they are."""
        values = self.values
        low = high = None
        if below := self.below[var]:
            low = max([values[t] - c for t, c in below.items()])
        if above := self.above[var]:
            high = min([values[t] + c for t, c in above.items()])
        return low, high

    def add(self, u: int, v: int, c: int) -> None:
        """Keep ``x_u - x_v <= c``, which the model already satisfies."""
        old = self.below[v].get(u)
        if old is None or old > c:
            self.below[v][u] = c
            self.above[u][v] = c

    def add_unequal(self, u: int, v: int, c: int) -> None:
        """Keep ``x_u - x_v != c``, which the model already satisfies."""
        self._unequal.setdefault(u, set()).add((v, c))
        self._unequal.setdefault(v, set()).add((u, -c))

    def tighten(self, u: int, v: int, c: int) -> bool | None:
        """Add the edge and move the model to it; False: infeasible, None: disequalities are in the way.

        Values and edges that changed are on the trail; on failure the caller undoes it.
        """
        values = self.values
        moved: list[int] = []
        if values[u] - values[v] > c:
            if u == v:
                return False
            if not (self._lower(u, values[v] + c) or self._raise(v, values[u] - c)):
                propagated = self._propagate(u, v, c)
                if propagated is None:
                    return False
                moved = propagated
        old = self.below[v].get(u)
        if old is None or old > c:
            self.trail.append((v, u, old))
            self.below[v][u] = c
            self.above[u][v] = c
        if moved and self._unequal:
            return self._repair(moved) or None
        return True

    def separate(self, u: int, v: int, c: int) -> bool | None:
        """Move the model so that ``x_u - x_v != c``; False only where the edges force equality."""
        if self.values[u] - self.values[v] != c:
            return True
        if u == v:
            return False
        for var, taken in ((u, self.values[v] + c), (v, self.values[u] - c)):
            low, high = self.interval(var)
            if var != self.zero and self._place(var, low, high, taken + 1, {taken}):
                return True
        # No room for one variable: push one side away as an edge, and give the edge back.
        verdicts = []
        for edge in ((u, v, c - 1), (v, u, -c - 1)):
            mark = len(self.trail)
            verdict = self.tighten(*edge)
            if verdict:
                self.release(mark)
                return True
            self.undo(mark)
            verdicts.append(verdict)
        return False if verdicts == [False, False] else None

    def put(self, var: int, value: int) -> None:
        """Give a variable a value, remembering the old one."""
        self.trail.append((-1, var, self.values[var]))
        self.values[var] = value

    def undo(self, mark: int) -> None:
        """Take back every value and edge since the mark."""
        while len(self.trail) > mark:
            v, u, old = self.trail.pop()
            if v < 0:
                self.values[u] = old  # type: ignore[assignment]
            else:
                self._restore(v, u, old)

    def release(self, mark: int) -> None:
        """Take back the edges since the mark but keep the values, which satisfied them."""
        kept = []
        while len(self.trail) > mark:
            v, u, old = self.trail.pop()
            if v < 0:
                kept.append((v, u, old))
            else:
                self._restore(v, u, old)
        self.trail.extend(reversed(kept))

    def moved(self, mark: int) -> list[int]:
        """The variables whose values changed since the mark."""
        return [u for v, u, _ in self.trail[mark:] if v < 0]

    def consistent(self, moved: Iterable[int]) -> bool:
        """Whether all edges and disequalities of some variables hold, after values were put in from outside."""
        for var in moved:
            value, (low, high) = self.values[var], self.interval(var)
            if (low is not None and value < low) or (high is not None and value > high) or value in self.forbidden(var):
                return False
        return True

    def forbidden(self, var: int) -> set[int]:
        """The values that disequalities forbid while the other variables stay where they are."""
        return {self.values[other] + c for other, c in self._unequal.get(var, ())}

    def excludes(self, u: int, v: int, c: int) -> bool:
        """Whether a disequality says that ``x_u - x_v`` is not ``c``."""
        return (v, c) in self._unequal.get(u, ())

    def excluded(self, var: int) -> set[int]:
        """The constants that disequalities forbid, wherever the other variables are."""
        return {c for other, c in self._unequal.get(var, ()) if other == self.zero}

    def _restore(self, v: int, u: int, old: int | None) -> None:
        if old is None:
            del self.below[v][u], self.above[u][v]
        else:
            self.below[v][u] = self.above[u][v] = old

    def _lower(self, var: int, top: int) -> bool:
        """Move one variable down to at most ``top``, if its neighbours let it."""
        if var == self.zero:
            return False
        values = self.values
        below = self.below[var]
        if not below:
            return self._place(var, None, top, top - GAP)
        low = max([values[t] - c for t, c in below.items()])
        return low <= top and self._place(var, low, top, (low + top) >> 1)

    def _raise(self, var: int, bottom: int) -> bool:
        """Move one variable up to at least ``bottom``, if its neighbours let it."""
        if var == self.zero:
            return False
        values = self.values
        above = self.above[var]
        if not above:
            return self._place(var, bottom, None, bottom + GAP)
        high = min([values[t] + c for t, c in above.items()])
        return bottom <= high and self._place(var, bottom, high, (bottom + high + 1) >> 1)

    def _place(
        self, var: int, low: int | None, high: int | None, wish: int, taken: frozenset[int] | set[int] = frozenset()
    ) -> bool:
        """Give the variable the allowed value nearest to the wish."""
        if taken or var in self._unequal:
            found = nearest(wish, low, high, self.forbidden(var).union(taken))
            if found is None:
                return False
            wish = found
        self.trail.append((-1, var, self.values[var]))
        self.values[var] = wish
        return True

    def _propagate(self, u: int, v: int, c: int) -> list[int] | None:
        """Lower ``u`` and whatever hangs below it; None: that reaches ``v`` again, a negative cycle."""
        values, below = self.values, self.below
        slack = {u: values[v] + c - values[u]}
        settled: dict[int, int] = {}
        heap = [(slack[u], u)]
        while heap:
            gap, s = heappop(heap)
            if s in settled:
                continue
            value = values[s] + gap
            settled[s] = value
            for t, w in below[s].items():
                if t not in settled:
                    need = value + w - values[t]
                    if need < 0:
                        if t == v:
                            return None
                        if need < slack.get(t, 0):
                            slack[t] = need
                            heappush(heap, (need, t))
        if self.zero in settled:
            settled = self._rebase(settled)
        for s, value in settled.items():
            self.put(s, value)
        return list(settled)

    def _rebase(self, settled: dict[int, int]) -> dict[int, int]:
        """Shift all that edges connect so that the constant zero stays zero: only differences matter to them."""
        shift = -settled[self.zero]
        return {
            s: settled.get(s, value) + shift
            for s, value in enumerate(self.values)
            if s in settled or self.below[s] or self.above[s]
        }

    def _repair(self, moved: list[int]) -> bool:
        """Restore the disequalities of variables that were moved, each within its own gap."""
        for var in moved:
            if var != self.zero and self.values[var] in self.forbidden(var):
                low, high = self.interval(var)
                if not self._place(var, low, high, self.values[var]):
                    return False
        return all(self.values[var] not in self.forbidden(var) for var in moved)


def nearest(wish: int, low: int | None, high: int | None, taken: set[int]) -> int | None:
    """The value of an interval that is nearest to the wish and not taken."""
    if low is not None and wish < low:
        wish = low
    if high is not None and wish > high:
        wish = high
    for distance in range(len(taken) + 1):
        for value in (wish + distance, wish - distance):
            inside = (low is None or value >= low) and (high is None or value <= high)
            if inside and value not in taken:
                return value
    return None
