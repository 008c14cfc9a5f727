"""Certificates of exhausted trees: true ones pass, and each way of being wrong is refused with its reason."""

import hashlib
import json

import pytest

import pessimal
from pessimal.errors import UsageError
from pessimal.expr import App, Compare, Offset, Var
from pessimal.inputs import Domain
from pessimal.messages import Snapshot
from pessimal.proof import CertifyingStrategy, check, met, refuted, stopping_at
from pessimal.proof.unsatisfiable import Uncheckable, first_feasible
from pessimal.search.budget import Budget
from pessimal.search.exhaustive import Exhaustive
from pessimal.search.session import SearchSession
from pessimal.search_spec import SearchSpec
from pessimal.target import Reference
from pessimal.testing import InProcess, check_strategy
from pessimal.trace import Trace
from tests.subjects import bst, dijkstra, insertion_sort, tsp


def job(target, size, **more):
    return SearchSpec(Reference.of(target), size, "exhaustive", **more)


def written(target, size, file, strategy="exhaustive", **options):
    options = {"inputs": {"x": "int:..", "y": "float:.."} if target is either else {}, **options}
    result = pessimal.stress(target, size=size, strategy=strategy, cost="branches", certificate=file, **options)
    assert result.proof == "tree exhausted"
    return file


def checks(x: int) -> str:
    return hashlib.pbkdf2_hmac("md5", bytes([x]), b"", 1).hex()


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
    ("target", "size", "cost", "paths", "infeasible"),
    [
        (insertion_sort.insertion_sort, 4, 6, 24, 0),
        (bst.build, 4, 6, 24, 0),
        (dijkstra.shortest_path_dijkstar, 6, 5, 5, 4),
        (tsp.tour, 3, 4, 6, 2),
        (either, 1, 5, 4, 7),
    ],
    ids=lambda x: getattr(x, "__name__", str(x)),
)
def test_a_true_certificate_passes(target, size, cost, paths, infeasible, tmp_path):
    verdict = check(job(target, size), written(target, size, tmp_path / "proof"))
    assert verdict.holds, verdict
    assert (verdict.maximum, verdict.paths, verdict.infeasible, verdict.sampled) == (cost, paths, infeasible, None)


def test_any_strategy_that_exhausts_the_tree_can_be_recorded(tmp_path):
    target = dijkstra.shortest_path_dijkstar
    verdict = check(job(target, 6), written(target, 6, tmp_path / "proof", "sweep"))
    assert verdict.holds, verdict
    assert (verdict.maximum, verdict.paths, verdict.infeasible) == (5, 5, 4)


@pytest.fixture(scope="module")
def sort(tmp_path_factory):
    """A true certificate of insertion sort of 4 elements: 24 paths of at most 6 branches."""
    return written(insertion_sort.insertion_sort, 4, tmp_path_factory.mktemp("sort") / "proof").read_text().splitlines()


@pytest.fixture(scope="module")
def roads(tmp_path_factory):
    """A true certificate of Dijkstra's algorithm with 6 edges: 5 paths and 4 infeasible directions."""
    file = tmp_path_factory.mktemp("roads") / "proof"
    return written(dijkstra.shortest_path_dijkstar, 6, file).read_text().splitlines()


def claim(target, size, maximum=1.0, **more):
    """The last line of a certificate."""
    return json.dumps({"target": target, "size": size, "cost": "branches", "maximum": maximum, "format": 2, **more})


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
    assert "1 outcomes are left open" in judged([*sort[:-2], sort[-1]], tmp_path)


def test_a_leaf_that_is_there_twice_is_refused(sort, tmp_path):
    assert "which is not open" in judged([*sort[:-1], sort[-2], sort[-1]], tmp_path)


def test_a_path_that_nobody_left_open_is_refused(sort, tmp_path):
    assert "which is not open" in judged([changed(sort[0], known_prefix=3), *sort[1:]], tmp_path)


def test_an_input_that_takes_another_path_is_refused(sort, tmp_path):
    assert "takes the path" in judged([changed(sort[0], input=[4, 3, 2, 1]), *sort[1:]], tmp_path)


