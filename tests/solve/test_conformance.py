"""The conformance check of solvers: ours pass, and each way to break the contract is told by name."""

from importlib.metadata import EntryPoint, EntryPoints

import pytest

from pessimal import registry
from pessimal.conformance import ConformanceError
from pessimal.registry import SOLVERS
from pessimal.solve import PathSolver, Portfolio, Query, Status, satisfies
from pessimal.solve.base import admits
from pessimal.solve.conformance import check_solver
from pessimal.solve.known_queries import CASES
from pessimal.solve.z3 import Z3Solver
from pessimal.trace import Side
from tests.solve import toys

EFFORT = 50_000
IDS = [f"{case.name}-{number}" for number, case in enumerate(CASES)]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Z3Solver(EFFORT),
        toys.BruteForce,
        toys.Ignorant,
        lambda: Portfolio([toys.BruteForce()]),
        lambda: Portfolio([toys.Ignorant(), toys.BruteForce(), Z3Solver(EFFORT)]),
    ],
    ids=["z3", "brute force", "ignorant", "portfolio of one", "portfolio of three"],
)
def test_solvers_that_keep_the_contract(make):
    check_solver(make)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (toys.Pessimist, r"orders: .* is said to be unsat, but it is sat"),
        (toys.Optimist, r"orders: .* is said to be sat, but not by \{\}"),
        (toys.Boaster, r"orders: .* is said to be sat, but not by \{3: 0\}"),
        (toys.Flaky, "the same query and seed must give the same answer"),
        (toys.Clinging, "is sat for a fresh solver, but unsat for one that was asked before"),
        (toys.Meddling, r"solve\(\) must not change the query"),
        (toys.Bare, r"solve\(\) must return an Answer, not <Status"),
        (toys.Shouting, "the name must be a lower-case word"),
        (toys.Nameless, r"a solver needs a name and solve\(query\)"),
    ],
)
def test_solvers_that_break_the_contract(make, message):
    with pytest.raises(ConformanceError, match=message):
        check_solver(make)


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_the_models_of_the_known_queries_satisfy_their_paths(case):
    assert satisfies(case.model, case.path)
    assert all(admits(domain, value, value) for domain, value in zip(case.domains, case.model, strict=True))


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_the_known_queries_are_known(case):
    """Whoever tries all inputs agrees with the table."""
    answer = toys.BruteForce().solve(Query(list(case.path), case.extra, case.domains, case.model))
    assert answer.status in (Status.UNKNOWN, Status.SAT if case.is_satisfiable else Status.UNSAT)


def test_brute_force_settles_many_of_the_known_queries_and_z3_most():
    for make, least in ((toys.BruteForce, 25), (lambda: Z3Solver(EFFORT), 40)):
        answers = [make().solve(Query(list(case.path), case.extra, case.domains, case.model)) for case in CASES]
        assert sum(answer.status is not Status.UNKNOWN for answer in answers) >= least


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_the_path_solver_settles_the_known_queries_as_they_are(case):
    """With a back-end that never knows: what the layers settle alone is right, too."""
    for make in (toys.Ignorant, lambda: Z3Solver(EFFORT)):
        solver = PathSolver(case.model, case.domains, make)
        assert all(solver.decide(condition, want) & 1 == want for condition, want in case.path)
        side = solver.feasible(*case.extra)
        assert side in (Side.UNKNOWN, Side.FEASIBLE if case.is_satisfiable else Side.INFEASIBLE)
        assert solver.leaves == list(case.model)


def test_a_plug_in_is_checked_by_its_name(monkeypatch):
    points = [EntryPoint("brute-force", "tests.solve.toys:BruteForce", "pessimal.solvers")]
    monkeypatch.setattr(registry, "entry_points", lambda: EntryPoints(points))
    check_solver(SOLVERS.get("brute-force"))
