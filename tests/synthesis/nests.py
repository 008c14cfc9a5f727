"""Sequences of events whose loops are known."""

from collections.abc import Callable

from hypothesis import strategies as st

from pessimal.synthesis import fold as folding
from pessimal.synthesis.fold import foldings
from pessimal.synthesis.terms import Atom, Event, Form, Loop, Term, map_numbers

Line = tuple[int, int]
"""Multiple of the size, and a number."""


def insertion_sort(n: int) -> list[Event]:
    return [("s", (j, i)) for i in range(1, n) for j in range(i - 1, -1, -1)]


def tree(n: int) -> list[Event]:
    built = [("build", (i, j)) for i in range(1, n) for j in range(i)]
    return [*built, *(("search", (j,)) for j in range(n))]


def matrices(n: int) -> list[Event]:
    return [("m", (i * n + k, n * n + k * n + j)) for i in range(n) for j in range(n) for k in range(n)]


def merge_in_turns(n: int) -> list[Event]:
    return [event for i in range(n) for event in (("less", (i, n + i)), ("more", (i + 1, n + i)))][:-1]


def merge_in_runs(n: int) -> list[Event]:
    return [*(("less", (i, n)) for i in range(n)), *(("more", (n - 1, n + i)) for i in range(n))]


def strided(n: int) -> list[Event]:
    return [("s", (i, n)) for i in range(0, 2 * (n // 2), 2)]


def downhill(n: int) -> list[Event]:
    """Numbers that fall from a rounded or a negative one."""
    return [("a", (i - n // 2, -2 * i - n, n * i - n * (n - 1) // 2, -3 * (n // 2) + i, -i - 1)) for i in range(n)]


def by_parity(n: int) -> list[Event]:
    runs = [("a", (i,)) for i in range(n)]
    return runs + ([("b", (i, n - i)) for i in range(n)] if n % 2 else [])


def halving(n: int) -> list[Event]:
    return [("s", (i,)) for i in range(n.bit_length() - 1)]


def three_deep(n: int) -> list[Event]:
    return [("s", (i, j, k)) for i in range(n) for j in range(i) for k in range(j)]


def loops_in_sequence(n: int) -> list[Event]:
    return [
        event
        for i in range(n)
        for event in [("A", (i,)), *(("B", (i, j)) for j in range(i)), *(("C", (i, j)) for j in range(i, n))]
    ]


def stealing(n: int) -> list[Event]:
    """An inner loop that the event after it continues in one iteration alone."""
    return [event for i in range(n) for event in [*(("s", (j,)) for j in range(n)), ("s", (2 * i,))]]


KNOWN: tuple[Callable[[int], list[Event]], ...] = (
    insertion_sort,
    tree,
    matrices,
    merge_in_turns,
    merge_in_runs,
    loops_in_sequence,
    three_deep,
    stealing,
)

small = st.integers(-1, 2)
lines = st.tuples(st.sampled_from((0, 0, 1)), small)


def _form(depth: int) -> st.SearchStrategy[Form[Line]]:
    return st.tuples(lines, *[st.tuples(st.just(0), small)] * depth)


def _trip(depth: int) -> st.SearchStrategy[Form[Line]]:
    """As often as the size, or as the number of past or remaining iterations of the enclosing loop."""
    none: tuple[Line, ...] = ((0, 0),) * max(depth - 1, 0)
    full = st.integers(-1, 1).map(lambda more: ((1, more), *((0, 0),) * depth))
    if not depth:
        return full
    return full | st.sampled_from((((0, 1), *none, (0, 1)), ((1, 0), *none, (0, -1))))


def terms(depth: int = 0) -> st.SearchStrategy[tuple[Term[Line], ...]]:
    """Nests at most three deep whose numbers are lines in the size and in the iterators."""
    atom = st.builds(Atom, st.sampled_from("ab"), st.tuples(_form(depth), _form(depth)))
    if depth == 3:
        return st.tuples(atom)
    loop = st.deferred(lambda: st.builds(Loop, _trip(depth), terms(depth + 1)))
    term = loop if depth == 0 else atom | loop
    return st.lists(term, min_size=1, max_size=2).map(tuple)


def at(nest: tuple[Term[Line], ...], n: int) -> tuple[Term[int], ...]:
    return map_numbers(nest, lambda line: line[0] * n + line[1])


def fold(events):
    """The nest with the shortest description."""
    return foldings(events)[0]


def unfold(terms):
    """The events of the terms in order."""
    return list(folding.unfold(terms))


def in_order(expansion):
    """The events of an expansion in order, as single objects."""
    placed = []
    for symbol, rows in expansion.rows.items():
        vectors = map(tuple, rows.values.tolist())
        placed += [(at, (symbol, vector)) for at, vector in zip(rows.positions.tolist(), vectors, strict=True)]
    return [event for _, event in sorted(placed, key=lambda pair: pair[0])]
