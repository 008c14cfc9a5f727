"""The River-RL bench: starts made by a seed, queries to a goal, and rows from outcomes that were kept."""

from __future__ import annotations

from argparse import Namespace

import pytest

from bench import river
from bench.river_subjects import CANDIDATES, SIZE, TUNED, Subject

GIVEN = Namespace(methods=["generational", "rule"], seeds=3, paths=50, episodes=2, runs=5)


@pytest.mark.parametrize("package", [*TUNED, *CANDIDATES])
def test_a_seed_makes_the_same_start_each_time(package):
    subject = TUNED.get(package) or Subject(package, ("1", "2"), *CANDIDATES[package])
    starts = [subject.start(seed) for seed in range(20)]
    assert starts == [subject.start(seed) for seed in range(20)]
    assert {len(text) for text in starts} == {SIZE}
    assert len(set(starts)) > 15


def outcome(*timeline):
    effort = {"infeasible": 3, "back_end_calls": 0, "seconds": 1.5, "learning": 0.25}
    return {"timeline": timeline, "flips": 49, **effort}


class Done:
    """A bench in which the searches of two seeds are done by both methods, and that of a third by one."""

    found = {  # noqa: RUF012
        "generational": [
            outcome([1, 10, 0.1], [20, 18, 0.2], [40, 20, 0.3]),
            outcome([4, 10, 0.1]),
            outcome([2, 9, 0.1]),
        ],
        "rule": [outcome([5, 18, 0.1]), outcome([6, 8, 0.2]), None],
    }

    def outcome(self, task):
        return self.found[task["method"]][task["seed"] - river.FIRST_SEED]


def test_methods_are_compared_where_generational_has_reached_most():
    first, second = river.rows("hjson", TUNED["hjson"], GIVEN, Done())
    assert (first["method"], first["seeds"], first["goal"]) == ("generational", 2, 13.5)
    assert (first["queries"], first["from"], first["to"], first["missed"]) == (12, 4, 20, 0)
    assert (second["queries"], second["from"], second["to"], second["missed"]) == (27.5, 5, 50, 1)
    assert second["fewer than generational %"] == "-538 (-1150 to 75)"
    assert second["fewer than rule %"] == "0 (0 to 0)"


def test_a_model_is_trained_once_for_all_methods_that_use_it():
    given = Namespace(methods=list(river.METHODS), seeds=1, paths=50, episodes=2, runs=5)
    tasks = river.trainings(TUNED, given, ("older", "newer"))
    assert len({task["model"] for task in tasks}) == len(tasks)
    plain = [task for task in tasks if not task["options"]]
    assert sorted(task["version"] for task in plain) == ["0.9.3", "0.9.9", "2.0.2", "3.1.0"]
    (adapted, _) = river.trainings(TUNED, given, ("both",))
    assert adapted["base"] in [task["model"] for task in plain]
    assert adapted["episodes"] == river.MORE_EPISODES
