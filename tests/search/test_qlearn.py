"""qlearn as a strategy: known worst cases, the same paths from the same seed, models in files, resumed searches."""

import json
import os
import shutil
import signal

import pytest

import pessimal
from pessimal.errors import UsageError
from pessimal.search.qlearn import QLearn
from pessimal.strategy import SearchOver
from pessimal.testing import check_strategy
from pessimal.trace import Outcome
from tests.commands import PAUSE, finish, kept, linux, slowly, start, wait_for, workers
from tests.search.watching import Watched, halves, watched
from tests.subjects import boyer_moore, bst, dijkstra, tsp
from tests.subjects.insertion_sort import insertion_sort

DIJKSTRA = dijkstra.shortest_path_dijkstar
QUICK = {"practice_runs": 12, "practice_epochs": 3}


def quick(**options):
    return QLearn(**{**QUICK, **options})


def test_it_keeps_the_contract():
    check_strategy(quick)


def test_the_papers_rules_keep_the_contract():
    check_strategy(lambda: QLearn(paper=True, practice=3, practice_runs=5, epochs=1))


@pytest.mark.parametrize("make", [quick, lambda: QLearn(paper=True, epochs=1)], ids=["ours", "paper"])
@pytest.mark.parametrize("target", [bst.build, DIJKSTRA], ids=["bst", "dijkstra"])
def test_the_same_seed_makes_the_same_paths(make, target):
    first, second = (watched(target, 8, make(), 25) for _ in range(2))
    assert first.paths == second.paths
    assert [trace.leaves for trace in first.traces] == [trace.leaves for trace in second.traces]


@pytest.mark.parametrize(
    ("target", "size", "worst", "paths"),
    [
        (insertion_sort, 8, 28, 4),
        (bst.build, 8, 28, 2),
        (tsp.tour, 6, 12, 7),
        (DIJKSTRA, 12, 29, 114),
        (boyer_moore.search_unseen, 20, 18, 2),
    ],
    ids=["sort", "bst", "tsp", "dijkstra", "grep"],
)
def test_worst_cases_are_found_within_the_papers_numbers_of_paths(target, size, worst, paths):
    session = watched(target, size, QLearn(), paths, stop_at=worst)
    assert session.stopped == f"a cost of {worst} was enough"
    assert session.counters.found_run <= paths
    assert session.counters.found_by == "qlearn"
    assert session.counters.practised > 0
    assert session.counters.learning_seconds > 0


@pytest.mark.parametrize("make", [QLearn, lambda: QLearn(paper=True, epochs=1)], ids=["ours", "paper"])
def test_small_trees_are_exhausted(make):
    session = watched(DIJKSTRA, 6, make(), 500)
    assert (session.best.cost, session.proof) == (5, "tree exhausted")
    assert session.stopped == "nothing left to try"


def test_infeasible_runs_are_counted_as_the_paper_does():
    session = watched(DIJKSTRA, 6, QLearn(paper=True), 500)
    infeasible = [trace for trace in session.traces if trace.outcome is Outcome.INFEASIBLE]
    assert session.counters.paths == len(session.traces)
    assert session.counters.infeasible == len(infeasible) > 0


def test_values_made_concrete_end_the_search_without_a_proof():
    def picks(x: int, y: int) -> str:
        """A value is made concrete."""
        return "abc"[x % 3] if y > 0 else ""

    for strategy in (QLearn(), QLearn(paper=True, epochs=2)):
        session = watched(picks, 1, strategy, 200)
        assert session.stopped == "nothing left to try"
        assert session.proof is None


# Resuming


def sites(xs: list[int]) -> int:
    """A walk over several sites, which different paths meet in different orders."""
    count = 0
    for x in xs:
        if x > 0:
            count += 2 if x > 10 else 1
        elif x < -10:
            count += 3 if x < -20 else 0
    return count


@pytest.mark.parametrize("after", [1, 9, 24])
@pytest.mark.parametrize("make", [quick, lambda: QLearn(paper=True, epochs=1)], ids=["ours", "paper"])
def test_a_search_goes_on_where_it_was(make, after):
    """Kinds of branches keep their numbers, whatever the rest of the search meets first."""
    whole, joined = halves(sites, 4, make, after, 40)
    assert joined.paths == whole.paths
    assert joined.best == whole.best
    assert json.dumps(joined.strategy.state()) == json.dumps(whole.strategy.state())


@pytest.mark.parametrize("after", [1, 5, 14])
def test_it_goes_on_in_the_middle_of_practice(after):
    whole = watched(sites, 6, quick(practice="3,5"), 20)
    strategy = quick(practice="3,5")
    steps = strategy.steps(Watched(sites, 6, None))
    for _ in range(after):
        next(steps)
    other = quick(practice="3,5")
    other.restore(json.loads(json.dumps(strategy.state())))
    assert watched(sites, 6, other, 20).paths == whole.paths