@pytest.mark.parametrize("wrong", [[1, 2, 3], [1, 2, 3, 4.5], [1, 2, 3, "x"]])
def test_an_input_that_is_none_is_refused(sort, wrong, tmp_path):
    assert "is not an input of the target" in judged([changed(sort[0], input=wrong), *sort[1:]], tmp_path)


def test_a_maximum_that_is_too_small_is_refused(sort, tmp_path):
    assert "costs 6, but 5 is the claimed maximum" in judged([*sort[:-1], changed(sort[-1], maximum=5.0)], tmp_path)


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
    reason = judged([changed(sort[0], closed=[[last, int(other[-1])]]), *rest, sort[-1]], tmp_path)
    assert f"an outcome at decision {last} of the path {first['taken']} is feasible" in reason


def test_what_is_closed_must_be_a_decision_of_the_path(roads, tmp_path):
    target = dijkstra.shortest_path_dijkstar
    assert "cannot close an outcome at decision 9" in judged(
        [changed(roads[0], closed=[[9, 0]]), *roads[1:]], tmp_path, target, 6
    )


def test_an_infeasible_outcome_that_is_missing_is_left_open(roads, tmp_path):
    index = next(i for i, line in enumerate(roads) if json.loads(line)["closed"])
    lines = [*roads[:index], changed(roads[index], closed=[]), *roads[index + 1 :]]
    assert "2 outcomes are left open" in judged(lines, tmp_path, dijkstra.shortest_path_dijkstar, 6)


def test_a_certificate_that_was_true_of_an_earlier_version_is_refused(sort, tmp_path):
    lines = [*sort[:-1], changed(sort[-1], target="bst:build")]
    assert "takes the path" in judged(lines, tmp_path, bst.build)


def test_both_sides_of_a_fork_must_have_the_same_conditions_before_it(tmp_path):
    lines = [
        '{"known_prefix":0,"taken":"0","closed":[],"input":[-100],"cost":1.0}',
        '{"known_prefix":1,"taken":"1","closed":[],"input":[100],"cost":1.0}',
        claim("drifts", 1),
    ]
    assert "it branches off from have different conditions" in judged(lines, tmp_path, drifts, 1)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"target": bst.build}, "is about insertion_sort, but build was requested"),
        ({"size": 5}, "is about size 4, but size 5 was requested"),
        ({"cost": "lines"}, "is about the cost branches, but the cost lines was requested"),
    ],
)
def test_a_certificate_of_something_else_is_a_mistake(sort, asked, words, tmp_path):
    file = tmp_path / "certificate"
    file.write_text("\n".join(sort) + "\n")
    with pytest.raises(UsageError, match=words) as caught:
        check(job(**{"target": insertion_sort.insertion_sort, "size": 4, **asked}), file)
    assert caught.value.slug == "certificate"


def test_a_sample_says_that_it_is_one(sort, tmp_path):
    file = tmp_path / "certificate"
    file.write_text("\n".join(sort) + "\n")
    verdict = check(job(insertion_sort.insertion_sort, 4), file, sample=3)
    assert verdict.holds
    assert verdict.sampled == 3
    assert str(verdict).startswith("no error found: if 6 is the maximum, 24 paths")
    assert "3 of the paths checked" in str(verdict)


@pytest.mark.parametrize("sample", [0, -1])
def test_a_sample_of_nothing_is_a_mistake(sort, sample, tmp_path):
    with pytest.raises(UsageError, match="--sample must be 1 or more"):
        check(job(insertion_sort.insertion_sort, 4), tmp_path / "certificate", sample=sample)


def test_progress_is_told(sort, tmp_path):
    file = tmp_path / "certificate"
    file.write_text("\n".join(sort) + "\n")
    report = []
    check(job(insertion_sort.insertion_sort, 4), file, progress=lambda done, total: report.append((done, total)))
    assert report[0] == (0, 24)


