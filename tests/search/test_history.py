"""SPF-WCA: the published numbers of paths; policies saved, loaded and merged; histories found and kept apart."""

import json
from itertools import pairwise

import pytest

import pessimal
from pessimal.errors import UsageError
from pessimal.search.history import History, load
from pessimal.search.wise import Wise
from pessimal.testing import check_strategy
from tests.search.guided import broken_off, searched
from tests.subjects import boyer_moore, insertion_sort

GREP = boyer_moore.search_unseen
SITE = "tests/subjects/boyer_moore.py:mismatch:text[start + j] == pattern[j]"
T = SITE, True
RISING = {
    "history": 0,
    "context": True,
    "rules": [{"site": "tests/search/test_history.py:rising:a < b", "after": [], "direction": 1}],
}


def test_it_keeps_the_contract():
    check_strategy(History)


@pytest.mark.parametrize(("size", "cost", "paths"), [(3, 3, 1), (10, 9, 9), (20, 18, 243)])
def test_grep_as_pyse_reads_it(size, cost, paths):
    result = pessimal.stress(
        boyer_moore.search,
        size=size,
        strategy="history",
        cost="branches",
        options={"train": "3,4", "history": 2, "context": False},
        pyse_compatible=True,
        stop_after=None,
    )
    assert (result.effort.paths, result.cost["value"]) == (paths, cost)
    assert result.proof is None


@pytest.mark.parametrize("context", [False, True])
@pytest.mark.parametrize("history", [2, None])
@pytest.mark.parametrize(("size", "paths"), [(3, 1), (4, 1), (5, 1), (10, 9), (20, 243)])
def test_grep_learnt_at_three_and_four(size, paths, history, context):
    found, cost, _ = searched(GREP, size, History(train="3,4", history=history, context=context))
    assert (found, cost) == (paths, boyer_moore.longest_unseen(size))


@pytest.mark.parametrize("context", [False, True])
@pytest.mark.parametrize("history", [2, None])
@pytest.mark.parametrize(("size", "cost"), [(3, 3), (4, 3), (5, 3), (10, 9), (20, 18), (30, 30), (100, 99)])
def test_grep_learnt_at_six_and_seven(size, cost, history, context):
    assert searched(GREP, size, History(train="6,7", history=history, context=context))[:2] == (1, cost)


def test_it_tells_what_it_learnt():
    strategy = History(train=[3, 4], history=2)
    searched(GREP, 7, strategy)
    report = strategy.report()
    assert report["keys"] == {"all": 3, "unresolved": 0}
    assert report["policy"] == [
        f"{SITE}: true",
        f"{SITE}: true after {SITE} true",
        f"{SITE}: false after {SITE} true, {SITE} true",
    ]
    assert report["choices"]["unresolved"] == 0
    assert report["choices"]["new"] > 0
    json.dumps(report)


@pytest.mark.parametrize(("target", "train", "length"), [(insertion_sort.insertion_sort, "3,4", 0), (GREP, "6,7", 2)])
def test_the_shortest_history_that_settles_all_is_found(target, train, length):
    strategy = History(train=train)
    searched(target, 9, strategy)
    assert strategy.report()["history"] == length
    assert strategy.report()["keys"]["unresolved"] == 0


def test_the_history_is_no_longer_than_asked_for():
    strategy = History(train="6,7", max_history=1)
    searched(GREP, 6, strategy)
    assert strategy.report()["history"] <= 1
    assert strategy.report()["keys"]["unresolved"] == 1


def pairs(xs: list[int]) -> int:
    """Two calls of a function that asks the same twice: worst if each call sees true first and then false."""
    total = 0
    for i in range(0, len(xs) - 1, 2):
        total += pair(xs[i], xs[i + 1])
    return total


def pair(x: int, y: int) -> int:
    """The second test of a call must come out otherwise than the first to go on."""
    first = ask(x)
    return ask(x + y) if ask(y) != first else 0


def ask(x: int) -> bool:
    """The one place that asks."""
    return bool(x > 0)


def test_what_other_calls_did_is_no_part_of_the_history():
    near, plain = History(train=[4], history=4), History(train=[4], history=4, context=False)
    assert searched(pairs, 40, near)[:2] == (1, 60)
    assert near.report()["keys"] == {"all": 3, "unresolved": 0}
    assert near.report()["choices"] == {"resolved": 60, "unresolved": 0, "new": 0}
    assert searched(pairs, 8, plain)[1] == 12
    assert plain.report()["keys"]["all"] == 6
    assert plain.report()["choices"]["new"] > 0


def rising(xs: list[int]) -> int:
    """What costs most of two elements cannot be kept up with three."""
    count = 0
    for a, b in pairwise([*xs, xs[0]]):
        count += 1 if a < b else 0
    return count


def test_rules_that_no_input_keeps_to_still_give_a_path_and_it_is_told():
    strategy = History(train=[2], history=0)
    strategy.restore({**strategy.state(), "rules": RISING})
    paths, cost, session = searched(rising, 3, strategy)
    assert (paths, cost, session.proof) == (2, 3, None)
    assert strategy.report()["note"] == "no input satisfies the rules: one path was run that breaks them where it must"


def test_rules_are_saved_and_loaded_instead_of_training(tmp_path):
    file = tmp_path / "grep.json"
    searched(GREP, 9, History(train="6,7", history=2, save=str(file)))
    strategy = History(load=str(file))
    paths, cost, session = searched(GREP, 30, strategy)
    assert (paths, cost) == (1, 30)
    assert session.counters.practised == 0
    assert strategy.report()["training"] == []
    assert strategy.report()["history"] == 2
    assert load(file).table[(SITE, (T, T))] == 0