def test_a_search_that_has_not_begun_can_be_kept():
    strategy = quick()
    state = json.loads(json.dumps(strategy.state()))
    strategy.restore(state)
    assert strategy.state() == state
    assert watched(bst.build, 4, strategy, 30).paths == watched(bst.build, 4, quick(), 30).paths


SLOW = f"""
import os, time

def build(xs: list[int]) -> int:
    {PAUSE}
    count = 0
    for i in range(1, len(xs)):
        while i and xs[i - 1] > xs[i]:
            xs[i - 1], xs[i] = xs[i], xs[i - 1]
            i -= 1
            count += 1
    return count
"""
COMMAND = ["stress", "slow.py:build", "--size", "4", "--strategy", "qlearn", "--set", "practice=0", "--json"]
COMMAND += ["--cost", "branches", "--budget", "10m", "--stop-after", "10m", "--out", "out"]


def test_a_killed_command_goes_on_with_its_experience(write, tmp_path):
    write(SLOW, "slow.py")
    out = tmp_path / "out"
    with slowly():
        process = start(*COMMAND)
        wait_for(lambda: kept(out, "runs") > 0, process)
        process.kill()
        process.communicate()
    before = kept(out, "runs")
    state = json.loads((out / "state.json").read_text())["lanes"][0]["snapshot"]["strategy"]
    assert len(state["learner"]["tree"]["inputs"]) == before
    printed, said = finish(start(*COMMAND))
    assert f"resuming after {before} paths" in said
    result = json.loads(printed)
    assert (result["cost"]["value"], result["proof"], result["paths"]) == (6, "tree exhausted", 24)


@linux
def test_a_killed_worker_goes_on_with_its_experience(write, tmp_path):
    write(SLOW, "slow.py")
    with slowly():
        process = start(*COMMAND)
        wait_for(lambda: kept(tmp_path / "out", "runs") > 0, process)
        worker = workers(process)[0]  # the first that was started; another waits to replay
        os.kill(worker, signal.SIGKILL)
    printed, said = finish(process)
    assert process.returncode == 0, said
    result = json.loads(printed)
    assert (result["cost"]["value"], result["proof"], result["failures"]) == (6, "tree exhausted", [])


# Models


def test_what_was_learned_is_loaded_instead_of_practice(tmp_path):
    file = tmp_path / "model.json"
    watched(insertion_sort, 5, QLearn(practice="3,4", save=str(file)), 3)
    session = watched(insertion_sort, 12, QLearn(load=str(file)), 1)
    assert session.counters.practised == 0
    assert session.best.cost == 66
    again = watched(insertion_sort, 12, QLearn(load=str(file), practice=3, **QUICK), 1)
    assert again.counters.practised > 0


def test_a_search_with_a_model_goes_on_where_it_was(tmp_path):
    file = tmp_path / "model.json"
    watched(sites, 4, quick(practice=3, save=str(file)), 3)
    whole, joined = halves(sites, 5, lambda: quick(load=str(file)), 9, 30)
    assert joined.paths == whole.paths
    assert json.dumps(joined.strategy.state()) == json.dumps(whole.strategy.state())


def test_kinds_of_a_model_keep_their_numbers(tmp_path):
    file = tmp_path / "model.json"
    watched(bst.build, 4, quick(save=str(file)), 3)
    kinds = json.loads(file.read_text())["kinds"]
    assert kinds == ["tests/subjects/bst.py:insert:key < node.key <"]
    watched(insertion_sort, 4, quick(load=str(file), save=str(file)), 3)
    assert json.loads(file.read_text())["kinds"][:1] == kinds
    assert not list(tmp_path.glob("*.part"))


def test_a_model_of_the_papers_rules(tmp_path):
    file = tmp_path / "model.json"
    watched(insertion_sort, 4, QLearn(paper="true", save=str(file)), 5)
    assert watched(insertion_sort, 6, QLearn(paper=True, load=str(file)), 5).counters.practised == 0
    with pytest.raises(UsageError, match=r"model\.json is not a model of these rules"):
        QLearn(load=str(file))
    with pytest.raises(UsageError, match=r"was learned with .*'hidden': 2.*: give the same options"):
        QLearn(paper=True, load=str(file), hidden=3)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    file = tmp_path_factory.mktemp("model") / "model.json"
    watched(insertion_sort, 4, quick(practice=0, save=str(file)), 2)
    return json.loads(file.read_text())


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", "null", '"x"', "{}", '{"format": "pessimal policy 2", "rules": []}', "\udcff"]
)
def test_a_foreign_file(tmp_path, text):
    file = tmp_path / "model.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UsageError, match=r"model\.json is not a model of these rules") as caught:
        QLearn(load=str(file))
    assert caught.value.slug == "model"


