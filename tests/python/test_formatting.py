"""Numbers to text and back stay symbolic, and say what Python says."""

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import Evaluator
from pessimal.python.counted import CountedInt, CountedStr
from pessimal.python.handlers.formatting import formatted, joined
from pessimal.python.handlers.templates import percent
from pessimal.python.symbolic import Symbolic
from pessimal.python.values import SymBool, SymBytes, SymFloat, SymInt, SymStr
from pessimal.runs import Request
from pessimal.trace import Outcome
from tests.profiles import examples
from tests.python import formats
from tests.python.exploring import Collector, both_outcomes

PROPERTY = examples(120)


SPECIAL = {"one_digit_float", "uncaught", "message"}
PROGRAMS = [
    function
    for name, function in inspect.getmembers(formats, inspect.isfunction)
    if function.__module__ == formats.__name__ and not name.startswith("keep_") and name not in SPECIAL
]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_both_outcomes_are_reached(function):
    assert both_outcomes(function, paths=130) == {0, 1}


def test_a_float_is_found_behind_its_text():
    assert both_outcomes(formats.one_digit_float, size=1, paths=12) == {0, 1}


def test_an_error_that_nobody_reads_makes_nothing_concrete():
    found = Collector(formats.uncaught, size=1, paths=10).explore()
    raised = [trace for trace in found.traces if trace.outcome is Outcome.RAISED]
    assert {trace.exception for trace in raised} == {"ValueError"}


def test_an_error_that_is_read_has_the_words_of_python():
    trace = Collector(formats.message).symbolic.run(Request(start=list(map(ord, "abc"))))
    assert trace.outcome is Outcome.RETURNED
    assert formats.KEPT == ["invalid literal for int() with base 10: 'abc'"]


# Properties: along the path of a concrete input, the symbolic result has the value of the native one.

_ENGINES: dict[object, Symbolic] = {}


def follow(function, leaves):
    """What a function keeps along the path of an input: its value there, or the error that it ends with."""
    key = function, len(leaves)
    if key not in _ENGINES:
        _ENGINES[key] = Collector(function, size=max(len(leaves), 1)).symbolic
    formats.KEPT.clear()
    trace = _ENGINES[key].run(Request(start=leaves))
    assert not trace.refused
    assert trace.leaves == leaves
    return trace.exception if trace.outcome is Outcome.RAISED else worth(formats.KEPT[0], Evaluator(leaves))


def worth(value, evaluator):
    if type(value) is SymStr or type(value) is SymBytes:
        return value.native([evaluator.term(code) for code in value.codes])
    if type(value) in (SymInt, SymFloat, SymBool):
        return evaluator.term(value.expr)
    return tuple(worth(part, evaluator) for part in value) if type(value) is tuple else value


def natively(function, *args):
    try:
        return function(*args)
    except Exception as error:
        return type(error).__name__


integers = st.integers() | st.integers(-2000, 2000) | st.integers(-(10**21), 10**21)
specs = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["", "", "<", ">", "=", "^", "*<", "x^", "0=", "é>"]),
        st.sampled_from(["", "", "+", "-", " "]),
        st.sampled_from(["", "", "#"]),
        st.sampled_from(["", "", "0"]),
        st.sampled_from(["", "", "1", "5", "8", "12"]),
        st.sampled_from(["", "", ",", "_"]),
        st.sampled_from(["", "", "", ".2"]),
        st.sampled_from(["", "", *"bcdoxXnseG%q"]),
    ),
)
percents = st.builds(
    "a%{}{}{}{}|".format,
    st.sampled_from(["", "", "-", "0", "+", " ", "#", "-0", "+0", "#0", "- #"]),
    st.sampled_from(["", "", "3", "7"]),
    st.sampled_from(["", "", ".", ".4"]),
    st.sampled_from("diuxXosrcaefg%"),
)


@PROPERTY
@given(integers, specs)
def test_integers_are_formatted_as_python_does(x, spec):
    formats.SPEC[0] = spec
    assert follow(formats.keep_format_int, [x]) == natively(format, x, spec)


@PROPERTY
@given(st.booleans(), specs)
def test_truth_values_are_formatted_as_python_does(flag, spec):
    formats.SPEC[0] = spec
    assert follow(formats.keep_format_bool, [int(flag)]) == natively(format, flag, spec)


some_text = st.text(min_size=1, max_size=6) | st.text("a'\"\\\n\té\xad\x7f☃", min_size=1, max_size=4)


@PROPERTY
@given(some_text, specs)
def test_text_is_formatted_as_python_does(s, spec):
    formats.SPEC[0] = spec
    assert follow(formats.keep_format_text, list(map(ord, s))) == natively(format, s, spec)


@PROPERTY
@given(integers, percents)
def test_percent_of_integers_is_that_of_python(x, spec):
    formats.SPEC[0] = spec
    assert follow(formats.keep_percent, [x]) == natively(spec.__mod__, x)


@PROPERTY
@given(some_text, percents)
def test_percent_of_text_is_that_of_python(s, spec):
    formats.SPEC[0] = spec
    assert follow(formats.keep_percent_text, list(map(ord, s))) == natively(spec.__mod__, (s,))


@PROPERTY
@given(some_text)
def test_text_is_quoted_as_python_does(s):
    expected = repr(s), ascii(s), str([s, s])
    assert follow(formats.keep_reprs, list(map(ord, s))) == expected


@PROPERTY
@given(st.binary(min_size=1, max_size=5))
def test_bytes_are_quoted_as_python_does(b):
    assert follow(formats.keep_bytes_repr, list(b)) == repr(b)


literals = st.text("0019 _+-xXbBoOfa\t٥\u2003", min_size=1, max_size=6) | some_text
floats = st.text("0159 _+-.eE٥\u2003", min_size=1, max_size=7) | some_text | st.floats().map(repr)
floats |= st.sampled_from(["inf", "-Infinity", "nan ", "+NaN", "infinit", "1e22", "1e-400", "12345678901234567", "-0"])


@PROPERTY
@given(literals, st.sampled_from([10, 10, 0, 2, 8, 16, 36, 1]))
def test_int_reads_what_python_reads(s, base):
    formats.SPEC[0] = base
    assert follow(formats.keep_int, list(map(ord, s))) == natively(int, s, base)


@PROPERTY
@given(st.binary(min_size=1, max_size=3) | literals.filter(str.isascii).map(str.encode))
def test_int_reads_bytes(b):
    formats.SPEC[0] = 10
    assert follow(formats.keep_int_of_bytes, list(b)) == natively(int, b, 10)


@PROPERTY
@given(floats)
def test_float_reads_what_python_reads(s):
    found, expected = follow(formats.keep_float, list(map(ord, s))), natively(float, s)
    assert repr(found) == repr(expected)


def test_plain_values_give_plain_text():
    assert joined("a", formatted(1.5, -1, ".3f"), formatted("b", ord("r"), "")) == "a1.500'b'"
    assert type(joined("a", "b")) is str
    assert percent("%s", 3) == "3"
    with pytest.raises(TypeError, match="not enough arguments"):
        percent("%s%s", (1,))


def test_counted_values_give_counted_text():
    made = [
        joined("v", formatted(CountedInt(3), -1, "")),
        percent("%d", CountedInt(3)),
        percent("%s", (CountedStr("a"),)),
    ]
    assert [type(value) for value in made] == [CountedStr] * 3
