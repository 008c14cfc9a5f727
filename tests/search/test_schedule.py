"""The turns of a portfolio: shares of the work, late beginners, gains, and no starving."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.search.schedule import Schedule


def worked(schedule, turns, steps=lambda name: 1.0):
    """Let members take turns; each uses its turn, times a factor of its own."""
    order = []
    for _ in range(turns):
        name = schedule.next()
        if name is None:
            break
        order.append(name)
        schedule.charge(name, schedule.turn(name) * steps(name))
    return order


def test_members_begin_in_their_order():
    assert worked(Schedule({"a": 1, "b": 4, "c": 2}, {}, {}), 3) == ["a", "b", "c"]


@given(st.dictionaries(st.sampled_from("abcde"), st.sampled_from([1.0, 2.0, 8.0]), min_size=2))
def test_work_is_shared_by_weight_whatever_single_steps_take(shares):
    schedule = Schedule(shares, {}, {})
    worked(schedule, 400, lambda name: 7.0 if name == "a" else 1.0)
    parts = {name: schedule.work[name] / schedule.total * sum(shares.values()) / shares[name] for name in shares}
    assert min(parts.values()) > 0.6, parts  # up to the last, unfinished round
    assert max(parts.values()) < 1.6, parts


def test_a_late_beginner_waits_and_does_not_catch_up():
    schedule = Schedule({"a": 1.0, "late": 1.0}, {"late": 1_000_000.0}, {})
    order = worked(schedule, 60)
    first = order.index("late")
    assert "late" not in order[:first] and first > 5
    assert order[first + 1] == "a"


def test_who_is_alone_begins_at_once():
    schedule = Schedule({"a": 1.0, "late": 1.0}, {"late": 1e9}, {})
    schedule.end("a")
    assert schedule.next() == "late"
    schedule.end("late")
    assert schedule.next() is None


@pytest.mark.parametrize(("name", "least"), [("steady", 1.0), ("fading", 1 / 8)])
def test_gains_rise_while_a_member_improves_the_result_and_fall_while_not(name, least):
    schedule = Schedule({"steady": 1.0, "fading": 1.0}, {}, {"steady": 1.0})
    for _ in range(9):
        schedule.reward(name, improvement=1.0)
    assert schedule.is_improving(name)
    risen = schedule.turn(name)
    for _ in range(9):
        schedule.reward(name, improvement=0.0)
    assert not schedule.is_improving(name)
    assert schedule.to_json()["gains"][name] == least
    assert risen == 4 * schedule.turn(name)
    schedule.reward(name, improvement=1.0)
    assert schedule.is_improving(name) is (least == 1.0)


def test_the_weight_of_a_slow_member_does_not_rise_while_another_is_much_faster():
    schedule = Schedule({"leaps": 1.0, "creeps": 1.0}, {}, {"creeps": 0.5})

    def turn(name, improvement):
        schedule.next()
        schedule.charge(name, 1000.0)
        schedule.reward(name, improvement)
        return schedule.to_json()["gains"][name]

    assert [turn("leaps", 100.0), turn("creeps", 1.0), turn("creeps", 1.0)] == [2.0, 1.0, 1.0]
    assert turn("creeps", 90.0) == 2.0
    for _ in range(30):  # which is forgotten
        turn("leaps", 0.0)
    assert turn("creeps", 1.0) == 4.0


def test_a_resumed_schedule_goes_on_as_it_would_have():
    def make():
        return Schedule({"a": 1.0, "b": 3.0, "c": 2.0}, {"c": 300_000.0}, {"a": 1.0})

    whole, first, second = make(), make(), make()
    order = worked(whole, 40)
    begun = worked(first, 13)
    second.restore(json.loads(json.dumps(first.to_json())))
    assert begun + worked(second, 27) == order
    assert second.to_json() == whole.to_json()


def test_what_is_left_of_a_weight_can_change_while_the_search_goes_on():
    schedule = Schedule({"climb": 1.0}, {}, {"climb": 0.25})
    for _ in range(9):
        schedule.reward("climb", improvement=0.0)
    assert schedule.to_json()["gains"]["climb"] == 0.25
    schedule.least = {"climb": 1.0}
    schedule.reward("climb", improvement=0.0)
    assert schedule.to_json()["gains"]["climb"] == 1.0