@pytest.mark.parametrize(
    "damage",
    [
        {"format": "pessimal model 1"},
        {"paper": True},
        {"rules": {}},
        {"kinds": None},
        {"kinds": [1]},
        {"network": None},
        {"network": {}},
        {"network": {"weights": {}, "momentum": []}},
        {"network": {"weights": [], "momentum": []}},
        {"examples": None},
        {"examples": [[3]]},
        {"examples": [[[[[0, 0]], 1, 1]]]},
        {"examples": [[[[[0, 0, 5]], 1, 1]]]},
        {"examples": [[[[[0, 0, -1]], "a", 1]]]},
    ],
)
def test_a_damaged_file(tmp_path, model, damage):
    file = tmp_path / "model.json"
    file.write_text(json.dumps({**model, **damage}))
    with pytest.raises(UsageError) as caught:
        watched(insertion_sort, 4, QLearn(load=str(file)), 2)
    assert caught.value.slug == "model"
    assert "model" in str(caught.value)


@pytest.mark.parametrize("name", ["kinds", "network", "examples", "rules", "format", "paper"])
def test_a_file_with_something_missing(tmp_path, model, name):
    file = tmp_path / "model.json"
    file.write_text(json.dumps({key: value for key, value in model.items() if key != name}))
    with pytest.raises(UsageError):
        watched(insertion_sort, 4, QLearn(load=str(file)), 2)


def test_weights_that_are_no_numbers(tmp_path, model):
    file = tmp_path / "model.json"
    text = json.dumps(model)
    for wrong in ("NaN", '"a"', "null", "[1]"):
        file.write_text(text.replace('"values": [', f'"values": [{wrong}, ', 1))
        with pytest.raises(UsageError):
            watched(insertion_sort, 4, QLearn(load=str(file)), 2)


def test_files_that_cannot_be_used(tmp_path):
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        QLearn(load=str(tmp_path / "none.json"))
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        QLearn(load=str(tmp_path))
    for save, why in ((tmp_path / "no" / "model.json", "No such file"), (tmp_path, "Is a directory"), ("", "Is a dir")):
        session = Watched(insertion_sort, 5, 5)
        with pytest.raises(UsageError, match=f"cannot be written: {why}") as caught:
            session.conduct(quick(practice=3, save=str(save)))
        assert caught.value.slug == "model"
        assert (session.counters.practised, session.counters.runs) == (0, 0)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def saving(tmp_path, monkeypatch):
    """A search with two runs behind it that saves at the first and the last one: its strategy, its steps, its file."""
    monkeypatch.setattr("pessimal.search.qlearn.SAVE_EVERY", 3600.0)
    file = tmp_path / "models" / "model.json"
    file.parent.mkdir()
    strategy, session = quick(practice=3, save=str(file)), Watched(insertion_sort, 5, 30)
    steps = strategy.steps(session)
    for _ in steps:
        assert file.exists() == (session.counters.runs > 0)  # nothing is saved in practice
        if session.counters.runs == 2:
            break
    assert session.counters.practised == 6
    return strategy, steps, file


def kinds_in(file):
    return json.loads(file.read_text())["kinds"]


def test_a_model_is_saved_at_the_first_path_and_at_the_end(saving):
    strategy, steps, file = saving
    assert kinds_in(file) == ["tests/subjects/insertion_sort.py:insertion_sort:result[j] > x >"]
    file.unlink()
    next(steps)
    assert not file.exists()
    with pytest.raises(SearchOver):
        list(steps)
    assert kinds_in(file)
    assert [item.name for item in file.parent.iterdir()] == ["model.json"]
    assert "note" not in strategy.report()


def test_a_model_is_saved_when_the_search_is_left(saving):
    _, steps, file = saving
    file.unlink()
    steps.close()
    assert kinds_in(file)


def test_a_model_that_cannot_be_saved_in_the_end_is_told(saving):
    strategy, steps, file = saving
    shutil.rmtree(file.parent)
    with pytest.raises(SearchOver, match="30 paths"):
        list(steps)
    assert strategy.report()["note"] == f"the model could not be saved: {file} cannot be written: {os.strerror(2)}"


