"""Conformance checks that authors of plug-ins run on their own classes; our own tests run them on ours.

from pessimal.testing import check_strategy

def test_my_strategy():
    check_strategy(MyStrategy)
"""

from pessimal.conformance import ConformanceError
from pessimal.testing.in_process import InProcess
from pessimal.testing.objective import check_objective
from pessimal.testing.strategy import check_strategy

__all__ = ["ConformanceError", "InProcess", "check_objective", "check_strategy"]
