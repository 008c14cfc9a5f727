"""Rankings: windows of branches, scores that NumPy and JAX agree on, rewards, and that patterns are learned."""

import json

import numpy as np
import pytest

from pessimal.learn import score_training
from pessimal.learn.branches import COLUMNS, NOTHING, ROWS, path_steps, site_rows
from pessimal.learn.known import Known, Led
from pessimal.learn.ranking import Ranking
from pessimal.learn.ranking_rules import NO_SCORE, RankingRules
from pessimal.learn.rewards import Reward, Transition, read_hot_spots
from pessimal.learn.scores import KNOWN, new_weights, scores
from pessimal.trace import Site, Trace

MODELS = ("single", "per-length")
UNKNOWN = Known(is_reached=True, is_wanted=True, tries=0, infeasible=0, value=0.0, position=3, idle=0)


def path(*sites):
    return path_steps([f"a.py:f:{site}" for site in sites], bytes(len(sites)))


@pytest.mark.parametrize("model", MODELS)
def test_numpy_and_jax_agree(model):
    rng = np.random.default_rng(1)
    weights = {
        name: rng.standard_normal(array.shape).astype(np.float32)
        for name, array in new_weights(model, 8, 4, rng).items()
    }
    steps = rng.integers(0, ROWS, (5, 8, COLUMNS)).astype(np.int16)
    index, known = np.arange(5, dtype=np.int32), rng.standard_normal((5, KNOWN)).astype(np.float32)
    expected = np.asarray(score_training._scores(weights, steps, index, known))
    assert np.allclose(scores(weights, steps, index, known), expected, rtol=1e-4, atol=1e-4)


def test_a_site_is_known_by_its_identity():
    assert site_rows("a.py:f:x < 1") == site_rows("a.py:f:x < 1")
    assert site_rows("a.py:f:x < 1")[0] == site_rows("a.py:g:y")[0]  # of the same module
    assert len({site_rows(f"a.py:f:{number}")[1:] for number in range(200)}) > 190


def test_one_model_reads_the_branches_up_to_a_flip():
    ranking = Ranking(RankingRules(model="single", longest=4), 0)
    steps = path("a", "b", "c", "d", "e", "f")
    question = ranking.question(steps, 0, 1, 1, UNKNOWN)
    assert (question.steps[:2] == NOTHING).all()
    assert (question.steps[2] == steps[0]).all()
    assert (question.steps[3, :3] == steps[1, :3]).all()
    assert question.steps[3, 3] != steps[1, 3]  # the outcome that it would be flipped to


def test_there_is_a_model_for_each_length_of_a_tail():
    ranking = Ranking(RankingRules(model="per-length", shortest=2, longest=4), 0)
    steps = path(*"abcdefghi")
    assert ranking.question(steps, 8, 8, 1, UNKNOWN) is None
    assert ranking.scores([None]) == [NO_SCORE]
    assert [ranking.question(steps, bound, 8, 1, UNKNOWN).model for bound in (7, 6, 5, 0)] == [0, 1, 2, 2]
    for position in range(9):
        question = ranking.question(steps, 0, position, 1, UNKNOWN)
        assert (question.steps[question.place] == steps[position]).all()


@pytest.mark.parametrize("model", MODELS)
def test_it_learns_which_sites_are_worth_flipping(model):
    rules = RankingRules(model=model, shortest=1, update_every=10, batches=20, rate=0.01)
    ranking = Ranking(rules, 0)
    rng = np.random.default_rng(2)
    for _ in range(200):
        sites = rng.choice(list("abcd"), 5).tolist()
        position = int(rng.integers(5))
        question = ranking.question(path(*sites), 0, position, 1, UNKNOWN)
        ranking.learn(question, Led(1.0 if sites[position] == "b" else -1.0))
    steps = path(*"abcda")
    found = ranking.scores([ranking.question(steps, 0, position, 1, UNKNOWN) for position in range(5)])
    assert max(found) == found[1]
    assert found[1] > 0 > max(found[0], found[2], found[3])


def test_before_it_has_learned_outcomes_that_were_not_reached_come_first():
    ranking = Ranking(RankingRules(model="single"), 0)
    known = [UNKNOWN, *(UNKNOWN._replace(is_reached=False, infeasible=count) for count in (0, 2, 9))]
    found = ranking.scores([ranking.question(path("a"), 0, 0, 1, item) for item in known])
    assert found[1] > found[2] > found[0] > found[3]


def test_promises_wear_off_and_warnings_do_not():
    often = UNKNOWN._replace(is_reached=False, infeasible=3)
    assert often.score(0.4) == 0.25 + 0.1
    assert often.score(-0.4) == 0.25 - 0.4
    assert UNKNOWN._replace(tries=3).score(0.4) == 0.0625 + 0.2
    assert UNKNOWN.score(0.4) == 0.125 + 0.4


def test_flips_of_runs_that_reached_much_come_first():
    assert UNKNOWN._replace(value=9.0).rule > UNKNOWN._replace(value=1.0).rule > UNKNOWN.rule == 0.125


def test_experiences_are_kept_once_and_the_oldest_are_forgotten():
    ranking = Ranking(RankingRules(model="single", memory=16, update_every=1000), 0)
    for site in [*range(20), *range(10, 20)]:
        ranking.learn(ranking.question(path(site), 0, 0, 1, UNKNOWN), Led(1.0))
    assert ranking.experiences == 20
    again = Ranking(RankingRules(model="single", memory=16, update_every=1000), 0)
    again.restore(json.loads(json.dumps(ranking.to_json())))
    assert again.to_json() == ranking.to_json()


def site(line=3):
    return Site("/p/a.py", "f", line, 0, "x < 1")


def transition(**changed):
    trace = Trace(sites=[site()] * 7, decisions=bytearray(7))
    given = {"new": [(site(), 1), (site(9), 0)], "local": [(site(), 1)], "value": 4.0, "seconds": 2.5}
    return Transition(**{"trace": trace, "position": 2, "source_length": 5, "source_seconds": 1.0, **given, **changed})


@pytest.mark.parametrize(
    ("text", "worth"),
    [("new=1", 2), ("local=3", 3), ("early=1", 4), ("length=0.5", 1), ("time=2", 3), ("value=1,new=1", 6), ("new", 2)],
)
def test_rewards_are_sums_of_terms(text, worth):
    assert Reward(text, {}).of(transition()) == worth


def test_hot_spots_are_shares_of_past_issues(tmp_path):
    file = tmp_path / "issues.json"
    file.write_text('{"a.py:3": 3, "b.py:1": 1}')
    assert Reward("hot=2", read_hot_spots(file)).of(transition()) == 1.5


def test_a_reward_may_be_a_function():
    reward = Reward("tests.learn.test_ranking:longest", {})
    reward.load()
    assert reward.of(transition()) == 7.0


def longest(flip):
    return len(flip.trace)
