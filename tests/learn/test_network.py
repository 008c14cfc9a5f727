"""The Q-network: what it computes, how it learns, and that padding has no effect."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from pessimal.learn.forward import forward
from pessimal.learn.network import QNetwork
from tests.profiles import examples

STEPS, FEATURES, HIDDEN = 3, 3, 2
NUMBERS = st.integers(0, 2**32 - 1)


def network(seed=0, *, zero_output=False):
    return QNetwork(STEPS, FEATURES, HIDDEN, np.random.default_rng(seed), zero_output=zero_output)


def experiences(seed, capacity, count=None):
    """Random experiences; rows beyond the count are garbage that must have no effect."""
    rng = np.random.default_rng(seed)
    rows = capacity if count is None else count
    columns = (
        rng.normal(size=(rows, STEPS, FEATURES)).astype(np.float32),
        rng.integers(0, 2, rows).astype(np.int32),
        rng.normal(size=rows).astype(np.float32),
        rng.normal(size=(rows, STEPS, FEATURES)).astype(np.float32),
        rng.integers(0, 2, rows).astype(np.float32),
    )
    garbage = np.random.default_rng(seed + 1)

    def padded(column):
        full = garbage.normal(size=(capacity, *column.shape[1:])).astype(column.dtype) * 100
        full[:rows] = column
        return full

    return tuple(padded(column) for column in columns)


def learned(net, memory, count, *, seed=0, size=4, rate=0.01):
    loss = net.learn(memory, count, rng=np.random.default_rng(seed), size=size, rate=rate)
    return loss, {name: np.array(array) for name, array in net.weights.items()}


@examples(30)
@given(NUMBERS, st.floats(0.01, 30), st.integers(1, 5))
def test_numpy_and_compiled_values_agree(seed, scale, count):
    net = network(seed)
    states = (np.random.default_rng(seed).normal(size=(count, STEPS, FEATURES)) * scale).astype(np.float32)
    for state, values in zip(states, net.values(states), strict=True):
        assert_allclose(forward(net.weights, state), values, rtol=1e-4, atol=1e-5)


def test_an_lstm_by_hand():
    """One branch, one feature, one hidden unit, in plain arithmetic."""
    net = QNetwork(1, 1, 1, np.random.default_rng(0), zero_output=False)
    weights = {name: array.astype(float) for name, array in net.weights.items()}
    x = 0.7
    enter, _, leave, content = weights["input"][0] * x
    output = np.tanh(np.tanh(content) / (1 + np.exp(-enter))) / (1 + np.exp(-leave))
    assert_allclose(net.values(np.array([[[x]]], np.float32)), [output * weights["output"][0]], rtol=1e-5)


def test_with_zero_output_all_values_are_zero():
    states = np.random.default_rng(1).normal(size=(9, STEPS, FEATURES)).astype(np.float32)
    assert_array_equal(network(zero_output=True).values(states), np.zeros((9, 2)))
    assert network().values(states).any()


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 130])
def test_values_do_not_depend_on_the_batch_size(count):
    net = network()
    states = np.random.default_rng(2).normal(size=(130, STEPS, FEATURES)).astype(np.float32)
    values = net.values(states[:count])
    assert values.shape == (count, 2)
    assert_allclose(values, net.values(states)[:count], rtol=1e-5, atol=1e-6)


def test_no_states_have_no_values():
    assert network().values(np.zeros((0, STEPS, FEATURES), np.float32)).shape == (0, 2)


def loss_of(weights, memory, targets):
    predicted = [forward(weights, state)[action] for state, action in zip(memory[0], memory[1], strict=True)]
    return np.mean((np.array(predicted) - targets) ** 2)


def slopes(weights, memory, targets):
    """The slope of the loss in each weight by finite differences, with the targets held constant."""
    found = {name: np.zeros_like(array) for name, array in weights.items()}
    for name, array in weights.items():
        for index in np.ndindex(array.shape):
            kept = array[index]
            for step in (1e-5, -1e-5):
                array[index] = kept + step
                found[name][index] += loss_of(weights, memory, targets) / (2 * step)
            array[index] = kept
    return found


def test_one_step_follows_the_slope_that_finite_differences_give():
    """Adam keeps a tenth of the first slope as its momentum, and makes a step of the rate in its direction."""
    net, memory, rate = network(3), experiences(3, 4), 0.01
    memory[4][:2] = 1
    weights = {name: array.astype(float) for name, array in net.weights.items()}
    next_states = np.array([forward(weights, state).max() for state in memory[3]])
    targets = memory[2] + memory[4] * next_states
    loss, after = learned(net, memory, 4, rate=rate)
    assert loss == pytest.approx(loss_of(weights, memory, targets), rel=1e-4)
    momentum = net.to_json()["optimizer_state"][1 : 1 + len(weights)]
    found = slopes(weights, memory, targets)
    for name, kept in zip(sorted(weights), momentum, strict=True):
        slope = found[name]
        assert_allclose(np.reshape(kept["values"], kept["shape"]), 0.1 * slope, atol=1e-4)
        is_clear = abs(slope) > 1e-4
        assert_allclose(after[name][is_clear], (weights[name] - rate * np.sign(slope))[is_clear], atol=1e-4)


def test_the_end_of_a_path_has_no_future():
    """Without a next state the value of an action approaches the reward alone."""
    net = network(4)
    states = np.zeros((1, STEPS, FEATURES), np.float32)
    states[0, -1] = (1, 1, -1)
    memory = (states, np.ones(1, np.int32), np.full(1, -2, np.float32), 50 * states, np.zeros(1, np.float32))
    for _ in range(600):
        learned(net, memory, 1, rate=0.02)
    assert net.values(states)[0, 1] == pytest.approx(-2, abs=0.02)


def test_values_are_the_rewards_to_come():
    """Two branches in a row: the value of each is its reward plus the value of what follows."""
    net = network(5)
    states = np.zeros((3, STEPS, FEATURES), np.float32)
    states[:, -1, 0], states[2, -1, 0], states[:, -1, 2] = 1, 2, -1
    next_states = np.zeros_like(states)
    next_states[0] = states[2]  # true goes on to the second branch, false ends
    memory = (
        states,
        np.array([1, 0, 1], np.int32),
        np.array([1, 1, 1], np.float32),
        next_states,
        np.array([1, 0, 0], np.float32),
    )
    first = learned(net, memory, 3)[0]
    for seed in range(1500):
        last = learned(net, memory, 3, seed=seed)[0]
    assert last < first / 100
    assert net.values(states)[0] == pytest.approx([1, 2], abs=0.1)


@pytest.mark.parametrize("count", [1, 3, 4, 5, 8, 11])
def test_nothing_beyond_the_count_is_learned_from(count):
    """In batches of four: less than one, exactly one, and some."""
    large, cut = network(6), network(6)
    padded = learned(large, experiences(6, 12, count), count)
    alone = learned(cut, tuple(column[:count] for column in experiences(6, 12, count)), count)
    assert padded[0] == pytest.approx(alone[0], rel=1e-5)
    for name, array in alone[1].items():
        assert_allclose(padded[1][name], array, atol=1e-6)


def test_a_batch_that_is_not_full_learns_from_what_is_there():
    full, room = network(6), network(6)
    memory = experiences(6, 12, 3)
    assert learned(full, memory, 3, size=3)[0] == pytest.approx(learned(room, memory, 3, size=8)[0], rel=1e-5)
    for name, array in full.weights.items():
        assert_allclose(room.weights[name], array, atol=1e-6)


def test_nothing_to_learn_changes_nothing():
    net = network(7)
    before = dict(net.weights)
    assert learned(net, experiences(7, 12), 0)[0] == 0
    for name, array in before.items():
        assert_array_equal(net.weights[name], array)


def test_training_continues_identically_after_json():
    memory = experiences(8, 12)
    net, other = network(8), network(9)
    learned(net, memory, 12)
    other.restore(json.loads(json.dumps(net.to_json())))
    for seed in (1, 2):
        assert learned(net, memory, 12, seed=seed)[0] == learned(other, memory, 12, seed=seed)[0]
    for name, array in net.weights.items():
        assert_array_equal(other.weights[name], array)
    assert_array_equal(net.values(memory[0]), other.values(memory[0]))


def test_the_same_seed_gives_the_same_network():
    for name, array in network(10).weights.items():
        assert_array_equal(array, network(10).weights[name])


def test_another_shape_is_refused():
    with pytest.raises(ValueError, match="an array of shape"):
        QNetwork(STEPS, FEATURES, 3, np.random.default_rng(0), zero_output=True).restore(network().to_json())
    data = network().to_json()
    data["optimizer_state"].pop()
    with pytest.raises(ValueError, match="argument 2 is"):
        network().restore(data)
