"""What the path says of each variable alone, and moves of single variables that respect it.

Sets of values answer at once whether conditions on single variables exclude each other. A move that breaks another
condition is followed by moves that mend it, as long as one of its alternatives is a matter of one variable.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from pessimal.expr import App, Compare, Evaluator, Expr, Junction, Not
from pessimal.expr.linear import Linear
from pessimal.solve.difference import Difference
from pessimal.solve.sets import EVERYTHING, Range, Ranges, Unary, closest, has, intersect, unary

MAX_REPAIRS = 8
"""How many conditions a move may break and mend before a back-end is asked."""

MAX_SUM = 24
"""Sums of more variables than this are left to a back-end."""

Wanted = dict[int, Ranges]
Hulls = dict[int, Range]


class Domains:
    """The sets of all variables that conditions with alternatives are known of."""

    __slots__ = ("_difference", "_evaluator", "_known", "_sets")

    def __init__(self, difference: Difference, evaluator: Evaluator) -> None:
        self._difference = difference
        self._evaluator = evaluator
        self._sets: Wanted = {}
        self._known: dict[tuple[int, bool], tuple[Expr, Unary | None]] = {}

    def of(self, condition: Expr, want: bool) -> Unary | None:
        """The set of values of one variable that a condition stands for, remembered because it is asked for again."""
        key = (id(condition), want)
        if key not in self._known:
            self._known[key] = (condition, unary(condition, want))
        return self._known[key][1]

    def keep(self, condition: Expr, want: bool) -> None:
        """Remember what a committed condition says of one variable."""
        known = self.of(condition, want)
        if known is not None:
            self._sets[known.var] = intersect(self._sets.get(known.var, EVERYTHING), known.ranges)

    def enforce(self, condition: Expr, want: bool) -> bool | None:
        """Move one variable to where a condition holds; False: nothing is left for it, None: not a matter of sets."""
        is_meant = type(condition) is Junction or (
            type(condition) is Compare and (bool(self._sets) or _is_piecewise(condition))
        )
        known = self.of(condition, want) if is_meant else None
        if known is None:
            return None
        allowed = intersect(known.ranges, self._domain(known.var))
        return self._place(known.var, allowed) if allowed else False

    def _domain(self, var: int) -> Ranges:
        """What is known of a variable alone: its set, its bounds and the constants that it is not."""
        low = self._difference.below[var].get(self._difference.zero)
        high = self._difference.above[var].get(self._difference.zero)
        bounds = (-inf if low is None else -low, inf if high is None else high)
        known = intersect(self._sets.get(var, EVERYTHING), (bounds,))
        for value in sorted(self._difference.excluded(var)):
            known = intersect(known, ((-inf, value - 1), (value + 1, inf)))
        return known

    def _place(self, var: int, allowed: Ranges) -> bool | None:
        """Give a variable a value of a set that its neighbours leave room for; None: there is none."""
        here = self._difference.values[var]
        if has(allowed, here):
            return True
        low, high = self._difference.interval(var)
        room = intersect(allowed, ((-inf if low is None else low, inf if high is None else high),))
        value = closest(room, here, self._difference.forbidden(var))
        if value is None:
            return None
        self._difference.put(var, value)
        self._evaluator.changed()
        return True

    def wanted(self, condition: Expr, want: bool) -> Wanted:
        """What a condition that shall hold says of single variables, beside what is known of them."""
        result: Wanted = {}
        stack = [(condition, want)]
        while stack:
            node, way = stack.pop()
            known = self.of(node, way)
            if known is not None:
                before = result.get(known.var)
                result[known.var] = intersect(self._domain(known.var) if before is None else before, known.ranges)
            elif type(node) is Not:
                stack.append((node.part, not way))
            elif type(node) is Junction and (node.op == "and") is way:
                stack.extend((part, way) for part in node.parts)
        return result

    def repair(self, condition: Expr, want: bool, wanted: Wanted, holds: Callable[[], bool]) -> bool | None:
        """Make a condition hold again while what is wanted ``holds``; False: that is impossible."""
        while type(condition) is Not:
            condition, want = condition.part, not want
        is_open = type(condition) is Junction and (condition.op == "or") is want
        result: bool | None = False
        for part in condition.parts if is_open and type(condition) is Junction else (condition,):
            known = self.of(part, want)
            if known is None:
                result = None
                continue
            within = wanted.get(known.var)
            allowed = intersect(known.ranges, self._domain(known.var) if within is None else within)
            if not allowed:
                continue
            result = None
            mark = len(self._difference.trail)
            if self._place(known.var, allowed) and holds():
                return True
            self._difference.undo(mark)
            self._evaluator.changed()
        return result

    def balance(self, form: Linear) -> bool | None:
        """Move the variables of a sum so that it is right, the heaviest first; False: their bounds forbid it.

        That solves positional numbers, where each digit must make up for what the smaller ones cannot.
        """
        if len(form.coefficients) > MAX_SUM:
            return None
        hulls = {var: self._hull(var) for var in form.coefficients}
        try:
            low, high = _reach(form, hulls)
            if form.op == "!=":
                return False if low == high == 0 else None
            if low > 0 or (form.op == "==" and high < 0):
                return False
            return self._spread(form, hulls)
        except OverflowError:  # an integer too large to be added to infinity
            return None

    def _spread(self, form: Linear, hulls: Hulls) -> bool | None:
        """Give each variable of a sum, the heaviest first, a value that the lighter ones can make up for."""
        rest = form.const
        order = sorted(form.coefficients, key=lambda var: -abs(form.coefficients[var]))
        for i, var in enumerate(order):
            k = form.coefficients[var]
            low, high = _reach(Linear({v: form.coefficients[v] for v in order[i + 1 :]}, 0, "=="), hulls)
            least = -rest - high if form.op == "==" else -inf
            if not self._place(var, intersect(self._domain(var), (_quotient(least, -rest - low, k),))):
                return None
            rest += k * self._difference.values[var]
        return True

    def _hull(self, var: int) -> Range:
        known = self._domain(var)
        return (known[0][0], known[-1][1]) if known else (inf, -inf)


def _reach(form: Linear, hulls: Hulls) -> Range:
    """Between what a sum lies when its variables lie between their bounds."""
    ends = [sorted((k * hulls[var][0], k * hulls[var][1])) for var, k in form.coefficients.items()]
    return form.const + sum(low for low, _ in ends), form.const + sum(high for _, high in ends)


def _quotient(low: float, high: float, k: int) -> Range:
    """Between what x lies when k * x lies between two bounds, which are integers or infinite."""
    if k < 0:
        low, high, k = -high, -low, -k
    return (low if low == -inf else -(-low // k)), (high if high == inf else high // k)


def _is_piecewise(condition: Compare) -> bool:
    """Whether a comparison is one of a term that is one thing or another."""
    return any(type(side) is App and side.op == "ite" for side in (condition.left, condition.right))