def test_what_could_be_saved_later_is_not_told(tmp_path, monkeypatch):
    monkeypatch.setattr("pessimal.search.qlearn.SAVE_EVERY", 0.0)
    file = tmp_path / "models" / "model.json"
    file.parent.mkdir()
    strategy = quick(practice=0, save=str(file))
    steps = strategy.steps(Watched(insertion_sort, 4, 30))
    next(steps)
    shutil.rmtree(file.parent)
    next(steps)
    assert "could not be saved" in strategy.report()["note"]
    file.parent.mkdir()
    next(steps)
    assert file.exists()
    assert "note" not in strategy.report()


LEAVES_NOTHING = """
import shutil

def clears(xs: list[int]) -> int:
    shutil.rmtree("models", ignore_errors=True)
    return sum(x > 0 for x in xs)
"""


def test_a_result_is_not_lost_with_its_model(write, tmp_path, pessimal):
    write(LEAVES_NOTHING, "clears.py")
    command = ["stress", "clears.py:clears", "--size", 3, "--strategy", "qlearn", "-q", "--allow-side-effects"]
    options = ["--set", "practice=0", "--set", "save=models/model.json"]
    answer = pessimal(*command, *options)
    assert (answer.code, len(answer.err.splitlines())) == (2, 1)
    assert "models/model.json cannot be written" in answer.err
    (tmp_path / "models").mkdir()
    answer = pessimal(*command, *options)
    assert (answer.code, answer.err) == (0, "")
    note = f"the model could not be saved: models/model.json cannot be written: {os.strerror(2)}"
    assert f"  note      {note}\n" in answer.out
    assert "  proof     tree exhausted\n" in answer.out
    (tmp_path / "models").mkdir()
    assert pessimal(*command, *options, "--json").json["report"]["note"] == note


def test_a_damaged_model_is_one_line_for_the_user(tmp_path, model, pessimal, write):
    write(SLOW, "slow.py")
    for number, data in enumerate(([], {**model, "network": {}})):
        (tmp_path / "model.json").write_text(json.dumps(data))
        answer = pessimal(
            "stress", "slow.py:build", "--size", 4, "--strategy", "qlearn", "--set", "load=model.json", "-q"
        )
        assert (answer.code, len(answer.err.splitlines())) == (2, 1), (number, answer)
        assert "[model]" in answer.err


# Options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"paper": "maybe"}, "paper must be true or false, but is 'maybe'"),
        ({"practice": "3,x"}, "practice must be a list of sizes such as 3,4, but is '3,x'"),
        ({"practice": -1}, "practice must be a list of sizes"),
        ({"mode": "fast"}, "mode must be basic or advanced, but is 'fast'"),
        ({"mode": 1}, "mode must be basic or advanced"),
        ({"length": -1}, "length must be a whole number of at least 0, but is -1"),
        ({"hidden": 0}, "hidden must be a whole number of at least 1, but is 0"),
        ({"hidden": 2.5}, "hidden must be a whole number"),
        ({"hidden": True}, "hidden must be a whole number"),
        ({"memory": 1}, "memory must be a whole number of at least 16"),
        ({"batch": "many"}, "batch must be a whole number"),
        ({"practice_runs": 0}, "practice_runs must be a whole number of at least 1"),
        ({"rate": "fast"}, "rate must be a number, but is 'fast'"),
        ({"rate": True}, "rate must be a number"),
        ({"rate": -0.1}, "rate must be at least 0, but is -0.1"),
        ({"rate": float("nan")}, "rate must be a number"),
        ({"curiosity": -1}, "curiosity must be at least 0"),
        ({"epsilon": 0.1}, "qlearn has no option 'epsilon' here; its options are: mode, length"),
        ({"curiosity": 1, "paper": True}, "qlearn has no option 'curiosity' here"),
        ({"epsilon": 1.5, "paper": True}, "epsilon must be between 0 and 1, but is 1.5"),
        ({"penalty": 2, "paper": True}, "penalty must be at most 1, but is 2"),
        ({"trials": 0, "paper": True}, "trials must be a whole number"),
    ],
)
def test_options_that_do_not_fit(options, message):
    with pytest.raises(UsageError, match=message):
        QLearn(**options)


def test_options_reach_the_worker():
    options = {"paper": "true", "practice": "3", "epsilon": 0.2, "practice_runs": 4, "epochs": 1}
    result = pessimal.stress(insertion_sort, size=4, strategy="qlearn", cost="branches", options=options, paths=200)
    assert (result.cost["value"], result.proof) == (6, "tree exhausted")
    assert result.effort.practised == 4


def test_a_size_that_cannot_be_practised_at_is_left_out():
    def pairs(xs: list[int]) -> int:
        """Nothing can be done with less than two."""
        return 1 if xs[0] > xs[1] else 0

    result = pessimal.stress(pairs, size=2, strategy="qlearn", options={"practice": "1", **QUICK})
    assert result.proof == "tree exhausted"
