"""The observed tree: it is closed exactly when everything was seen, and it never claims more than was proved."""

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import Compare, Var
from pessimal.runs import Follow, Request
from pessimal.search.exhaustive import Exhaustive
from pessimal.testing import InProcess
from pessimal.trace import Concretisation, Outcome, Side, Site, Trace
from pessimal.tree import ABANDONED, INFEASIBLE, OPEN, Kinds, Tree
from tests.profiles import examples
from tests.search.guided import session_of
from tests.subjects import bst, dijkstra, tsp
from tests.subjects.insertion_sort import insertion_sort


def site(number):
    return Site("/app/app.py", "f", number, 0, f"x > {number}")


def trace_of(decisions, *, others=None, kinds=None, outcome=Outcome.RETURNED, leaves=(), values=(), **rest):
    """A path of which each decision is at the site of its number, unless the kinds say otherwise."""
    sites = [site(number) for number in (kinds or range(len(decisions)))]
    return Trace(
        sites=sites,
        conditions=[Compare(">", Var(0), number) for number in range(len(decisions))],
        decisions=bytearray(decisions),
        others=bytearray([Side.UNTRIED] * len(decisions) if others is None else others),
        depths=[0] * len(decisions),
        concretisations=[Concretisation(sites[position], "why", (1,), position) for position in values],
        leaves=list(leaves),
        outcome=outcome,
        **rest,
    )


def grown(*traces):
    tree = Tree(Kinds())
    for number, trace in enumerate(traces):
        tree.add(trace, float(number))
    return tree


def columns(tree):
    data = tree.to_json()
    return {name: data[name] for name in data if name != "kinds"}


def open_way(tree):
    """The decisions to the first direction that is open."""
    node, way = 0, bytearray()
    while node >= 0:
        turn = int(0 not in tree.open_outcomes(node))
        way.append(turn)
        node = tree.child[tree.first[node] + turn]
    assert node == OPEN
    return bytes(way)


def is_seen(tree, node, direction):
    """Whether a path went in a direction."""
    return tree.count[tree.first[node] + direction] > 0


def way_to(tree, node):
    """The decisions that lead to a node."""
    turns = []
    while tree.parent[node] >= 0:
        turns.append(tree.parent_outcome[node])
        node = tree.parent[node]
    return bytes(reversed(turns))


# Real targets


def ran(target, size):
    """Search a target by open directions alone: the tree, and the decisions of all paths."""
    front, tree, paths = InProcess(target, size), Tree(Kinds()), []
    while not tree.is_done:
        way = open_way(tree) if tree.inputs else b""
        start = tree.inputs[tree.best_input[node_before(tree, way)]] if way else front.initial
        trace = front.run(Request(Follow(way), start, probe_other=True, known_prefix=len(way)), 10.0)
        tree.add(trace, trace.length, way)
        paths.append(bytes(trace.decisions))
    return tree, paths


def node_before(tree, way):
    node = 0
    for turn in way[:-1]:
        node = tree.child[tree.first[node] + turn]
    return node


@pytest.mark.parametrize(
    ("target", "size", "cost"),
    [(insertion_sort, 4, 6), (bst.build, 5, 10), (tsp.tour, 3, 4), (dijkstra.shortest_path_dijkstar, 6, 5)],
)
def test_all_paths_close_it_and_no_fewer_do(target, size, cost):
    tree, paths = ran(target, size)
    session = session_of(target, size)
    Exhaustive().search(session)
    assert session.counters.runs == len(paths) == len(set(paths))
    assert tree.is_exhausted
    assert (max(tree.best[:2]), sum(tree.count[:2])) == (cost, len(paths))


def test_every_node_knows_its_way_and_an_input_that_goes_it():
    tree, _ = ran(insertion_sort, 4)
    front = InProcess(insertion_sort, 4)
    for node in range(len(tree)):
        way = way_to(tree, node)
        trace = front.run(Request(None, tree.inputs[tree.best_input[node]]), 10.0)
        assert bytes(trace.decisions[: len(way)]) == way


def test_a_target_without_branches_is_exhausted_by_one_path():
    assert not Tree(Kinds()).is_exhausted
    assert grown(trace_of([])).is_exhausted


# Paths that end, infeasible outcomes, abandoned outcomes


def test_infeasible_outcomes_are_never_open():
    tree = grown(trace_of([1, 0], others=[Side.INFEASIBLE, Side.INFEASIBLE]))
    assert tree.is_exhausted
    assert tree.child[0] == INFEASIBLE
    assert 0 not in tree.open_outcomes(0)
    assert not is_seen(tree, 0, 0)
    assert is_seen(tree, 0, 1)