def test_an_interrupt_tells_how_far_it_came(sort, tmp_path):
    file = tmp_path / "certificate"
    file.write_text("\n".join(sort) + "\n")

    def interrupt(done, total):
        raise KeyboardInterrupt

    verdict = check(job(insertion_sort.insertion_sort, 4), file, progress=interrupt)
    assert verdict.interrupted
    assert not verdict.holds
    assert str(verdict) == "not proved: interrupted after 0 of 24 paths"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "has no claim at its end"),
        ("so it is\n", "has no claim at its end"),
        ("[" * 100_000, "has no claim at its end"),
        ('{"known_prefix":0}\n' + claim("insertion_sort", 4), "a line that is not a path"),
        (
            '{"known_prefix":"0","taken":1,"closed":[],"input":[],"cost":1}\n' + claim("insertion_sort", 4),
            "a line that is not a path",
        ),
        (
            '{"known_prefix":0,"taken":"","closed":[[0.5, 1]],"input":[],"cost":1}\n' + claim("insertion_sort", 4),
            "a line that is not a path",
        ),
        (claim("insertion_sort", 4) + "\n" + claim("insertion_sort", 4), "a line that is not a path"),
        (claim("insertion_sort", 4, "6"), "has no claim at its end"),
        (claim("f", True), "has no claim at its end"),
        (claim(None, 4), "has no claim at its end"),
        (claim("insertion_sort", 4, cost=None), "has no claim at its end"),
        (claim("insertion_sort", 4, format=9), "format 9"),
        (claim("insertion_sort", 4, format="x" * 9), "format 'x"),
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
    pessimal.stress(insertion_sort.insertion_sort, size=4, strategy="exhaustive", certificate=file, paths=5)
    with pytest.raises(UsageError, match="did not finish"):
        check(job(insertion_sort.insertion_sort, 4), file)


def test_bit_operations_cannot_be_checked(tmp_path):
    file = tmp_path / "certificate"
    file.write_text('{"known_prefix":0,"taken":"0","closed":[[0, 1]],"input":[0],"cost":1.0}\n' + claim("words", 1))
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
    file = written(admitted, 1, tmp_path / "certificate", inputs={"x": "int:.."})
    assert "cannot be checked because preconditions" in str(check(job(admitted, 1, requirements=("x > 0",)), file))


def test_a_cost_that_is_no_matter_of_the_path_cannot_be_checked(sort, tmp_path):
    file = tmp_path / "certificate"
    file.write_text("\n".join([*sort[:-1], changed(sort[-1], cost="time")]) + "\n")
    verdict = check(job(insertion_sort.insertion_sort, 4, cost="time"), file)
    assert "cannot be checked because the cost is not the same" in str(verdict)


def test_recording_keeps_the_contract_of_strategies(tmp_path):
    check_strategy(lambda: CertifyingStrategy(Exhaustive(), tmp_path / "certificate", "sort", "branches"))


def test_what_was_written_after_the_last_snapshot_is_written_again(tmp_path):
    file, straight = tmp_path / "certificate", tmp_path / "straight"

    def recorded(to):
        return CertifyingStrategy(Exhaustive(), to, "sort", "branches")

    def search(strategy, paths, snapshot=None):
        session = SearchSession(
            InProcess(insertion_sort.insertion_sort, 4),
            Budget(paths=paths),
            seed=0,
            run_seconds=10.0,
            send=lambda message: None,
            snapshot=snapshot,
        )
        session.conduct(strategy)
        return session

    search(recorded(straight), None)
    half = recorded(file)
    session = search(half, 10)
    state = json.loads(json.dumps(half.state()))
    with file.open("a") as lines:
        lines.write("what was written later")
    again = recorded(file)
    # A snapshot that is taken before anything was written again must not count what was cut off.
    search(again, 10, Snapshot(session.counters, session.best, state))
    assert again.state()["length"] == state["length"]
    session.counters.runs = 0
    search(recorded(file), None, Snapshot(session.counters, session.best, state))
    assert file.read_text() == straight.read_text()


