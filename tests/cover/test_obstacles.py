"""What is said of branches that were not reached, from what was run and from the source."""

import importlib

import pytest

from pessimal.arcs import Arc
from pessimal.python.cover.attempts import Attempts
from pessimal.python.cover.goals import EXECUTED
from pessimal.python.cover.members import members_of
from pessimal.python.cover.obstacles import Obstacles
from pessimal.python.cover.runner import ScenarioRun
from pessimal.scenario import Name, Scenario, Step
from pessimal.trace import Outcome

SOURCE = """\
class Needy:
    def __init__(self, number: int) -> None:
        if number < 0:
            raise ValueError("no")
        self.number = number

    def method(self) -> int:
        if self.number:
            return 1
        return 2

def called(number: int) -> int:
    if number > 5:
        for i in range(number):
            if i == 3:
                return 1
    return 2

def never(number: int) -> int:
    if number:
        return 1
    return 2
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "obstructed.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("obstructed")
    monkeypatch.delitem(importlib.sys.modules, "obstructed")


def failed(name):
    try:
        raise TypeError("wrong")
    except TypeError as error:
        return Scenario((Step("call", Name("obstructed", name)),)), ScenarioRun(Outcome.RAISED, error=error)


def test_each_branch_says_what_stood_before_it(module):
    attempts = Attempts()
    for name in ("Needy", "Needy", "never"):
        attempts.add(*failed(name))
    file = module.__file__
    reached = [Arc(file, line, EXECUTED) for line in (13, 17)]
    obstacles = Obstacles(members_of([module]), attempts, reached)

    def explained(line, to):
        return obstacles.explain(Arc(file, line, to))

    assert "came out the same way" in explained(13, 14)
    assert explained(15, 16) == "behind line 13, which never led to it"
    assert explained(3, 4) == "__init__ was never entered: its 2 calls raised first, most often TypeError: wrong"
    assert explained(8, 9) == "method was never called: no Needy could be made in 2 tries, most often TypeError: wrong"
    assert explained(20, 21) == "never was never entered: its 1 calls raised first, most often TypeError: wrong"
    assert Obstacles(members_of([module]), Attempts(), reached).explain(Arc(file, 20, 21)) == "never was never called"
