"""The calls of existing tests become scenarios, as far as they can be read off the source."""

import sys
import zlib
from types import ModuleType

import pytest

import pessimal
from pessimal.covering.spec import files_of_tests
from pessimal.errors import UsageError
from pessimal.performing import perform
from pessimal.python.cover.tested import files_beside, scenarios_in

SOURCE = """
class Counter:
    def __init__(self, total, step=1):
        self.total = total

    def add(self, number):
        self.total += number
        return self.total

def double(x):
    if x == 4711:
        return "found"
    return x + x
"""
PYTEST = """
import math
import pytest
import counted_module as counted
from counted_module import Counter, double
from other_package import thing

LIMIT = 30

def helper():
    return 1

def test_plain():
    counter = Counter(2, step=3)
    counter.add(5)
    assert counter.add(LIMIT) == 37
    assert not thing(double(8))

@pytest.mark.parametrize(("x", "expected"), [(1, 2), pytest.param("a", "aa", id="text")])
def test_rows(x, expected):
    assert double(x) == expected

@pytest.mark.parametrize("x", [[1], [2]])
def test_one(x):
    with pytest.raises(TypeError):
        counted.double(x)

def test_loop():
    for left, right in [(1, 2), (3, 4)]:
        assert counted.Counter(left).add(right) == left + right

def test_others():
    assert math.floor(double(1.5)) == 3
    assert helper() == 1
"""
UNITTEST = """
import unittest
from counted_module import Counter

class CounterTest(unittest.TestCase):
    def setUp(self):
        self.counter = Counter(10)

    def test_add(self):
        self.assertEqual(self.counter.add(1), 11)
        self.assertRaises(TypeError, self.counter.add, "a")
        self.assertTrue(self.counter.total)
"""


@pytest.fixture
def module(monkeypatch):
    module = ModuleType("counted_module")
    exec(SOURCE, module.__dict__)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


def ends(module, folder, source):
    """What each scenario returns or raises."""
    file = folder / "test_counted_module.py"
    file.write_text(source)
    found = []
    for scenario in scenarios_in([file], [module]):
        try:
            found.append(perform(scenario))
        except Exception as error:
            found.append(type(error).__name__)
    return found


def test_functions_of_pytest_are_followed(module, tmp_path):
    found = ends(module, tmp_path, PYTEST)
    assert isinstance(found.pop(0), module.Counter)
    assert found == [7, 37, 16, 2, "aa", [1, 1], [2, 2], 3, 7, 3]


def test_classes_of_unittest_are_followed(module, tmp_path):
    assert ends(module, tmp_path, UNITTEST) == [11, "TypeError", 11]


@pytest.mark.parametrize("source", ["def test_(:", "\x00", "def test_a():\n    unknown.thing(1)\n", ""])
def test_what_cannot_be_read_gives_nothing(module, tmp_path, source):
    assert ends(module, tmp_path, source) == []


@pytest.mark.parametrize("place", ["test_mod.py", "mod_test.py", "tests/test_mod.py", "../tests/pkg/test_mod.py"])
def test_tests_are_found_by_the_name_of_the_module(tmp_path, place):
    module = ModuleType("pkg.mod")
    module.__file__ = str(tmp_path / "pkg" / "mod.py")
    assert files_beside([module]) == []
    path = tmp_path / "pkg" / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    assert [found.resolve() for found in files_beside([module])] == [path.resolve()]


def test_which_tests_are_meant(tmp_path):
    assert files_of_tests(True) is None
    assert files_of_tests(False) == []
    for name in ("test_b.py", "a_test.py", "other.py"):
        (tmp_path / name).write_text("")
    assert files_of_tests([tmp_path]) == [str(tmp_path / "a_test.py"), str(tmp_path / "test_b.py")]
    assert files_of_tests([str(tmp_path / "other.py")]) == [str(tmp_path / "other.py")]
    with pytest.raises(UsageError, match="gone does not exist: give a test file, or a directory of them"):
        files_of_tests([tmp_path / "gone"])


def test_what_a_test_shows_is_reached_at_once(tmp_path):
    condition = f"if zlib.crc32(str(x).encode()) == {zlib.crc32(b'4711')}:"  # neither drawn nor solved
    source = f"import zlib\ndef double(x: int):\n    {condition}\n        return 1\n    return 2\n"
    (tmp_path / "counted.py").write_text(source)
    (tmp_path / "test_counted.py").write_text("from counted import double\n\ndef test_a():\n    double(4711)\n")
    options = {"runs": 1, "workers": 1, "budget": 120.0}
    shown = pessimal.cover(str(tmp_path / "counted.py"), **options)
    hidden = pessimal.cover(str(tmp_path / "counted.py"), existing_tests=False, **options)
    assert any("4711" in test.input for test in shown.tests)
    assert not any("4711" in test.input for test in hidden.tests)
