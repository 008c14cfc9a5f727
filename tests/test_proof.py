"""Certificates of exhausted trees: true ones pass, and each way of being wrong is refused with its reason."""

import json
import zlib

import pytest

import pessimal
from pessimal.errors import UsageError
from pessimal.job import Job
from pessimal.proof import Recorded, check, met, refuted, stopping_at
from pessimal.search.budget import Budget
from pessimal.search.exhaustive import Exhaustive
from pessimal.search.sweep import Sweep
from pessimal.target import Reference
from pessimal.testing import check_strategy
from tests.subjects import bst, dijkstra, insertion_sort, tsp


def job(target, size, **more):
    return Job(Reference.of(target), size, "exhaustive", **more)


def written(target, size, file, strategy=Exhaustive, **options):
    result = pessimal.stress(target, size=size, strategy=Recorded(strategy(), file), stop_after="none", **options)
    assert result.proof == "tree exhausted"
    return file


def checks(x: int) -> int:
    return zlib.crc32(bytes([x]))


def picks(x: int) -> int:
    return 1 if [3, 1, 4, 1, 5, 9][x] > 3 else 2


def either(x: int, y: float) -> int:
    if x > 3 and x < 2:
        return 0
    if y * 2 > 4 and y < 2:
        return 1
    return 2 if y > 2 else 3


def drifts(x: int) -> int:
    drifts.runs = getattr(drifts, "runs", 0) + 1
    return 1 if x > drifts.runs else 2


def words(x: int) -> int:
    return 1 if x & 6 == 5 else 2


def admitted(x: int) -> bool:
    return x > 2


@pytest.mark.parametrize(
    ("target", "size", "cost", "ended", "infeasible"),
    [
        (insertion_sort.insertion_sort, 4, 6, 24, 0),
        (bst.build, 4, 6, 24, 0),
        (dijkstra.shortest_path_dijkstar, 6, 5, 5, 4),
        (tsp.tour, 3, 4, 6, 2),
        (either, 1, 5, 4, 7),
    ],
    ids=lambda x: getattr(x, "__name__", str(x)),
)
def test_a_true_certificate_passes(target, size, cost, ended, infeasible, tmp_path):
    verdict = check(job(target, size), written(target, size, tmp_path / "proof"))
    assert verdict.holds, verdict
    assert (verdict.maximum, verdict.ended, verdict.infeasible, verdict.sampled) == (cost, ended, infeasible, None)


def test_any_strategy_that_exhausts_the_tree_can_be_recorded(tmp_path):
    target = dijkstra.shortest_path_dijkstar
    verdict = check(job(target, 6), written(target, 6, tmp_path / "proof", Sweep))
    assert verdict.holds, verdict
    assert (verdict.maximum, verdict.ended, verdict.infeasible) == (5, 5, 4)


@pytest.fixture(scope="module")
def sort(tmp_path_factory):
    """A true certificate of insertion sort of 4 elements: 24 paths of at most 6 branches."""
    return written(insertion_sort.insertion_sort, 4, tmp_path_factory.mktemp("sort") / "proof").read_text().splitlines()


@pytest.fixture(scope="module")
def roads(tmp_path_factory):
    """A true certificate of Dijkstra's algorithm with 6 edges: 5 paths and 4 infeasible directions."""
    file = tmp_path_factory.mktemp("roads") / "proof"
    return written(dijkstra.shortest_path_dijkstar, 6, file).read_text().splitlines()


def changed(line, **fields):
    return json.dumps({**json.loads(line), **fields})


def judged(lines, tmp_path, target=insertion_sort.insertion_sort, size=4, sample=None):
    file = tmp_path / "certificate"
    file.write_text("\n".join(lines) + "\n")
    verdict = check(job(target, size), file, sample=sample)
    assert not verdict.holds
    assert str(verdict).startswith("not proved: ")
    return verdict.reason


def test_a_leaf_that_is_missing_leaves_a_direction_open(sort, tmp_path):
    assert "1 directions are left open" in judged([*sort[:-2], sort[-1]], tmp_path)


def test_a_leaf_that_is_there_twice_is_refused(sort, tmp_path):
    assert "which is not open" in judged([*sort[:-1], sort[-2], sort[-1]], tmp_path)