def tenths(x: int) -> int:
    return 1 if x * 0.1 + x * 0.2 == x * 0.3 else 2


def halves(x: int) -> int:
    return 1 if x / 2 == 4503599627370496.5 else 2


@pytest.mark.parametrize(
    ("target", "leaves"),
    [
        # Read as reals, the sides would be equal for 0 alone; as doubles they are for 10, too.
        (tenths, {"taken": "0", "closed": [[0, 1]], "input": [1], "cost": 1.0}),
        (halves, {"taken": "0", "closed": [[0, 1]], "input": [1], "cost": 1.0}),
    ],
)
def test_integers_that_become_floats_are_no_reals(target, leaves, tmp_path):
    given = {"x": "int:1.."} if target is tenths else {}
    file = tmp_path / "certificate"
    file.write_text(json.dumps({"known_prefix": 0, **leaves}) + "\n" + claim(target.__name__, 1))
    verdict = check(job(target, 1, given=given), file)
    assert not verdict.holds, verdict


def test_rounding_integers_to_compare_them_with_floats_proves_nothing():
    doubled = App("*", (Var(1), 2), "float")
    conditions = [Compare(">", doubled, 4), Compare("<", Offset(0), 2**53 + 2), Compare(">", Offset(0), 2.0**53)]
    trace = Trace(conditions=conditions, decisions=bytearray((0, 1, 0)), leaves=[0, 1.0])
    with pytest.raises(Uncheckable, match="Z3 rounds integers"):  # it would not find 2**53 + 1
        first_feasible(trace, {(2, 1)}, [Domain.of("int"), Domain.of("float")])


def test_a_path_condition_that_z3_finds_untrue_of_the_input_proves_nothing():
    trace = Trace(conditions=[Compare(">", Offset(0), 3), Compare(">", Offset(0), 9)], decisions=bytearray((1, 0)))
    trace.leaves = [2]
    with pytest.raises(Uncheckable, match="that the input takes its path"):
        first_feasible(trace, {(0, 0)}, [Domain.of("int", low=4)])


def test_a_decision_without_a_condition_proves_nothing():
    trace = Trace(conditions=[None], decisions=bytearray((1,)), leaves=[2])
    with pytest.raises(Uncheckable, match="no condition"):
        first_feasible(trace, {(0, 0)}, [Domain.of("int")])


def test_a_search_stops_where_its_bound_is_met():
    assert stopping_at(Budget(), 6.0).stop_at == 6.0
    assert stopping_at(Budget(stop_at=4.0), 6.0).stop_at == 4.0
    result = pessimal.stress(insertion_sort.insertion_sort, size=4, cost="branches", bound="n*(n-1)/2")
    assert result.proof == "bound met, as given: n*(n-1)/2 = 6"
    assert result.over_bound == result.to_json()["over_bound"] == []


def test_a_bound_can_be_a_function():
    result = pessimal.stress(insertion_sort.insertion_sort, size=4, cost="branches", bound=insertion_sort.longest)
    assert result.proof == "bound met, as given: longest = 6"


@pytest.mark.parametrize("cost", [5.0, 7.0, None])
def test_a_bound_that_is_not_met_proves_nothing(cost):
    assert met(cost, 6.0, "6") is None


def test_a_cost_above_the_bound_refutes_it():
    assert refuted(7.0, 6.0, "n+2") == "the bound is wrong: n+2 = 6, but an input costs 7"
    assert refuted(6.0, 6.0, "6") is None
    assert refuted(None, 6.0, "6") is None


def test_each_size_has_its_bound():
    warnings = []
    result = pessimal.stress(
        insertion_sort.insertion_sort,
        sizes=[3, 4],
        strategy="exhaustive",
        cost="branches",
        bound="2",
        warn=warnings.append,
    )
    assert [point["proof"] for point in result.curve] == ["bound met, as given: 2", None]  # the first is believed
    assert warnings == ["the bound is wrong: 2, but an input costs 3"]
    assert result.over_bound == [{"size": 4, "cost": 3, "limit": 2}]
