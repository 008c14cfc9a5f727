"""The portfolio as a whole: what its members leave to each other."""

from random import Random

from pessimal.conditions import Variable, read_python
from pessimal.solve import Query, Status
from pessimal.solve.learning.portfolio import LearningPortfolio

VARIABLES = [Variable("p", "float"), Variable("r", "float"), Variable("n", "int")]
PATH = ("p > 0", "0 < r", "r < 0.2", "0 < n", "n < 50", "p * (1 + r) ** n > 2 * p")


def test_samplers_leave_some_samples_to_those_who_come_after_them():
    """Z3 comes near over the reals, so that samplers are next; intervals alone settle it, with a few points."""
    path = [(read_python(text, VARIABLES).expression, True) for text in PATH]
    extra = read_python("n < 9", VARIABLES).expression, True
    query = Query(path, extra, [(None, None)] * 3, [1.0, 0.001, 1], Random(0))
    answer = LearningPortfolio(samples=100).solve(query)
    assert (answer.status, answer.solver) == (Status.SAT, "intervals")
    assert answer.samples <= 100
