"""Fuzz: its moves keep inputs valid, it passes gates that random changes would not, and it goes on where it stopped."""

import itertools
import json
import random
from itertools import pairwise
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.comparison import Comparison
from pessimal.errors import UsageError
from pessimal.inputs import Domain
from pessimal.search.corpus import Corpus
from pessimal.search.fuzz import Fuzz
from pessimal.search.leaf_groups import spans
from pessimal.search.move_schedule import MoveSchedule
from pessimal.search.moves import MOVES, applicable, draw, splice
from pessimal.search.operands import met, replaced
from pessimal.strategy import SearchOver
from pessimal.testing import check_strategy
from tests.profiles import thorough


class Session:
    """Measures until a number of runs is spent or a goal is met, and remembers all."""

    def __init__(self, measure, domains, *, compared=lambda leaves: [], literals=(), seed=0, runs=2000, goal=inf):
        self.domains = domains
        self.initial = [domain.initial for domain in domains]
        self.rng = random.Random(seed)
        self.tried = []
        self.best = -inf
        self._measure, self._compared, self._runs, self._goal = measure, compared, runs, goal
        self._literals = list(literals)

    def _start(self, leaves):
        if self.best >= self._goal or len(self.tried) >= self._runs:
            raise SearchOver
        self.tried.append(list(leaves))

    def measure(self, leaves):
        self._start(leaves)
        value, counts = self._measure(leaves)
        self.best = max(self.best, value)
        return value, counts

    def evaluate(self, leaves):
        return self.measure(leaves)[0]

    def survey(self, inputs):
        return None

    def claim(self, proof, *, every_input):
        self.proof = proof

    def comparisons(self, leaves):
        self._start(leaves)
        return self._compared(leaves)

    def literals(self):
        return self._literals


def search(session, fuzz=None):
    with pytest.raises(SearchOver):
        (fuzz or Fuzz()).search(session)
    return session


def text(length, name="s"):
    return [Domain.of("char", f"{name}[{i}]") for i in range(length)]


def numbers(length, name="xs", **bounds):
    return [Domain.of("int", f"{name}[{i}]", **bounds) for i in range(length)]


KINDS = st.sampled_from(
    [
        Domain.of("int"),
        Domain.of("int", low=-3, high=5),
        Domain.of("int", low=2**70),
        Domain.of("float"),
        Domain.of("float", low=0.5, high=0.75),
        Domain.of("bool"),
        Domain.of("char"),
        Domain.of("char", low=97, high=99),
        Domain.of("byte"),
        Domain.of("choice", high=4),
    ]
)


@given(KINDS, st.integers(1, 8), st.sampled_from(sorted(MOVES)), st.integers(0, 2**32))
def test_moves_keep_length_and_domain(domain, length, name, seed):
    rng = random.Random(seed)
    domains = [Domain.of("int", "before", high=9)] + [
        Domain(domain.kind, domain.low, domain.high, domain.initial, f"xs[{i}]") for i in range(length)
    ]
    leaves = [draw(each, rng) for each in domains]
    before = list(leaves)
    span = spans(domains)[1]
    is_made = name in applicable(span)
    if is_made:
        MOVES[name](leaves, span, rng)
    assert len(leaves) == len(before) and leaves[0] == before[0]
    assert all(value in each for value, each in zip(leaves, domains, strict=True))
    assert is_made or leaves == before


@given(st.integers(0, 2**32))
def test_splicing_takes_from_both(seed):
    domains = [*numbers(3), *text(4)]
    one, other = [0] * 7, [1] * 7
    splice(one, other, spans(domains), random.Random(seed))
    assert len(one) == 7 and set(one) <= {0, 1}


def test_spans_are_containers():
    domains = [
        Domain.of("int", "n"),
        Domain.of("int", "m"),
        *numbers(3),
        *numbers(2, "rows[0]"),
        *numbers(2, "rows[1]"),
        Domain.of("int", "k", low=4, high=4),
        *text(2),
    ]
    assert [(span.start, span.stop) for span in spans(domains)] == [(0, 1), (1, 2), (2, 5), (5, 7), (7, 9), (10, 12)]


def test_a_corpus_keeps_what_is_best_somewhere():
    corpus = Corpus()
    assert corpus.add([1], 5.0, [3, 0]) == (True, True)
    assert corpus.add([2], 4.0, [1, 2]) == (False, True)
    assert corpus.add([3], 4.0, [2, 2]) == (False, False)
    assert corpus.add([4], 5.0, [2, 2, 1]) == (False, True)
    assert (corpus.best, corpus.value) == ([4], 5.0)
    assert corpus.champions == [[1], [2], [4]]
    again = Corpus.from_json(json.loads(json.dumps(corpus.to_json())))
    assert again.to_json() == corpus.to_json()
    assert again.add([5], 1.0, [4, 3, 0]) == (False, True)
    assert again.champions == [[5], [4]]


