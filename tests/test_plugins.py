"""A front-end, a solver and an objective of another package: found by their entry points, searched unchanged."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from stack_language import read
from toy_front_end import StackFrontEnd
from toy_objective import Endings
from toy_solver import Enumerate

from pessimal.errors import TargetError, UsageError
from pessimal.frontend import make_front_end
from pessimal.objective import EveryPath, Maximise, ReachBranches
from pessimal.registry import FRONT_ENDS, OBJECTIVES, SOLVERS, STRATEGIES
from pessimal.runs import Follow, Request
from pessimal.search.budget import Budget
from pessimal.search.session import SearchSession
from pessimal.search_spec import SearchSpec
from pessimal.target import Reference
from pessimal.testing import ConformanceError, check_objective, check_solver
from pessimal.trace import Outcome, Side

PLUGINS = Path(__file__).parent / "plugins"
TOYS = PLUGINS / "programs" / "toys.stack"
DISHES = {"memory": "list[int:0..9]:N"}


def front_end(program, size, strategy="exhaustive", **options):
    return make_front_end(SearchSpec(Reference.parse(f"{TOYS}:{program}"), size, strategy, **options))


def searched(program, size, strategy, *, paths=5000, given=None, options=None, objective=None):
    """The session after a search, and all that it reported."""
    messages = []
    session = SearchSession(
        front_end(program, size, given=given or {}),
        Budget(seconds=None, paths=paths),
        seed=0,
        run_seconds=60.0,
        send=messages.append,
        objective=objective,
    )
    session.conduct(STRATEGIES.make(strategy, options))
    return session, messages


def test_they_are_found_by_their_names():
    assert FRONT_ENDS.get("stack") is StackFrontEnd
    assert SOLVERS.get("enumerate") is Enumerate
    assert OBJECTIVES.get("endings") is Endings
    assert isinstance(front_end("sort", 3), StackFrontEnd)


@pytest.mark.parametrize(
    ("strategy", "options", "paths"),
    [
        ("exhaustive", {}, 500),
        ("sweep", {}, 500),
        ("climb", {}, 3000),
        ("wise", {"train": "2,3"}, 500),
        ("history", {"train": "2,3"}, 500),
        ("qlearn", {}, 50),
        ("random", {}, 500),
        ("fixed", {}, 1),
        ("auto", {}, 500),
    ],
)
def test_every_strategy_sorts_worst(strategy, options, paths):
    session, _ = searched("sort", 5, strategy, options=options, paths=paths)
    assert session.best.cost == 10


def test_synthesis_writes_the_worst_input_of_a_large_size():
    session, _ = searched("sort", 40, "synthesis")
    assert session.best.cost == 40 * 39 / 2
    assert session.counters.practised > 0


@pytest.mark.parametrize("strategy", ["exhaustive", "sweep"])
def test_all_paths_of_a_sort_are_its_permutations(strategy):
    session, _ = searched("sort", 4, strategy)
    assert session.proof == "tree exhausted"
    assert session.counters.runs == 24


@pytest.mark.parametrize("strategy", ["exhaustive", "sweep"])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_all_paths_through_switches(strategy, size):
    """Each cell has three outcomes that go on and one that ends the program."""
    session, messages = searched("menu", size, strategy, given=DISHES, objective=EveryPath())
    assert session.proof == "tree exhausted"
    assert session.best.cost == 3 * size
    assert session.counters.runs == sum(3**i for i in range(size)) + 3**size
    findings = [message.finding for message in messages if hasattr(message, "finding")]
    assert len({finding.leaves for finding in findings if finding.outcome is Outcome.RAISED}) == sum(
        3**i for i in range(size)
    )


@pytest.mark.parametrize(
    ("strategy", "options", "paths"),
    [
        ("climb", {}, 3000),
        ("wise", {"train": "1,2"}, 500),
        ("history", {"train": "1,2"}, 500),
        ("qlearn", {}, 200),
        ("qlearn", {"paper": True}, 150),
        ("random", {}, 3000),
        ("auto", {}, 1000),
    ],
)
def test_switches_under_every_strategy(strategy, options, paths):
    session, _ = searched("menu", 4, strategy, options=options, paths=paths, given=DISHES)
    assert session.best.cost == 12


def test_synthesis_follows_switches():
    session, _ = searched("menu", 30, "synthesis", given=DISHES)
    assert session.best.cost == 90


def test_a_switch_is_one_branch_with_as_many_outcomes():
    front = front_end("menu", 1, given=DISHES)
    trace = front.run(Request(Follow([2]), probe_other=True), 10.0)
    branch = trace.branch(0)
    assert (branch.arity, branch.taken, branch.other) == (4, 2, Side.FEASIBLE)
    assert trace.untaken(0) == [0, 1, 3]
    assert branch.distances[2] == 0 and all(branch.distances[i] > 0 for i in (0, 1, 3))
    assert [trace.side(1, outcome) for outcome in (0, 1)] == [Side.INFEASIBLE, Side.FEASIBLE]
    assert trace.count(Side.FEASIBLE) == 3 and trace.count(Side.INFEASIBLE) == len(trace) - 1
    assert all(holds for _, holds in trace.path_condition)


def test_an_outcome_that_no_input_has_is_infeasible():
    front = front_end("menu", 1, given={"memory": "list[int:0..2]:N"})
    trace = front.run(Request(Follow([3]), probe_other=True, stop_when_infeasible=True), 10.0)
    assert (trace.outcome, trace.wanted) == (Outcome.INFEASIBLE, 3)
    trace = front.run(Request(probe_other=True), 10.0)
    assert trace.untaken(0, Side.INFEASIBLE) == [3]


def test_a_policy_sees_the_open_outcomes():
    seen = []

    class Looking:
        def choose(self, run):
            seen.append((run.arity, run.open_outcomes(), run.position))

        pick = choose

    front = front_end("menu", 1, given={"memory": "list[int:1..2]:N"})
    front.run(Request(Looking()), 10.0)
    assert seen[0] == (4, [1, 2], 0)


def test_another_objective_is_reached():
    session, messages = searched("menu", 3, "sweep", given=DISHES, objective=Endings(stop_at=2))
    kept = [message.finding for message in messages if type(message).__name__ == "PathFound"]
    assert [finding.outcome for finding in kept] == [Outcome.RETURNED, Outcome.RAISED]
    assert session.counters.runs < 40


def test_every_outcome_of_every_branch_is_an_objective():
    session, messages = searched("menu", 2, "sweep", given=DISHES, objective=ReachBranches())
    kept = [message.finding for message in messages if type(message).__name__ == "PathFound"]
    assert session.counters.runs == 13
    assert 4 <= len(kept) < 13


def test_concrete_runs_can_be_observed():
    session, _ = searched("sort", 4, "fixed")
    trace = session.observe([4, 3, 2, 1])
    assert list(trace.decisions) == [1] * 6
    assert {site.function for site in trace.sites} == {"sort"}


def test_the_toy_solver_keeps_the_contract():
    check_solver(Enumerate)


@pytest.mark.parametrize("make", [Maximise, EveryPath, ReachBranches, Endings])
def test_objectives_keep_the_contract(make):
    check_objective(make)


class Forgetful(Endings):
    def restore(self, state):
        pass


class Uncertain(Endings):
    def judge(self, trace, cost):
        return super().judge(trace, cost)._replace(value=float("nan"))


class Elated(Maximise):
    def judge(self, trace, cost):
        return super().judge(trace, cost)._replace(is_best=True)


@pytest.mark.parametrize(
    ("make", "broken"),
    [(Forgetful, "restore"), (Uncertain, "nan"), (Elated, "second time"), (object, "name")],
)
def test_objectives_that_break_the_contract(make, broken):
    with pytest.raises(ConformanceError, match=broken):
        check_objective(make)


def pessimal(*arguments):
    """The command line in a process that finds the plug-ins, and so do its workers."""
    environment = {**os.environ, "PYTHONPATH": str(PLUGINS)}
    return subprocess.run(
        [Path(sys.executable).with_name("pessimal"), *map(str, arguments)],
        capture_output=True,
        text=True,
        env=environment,
    )


def test_the_command_line_searches_the_toy_language(tmp_path):
    certificate = tmp_path / "certificate"
    target = ("--size", "2", "--input", f"memory={DISHES['memory']}", "--quiet")
    given = ("--strategy", "exhaustive", "--solver", "enumerate", "--certificate", certificate, "--json")
    found = pessimal("stress", f"{TOYS}:menu", *target, *given)
    assert found.returncode == 0, found.stderr
    result = json.loads(found.stdout)
    assert (result["cost"]["value"], result["proof"], result["call"]) == (6, "tree exhausted", "menu 2 2")
    assert (result["replayed"], result["difference"]) == (True, None)
    checked = pessimal("check", f"{TOYS}:menu", certificate, *target)
    assert checked.returncode == 0, checked.stderr + checked.stdout
    assert "proved: 6 is the maximum" in checked.stdout


def test_the_command_line_explores_by_another_objective():
    given = ("--size", "2", "--input", f"memory={DISHES['memory']}", "--objective", "endings", "--quiet")
    result = json.loads(pessimal("explore", f"{TOYS}:menu", *given, "--json").stdout)
    assert [path["outcome"] for path in result["paths"]] == ["returned", "raised"]
    assert (result["objective"], result["explored"]) == ("endings", 13 + 12)  # paths, and infeasible outcomes
    text = pessimal("explore", f"{TOYS}:menu", *given).stdout
    assert "  2 paths kept for endings, of all there are: the tree is exhausted\n" in text


def test_names_that_are_unknown():
    with pytest.raises(
        UsageError,
        match=r"unknown solver 'z4': known are alternating, .*enumerate, .*, z3",
    ):
        SOLVERS.checked("z4")
    with pytest.raises(TargetError, match="no program 'missing'"):
        read(str(TOYS), "missing")
