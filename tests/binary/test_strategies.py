"""Every strategy on one binary, models, and several processes."""

import pytest

pytest.importorskip("unicorn")

from pessimal.objective import Maximise
from tests.binary.building import library
from tests.binary.searching import front_end, searched

SYSTEMATIC = ("exhaustive", "sweep", "generational", "ranked", "qlearn", "wise", "history", "auto")
"""These run all sixteen paths of the example, of which the most expensive is the abort."""
BY_CHANCE = ("climb", "fuzz", "random", "synthesis", "fixed", "avm", "dynamosa", "agent", "anneal")


@pytest.fixture(scope="module")
def sage():
    return front_end(f"{library('sage', '-O0')}:parse", cost="instructions")


@pytest.mark.parametrize("strategy", SYSTEMATIC)
def test_strategies_that_find_the_abort(sage, strategy):
    if strategy in ("qlearn", "ranked"):
        pytest.importorskip("jax")
    session, _ = searched(sage, strategy, paths=40, objective=Maximise())
    assert session.best.exception.startswith("SIGABRT: ") and bytes(session.best.leaves) == b"bad!"
    assert session.best.cost == sage.evaluate(b"bad!", 60).costs["instructions"]


@pytest.mark.parametrize("strategy", BY_CHANCE)
def test_strategies_that_need_luck(sage, strategy):
    session, _ = searched(sage, strategy, paths=12, objective=Maximise())
    assert session.best.cost >= sage.evaluate(bytes(4), 60).costs["instructions"] and session.counters.failed == 0


@pytest.mark.parametrize("cost", ["blocks", "branches", "address:top"])
def test_costs(sage, cost):
    counted = front_end(f"{library('sage', '-O0')}:parse", cost=cost)
    session, _ = searched(counted, "exhaustive", objective=Maximise())
    assert session.proof == "tree exhausted"
    exact = {"branches": 4, "address:top": 1}.get(cost)
    assert (
        session.best.cost == exact
        if exact
        else 10 < session.best.cost < sage.evaluate(b"bad!", 60).costs["instructions"]
    )


def test_a_model_is_trained_used_and_saved(pessimal, tmp_path):
    pytest.importorskip("jax")
    model, target = tmp_path / "model.json", f"{library('sage', '-O0')}:parse"
    call = ("--input", "data=bytes:N", "--call", "parse(data, len)", "--size", "4", "--quiet")
    done = pessimal("train", target, *call, "--model", str(model), "--episodes", "3")
    assert done.code == 0 and "3 episodes" in done.out
    learned = model.read_bytes()
    used = ("--model", str(model), "--runs", "60", "--json")
    result = pessimal("cover", target, *call, *used, "--save-model").json
    assert (result["strategy"], result["functions"]["top"]) == ("ranked", result["totals"]["top"])
    assert [failure["exception"] for failure in result["failures"]] == ["SIGABRT"]
    assert model.read_bytes() != learned
    assert "only apply to --strategy auto or ranked" in pessimal("cover", target, *used, "--strategy", "climb").err
    assert "ranked searches in one process" in pessimal("cover", target, *used, "--workers", "2").err


def test_several_processes_cover_what_one_does(pessimal):
    target = f"{library('sage', '-O0')}:parse"
    result = pessimal("cover", target, "--size", "4", "--workers", "2", "--budget", "300s", "--json", "--quiet").json
    assert result["functions"]["top"] == result["totals"]["top"]
    (failure,) = result["failures"]
    assert failure["exception"] == "SIGABRT" and "(top)" in failure["place"]
    assert result["stopped"] == "nothing left to try"
