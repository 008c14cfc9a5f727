"""What a model was worth: an estimate from the flips that the plain rule made in its place."""

from pessimal.search.model_worth import ModelWorth


def counted(model, rule):
    worth = ModelWorth()
    for is_fruitful in model:
        worth.count(is_compared=False, is_fruitful=is_fruitful)
    for is_fruitful in rule:
        worth.count(is_compared=True, is_fruitful=is_fruitful)
    return worth


def test_the_share_of_the_rule_tells_how_many_flips_it_would_have_needed():
    worth = counted([True] * 50 + [False] * 30, [True] * 4 + [False] * 13)
    assert worth.without == 50 * 18 / 4.5
    found = worth.to_json()
    assert (found["flips"], found["without"], found["saved"]) == (80, 200, 120)
    assert "without it about 200: 120 solver queries saved (an estimate)" in str(worth)


def test_a_model_that_is_worse_than_the_rule_has_lost_queries():
    worth = counted([True] * 9 + [False] * 91, [True] * 8)
    assert worth.to_json()["saved"] == round(9 * 9 / 8.5) - 100
    assert "90 solver queries lost" in str(worth)


def test_a_rule_that_finds_nothing_gives_a_finite_estimate():
    assert counted([True] * 3, [False] * 9).without == 60


def test_few_flips_of_the_rule_give_no_estimate():
    worth = counted([True] * 20, [True] * 4)
    assert worth.to_json()["saved"] is None
    assert "too few were compared" in str(worth)


def test_the_counts_of_lanes_are_added():
    parts = counted([True], [False, True]), counted([False, False], [True])
    assert ModelWorth.total(parts) == ModelWorth(3, 1, 3, 2)
    assert ModelWorth.total(parts).to_json()["compared"] == 3
