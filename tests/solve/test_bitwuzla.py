"""Bitwuzla on doubles, where the extra is installed."""

import pytest

from pessimal.conditions import Variable, read_python
from pessimal.solve import Query
from pessimal.solve.bitwuzla import BitwuzlaSolver
from pessimal.solve.conformance import check_solver

pytest.importorskip("bitwuzla")


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
    answer = BitwuzlaSolver().solve(query)
    assert answer.status == status
    assert status != "sat" or query.satisfied_by(answer.values)


def test_it_keeps_the_contract_of_solvers():
    check_solver(BitwuzlaSolver)