def test_a_path_that_nobody_left_open_is_refused(sort, tmp_path):
    assert "which is not open" in judged([changed(sort[0], seen=3), *sort[1:]], tmp_path)


def test_an_input_that_takes_another_path_is_refused(sort, tmp_path):
    assert "takes the path" in judged([changed(sort[0], input=[4, 3, 2, 1]), *sort[1:]], tmp_path)


@pytest.mark.parametrize("wrong", [[1, 2, 3], [1, 2, 3, 4.5], [1, 2, 3, "x"]])
def test_an_input_that_is_none_is_refused(sort, wrong, tmp_path):
    assert "is not one of the target's" in judged([changed(sort[0], input=wrong), *sort[1:]], tmp_path)


def test_a_maximum_that_is_too_small_is_refused(sort, tmp_path):
    assert "costs 6, but 5 is said to be the maximum" in judged([*sort[:-1], changed(sort[-1], maximum=5.0)], tmp_path)


@pytest.mark.parametrize("sample", [None, 3])
def test_a_maximum_that_is_too_large_is_refused(sort, sample, tmp_path):
    lines = [*sort[:-1], changed(sort[-1], maximum=7.0)]
    assert "no path costs 7" in judged(lines, tmp_path, sample=sample)


def test_the_cost_that_a_line_tells_is_not_believed(sort, tmp_path):
    lines = [changed(sort[0], cost=7.0), *sort[1:-1], changed(sort[-1], maximum=7.0)]
    assert "no path costs 7" in judged(lines, tmp_path, sample=3)


def test_a_direction_that_is_feasible_is_not_closed(sort, tmp_path):
    first = json.loads(sort[0])
    last = len(first["taken"]) - 1
    other = first["taken"][:last] + str(1 - int(first["taken"][last]))
    rest = [line for line in sort[1:-1] if not json.loads(line)["taken"].startswith(other)]
    assert len(rest) < len(sort) - 2
    reason = judged([changed(sort[0], closed=[last]), *rest, sort[-1]], tmp_path)
    assert f"the other direction at decision {last} of the path {first['taken']} is feasible" in reason


def test_what_is_closed_must_be_a_decision_of_the_path(roads, tmp_path):
    target = dijkstra.shortest_path_dijkstar
    assert "has no decision 9" in judged([changed(roads[0], closed=[9]), *roads[1:]], tmp_path, target, 6)


def test_an_infeasible_direction_that_is_forgotten_is_left_open(roads, tmp_path):
    index = next(i for i, line in enumerate(roads) if json.loads(line)["closed"])
    lines = [*roads[:index], changed(roads[index], closed=[]), *roads[index + 1 :]]
    assert "2 directions are left open" in judged(lines, tmp_path, dijkstra.shortest_path_dijkstar, 6)


def test_a_certificate_of_another_target_is_refused(sort, tmp_path):
    assert "takes the path" in judged(sort, tmp_path, bst.build)


def test_two_sides_of_a_fork_must_come_by_the_same_conditions(tmp_path):
    lines = [
        '{"seen":0,"taken":"0","closed":[],"input":[-100],"cost":1.0}',
        '{"seen":1,"taken":"1","closed":[],"input":[100],"cost":1.0}',
        '{"size":1,"maximum":1.0,"format":1}',
    ]
    assert "by other conditions than its neighbour" in judged(lines, tmp_path, drifts, 1)


def test_a_certificate_of_another_size_is_refused(sort, tmp_path):
    assert judged(sort, tmp_path, size=5) == "it is about size 4, but 5 was asked for"


def test_a_sample_says_that_it_is_one(sort, tmp_path):
    file = tmp_path / "certificate"
    file.write_text("\n".join(sort) + "\n")
    verdict = check(job(insertion_sort.insertion_sort, 4), file, sample=3)
    assert verdict.holds
    assert verdict.sampled == 3
    assert "a sample of 3 paths" in str(verdict)