def test_moves_that_help_are_drawn_more_often_and_none_is_forgotten():
    schedule, rng = MoveSchedule(["good", "bad"]), random.Random(0)
    drawn = []
    for _ in range(2000):
        name = schedule.draw(rng)
        drawn.append(name)
        schedule.reward(name, float(name == "good"))
    assert drawn.count("good") > 1200
    assert drawn[1000:].count("bad") > 50


def test_operands_replace_each_other():
    domains = [*numbers(2), *text(5), *[Domain.of("byte", f"b[{i}]") for i in range(2)]]
    leaves = [3, 8, *map(ord, "hello"), 1, 2]
    found = list(
        replaced(
            leaves, [Comparison(1, 8, 100), Comparison(2, "ell", "abc"), Comparison(3, b"\1", b"\7\7")], spans(domains)
        )
    )
    assert [3, 100, *leaves[2:]] in found and [3, 99, *leaves[2:]] in found
    assert [3, 8, *map(ord, "habco"), 1, 2] in found
    assert [*leaves[:7], 7, 7] in found
    assert not any(value[0] == 100 for value in found)


def test_a_text_that_stands_nowhere_is_put_at_the_start():
    found = list(replaced(list(map(ord, "xyz")), [Comparison(1, "q", "ab")], spans(text(3))))
    assert list(map(ord, "abz")) in found


def test_a_difference_that_changes_with_a_leaf_vanishes():
    domains = [Domain.of("int", "n")]
    observed = [(0, [Comparison(1, -3, 8635)]), (1, [Comparison(1, 4, 8635)])]
    assert [1234] in list(met([0], 0, spans(domains)[0], observed))


def gate(leaves):
    """Three tests in a row, on a number, on a text, and on an order."""
    number, word, rest = leaves[0], "".join(map(chr, leaves[1:6])), leaves[6:]
    counts = [1, int(number * 7 - 3 == 8635), 0, 0]
    counts[2] = int(counts[1] and word.startswith("magic"))
    counts[3] = counts[2] * sum(one > other for one, other in pairwise(rest))
    return float(sum(counts)), counts


def gate_compared(leaves):
    number, word = leaves[0], "".join(map(chr, leaves[1:6]))
    found = [Comparison(1, number * 7 - 3, 8635)]
    return found + [Comparison(2, word, "magic")] * (number * 7 - 3 == 8635)


@pytest.mark.parametrize("seed", [0, 1, *thorough(range(2, 5))])
def test_it_passes_gates(seed):
    domains = [Domain.of("int", "mode"), *text(5), *numbers(6)]
    session = Session(gate, domains, compared=gate_compared, seed=seed, runs=10_000, goal=8)
    assert search(session).best == 8


@pytest.mark.parametrize("seed", [0, 1, *thorough(range(2, 5))])
def test_a_champion_of_one_place_leads_to_the_best(seed):
    """The value is the same until a chain of places was passed, each of which only the counts show."""

    def measure(leaves):
        reached = next((i for i, value in enumerate(leaves) if value != 7), len(leaves))
        return float(reached == len(leaves)), [int(i < reached) for i in range(len(leaves))]

    session = Session(measure, numbers(8, low=0, high=9), seed=seed, runs=20_000, goal=1)
    assert search(session).best == 1


