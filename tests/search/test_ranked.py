"""ranked: flips come out of a queue in the order of learned scores, unsolved until then; models are kept in files."""

import json

import pytest

from pessimal.errors import UsageError
from pessimal.json_values import sealed, unsealed
from pessimal.learn.outcome_names import outcome_name
from pessimal.learn.ranking_rules import MODELS
from pessimal.search.kept_ranking import KeptRanking
from pessimal.search.ranked import Ranked
from pessimal.search.session import SearchSession
from pessimal.target import load
from pessimal.testing import check_strategy
from tests.learn.test_ranking import UNKNOWN
from tests.search.test_generational import gated
from tests.search.watching import halves, watched
from tests.subjects import bst
from tests.subjects.insertion_sort import insertion_sort

QUICK = {"update_every": 8, "batches": 2, "batch": 16, "memory": 256}


def quick(**options):
    return Ranked(**{**QUICK, **options})


@pytest.mark.parametrize("model", MODELS)
def test_it_keeps_the_contract(model):
    check_strategy(lambda: quick(model=model))


def test_gates_are_passed_one_by_one():
    session = watched(gated, 5, quick(epsilon=0.0), 50)
    assert session.best.cost == 11
    assert session.counters.runs <= 25


@pytest.mark.parametrize("model", MODELS)
def test_all_paths_of_a_small_tree_are_run_once(model):
    strategy = quick(model=model, shortest=1)
    session = watched(insertion_sort, 4, strategy, 500)
    completed = [bytes(trace.decisions) for trace in session.traces if trace.outcome.value == "returned"]
    assert len(set(completed)) == len(completed) == 24
    assert session.stopped == "nothing left to try"
    assert strategy.is_exhausted
    assert strategy.report()["experiences"] > 20


@pytest.mark.parametrize("model", MODELS)
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
    assert content["shape"]["model"] == "outlook"
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
        (lambda text: text.replace('"version": 2', '"version": 3'), "was written by a newer version"),
        (lambda text: text.replace('"version": 2', '"version": 1'), "was written by an older version"),
        (lambda text: "", "is damaged: it is not JSON"),
        (lambda text: changed(text, "weights", float("nan")), "is damaged: it is not JSON"),
        (lambda text: changed(text, "weights", 1e300), "is damaged: its weights are not those of a model"),
        (lambda text: changed(text, "weights", 10**400), "is damaged: "),
        (lambda text: changed(text, "weights", "x"), "is damaged: "),
        (lambda text: changed(text, "memory", 30_000), "is damaged: its experiences are not those of a search"),
        (lambda text: changed(text, "memory", None), "is damaged: "),
        (lambda text: text, "was learned from build and not from tests/subjects/insertion_sort.py"),
    ],
    ids=[
        "cut",
        "changed",
        "other",
        "newer",
        "older",
        "empty",
        "nan",
        "huge",
        "overflow",
        "text",
        "row",
        "null",
        "target",
    ],
)
def test_a_search_goes_on_without_a_model_that_does_not_fit(tmp_path, damage, note):
    file = tmp_path / "model.json"
    watched(bst.build, 6, quick(model="single", save=str(file)), 12)
    file.write_text(damage(file.read_text()))
    session = watched(insertion_sort, 4, quick(load=str(file)), 500)
    found = session.strategy.report()["note"]
    assert note in found
    assert found.endswith(": the search goes on without it")
    assert "\n" not in found
    assert session.stopped == "nothing left to try"


@pytest.mark.parametrize(
    "counts", [[1, 2, 0.0, {}], [2, 1, 0.0, {"a.1": 2}], [1, 1, 1e400, {}], [1, "1", 0, {}], [1], 7]
)
def test_counts_that_no_flips_have_are_not_used(tmp_path, counts):
    file = tmp_path / "model.json"
    watched(bst.build, 6, quick(save=str(file)), 12)
    content = unsealed(json.loads(file.read_text()))
    seen = content["ranking"]["models"][0]["seen"]
    seen[next(iter(seen))] = counts
    file.write_text(sealed(content))
    session = watched(bst.build, 6, quick(load=str(file)), 12)
    assert "is damaged: " in session.strategy.report()["note"]
    assert session.strategy.report()["experiences"] == 11


def test_outcomes_of_sites_that_are_not_wanted_promise_nothing(monkeypatch):
    whole, nothing = quick(epsilon=0.0), quick(epsilon=0.0)
    watched(gated, 5, whole, 8)
    monkeypatch.setattr(SearchSession, "wants", lambda self, site: False)
    watched(gated, 5, nothing, 8)
    assert whole._settled == whole._reached
    assert {outcome_name(site, outcome) for site in nothing._sites for outcome in (0, 1)} == nothing._settled


def test_a_model_that_does_not_learn_stays_as_it_is(tmp_path):
    file = tmp_path / "model.json"
    watched(bst.build, 6, quick(save=str(file)), 12)
    before = json.loads(file.read_text())["ranking"]
    watched(bst.build, 6, quick(load=str(file), save=str(file), learns="false"), 40)
    assert json.loads(file.read_text())["ranking"] == before


def changed(text, part, value):
    """The text of a model file in which one number is another, with a checksum that fits."""
    content = unsealed(json.loads(text))
    arrays = content["ranking"]["models"][0][part]
    (arrays["window"] if part == "weights" else arrays[0])["values"][0] = value
    return sealed(content)