def test_progress_is_told(sort, tmp_path):
    file = tmp_path / "certificate"
    file.write_text("\n".join(sort) + "\n")
    told = []
    check(job(insertion_sort.insertion_sort, 4), file, progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 24)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "has no claim at its end"),
        ("so it is\n", "has no claim at its end"),
        ('{"seen":0}\n{"size":4,"maximum":6.0,"format":1}\n', "a line that is no path"),
        (
            '{"seen":"0","taken":1,"closed":[],"input":[],"cost":1}\n{"size":4,"maximum":6.0}\n',
            "a line that is no path",
        ),
        (
            '{"seen":0,"taken":"","closed":[0.5],"input":[],"cost":1}\n{"size":4,"maximum":6}\n',
            "a line that is no path",
        ),
        ('{"size":4,"maximum":"6"}\n', "has no claim at its end"),
        ('{"size":4,"maximum":6.0,"format":9}\n', "format 9"),
    ],
)
def test_a_file_that_is_no_certificate_is_a_mistake(text, reason, tmp_path):
    file = tmp_path / "certificate"
    file.write_text(text)
    with pytest.raises(UsageError, match=reason):
        check(job(insertion_sort.insertion_sort, 4), file)


def test_a_certificate_that_is_not_there_is_a_mistake(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        check(job(insertion_sort.insertion_sort, 4), tmp_path / "none")


def test_a_search_that_did_not_finish_leaves_no_claim(tmp_path):
    file = tmp_path / "certificate"
    pessimal.stress(insertion_sort.insertion_sort, size=4, strategy=Recorded(Exhaustive(), file), paths=5)
    with pytest.raises(UsageError, match="did not finish"):
        check(job(insertion_sort.insertion_sort, 4), file)


def test_bit_operations_cannot_be_checked(tmp_path):
    file = tmp_path / "certificate"
    file.write_text('{"seen":0,"taken":"0","closed":[0],"input":[0],"cost":1.0}\n{"size":1,"maximum":1.0,"format":1}\n')
    assert "cannot be checked because bit operations" in str(check(job(words, 1), file))


def test_values_made_concrete_cannot_be_checked(tmp_path):
    given = {"x": "int:0..5"}
    file = written(checks, 1, tmp_path / "certificate", inputs=given)
    assert "makes values concrete" in str(check(job(checks, 1, given=given), file))


def test_choices_are_checked_like_decisions(tmp_path):
    given = {"x": "int:0..5"}
    file = written(picks, 1, tmp_path / "certificate", inputs=given)
    verdict = check(job(picks, 1, given=given), file)
    assert verdict.holds, verdict


def test_preconditions_cannot_be_checked(tmp_path):
    file = written(admitted, 1, tmp_path / "certificate", require="x > 0")
    assert "cannot be checked because preconditions" in str(check(job(admitted, 1, requirements=("x > 0",)), file))


def test_a_cost_that_is_no_matter_of_the_path_cannot_be_checked(sort, tmp_path):
    file = tmp_path / "certificate"
    file.write_text("\n".join(sort) + "\n")
    verdict = check(job(insertion_sort.insertion_sort, 4, cost="time"), file)
    assert "cannot be checked because the cost is not the same" in str(verdict)


def test_recording_keeps_the_contract_of_strategies(tmp_path):
    check_strategy(lambda: Recorded(Exhaustive(), tmp_path / "certificate"))


def test_a_search_that_resumes_writes_a_certificate_that_passes(tmp_path):
    file, out = tmp_path / "certificate", tmp_path / "out"
    for paths in (40, None):
        strategy = Recorded(Exhaustive(), file)
        result = pessimal.stress(insertion_sort.insertion_sort, size=5, strategy=strategy, paths=paths, out=out)
    assert result.proof == "tree exhausted"
    verdict = check(job(insertion_sort.insertion_sort, 5), file)
    assert verdict.holds, verdict
    assert verdict.ended == 120


def test_a_search_stops_where_its_bound_is_met():
    assert stopping_at(Budget(), 6.0).stop_at == 6.0
    assert stopping_at(Budget(stop_at=4.0), 6.0).stop_at == 4.0
    result = pessimal.stress(insertion_sort.insertion_sort, size=4, stop_at=stopping_at(Budget(), 6.0).stop_at)
    assert met(result.cost["value"], 6.0) == "bound met, as given"


@pytest.mark.parametrize("cost", [5.0, 7.0, None])
def test_a_bound_that_is_not_met_proves_nothing(cost):
    assert met(cost, 6.0) is None


def test_a_cost_above_the_bound_refutes_it():
    assert refuted(7.0, 6.0) == "the bound 6 is wrong: an input costs 7"
    assert refuted(6.0, 6.0) is None
    assert refuted(None, 6.0) is None
