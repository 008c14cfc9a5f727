"""ranked: flips come out of a queue in the order of learned scores, unsolved until then; models are kept in files."""

import json

import pytest

from pessimal.errors import UsageError
from pessimal.search.ranked import Ranked
from pessimal.testing import check_strategy
from tests.search.test_generational import gated
from tests.search.watching import halves, watched
from tests.subjects import bst
from tests.subjects.insertion_sort import insertion_sort

QUICK = {"update_every": 8, "batches": 2, "batch": 16, "memory": 256}


def quick(**options):
    return Ranked(**{**QUICK, **options})


@pytest.mark.parametrize("model", ["single", "per-length"])
def test_it_keeps_the_contract(model):
    check_strategy(lambda: quick(model=model))


def test_gates_are_passed_one_by_one():
    session = watched(gated, 5, quick(epsilon=0.0), 50)
    assert session.best.cost == 11
    assert session.counters.runs <= 25


@pytest.mark.parametrize("model", ["single", "per-length"])
def test_all_paths_of_a_small_tree_are_run_once(model):
    strategy = quick(model=model, shortest=1)
    session = watched(insertion_sort, 4, strategy, 500)
    completed = [bytes(trace.decisions) for trace in session.traces if trace.outcome.value == "returned"]
    assert len(set(completed)) == len(completed) == 24
    assert session.stopped == "nothing left to try"
    assert strategy.is_exhausted
    assert strategy.report()["experiences"] > 20


@pytest.mark.parametrize("model", ["single", "per-length"])
@pytest.mark.parametrize("after", [1, 17, 60])
def test_a_search_goes_on_where_it_was(model, after):
    whole, joined = halves(bst.build, 6, lambda: quick(model=model), after, 80)
    assert joined.paths == whole.paths
    states = [json.dumps(session.strategy.state()) for session in (whole, joined)]
    assert states[0] == states[1]


def test_a_model_is_saved_and_loaded(tmp_path):
    file = tmp_path / "model.json"
    watched(bst.build, 6, quick(save=str(file)), 40)
    content = json.loads(file.read_text())
    assert content["modules"] == ["tests/subjects/bst.py"]
    assert content["shape"]["model"] == "single"
    session = watched(bst.build, 6, quick(load=str(file)), 5)
    report = session.strategy.report()
    assert report["experiences"] > 30
    assert "note" not in report


@pytest.mark.parametrize(
    ("damage", "note"),
    [
        (lambda text: text[:-20], "is damaged"),
        (lambda text: text.replace("0.1", "0.2", 1), "is damaged: the checksum does not fit"),
        (lambda text: "[]", "is not a model of ranked"),
        (lambda text: text.replace('"version": 1', '"version": 2'), "was written by a newer version"),
        (lambda text: text, "was learned from build and not from tests/subjects/insertion_sort.py"),
    ],
    ids=["cut", "changed", "other", "newer", "target"],
)
def test_a_search_goes_on_without_a_model_that_does_not_fit(tmp_path, damage, note):
    file = tmp_path / "model.json"
    watched(bst.build, 6, quick(save=str(file)), 12)
    file.write_text(damage(file.read_text()))
    session = watched(insertion_sort, 4, quick(load=str(file)), 500)
    found = session.strategy.report()["note"]
    assert note in found
    assert found.endswith(": the search goes on without it")
    assert "\n" not in found
    assert session.stopped == "nothing left to try"


def test_a_model_of_another_architecture_is_not_used(tmp_path):
    file = tmp_path / "model.json"
    watched(bst.build, 6, quick(save=str(file)), 12)
    assert "has models of another architecture: model=single" in quick(load=str(file), hidden=8).report()["note"]


def test_models_of_other_targets_are_used_on_request(tmp_path):
    file = tmp_path / "model.json"
    watched(bst.build, 6, quick(save=str(file)), 30)
    session = watched(insertion_sort, 4, quick(load=str(file), save=str(file), transfer=True), 10)
    assert "note" not in session.strategy.report()
    assert json.loads(file.read_text())["targets"] == ["build", "insertion_sort"]


def test_a_training_has_episodes_and_a_curve():
    session = watched(bst.build, 4, quick(episodes=3, episode_runs=10), 500)
    curve = session.strategy.report()["curve"]
    assert [runs for runs, _, _ in curve] == [10, 10, 10]
    assert session.stopped == "nothing left to try"


def test_siblings_share_their_models():
    first = quick()
    watched(bst.build, 6, first, 20)
    second = first.sibling()
    watched(insertion_sort, 6, second, 20)
    assert second.report()["experiences"] > 19


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": "deep"}, "model must be single or per-length"),
        ({"hidden": 0}, "hidden must be a whole number of at least 1"),
        ({"depth": 3}, "ranked has no option 'depth'"),
        ({"shortest": 9}, "shortest must be at most longest"),
        ({"reward": "old=1"}, "unknown reward 'old'"),
        ({"reward": "new=x"}, "the weight of new must be a number"),
        ({"reward": "hot=1"}, "needs hot_spots"),
        ({"hot_spots": "/nowhere.json"}, "cannot be read"),
    ],
)
def test_mistakes_in_options_are_told(options, message):
    with pytest.raises(UsageError, match=message):
        quick(**options)


def test_without_the_extra_it_says_what_is_missing(monkeypatch):
    monkeypatch.setattr("pessimal.search.ranked.find_spec", lambda name: None if name == "jax" else object())
    with pytest.raises(UsageError, match="ranked needs jax, which is not installed") as caught:
        Ranked()
    assert "pessimal[learn]" in str(caught.value)