def test_a_model_keeps_its_architecture(tmp_path):
    file = tmp_path / "model.json"
    watched(bst.build, 6, quick(model="single", save=str(file), hidden=5, longest=6), 12)
    session = watched(bst.build, 6, quick(load=str(file)), 5)
    report = session.strategy.report()
    assert (report["rules"]["hidden"], report["rules"]["longest"]) == (5, 6)
    assert "note" not in report


@pytest.mark.parametrize("memory", [16, 64])
def test_experiences_fit_another_memory(tmp_path, memory):
    file = tmp_path / "model.json"
    watched(bst.build, 6, quick(model="single", save=str(file), memory=24), 40)
    strategy = quick(load=str(file), memory=memory)
    watched(bst.build, 6, strategy, 2)
    assert "note" not in strategy.report()
    assert strategy.report()["experiences"] in (16 + 1, 24 + 1)


def test_a_file_that_cannot_be_used_is_not_replaced(tmp_path):
    file = tmp_path / "model.json"
    file.write_text("my notes")
    session = watched(bst.build, 6, quick(load=str(file), save=str(file)), 12)
    assert "is damaged" in session.strategy.report()["note"]
    assert file.read_text() == "my notes"


def test_a_model_is_known_to_fit_by_the_modules_to_search(tmp_path):
    file = tmp_path / "model.json"
    watched(bst.build, 6, quick(save=str(file)), 12)
    fitting, other = quick(load=str(file)), quick(load=str(file))
    fitting.check_modules(["a.py", "tests/subjects/bst.py"])
    other.check_modules(["a.py", "b.py"])
    assert "note" not in fitting.report()
    assert "was learned from build and not from a.py, b.py" in other.report()["note"]


@pytest.mark.parametrize("kind", ["outlook", "single"])
def test_sites_are_matched_over_edits(tmp_path, kind):
    """A model of the old text says the same of the sites that an edit leaves as they are."""
    before = "def f(x: int, y: int) -> int:\n    if x > 3:\n        return 1\n    return 2 if y < x else 0\n"
    after = "LIMIT = 3\n\n\n" + before.replace("    return 2", "    if x == 77:\n        return 3\n    return 2")
    file, model = tmp_path / "edited.py", tmp_path / "model.json"
    scores = []
    for text, options in (
        (before, {"model": kind, "save": str(model), "update_every": 1}),
        (after, {"load": str(model), "learns": False}),
    ):
        file.write_text(text)
        strategy = quick(**options)
        session = watched(load(f"{file}:f").call, 2, strategy, 30 if "save" in options else 2)
        assert "note" not in strategy.report()
        sites = {site.text: site.id for trace in session.traces for site in trace.sites}
        ranking = strategy._kept.ranking
        scores.append(ranking.scores([ranking.question(ranking.read([sites["x > 3"]], b"\0"), 0, 0, 1, UNKNOWN)]))
    assert scores[0] == scores[1]
    assert scores[0] != [UNKNOWN.rule]


class Misled:
    """Promises that the flips of the longest prefix lead to much, which they do not."""

    def __init__(self, inner):
        self._inner = inner

    def __getattr__(self, name):
        return getattr(self._inner, name)

    def scores(self, questions, settled=(), novelty=1.0, doubts=()):
        return [1e6 * (item.known.is_reached + item.known.position / 1e3) for item in questions]


def reached_after(strategy, runs):
    watched(doors, 24, strategy, runs)
    return len(strategy._reached)


def doors(text: list[int]) -> int:
    found = 0
    if text[0] > 5:
        found = 1
        if text[1] > 6:
            found = 2
            if text[2] > 7:
                found = 3
                if text[3] > 8:
                    found = 4
    for item in text[4:]:
        if item == 77:
            found += 1
    return found


def test_a_model_that_is_wrong_here_leaves_the_flips_to_the_plain_order(monkeypatch):
    begin = KeptRanking.begin

    def misled(self, session, seed):
        begin(self, session, seed)
        self._ranking = Misled(self._ranking)

    right = reached_after(quick(), 40)
    monkeypatch.setattr(KeptRanking, "begin", misled)
    alone, mixed = (reached_after(quick(epsilon=epsilon), 40) for epsilon in (0.0, 0.1))
    assert alone < mixed
    assert mixed > 0.8 * right


def test_now_and_then_the_plain_order_chooses():
    strategy = quick(epsilon=0.5)
    watched(bst.build, 6, strategy, 60)
    worth = strategy.report()["worth"]
    made = [worth[name] for name in ("flips", "compared", "idle_flips", "idle_compared")]
    assert sum(made) == strategy.report()["flips"] == 59
    assert worth["compared"] + worth["idle_compared"] > 15


def test_a_model_of_another_architecture_is_not_used(tmp_path):
    file = tmp_path / "model.json"
    watched(bst.build, 6, quick(save=str(file)), 12)
    note = quick(load=str(file), model="single").report()["note"]
    assert note.endswith("has models of another architecture: model=outlook: the search goes on without it")


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
        ({"model": "deep"}, "model must be one of outlook, single, per-length"),
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
    monkeypatch.setattr("pessimal.search.ranked_options.find_spec", lambda name: None if name == "jax" else object())
    Ranked()
    with pytest.raises(UsageError, match="model=single of ranked needs jax, which is not installed") as caught:
        Ranked(model="single")
    assert "pessimal[learn]" in str(caught.value)
