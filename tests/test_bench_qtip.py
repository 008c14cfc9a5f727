"""The methods of bench-qtip: the same starts, the same budgets, and what they count."""

import numpy as np
import pytest

from bench import qtip, qtip_published
from pessimal.c.frontend import CFrontEnd
from pessimal.covering.c_goals import CGoals
from pessimal.learn.agent_file import Agent, shipped
from pessimal.learn.layers import new_layers
from pessimal.search.agent.arena import starts
from pessimal.search.agent.columns import Columns
from pessimal.target import Reference
from pessimal.target_spec import TargetSpec

BUDGET = 300


@pytest.fixture
def training():
    given = dict.fromkeys("ab", "int:-128..128")
    arena = CGoals(CFrontEnd(TargetSpec(Reference.parse(f"{qtip.SUBJECTS}:training"), 4, given=given)))
    goals = np.repeat(np.array(arena.goals), 2)
    yield arena, goals, starts(arena, Columns(arena.domains), goals, np.random.default_rng(0)), BUDGET, 0
    arena.close()


def test_the_functions_have_the_branches_of_the_paper():
    for function, branches in {"training": 10, "gcd": 8, "exponentiation": 10, "remainder_of": 26}.items():
        arena = CGoals(CFrontEnd(TargetSpec(Reference.parse(f"{qtip.SUBJECTS}:{function}"), 4)))
        assert len(arena.goals) == branches
        arena.close()


def test_methods_count_evaluations_from_the_same_starts(training):
    random = np.random.default_rng(0)
    untrained = Agent("qtip", [600, 16, 4], new_layers([600, 16, 4], random))
    outcomes = {
        "ours": qtip.walk_moves(shipped(), *training),
        "qtip": qtip.walk_qtip(untrained, *training),
        "random": qtip.random_inputs(*training),
        "avm": qtip.alternating(*training),
    }
    for found in outcomes.values():
        assert len(found) == 20
        assert all(1 <= used <= BUDGET + 1 for _, used in found)
        assert all(used == BUDGET + 1 for is_taken, used in found if not is_taken)
    assert all(is_taken for name in ("ours", "avm") for is_taken, _ in outcomes[name])
    means = {name: np.mean([used for _, used in found]) for name, found in outcomes.items()}
    assert means["ours"] < means["avm"] < means["random"]


def test_the_published_agent_is_trained_goes_on_and_covers(tmp_path, monkeypatch):
    monkeypatch.setattr(qtip_published, "RESULTS", tmp_path)
    given = {"rate": 1e-5, "seed": 1, "seconds": 9, "runs": 1, "ranges": [128]}
    for episodes in (1, 2):
        rows = qtip_published.published(type("Options", (), {**given, "episodes": episodes}))
        assert [row["function"] for row in rows] == list(qtip.FUNCTIONS)
        assert all(row["episodes"] == episodes and 0 < row["frozen %"] <= 100 for row in rows)


def test_a_row_has_all_columns():
    options = type("Options", (), {"runs": 1, "seed": 0})
    agent = Agent("qtip", [600, 16, 4], new_layers([600, 16, 4], np.random.default_rng(0)))
    row = qtip._row("gcd", 128, shipped(), agent, options)
    assert row["paper qtip"] == 77.5 and row["ours %"] == row["avm %"] == 100
    assert [item["function"] for item in qtip._totals([row])] == ["all"]