@pytest.mark.parametrize("side", [Side.UNTRIED, Side.FEASIBLE, Side.UNKNOWN])
def test_directions_that_may_be_feasible_are_open(side):
    tree = grown(trace_of([1], others=[side]))
    assert not tree.is_done
    assert 0 in tree.open_outcomes(0)


def test_a_run_that_ended_at_an_infeasible_decision_did_not_take_the_other():
    tree = grown(trace_of([0, 1], others=[Side.FEASIBLE, Side.INFEASIBLE], outcome=Outcome.INFEASIBLE))
    assert tree.is_complete
    assert (is_seen(tree, 0, 0), is_seen(tree, 1, 0), is_seen(tree, 1, 1)) == (True, False, False)
    assert (tree.child[2 * 1], tree.child[2 * 1 + 1]) == (INFEASIBLE, OPEN)
    assert tree.best == [-inf] * 4


@pytest.mark.parametrize(
    "trace",
    [
        trace_of([1], others=[Side.INFEASIBLE], outcome=Outcome.TIMED_OUT),
        trace_of([1], others=[Side.INFEASIBLE], outcome=Outcome.CRASHED),
        trace_of([1], others=[Side.INFEASIBLE], truncated=True),
        trace_of([1], others=[Side.INFEASIBLE], refused="no"),
        trace_of([], outcome=Outcome.CRASHED),
    ],
)
def test_a_path_that_did_not_end_by_itself_proves_nothing(trace):
    tree = grown(trace)
    assert tree.is_done
    assert not tree.is_exhausted


@pytest.mark.parametrize("outcome", [Outcome.REJECTED, Outcome.TIMED_OUT, Outcome.CRASHED])
def test_a_path_whose_cost_does_not_count_is_seen_but_not_best(outcome):
    tree = Tree(Kinds())
    tree.add(trace_of([1, 1], leaves=[1], outcome=outcome), 99.0)
    assert (tree.count[1], tree.total[1], tree.best[1]) == (1, 0.0, -inf)
    tree.add(trace_of([1, 0], leaves=[2]), 3.0)
    assert (tree.count[1], tree.total[1], tree.best[1]) == (2, 3.0, 3.0)
    assert tree.inputs[tree.best_input[0]] == [2]


@pytest.mark.parametrize(
    ("other", "is_proof"), [(Side.INFEASIBLE, True), (Side.FEASIBLE, False), (Side.UNTRIED, False)]
)
def test_values_made_concrete_never_prove(other, is_proof):
    """Unless there is no other value: then the other outcome is infeasible, not abandoned."""
    tree = grown(trace_of([1], others=[other], values=[0]))
    assert tree.is_done
    assert tree.is_exhausted is is_proof


def test_an_outcome_that_could_not_be_reached_is_not_requested_again():
    tree = grown(trace_of([1, 1], others=[Side.INFEASIBLE, Side.UNKNOWN]))
    assert open_way(tree) == b"\1\0"
    tree.add(trace_of([1, 1], others=[Side.INFEASIBLE, Side.UNKNOWN]), 1.0, prefix=b"\1\0")
    assert tree.child[2] == ABANDONED
    assert tree.is_done
    assert not tree.is_exhausted


@pytest.mark.parametrize(
    "instead",
    [
        trace_of([0]),  # it left its way early
        trace_of([1, 1], kinds=[0, 9]),  # another branch stood in the way
        trace_of([1]),  # it ended early
        trace_of([], outcome=Outcome.TIMED_OUT),
    ],
)
def test_nor_is_one_that_a_run_left_its_way_to(instead):
    tree = grown(trace_of([0]), trace_of([1, 1, 1], others=[Side.FEASIBLE, Side.INFEASIBLE, Side.FEASIBLE]))
    assert open_way(tree) == b"\1\1\0"
    tree.add(instead, 1.0, prefix=b"\1\1\0")
    assert tree.is_done
    assert not tree.is_exhausted


def test_an_outcome_that_was_reached_is_not_abandoned():
    tree = grown(trace_of([1, 1]))
    tree.add(trace_of([1, 0, 1]), 1.0, prefix=b"\1\0")
    assert tree.is_complete
    assert tree.child[2] == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (trace_of([1], others=[2]), trace_of([1, 1], others=[2, 2])),
        (trace_of([1, 1], others=[2, 2]), trace_of([1], others=[2])),
        (trace_of([1, 1], others=[2, 2]), trace_of([1, 1], kinds=[0, 7], others=[2, 2])),
        (trace_of([1], others=[2]), trace_of([0], others=[2])),
    ],
    ids=["went on", "ended", "elsewhere", "was infeasible"],
)
def test_decisions_that_lead_elsewhere_the_second_time_prove_nothing(first, second):
    if first.decisions[0] != second.decisions[0]:
        second = trace_of([0, 1], others=[2, 2])
    assert grown(first, first).is_exhausted
    tree = grown(first, second)
    assert not tree.is_exhausted


