"""Agents: their files hold numbers only and are checked, and Double DQN learns what an action is worth."""

import json
from dataclasses import replace

import numpy as np
import pytest

from pessimal.errors import UsageError
from pessimal.json_values import sealed
from pessimal.learn.agent_file import Agent, load, shipped
from pessimal.learn.agent_rules import MOVES, QTIP
from pessimal.learn.layers import new_layers, outputs
from pessimal.learn.replay import Replay, Transitions


def agent(sizes=(4, 3, 2), kind="moves"):
    return Agent(kind, list(sizes), new_layers(sizes, np.random.default_rng(0)), ["a.c:f"], 7, 1)


def test_a_file_gives_the_same_network(tmp_path):
    file = tmp_path / "agent.json"
    file.write_text(agent().packed())
    found = load(file)
    assert (found.kind, found.sizes, found.targets, found.episodes) == ("moves", [4, 3, 2], ["a.c:f"], 7)
    seen = np.random.default_rng(1).random((5, 4), np.float32)
    assert np.allclose(outputs(found.weights, seen), outputs(agent().weights, seen), atol=1e-5)


def test_the_shipped_agent_is_small_and_of_our_kind():
    assert shipped().kind == "moves"
    assert len(shipped().packed()) < 200_000


def test_the_network_of_the_paper_has_its_number_of_parameters():
    weights = new_layers([600, *QTIP.hidden, 4], np.random.default_rng(0))
    assert sum(array.size for array in weights.values()) == 10_228


def test_many_inputs_give_what_each_gives_alone():
    weights = new_layers([30, 300, 5], np.random.default_rng(0))
    seen = np.random.default_rng(1).random((3, 7, 30), np.float32)  # more than one product of matrices may have
    alone = [[outputs(weights, row) for row in rows] for rows in seen]
    assert np.allclose(outputs(weights, seen), alone, atol=1e-5)
    assert outputs(weights, seen[:0]).shape == (0, 7, 5)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda data: data | {"format": "other"}, "is not an agent"),
        (lambda data: data | {"version": 99}, "newer version"),
        (lambda data: data | {"kind": "other"}, "are not known"),
        (lambda data: data | {"sizes": [4, 3]}, "layers of sizes"),
        (lambda data: data | {"sizes": [10**9, 3, 2]}, "cannot be built"),
        (lambda data: data | {"weights": {}}, "layers of sizes"),
        (lambda data: data | {"sizes": [4, 4, 2]}, "shape"),
        (lambda data: {key: value for key, value in data.items() if key != "targets"}, "is not an agent"),
        (lambda data: [data], "is not an agent"),
    ],
)
def test_a_file_that_is_no_agent_is_refused_in_one_line(tmp_path, change, says):
    data = json.loads(agent().packed())
    del data["checksum"]
    changed = change(data)
    file = tmp_path / "agent.json"
    file.write_text(sealed(changed) if isinstance(changed, dict) else json.dumps(changed))
    with pytest.raises(UsageError, match=says) as caught:
        load(file)
    assert "\n" not in str(caught.value)


def test_damage_is_noticed(tmp_path):
    file = tmp_path / "agent.json"
    text = agent().packed()
    for damaged in (text[:-30], text.replace('"episodes": 7', '"episodes": 8'), "", "\0"):
        file.write_text(damaged)
        with pytest.raises(UsageError, match="is damaged"):
            load(file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="is not text"):
        load(file)
    with pytest.raises(UsageError, match="cannot be read"):
        load(tmp_path / "missing.json")
    file.write_text(agent(kind="qtip").packed())
    with pytest.raises(UsageError, match="kind qtip, but moves is needed"):
        load(file, ("moves",))


def test_replay_keeps_the_newest():
    replay = Replay(4, (1,), 2)
    for number in range(6):
        column = np.full(1, number)
        replay.add(Transitions(column[:, None], column % 2, column, column[:, None], column * 0, np.ones((1, 2), bool)))
    assert len(replay) == 4
    rewards = replay.batches(1, 200, np.random.default_rng(0))[2]
    assert set(rewards.ravel().tolist()) == {2.0, 3.0, 4.0, 5.0}


def test_double_dqn_learns_the_worth_of_actions():
    """Two states in a row: action 1 of the first gives 0 and leads to the second, whose action 0 gives 1."""
    pytest.importorskip("jax")
    from pessimal.learn.double_dqn import DoubleDqn

    first, second, end = np.eye(3, dtype=np.float32)
    possible = np.array([[True, True], [True, False], [True, True]])
    rows = [(first, 0, 0.2, end, 0.0, 2), (first, 1, 0.0, second, 1.0, 1), (second, 0, 1.0, end, 0.0, 2)]
    replay = Replay(16, (3,), 2)
    for seen, action, reward, after, continues, at in rows:
        one = [np.array([value]) for value in (seen, action, reward, after, continues, possible[at])]
        replay.add(Transitions(*one))
    rules = replace(MOVES, rate=0.01, discount=0.5, tau=0.05, decay=0.0)
    rng = np.random.default_rng(0)
    network = DoubleDqn(new_layers([3, 16, 2], rng), rules)
    for _ in range(20):
        network.learn(replay.batches(40, 16, rng))
    values = outputs(network.weights, np.stack([first, second]))
    assert values[0].tolist() == pytest.approx([0.2, 0.5], abs=0.05)
    assert values[1, 0] == pytest.approx(1.0, abs=0.05)
