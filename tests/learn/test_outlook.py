"""outlook: where flips led is counted in their contexts, and promises what a search has not reached."""

import json

from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

from pessimal.learn import outlook
from pessimal.learn.known import Known, Led
from pessimal.learn.outlook import Outlook
from pessimal.learn.ranking_rules import RankingRules

NEW = Known(is_reached=False, is_wanted=True, tries=0, infeasible=0, value=0.0, position=3, idle=0)
SITES = ["a", "b", "c", "d", "e"]
STEPS = Outlook.read(SITES, b"\0\0\0\0\0")


def names(*sites):
    return set(Outlook.read(list(sites), bytes([1] * len(sites))).names)


def question(position, known=NEW):
    return Outlook.question(STEPS, 0, position, 1, known)


def test_without_experience_it_is_the_plain_rule():
    known = [NEW, NEW._replace(infeasible=3), NEW._replace(is_reached=True)]
    found = Outlook(RankingRules()).scores([question(0, item) for item in known])
    assert found == [item.rule for item in known]


def test_the_first_flip_counts_in_each_of_its_contexts():
    model = Outlook(RankingRules())
    assert [len(question(position).contexts) for position in range(5)] == [1, 2, 3, 3, 4]
    model.learn(question(4), Led(2.0, reached=names("e", "x")))
    # 1 of 1 is feasible in all flips and in four contexts, each steadied by two flips of the wider one
    unlikely = 0.5
    for _ in range(5):
        unlikely *= 2 / 3
    assert model.feasible(question(4).contexts) == approx(1 - unlikely)
    new, rest = model.promise(question(4).contexts, set())
    assert new == approx(2 - (2 / 3) ** 4)  # from the one that it surely reaches to the two that it did
    assert rest == 0.0


def test_what_was_reached_promises_nothing_more():
    model = Outlook(RankingRules())
    for _ in range(50):
        model.learn(question(1), Led(3.0, reached=names("b", "x", "y", "z")))
        model.learn(question(2), Led(1.0, reached=names("c")))
    asked = [question(1), question(2)]
    far, near = model.scores(asked, set())
    assert far > 3 * near
    far, near = model.scores(asked, names("b", "x", "y", "z"))
    assert far < near


def test_infeasible_flips_come_late_and_only_in_their_context():
    model = Outlook(RankingRules())
    for _ in range(30):
        model.learn(question(3), Led(0.0))
    elsewhere = Outlook.question(Outlook.read(["q", "d"], b"\1\0"), 0, 1, 1, NEW)
    for _ in range(30):
        model.learn(elsewhere, Led(1.0, reached=names("d")))
    assert model.feasible(question(3).contexts) < 0.05
    assert model.feasible(elsewhere.contexts) > 0.9


def test_what_this_search_has_tried_weighs_more_than_what_others_have():
    model = Outlook(RankingRules())
    for _ in range(100):
        model.learn(question(1), Led(1.0, reached=names("b")))
    vain, fresh = model.scores([question(1, NEW._replace(tries=8, infeasible=8)), question(1)])
    assert vain < fresh / 4


def test_what_was_promised_in_vain_counts_less_in_every_context():
    model = Outlook(RankingRules())
    for _ in range(100):
        model.learn(question(1), Led(3.0, reached=names("b", "x", "y", "z")))
        model.learn(question(2), Led(2.0, reached=names("c", "u")))
    asked, far = [question(1), question(2)], names("x", "y", "z")
    rich, poor = model.scores(asked, names("b", "c"))
    assert rich > poor
    promised = model.promised(question(1), names("b", "c"))
    assert promised.keys() == far
    assert all(share > 0.9 for share in promised.values())
    assert model.promise(question(1).contexts, names("b"), dict.fromkeys(far, 3.0))[0] == approx(0.75, rel=0.1)
    rich, poor = model.scores(asked, names("b", "c"), doubts=dict.fromkeys(far, 5.0))
    assert rich < poor


def test_a_flip_does_not_promise_what_it_is_made_for_nor_what_is_unlikely_here():
    model = Outlook(RankingRules())
    for _ in range(100):
        model.learn(question(1), Led(3.0, reached=names("b", "x")))
    assert model.promised(question(1), ()).keys() == names("x")
    (vain,) = model.promised(question(1, NEW._replace(tries=8, infeasible=8)), ()).values()
    (fresh,) = model.promised(question(1), ()).values()
    assert vain == approx(fresh / 5)


def test_rewards_other_than_for_new_outcomes_are_expected_as_their_mean():
    model = Outlook(RankingRules())
    for _ in range(200):
        model.learn(question(1), Led(5.0, rest=5.0, reached=names("b")))
        model.learn(question(2), Led(-5.0, rest=-5.0, reached=names("c")))
    assert model.promise(question(1).contexts, ())[1] == approx(5, rel=0.02)
    high, low = model.scores([question(1), question(2)], names("b", "c"), novelty=0.0)
    assert high > 4 > 0 > low


def test_a_penalty_for_infeasible_flips_counts_by_their_share():
    plain, strict = Outlook(RankingRules()), Outlook(RankingRules(unsatisfiable=-1.0))
    for model in (plain, strict):
        for _ in range(3):
            model.learn(question(1), Led(0.0))
    (first,), (second,) = plain.scores([question(1)]), strict.scores([question(1)])
    assert first - second == approx(1 - plain.feasible(question(1).contexts))


def test_contexts_that_were_seen_least_are_forgotten(monkeypatch):
    monkeypatch.setattr(outlook, "MOST_COUNTS", 40)
    monkeypatch.setattr(outlook, "COUNTED_AGAIN", 1)
    model = Outlook(RankingRules())
    for _ in range(5):
        model.learn(question(0), Led(1.0, reached=names("a")))
    for number in range(60):
        steps = Outlook.read([f"s{number}", "t"], b"\0\0")
        model.learn(Outlook.question(steps, 0, 0, 1, NEW), Led(1.0, reached=names("u")))
    assert len(model._seen) <= 41
    assert model._seen[question(0).contexts[0]].tries == 5
    assert model.experiences == 65


flips = st.tuples(st.integers(0, 4), st.none() | st.sets(st.sampled_from("uvwxyz")))


@given(st.lists(flips, max_size=30))
def test_a_model_is_the_same_after_it_was_kept(made):
    model = Outlook(RankingRules())
    for position, reached in made:
        model.learn(question(position), Led(1.0, reached=None if reached is None else names(*reached)))
    again = Outlook(RankingRules())
    again.restore(json.loads(json.dumps(model.to_json())))
    asked = [question(position) for position in range(5)]
    assert again.to_json() == model.to_json()
    assert again.scores(asked, names("u", "v")) == model.scores(asked, names("u", "v"))
    assert all(0 <= model.feasible(item.contexts) <= 1 for item in asked)


@given(st.permutations("uvwxyz"))
def test_scores_do_not_depend_on_the_order_in_which_outcomes_were_seen(order):
    model, again = Outlook(RankingRules()), Outlook(RankingRules())
    for count in range(1, 7):
        model.learn(question(4), Led(1.0, reached=Outlook.read(order[:count], b"\1" * count).names))
    doubts = {name: 0.1 * number for number, name in enumerate(sorted(names(*"uvwxyz")), start=1)}
    again.restore(json.loads(json.dumps(model.to_json(), sort_keys=True)))
    assert again.scores([question(4)], (), 1.0, doubts) == model.scores([question(4)], (), 1.0, doubts)