# Kinds


def test_kinds_are_sites_and_what_they_compare_by():
    kinds = Kinds()
    less, same = Compare("<", Var(0), 1), Compare("==", Var(0), 1)
    asked = [(site(1), less), (site(1), same), (site(2), less), (site(1), less), (site(1), None)]
    assert [kinds.number(*row) for row in asked] == [0, 1, 2, 0, 3]
    again = Kinds(kinds.names)
    assert [again.number(*row) for row in reversed(asked)] == [3, 0, 2, 1, 0]


def test_a_tree_can_be_read_into_kinds_that_were_numbered_otherwise():
    tree = grown(trace_of([1, 1, 1]))
    kinds = Kinds()
    kinds.number(site(2), Compare(">", Var(0), 0))
    other = Tree.from_json(json.loads(json.dumps(tree.to_json())), kinds)
    assert other.kind == [1, 2, 0]
    other.add(trace_of([1, 1, 0]), 1.0)
    assert other.is_complete
    assert len(other) == 3


# Random trees


@dataclass(frozen=True)
class End:
    """Where a path ends, and what it costs."""

    cost: float


SHAPES = st.recursive(
    st.builds(End, st.integers(0, 50).map(float)),
    lambda below: st.tuples(st.integers(0, 3), st.none() | below, below) | st.tuples(st.integers(0, 3), below, below),
    max_leaves=12,
)
"""A branch of a kind, with what is on its false and on its true side, the former of which may be infeasible."""


def walked(shape, wanted, rng, *, both):
    """The trace of a path that goes the wanted way, then anywhere; where it cannot, it goes the other way."""
    decisions, others, kinds = [], [], []
    while not isinstance(shape, End):
        kind, *sides = shape
        turn = wanted[len(decisions)] if len(decisions) < len(wanted) else rng.randrange(2)
        is_forced = sides[turn] is None
        turn ^= is_forced
        other = Side.INFEASIBLE if sides[1 - turn] is None else Side.FEASIBLE
        decisions.append(turn)
        others.append(other if both or is_forced else Side.UNTRIED)
        kinds.append(kind)
        shape = sides[turn]
    return trace_of(decisions, others=others, kinds=kinds, leaves=list(decisions)), shape.cost


def ways(shape, way=()):
    if isinstance(shape, End):
        return {way: shape.cost}
    return {
        found: cost
        for turn, side in enumerate(shape[1:])
        if side is not None
        for found, cost in ways(side, (*way, turn)).items()
    }


@examples(80)
@given(SHAPES, st.booleans(), st.randoms(use_true_random=False))
def test_random_trees(shape, both, rng):
    """Open directions, one after the other, lead to every path once; the sums along the way are right throughout."""
    all_ways = ways(shape)
    tree, seen = Tree(Kinds()), Counter()
    for _ in range(3 * len(all_ways) + 3):
        if tree.is_done:
            break
        wanted = open_way(tree) if tree.inputs and rng.random() < 0.8 else b""
        trace, cost = walked(shape, wanted, rng, both=both)
        nodes = tree.add(trace, cost, wanted if both else b"")
        assert [way_to(tree, node) for node in nodes] == [bytes(trace.decisions[:i]) for i in range(len(nodes))]
        seen[tuple(trace.decisions)] += 1
        check_sums(tree, seen, all_ways)
        assert not tree.is_done or set(seen) == set(all_ways)
        tree = Tree.from_json(json.loads(json.dumps(tree.to_json())))
    if both and set(seen) == set(all_ways):
        assert tree.is_exhausted


def check_sums(tree, seen, costs):
    count, total, best = Counter(), Counter(), defaultdict(lambda: -inf)
    for way, times in seen.items():
        for length in range(1, len(way) + 1):
            count[way[:length]] += times
            total[way[:length]] += times * costs[way]
            best[way[:length]] = max(best[way[:length]], costs[way])
    for node in range(len(tree)):
        for turn in (0, 1):
            way, slot = (*way_to(tree, node), turn), tree.first[node] + turn
            assert (tree.count[slot], tree.total[slot], tree.best[slot]) == (count[way], total[way], best[way])


def test_json():
    tree = grown(trace_of([1, 1]), trace_of([1, 0, 1], values=[2]), trace_of([0], outcome=Outcome.TIMED_OUT))
    again = Tree.from_json(json.loads(json.dumps(tree.to_json())))
    assert columns(again) == columns(tree)
    assert again.kinds.names == tree.kinds.names
    assert not again.is_complete
