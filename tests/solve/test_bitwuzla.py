"""Bitwuzla on doubles, words and SMT-LIB files, where the extra is installed; without it nothing changes."""

import pytest

import pessimal as package
from pessimal.conditions import Variable, read_python
from pessimal.solve import Query
from pessimal.solve.bitwuzla import BitwuzlaSolver
from pessimal.solve.conformance import check_solver
from pessimal.solve.extras import has_bitwuzla
from pessimal.solve.kinds import features_of, kind_of
from pessimal.solve.learning.portfolio import LearningPortfolio

PATIENCE = 300_000
needs_bitwuzla = pytest.mark.skipif(not has_bitwuzla(), reason="the extra bitwuzla is not installed")


@needs_bitwuzla
@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("x * 3 == 1.0 and y * x > 2", "sat"),
        ("x * y == 0 and x != 0 and y != 0", "sat"),
        ("x * x == 2.0", "unsat"),
        ("x - y == 1e-9 and x + y == 3", "unsat"),
        ("sin(x) > 0.5", "unknown"),
    ],
)
def test_doubles_are_settled(text, status):
    condition = read_python(text, [Variable("x", "float"), Variable("y", "float")])
    query = Query([], (condition.expression, True), condition.domains, [0.0, 0.0])
    answer = BitwuzlaSolver(longest=PATIENCE).solve(query)
    assert answer.status == status
    assert status != "sat" or query.satisfied_by(answer.values)


@needs_bitwuzla
@pytest.mark.parametrize(
    ("text", "domain", "status"),
    [
        ("uint32((n ^ (n >> 5)) * 2654435761) == 0xDEADBEEF", (0, (1 << 32) - 1), "sat"),
        ("uint64(n * 6364136223846793005 + 1442695040888963407) >> 33 == 12345", (0, (1 << 64) - 1), "sat"),
        ("int32(n * n) == 17 and n > 0", (0, (1 << 31) - 1), "sat"),
        ("int32(n * n) == 3", (0, (1 << 31) - 1), "unsat"),
        ("uint32(n * n + 3 * n) == 1", (0, (1 << 32) - 1), "unsat"),
        ("(n & 12) == 3", (None, None), "unknown"),
        ("(n & 12) == 3", (0, 1000), "unsat"),
        ("n * n == 49", (0, 1000), "unknown"),
    ],
)
def test_words_are_settled(text, domain, status):
    condition = read_python(text, [Variable("n", "int", *domain)])
    query = Query([], (condition.expression, True), condition.domains, [0])
    answer = BitwuzlaSolver(readings=("words",), longest=PATIENCE).solve(query)
    assert answer.status == status
    assert status != "sat" or query.satisfied_by(answer.values)


@needs_bitwuzla
@pytest.mark.parametrize(
    ("commands", "status"),
    [
        ("(declare-const |a b| (_ BitVec 32))(assert (= (bvmul |a b| |a b|) #x00000011))", "sat"),
        ("(declare-const x Float64)(assert (fp.eq (fp.mul RNE x x) ((_ to_fp 11 53) RNE 4.0)))", "sat"),
        ("(declare-const x Float64)(assert (fp.eq (fp.mul RNE x x) ((_ to_fp 11 53) RNE 2.0)))", "unsat"),
        (
            "(declare-const p Bool)(declare-const x (_ BitVec 4))(assert (and p (= x #xA)))(push)(assert (not p))(pop)",
            "sat",
        ),
    ],
)
def test_files_go_to_bitwuzla_first(write, commands, status):
    result = package.solve(write(commands, "question.smt2"), budget="60s")
    assert (result.status, result.solver) == (status, "bitwuzla")


def test_without_the_extra_the_members_are_the_same(monkeypatch):
    monkeypatch.setattr("pessimal.solve.learning.portfolio.has_bitwuzla", lambda: False)
    condition = read_python("(n ^ 5) == 3", [Variable("n", "int")])
    query = Query([], (condition.expression, True), condition.domains, [0])
    features = features_of([query.extra])
    assert LearningPortfolio().members(features, kind_of(features), query) == ["intervals", "z3", "sampling"]


@needs_bitwuzla
def test_it_keeps_the_contract_of_solvers():
    check_solver(BitwuzlaSolver)