def test_loaded_rules_are_merged_and_what_they_disagree_on_is_free(tmp_path):
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    searched(GREP, 3, History(train="6,7", history=2, save=str(one)))
    data = json.loads(one.read_text())
    for rule in data["rules"]:
        if rule["after"] == [list(T), list(T)]:
            rule["direction"] = 1
    data["rules"] = data["rules"][:3]
    other.write_text(json.dumps(data))
    for given in (f"{one},{other}", [str(one), str(other)]):
        strategy = History(load=given)
        paths, cost, _ = searched(GREP, 9, strategy)
        assert strategy.report()["keys"] == {"all": 5, "unresolved": 1}
        assert (paths, cost) == (4, 9)  # each window is matched, which ends the search, or missed


def test_loaded_rules_are_merged_with_those_of_training(tmp_path):
    file = tmp_path / "small.json"
    searched(GREP, 3, History(train="3,4", history=2, save=str(file)))
    strategy = History(load=str(file), train="6,7")
    assert searched(GREP, 30, strategy)[:2] == (1, 30)
    assert strategy.report()["keys"] == {"all": 5, "unresolved": 0}


def test_what_wise_saved_is_a_history_of_none(tmp_path):
    file = str(tmp_path / "sort.json")
    searched(insertion_sort.insertion_sort, 4, Wise(train="3,4", save=file))
    assert searched(insertion_sort.insertion_sort, 9, History(load=file))[:2] == (1, 36)


def test_files_are_written_by_the_worker_too(tmp_path):
    file = tmp_path / "policy.json"
    options = {"train": "3,4", "save": str(file)}
    pessimal.stress(insertion_sort.insertion_sort, size=5, strategy="wise", options=options)
    result = pessimal.stress(
        insertion_sort.insertion_sort, size=8, strategy="wise", cost="branches", options={"load": str(file)}
    )
    assert (result.effort.paths, result.cost["value"]) == (1, 28)


GOOD = {"format": "pessimal policy 2", "history": 1, "context": True, "rules": []}
RULE = {"site": "a", "after": [], "direction": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not a policy: it is not JSON"),
        ("\udcff", "is not a policy: it is not JSON"),
        ("[]", "is not a policy: its format is not"),
        (json.dumps({**GOOD, "format": "other"}), "is not a policy: its format is not"),
        (json.dumps({"format": GOOD["format"]}), "is damaged: 'history' is missing"),
        (json.dumps({**GOOD, "history": "1"}), "is damaged: '1' is not of type int"),
        (json.dumps({**GOOD, "history": -1}), "is damaged: -1 is not a length"),
        (json.dumps({**GOOD, "rules": 3}), "is damaged"),
        (json.dumps({**GOOD, "rules": [3]}), "is damaged"),
        (json.dumps({**GOOD, "rules": [{**RULE, "direction": True}]}), "is damaged: True is not of type int"),
        (json.dumps({**GOOD, "rules": [{**RULE, "after": [["a"]]}]}), "is damaged"),
        (json.dumps({**GOOD, "rules": [RULE, RULE]}), "is damaged: the rule for a does not fit"),
        (json.dumps({**GOOD, "rules": [{**RULE, "after": [["a", 1]] * 2}]}), "the rule for a does not fit"),
        (json.dumps({**GOOD, "rules": [{"site": "a", "after": []}]}), "'direction' is missing"),
    ],
)
def test_a_damaged_or_foreign_file(tmp_path, content, message):
    file = tmp_path / "policy.json"
    file.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(UsageError, match=message) as caught:
        History(load=str(file))
    assert caught.value.slug == "policy"
    assert str(file) in str(caught.value)


def test_files_that_cannot_be_used(tmp_path):
    none, one, two = tmp_path / "none.json", tmp_path / "one.json", tmp_path / "two.json"
    one.write_text(json.dumps(GOOD))
    two.write_text(json.dumps({**GOOD, "history": 2}))
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        History(load=str(none))
    with pytest.raises(UsageError, match=r"two.json has history=2, context=True, but .*one.json has history=1"):
        History(load=[str(one), str(two)])
    with pytest.raises(UsageError, match=r"one.json has history=1, context=True, but history=3 was requested"):
        History(load=str(one), history=3)
    with pytest.raises(UsageError, match="history=0 was requested"):
        Wise(load=str(one))
    with pytest.raises(UsageError, match=r"policy.json cannot be written: No such file"):
        searched(GREP, 3, History(train=[3], save=str(tmp_path / "no" / "policy.json")))


def test_a_damaged_file_is_one_line_for_the_user(tmp_path):
    file = tmp_path / "policy.json"
    file.write_text("[]")
    with pytest.raises(UsageError, match="is not a policy"):
        pessimal.stress(insertion_sort.insertion_sort, size=4, strategy="history", options={"load": str(file)})


@pytest.mark.parametrize("after", [1, 4, 6, 20, 30, 35])
def test_a_search_goes_on_in_the_middle_of_training_or_of_the_guided_search(after):
    def make():
        return History(train="3,4", history=2)

    whole = make()
    paths, cost, _ = searched(GREP, 10, whole)
    session, strategy = broken_off(GREP, 10, make, min(after, 20))
    assert (session.counters.paths, session.best.cost) == (paths, cost)
    assert strategy.report() == whole.report()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"history": -1}, "history must be a whole number of at least 0, but is -1"),
        ({"history": "two"}, "history must be a whole number"),
        ({"max_history": 1.0}, "max_history must be a whole number"),
        ({"context": "maybe"}, "context must be true or false, but is 'maybe'"),
        ({"load": []}, "load does not name a file"),
    ],
)
def test_options_that_do_not_fit(options, message):
    with pytest.raises(UsageError, match=message):
        History(**options)