@pytest.mark.parametrize("kind", ["int", "float"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_it_comes_close_to_inputs_that_do_not_end(kind, seed):
    domains = [Domain.of(kind, low=0, high=10**9)] * 2
    session = Session(lambda leaves: (sum(leaves) if sum(leaves) <= 54321 else -inf, ()), domains, seed=seed, runs=150)
    assert search(session).best > 52_000


def test_the_same_seed_tries_the_same():
    domains = [*numbers(3), *text(2)]
    runs = [
        search(Session(lambda leaves: (float(leaves[0] % 99991), [leaves[1]]), domains, seed=3)).tried for _ in range(2)
    ]
    assert runs[0] == runs[1]
    assert runs[0] != search(Session(lambda leaves: (float(leaves[0] % 99991), [leaves[1]]), domains, seed=4)).tried


def test_it_goes_on_where_it_stopped():
    domains = [Domain.of("int", "mode"), *text(5), *numbers(6)]

    def stepped(fuzz, runs, seed=0):
        session = Session(gate, domains, compared=gate_compared, seed=seed, runs=5000)
        steps = fuzz.steps(session)
        for _ in range(runs):
            next(steps)
        return session.tried

    whole = stepped(Fuzz(), 600)
    first, second = Fuzz(), Fuzz()
    before = stepped(first, 250)
    second.restore(json.loads(json.dumps(first.state())))
    assert before + stepped(second, 350, seed=9) == whole


@pytest.mark.parametrize("runs", [3, 60, 250])
def test_a_search_that_is_interrupted_in_a_run_goes_on_with_that_run(runs):
    """Snapshots are taken in the middle of a run, of comparisons too; that run is repeated."""
    domains = [Domain.of("int", "mode"), *text(5), *numbers(6)]
    whole = search(Session(gate, domains, compared=gate_compared, runs=600)).tried
    first, states = Fuzz(), []
    session = Session(gate, domains, compared=gate_compared, runs=600)
    start = session._start
    session._start = lambda leaves: (
        states.append(json.dumps(first.state())) if len(session.tried) == runs else None,
        start(leaves),
    )
    search(session, first)
    second = Fuzz()
    second.restore(json.loads(states[0]))
    # Of comparisons that take several runs all are repeated.
    again = search(Session(gate, domains, compared=gate_compared, seed=9, runs=600), second).tried
    repeated = next(i for i in range(runs, 0, -1) if whole[i] == again[0])
    assert runs - repeated <= 4
    assert again[: 600 - repeated] == whole[repeated:]


def growing(most, name="xs"):
    return [Domain.of("choice", f"len({name})", high=most), *numbers(most, name, low=0, high=9)]


@given(st.integers(0, 6), st.integers(0, 2**32))
def test_resizing_keeps_the_order_of_what_stays(length, seed):
    domains = growing(6)
    leaves = [length, *range(length), *[9] * (6 - length)]
    (span,) = [span for span in spans(domains) if span.length is not None]
    MOVES["resize"](leaves, span, random.Random(seed))
    assert all(value in each for value, each in zip(leaves, domains, strict=True))
    used = leaves[1 : 1 + leaves[0]]
    assert used != list(range(length))
    kept = [value for value, _ in itertools.groupby(used) if value < length]
    if leaves[0] < length:
        assert kept == sorted(set(kept))


@pytest.mark.parametrize("seed", [0, *thorough(range(1, 3))])
def test_it_finds_the_length_of_the_worst_input(seed):
    """The worst input is neither the longest nor the shortest, and only its order tells the way."""

    def measure(leaves):
        used = leaves[1 : 1 + leaves[0]]
        rising = next((i for i, value in enumerate(used) if value != i), len(used))
        return float(rising - 2 * (leaves[0] > 7)), [rising]

    assert search(Session(measure, growing(12), seed=seed, runs=20_000, goal=7)).best == 7


def test_an_input_without_choice_is_run_once():
    session = Session(lambda leaves: (1.0, []), [Domain.of("int", "n", low=4, high=4)])
    Fuzz().search(session)
    assert session.tried == [[4]]


def test_inputs_that_are_rejected_do_not_stop_it():
    session = Session(
        lambda leaves: (-inf, []) if leaves[0] % 2 else (float(leaves[0]), []), numbers(2, low=0, high=99)
    )
    assert search(session).best == 98


def test_where_no_input_has_a_value_it_draws_further_ones():
    session = search(Session(lambda leaves: (-inf, []), [*numbers(3), *text(3)], runs=1000))
    assert len({tuple(leaves) for leaves in session.tried}) > 500


def test_a_domain_of_few_inputs_is_enumerated():
    session = Session(lambda leaves: (float(leaves == [7, 3]), []), numbers(2, low=0, high=9))
    Fuzz().search(session)
    assert (session.best, len(session.tried), session.proof) == (1.0, 100, "domain exhausted")


@pytest.mark.parametrize("seed", [0, *thorough(range(1, 3))])
def test_literals_of_the_code_are_tried(seed):
    def measure(leaves):
        return float("".join(map(chr, leaves)).count("<!--")), []

    session = Session(measure, text(12), literals=["<!--", 7], seed=seed, runs=2000, goal=3)
    assert search(session).best == 3


def test_it_keeps_the_contract():
    check_strategy(Fuzz)


def test_options():
    with pytest.raises(UsageError, match="patience"):
        Fuzz(patience=0)
