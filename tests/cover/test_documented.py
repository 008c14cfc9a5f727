"""Examples in docstrings become scenarios, as far as they are calls of what can be imported."""

import sys
from fractions import Fraction
from types import ModuleType

import pytest

from pessimal.performing import perform
from pessimal.python.cover.documented import documented
from pessimal.scenario import Name

SOURCE = '''
"""A module.

>>> double(4)
8
>>> counter = Counter(2, step=3)
>>> counter.add(5)
7
>>> counter.total
7
>>> double([1, counter.total][0])
2
"""

class Counter:
    """Counts.

    >>> from fractions import Fraction
    >>> half = Fraction(1, 2)
    >>> double(half) + 1
    Fraction(2, 1)
    >>> key = lambda x: x
    >>> double(key)
    >>> from unknown_package import thing
    >>> double(thing)
    >>> import math
    >>> math.floor(1.5)
    1
    >>> Counter.fresh().total
    0
    """

    def __init__(self, total, step=1):
        self.total = total
        self.step = step

    @classmethod
    def fresh(cls):
        return cls(0)

    def add(self, number):
        self.total += number
        return self.total

def double(x):
    """
    >>> this is no example
    >>> for i in range(3): double(i)
    >>> double("ab")
    'abab'
    """
    return x + x
'''


@pytest.fixture
def module(tmp_path, monkeypatch):
    file = tmp_path / "examples_here.py"
    file.write_text(SOURCE)
    made = ModuleType("examples_here")
    made.__file__ = str(file)
    exec(compile(SOURCE, str(file), "exec"), made.__dict__)
    monkeypatch.setitem(sys.modules, "examples_here", made)
    return made


def test_examples_do_what_they_show(module):
    scenarios = documented([module])
    values = [perform(scenario) for scenario in scenarios]
    assert values[0] == 8
    assert [value for value in values if isinstance(value, int)] == [8, 7, 7, 2, 1, 0]
    assert "abab" in values
    assert Fraction(2, 1) in [value for value in values if isinstance(value, Fraction)]
    assert all(len(scenario.steps) <= 5 for scenario in scenarios)


def test_an_example_needs_only_what_it_uses(module):
    last = documented([module])[-1]
    assert [step.subject for step in last.steps] == [Name("examples_here", "double")]


def test_a_module_without_source():
    assert documented([ModuleType("nothing")]) == []
