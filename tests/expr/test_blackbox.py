"""Calls of black boxes: evaluated, shown and measured, but never seen through."""

import pytest

from pessimal.expr import App, BlackBox, Compare, Evaluator, Offset, Var, distances, holds, show, variables
from pessimal.expr.intervals import Intervals
from pessimal.expr.linear import linear
from pessimal.expr.marked import has_marks, mark, unmarked
from pessimal.expr.monotone import comparison
from pessimal.expr.reals import Untranslatable
from pessimal.expr.smt import Translator

CRC = BlackBox("crc", lambda a, b: (a * 31 + b * 17) % 256)
ROOT = BlackBox("root", lambda a: a**0.5 if a >= 0 else 1 / 0)


def test_a_call_is_evaluated_with_the_values_of_its_arguments():
    term = CRC(App("+", (Offset(0), 1), "int"), Offset(1))
    assert Evaluator([4, 3]).term(term) == (5 * 31 + 3 * 17) % 256
    assert variables(term) == {0, 1}
    assert (term.sort, CRC(1, 2, sort="bv8").sort) == ("int", "bv8")


def test_a_call_is_shown_by_its_name():
    assert show(CRC(Offset(0), 7), ["a"]) == "crc(a, 7)"
    assert eval(show(CRC(Offset(0), 7)), {"x": [5], "crc": CRC.function}) == Evaluator([5]).term(CRC(Offset(0), 7))
    assert repr(CRC) == "crc"


def test_distances_follow_the_value_and_are_infinite_where_there_is_none():
    assert distances(Compare("==", CRC(Offset(0), 0), 10), [1]) == (0.0, 22.0)
    assert distances(Compare("<", ROOT(Offset(0), sort="float"), 2.0), [-1]) == (float("inf"), float("inf"))


def test_a_call_with_a_mark_is_the_same_call():
    term = CRC(mark(Offset(0)), 2)
    assert has_marks(term)
    assert show(unmarked(term)) == show(term) == "crc(x[0], 2)"
    assert Evaluator([3]).term(term) == Evaluator([3]).term(unmarked(term))


@pytest.mark.parametrize(
    "wrap", [lambda t: t, lambda t: App("+", (t, 1), "int"), lambda t: App("float", (t,), "float")]
)
@pytest.mark.parametrize("ieee", [True, False])
def test_no_reading_of_z3_has_words_for_it(wrap, ieee):
    with pytest.raises(Untranslatable, match="the operation call"):
        Translator(ieee).condition(Compare("<", wrap(CRC(Offset(0), Offset(1))), 5))


def test_nothing_is_known_of_a_call_but_its_value():
    term = CRC(Offset(0), 1)
    assert Intervals([(0, 3)]).of(term) is None
    assert linear(Compare("<", term, 5), True) is None
    assert linear(Compare("<", App("+", (term, Offset(0)), "int"), 5), True) is None


def test_a_chain_of_roundings_around_a_call_is_still_exact():
    half = App("/", (CRC(Offset(0), 1), 2), "float")
    for bound in (3.25, 8.5, 100.0):
        simplified = comparison("<", half, bound)
        assert all(holds(simplified, [value]) is holds(Compare("<", half, bound), [value]) for value in range(-20, 20))


def test_boxes_are_equal_if_their_names_and_functions_are():
    def other(a, b):
        return 0

    assert BlackBox("crc", CRC.function) == CRC
    assert BlackBox("crc", other) != CRC
    assert Compare("<", ROOT(Var(0)), 1).left.args[0] is ROOT
