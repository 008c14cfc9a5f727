"""Constraint puzzles: a heated plate, a loan, magic series, SEND + MORE = MONEY, stable marriages, a coloured map."""

from __future__ import annotations

from bench.subjects.mlbse.machine import Few, Real, single


def laplace(a: Real, b: Real, c: Real, d: Real) -> str:
    """Four inner points of a plate with one hot side: each is the mean of its neighbours."""
    hot = 100.0
    if 4 * a != hot + b + c:
        return "first"
    if 4 * b != hot + a + d:
        return "second"
    if 4 * c != a + d:
        return "third"
    if 4 * d != b + c:
        return "fourth"
    return "balanced"


def loan(principal: Real, rate: Real, payment: Real) -> str:
    """Four quarters of interest and payments, in single precision."""
    if principal <= 0 or not 0 < rate < 1 or payment <= 0:
        return "no loan"
    balance = single(principal)
    for quarter in range(4):
        balance = single(balance + single(balance * rate) - payment)
        if balance <= 0:
            return "paid early" if quarter < 3 else "paid"
    return "growing" if balance > principal else "shrinking"


def magic_series(a: Few, b: Few, c: Few, d: Few) -> str:
    """Each number says how often its place occurs in the series."""
    row = [a, b, c, d]
    for place in range(4):
        count = 0
        for number in row:
            if number == place:
                count += 1
        if count != row[place]:
            return f"wrong at {place}"
    return "magic" if a == 1 else "the other"


def send_more_money(s: Few, e: Few, n: Few, d: Few, m: Few, o: Few, r: Few, y: Few) -> str:
    letters = [s, e, n, d, m, o, r, y]
    for i, letter in enumerate(letters):
        if letter > 9:
            return "no digit"
        for other in letters[:i]:
            if letter == other:
                return "twice"
    if s == 0 or m == 0:
        return "leading zero"
    send = 1000 * s + 100 * e + 10 * n + d
    more = 1000 * m + 100 * o + 10 * r + e
    money = 10000 * m + 1000 * o + 100 * n + 10 * e + y
    return "solved" if send + more == money else "wrong"


_LIKES = ((0, 1, 2), (1, 0, 2), (0, 2, 1))
_LIKED = ((1, 2, 0), (0, 1, 2), (2, 0, 1))


def stable_marriage(a: Few, b: Few, c: Few) -> str:
    """Whom each of three marries; no two who are not married may prefer each other."""
    chosen = [a, b, c]
    if max(chosen) > 2:
        return "nobody"
    if a in (b, c) or b == c:
        return "bigamy"
    for man in range(3):
        for woman in range(3):
            husband = chosen.index(woman)
            prefers = _LIKES[man].index(woman) < _LIKES[man].index(chosen[man])
            if prefers and _LIKED[woman].index(man) < _LIKED[woman].index(husband):
                return "unstable"
    return "stable"


def coloured_map(w: Few, n: Few, s: Few, q: Few, v: Few, t: Few) -> str:
    """The parts of Australia in three colours."""
    if max(w, n, s, q, v, t) > 2:
        return "no colour"
    for one, other in ((w, n), (w, s), (n, s), (n, q), (s, q), (s, v), (q, v)):
        if one == other:
            return "clash"
    return "coloured" if t == 0 else "coloured, with an island"
