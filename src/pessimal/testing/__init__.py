"""Conformance checks for plug-ins: authors run them on their own classes, and our tests run them on ours.

from pessimal.testing import check_strategy

def test_my_strategy():
    check_strategy(MyStrategy)
"""

from pessimal.conformance import ConformanceError
from pessimal.solve.conformance import check_solver
from pessimal.testing.front_end import check_front_end
from pessimal.testing.in_process import InProcess
from pessimal.testing.objective import check_objective
from pessimal.testing.strategy import check_strategy

__all__ = ["ConformanceError", "InProcess", "check_front_end", "check_objective", "check_solver", "check_strategy"]
