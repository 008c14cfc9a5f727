"""Exhaustive search: exact longest paths and exact numbers of leaves, proved, on programs with known answers.

Leaves are completed paths plus directions that were proved infeasible.
"""

import hashlib
import json

import pytest

import pessimal
from pessimal.inputs import Inputs
from pessimal.python.symbolic import Symbolic
from pessimal.runs import Request
from pessimal.search.exhaustive import Exhaustive
from pessimal.strategy import SearchOver
from pessimal.target import Target
from tests.subjects import boyer_moore, bst, dijkstra, heappush, insertion_sort, pairwise2, tsp

ROWS = [
    *[(insertion_sort.insertion_sort, n, n * (n - 1) // 2, leaves) for n, leaves in ((3, 6), (4, 24), (5, 120))],
    *[(heappush.push_all, n, heappush.longest(n), heappush.paths(n)) for n in (3, 5)],
    *[(bst.build, n, bst.longest(n), bst.paths(n)) for n in (0, 1, 4)],
    *[(pairwise2.score, n, 3 * n, leaves) for n, leaves in ((3, 127), (4, 511))],
    (pairwise2.score_biopython, 3, 9, 127),
    *[(tsp.tour, n, tsp.longest(n), leaves) for n, leaves in ((3, 8), (6, 728))],
    *[(tsp.tour_solver, n, tsp.SOLVER_LONGEST[n], tsp.SOLVER_PATHS[n]) for n in (3, 6)],
    *[(dijkstra.shortest_path, n, cost, leaves) for n, cost, leaves in ((6, 5, 9), (12, 29, 837))],
    *[(dijkstra.shortest_path_dijkstar, n, cost, leaves) for n, cost, leaves in ((6, 5, 9), (12, 29, 837))],
]


@pytest.mark.parametrize(("target", "size", "cost", "leaves"), ROWS, ids=lambda x: getattr(x, "__name__", str(x)))
def test_the_longest_path_is_found_and_proved(target, size, cost, leaves):
    result = pessimal.stress(target, size=size, strategy="exhaustive", cost="branches", stop_after=None)
    assert result.cost == {"name": "branches", "value": cost}
    assert result.effort.paths == leaves
    assert result.effort.unknown == 0
    assert result.witness.replayed
    assert result.witness.difference is None
    assert result.proof == "tree exhausted"


@pytest.mark.parametrize(("size", "cost", "leaves"), [(3, 3, 4), (4, 3, 4), (5, 3, 4), (10, 9, 40)])
def test_boyer_moore_as_pyse_reads_it(size, cost, leaves):
    result = pessimal.stress(
        boyer_moore.search, size=size, strategy="exhaustive", cost="branches", pyse_compatible=True
    )
    assert result.effort.paths == leaves
    assert result.cost["value"] == cost


@pytest.mark.parametrize("size", [3, 6])
def test_boyer_moore_that_cannot_see_is_the_same_without_compatibility(size):
    result = pessimal.stress(
        boyer_moore.search_unseen, size=size, strategy="exhaustive", cost="branches", stop_after=None
    )
    assert result.effort.paths == boyer_moore.paths_unseen(size)
    assert result.cost["value"] == boyer_moore.longest_unseen(size)
    assert result.proof == "tree exhausted"


def test_every_path_is_listed_once_with_an_input_that_takes_it():
    result = pessimal.explore(insertion_sort.insertion_sort, size=4)
    assert result.exhausted
    assert len(result.paths) == 24
    orders = {tuple(sorted(range(4), key=lambda i: (path.input["xs"][i], i))) for path in result.paths}
    assert len(orders) == 24
    assert sum(path.cost == 6 for path in result.paths) == 8  # each element but the first ends first or second


def test_infeasible_directions_are_leaves_that_nobody_runs():
    def twice(x: int) -> int:
        return (1 if x > 3 else 0) + (1 if x > 5 else 0)

    result = pessimal.explore(twice)
    assert len(result.paths) == 3
    assert (result.effort.paths, result.effort.infeasible) == (4, 1)
    assert result.exhausted


def test_a_limit_of_paths_ends_the_search_without_a_proof():
    result = pessimal.stress(insertion_sort.insertion_sort, size=5, strategy="exhaustive", paths=30)
    assert result.effort.stopped == "30 paths"
    assert result.effort.paths == 30
    assert result.proof is None


def test_a_time_limit_ends_the_search_without_a_proof():
    result = pessimal.stress(insertion_sort.insertion_sort, size=12, strategy="exhaustive", budget=0.5)
    assert result.effort.stopped == "budget of 0.5s"
    assert result.proof is None
    assert result.witness.replayed or result.witness.unfinished  # a busy machine may leave no time for it


def picks(x: int) -> str:
    return ["10", "20", "30", "40", "50", "60"][x]


def hashes(x: int) -> str:
    return {0: "10", 1: "20", 2: "30", 3: "40", 4: "50", 5: "60"}[x]


def checks(x: int) -> str:
    return hashlib.pbkdf2_hmac("md5", bytes([x]), b"", 1).hex()


def asks_and_picks(x: int) -> str:
    if x > 2:
        return ["10", "20", "30", "40", "50", "60"][x]
    return ["10", "20", "30"][x] if x < 2 else "30"


@pytest.mark.parametrize("target", [picks, hashes, checks, asks_and_picks])
def test_values_made_concrete_are_tried_until_the_domain_is_empty(target):
    result = pessimal.explore(target, inputs={"x": "int:0..5"})
    assert sorted(path.input["x"] for path in result.paths) == [0, 1, 2, 3, 4, 5]
    assert len({path.returned for path in result.paths}) == 6
    assert result.exhausted


def test_two_values_made_concrete_are_tried_in_all_pairs():
    def pairs(x: int, y: int) -> str:
        return hashlib.pbkdf2_hmac("md5", bytes([x, y]), b"", 1).hex()

    result = pessimal.explore(pairs, inputs={"x": "int:0..2", "y": "int:0..2"})
    assert {path.returned for path in result.paths} == {
        repr(hashlib.pbkdf2_hmac("md5", bytes([x, y]), b"", 1).hex()) for x in range(3) for y in range(3)
    }
    assert len(result.paths) == 9
    assert result.exhausted


def test_the_same_program_with_and_without_choices_has_the_same_worst_case():
    def counted(x: int, y: int) -> int:
        count = 0
        for limit in (1, 3, 5):
            if [0, 2, 4, 6, 4, 2, 0][x] > limit:
                count += 1 if y > limit else 0
        return count

    result = pessimal.stress(counted, inputs={"x": "int:0..6", "y": "int:0..6"}, strategy="exhaustive", cost="branches")
    assert result.cost["value"] == 3
    assert result.input["x"] == 3
    assert result.proof == "tree exhausted"


def test_a_search_goes_on_from_its_state_after_json():
    whole, part, rest = Paths(), Paths(stop=9), Paths()
    search = Exhaustive()
    search.search(whole)
    stopped = Exhaustive()
    with pytest.raises(SearchOver):
        stopped.search(part)
    resumed = Exhaustive()
    resumed.restore(json.loads(json.dumps(stopped.state())))
    resumed.search(rest)
    assert whole.claimed == rest.claimed == "tree exhausted"
    assert part.claimed is None
    assert part.seen + rest.seen == whole.seen
    assert len(set(whole.seen)) == len(whole.seen) == 24


class Paths:
    """A session over insertion sort that notes the paths; it may end the search before its so-many-th run."""

    def __init__(self, stop=None):
        target = Target.of(insertion_sort.insertion_sort)
        self.symbolic = Symbolic(target.call, Inputs.of(target.signature, 4, {}, name=target.name))
        self.stop = stop
        self.seen = []
        self.claimed = None

    def run(
        self, policy=None, start=None, *, probe_other=False, stop_when_infeasible=False, known_prefix=0, avoid=None
    ):
        if len(self.seen) == self.stop:
            raise SearchOver
        trace = self.symbolic.run(Request(policy, start, probe_other, avoid=avoid))
        self.seen.append(bytes(trace.decisions))
        return trace

    def count_infeasible(self, leaves):
        assert leaves == 0

    def claim(self, proof):
        self.claimed = proof
