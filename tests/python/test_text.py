"""Methods of symbolic text and bytes: both outcomes are reached, and a followed input gets Python's own result."""

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.inputs import Inputs
from pessimal.python import current
from pessimal.python.symbolic import Symbolic
from pessimal.python.values import SymBool, SymBytes, SymInt, SymStr
from pessimal.runs import Request
from tests.profiles import examples
from tests.python import text_programs
from tests.python.exploring import both_outcomes

PATHS = 40
PATHS_OF = {
    "decode_three": 200,
    "upper": 4,
    "lower": 20,
    "casefold": 20,
    "swapcase": 4,
    "title": 4,
    "capitalize": 4,
    "join_of_map": 4,
    "isupper": 6,
    "islower": 2,
    "istitle": 2,
    "isidentifier": 2,
    "isdigit": 2,
    "isalnum": 2,
}
SIZES = {
    "find": 4,
    "split_once": 4,
    "rsplit": 4,
    "rsplit_at_white_space": 5,
    "splitlines_of_two": 4,
    "rpartition": 4,
    "count_of_pairs": 4,
    "replace_with_longer": 3,
    "strip": 2,
    "strip_characters": 2,
    "replace": 2,
    "replace_nothing": 2,
    "lower_sigma": 2,
    "lower": 1,
    "casefold": 1,
    "title": 4,
    "zfill": 2,
    "zfill_behind_a_sign": 2,
    "ljust_by_symbolic_width": 1,
    "rjust": 3,
    "partition": 3,
    "translate_by_symbolic_table": 2,
    "join": 1,
    "join_with_symbolic_separator": 2,
    "join_of_map": 2,
    "encode_refused": 2,
    "encode_long": 2,
    "encode_replaced": 2,
    "encode_utf16": 2,
    "decode": 2,
    "decode_refused": 2,
    "hexadecimal": 2,
    "from_hexadecimal": 2,
    "bytes_of_text": 2,
    "bytearray_of_bytes": 1,
    "upper_of_bytes": 2,
    "translate_bytes": 3,
    "symbolic_slice_backwards": 2,
    "repetition": 2,
    "letter": 1,
    "reversal": 2,
    "isspace": 2,
    "isdecimal_no_ascii": 2,
    "isnumeric": 1,
    "isalpha": 2,
    "isprintable": 2,
    "number_in_bytes": 2,
    "largest": 2,
}
CONSTRUCTS = [program for _, program in inspect.getmembers(text_programs, inspect.isfunction)]


@pytest.mark.parametrize("function", CONSTRUCTS, ids=lambda function: function.__name__)
def test_both_outcomes_of_a_method_are_reached(function):
    name = function.__name__
    assert both_outcomes(function, SIZES.get(name, 3), PATHS_OF.get(name, PATHS)) == {0, 1}


def reveal(value):
    """What a result is worth for the input that the run follows, without deciding anything."""
    solver = current.execution.solver
    if isinstance(value, tuple | list):
        return type(value)(map(reveal, value))
    if type(value) in (SymStr, SymBytes):
        return value.native([solver.value(code) for code in value.codes])
    return solver.value(value.expr) if type(value) in (SymBool, SymInt) else value


def result_of(call, *args):
    try:
        return call(*args)
    except Exception as error:
        return type(error), str(error)


def followed(call, value, other):
    """The result of a call on symbolic values that follow the given ones."""
    results = []
    kind, kinds = type(value), type(other)

    def target(a, b):
        results.append(reveal(result_of(call, a, b)))

    target.__annotations__ = {"a": kind, "b": kinds}
    size = len(value)
    codes = (lambda text: list(map(ord, text))) if kind is str else list
    Symbolic(target, Inputs.of(target, size)).run(Request(start=[*codes(value), *codes(other)]))
    return results[0]


texts = st.text("aAbzZ019 ,\t\r\n+-_.ßΣσİǆŉéŸ€😀\u0345\u2028\ud800", min_size=3, max_size=3)
rows = st.text("aAbz09 ,\t\r\n\xe9\xc3\xa9\x80\xe2\x82\xac\xf0\xff", min_size=3, max_size=3).map(
    lambda text: text.encode("latin-1")
)
numbers = st.integers(-5, 5)
bounds = st.none() | numbers
ALONE = [
    "upper",
    "lower",
    "swapcase",
    "title",
    "capitalize",
    "isalpha",
    "isalnum",
    "isdigit",
    "isspace",
    "isupper",
    "islower",
    "istitle",
    "isascii",
    "split",
    "rsplit",
    "splitlines",
    "strip",
    "lstrip",
    "rstrip",
    "expandtabs",
]
TEXT_ALONE = [*ALONE, "casefold", "isdecimal", "isnumeric", "isidentifier", "isprintable", "encode"]
BYTES_ALONE = [*ALONE, "decode", "hex"]
PARTS = ["find", "rfind", "index", "rindex", "count", "startswith", "endswith"]
CUTS = ["removeprefix", "removesuffix", "partition", "rpartition", "split", "rsplit", "strip", "lstrip", "rstrip"]


@examples(30)
@given(st.data(), texts | rows)
def test_a_method_alone_gives_what_python_gives(data, value):
    method = data.draw(st.sampled_from(TEXT_ALONE if isinstance(value, str) else BYTES_ALONE))
    result = followed(lambda a, b: getattr(a, method)(), value, value)
    expected = result_of(lambda a: getattr(a, method)(), value)
    if isinstance(expected, tuple) and issubclass(expected[0], UnicodeError):
        assert (issubclass(result[0], expected[0]), result[1]) == (True, expected[1])
    else:
        assert result == expected


@examples(30)
@given(st.data(), texts | rows, st.integers(0, 2), bounds, bounds)
def test_a_search_for_symbolic_parts_gives_what_python_gives(data, value, size, start, end):
    method = data.draw(st.sampled_from(PARTS))
    place = data.draw(st.integers(0, 2))
    other = value[place:] + value[:place] if data.draw(st.booleans()) else value[::-1]

    def call(a, b):
        return getattr(a, method)(b[:size], start, end)

    assert followed(call, value, other) == result_of(call, value, other)


@examples(30)
@given(st.data(), texts | rows, st.integers(0, 2), numbers)
def test_cutting_by_symbolic_parts_gives_what_python_gives(data, value, size, limit):
    method = data.draw(
        st.sampled_from([*CUTS, "replace", "join", "limited split", "limited rsplit", "limited replace"])
    )
    place = data.draw(st.integers(0, 2))
    other = value[place:] + value[:place]

    def call(a, b):
        if method == "replace":
            return a.replace(b[:size], b)
        if method == "limited replace":
            return a.replace(b[:size], b, limit)
        if method == "join":
            return a[: size + 1].join([b, a, b])
        if method.startswith("limited"):
            return getattr(a, method.split()[1])(sep=b[:size], maxsplit=limit)
        return getattr(a, method)(b[:size])

    assert followed(call, value, other) == result_of(call, value, other)


LAYOUT = [
    lambda a, n: a.center(n),
    lambda a, n: a.ljust(n),
    lambda a, n: a.rjust(n),
    lambda a, n: a.zfill(n),
    lambda a, n: a.expandtabs(n),
    lambda a, n: a.splitlines(n > 0),
    lambda a, n: a.split(None, n),
    lambda a, n: a.rsplit(None, n),
    lambda a, n: a[n],
    lambda a, n: a[n:],
    lambda a, n: a[:n:-1],
    lambda a, n: a * n,
    lambda a, n: a.find(a[:1], n),
]


@examples(30)
@given(texts | rows, st.sampled_from(LAYOUT), st.integers(-6, 12), st.booleans())
def test_a_symbolic_number_gives_what_a_plain_one_gives(value, call, number, symbolic):
    results = []

    def target(a, n):
        results.append(reveal(result_of(call, a, n if symbolic else number)))

    target.__annotations__ = {"a": type(value), "n": int}
    codes = list(map(ord, value)) if isinstance(value, str) else list(value)
    Symbolic(target, Inputs.of(target, 3)).run(Request(start=[*codes, number]))
    assert results == [result_of(call, value, number)]


CODINGS = [
    lambda a: a.encode("utf-8", "replace"),
    lambda a: a.encode("utf-8", "surrogatepass"),
    lambda a: a.encode("ascii", "ignore"),
    lambda a: a.encode("ascii", "xmlcharrefreplace"),
    lambda a: a.encode("latin-1", "replace"),
    lambda a: a.encode("utf-16", "replace"),
    lambda a: a.encode("utf-32-be", "ignore"),
    lambda a: a.encode("cp1252", "replace"),
    lambda a: a.translate({97: "bb", 65: None, 233: 234}),
    lambda a: a.translate("xyz"),
]


@examples(30)
@given(texts, st.sampled_from(CODINGS))
def test_a_coding_gives_what_python_gives(value, call):
    def both(a, b):
        return call(a)

    assert followed(both, value, value) == call(value)


@examples(30)
@given(rows, st.sampled_from(["ignore", "replace", "backslashreplace", "surrogateescape"]))
def test_a_decoding_gives_what_python_gives(value, errors):
    def call(a, b):
        return a.decode("utf-8", errors), a.decode(encoding="ascii", errors=errors), a.hex("-", 2)

    assert followed(call, value, value) == call(value, value)


def test_wrong_arguments_raise_what_python_raises():
    calls = [
        lambda s: s.find(1),
        lambda s: s.split(1),
        lambda s: s.split(""),
        lambda s: s.replace("a", 1),
        lambda s: s.startswith(("a", 1)),
        lambda s: s.center("x"),
        lambda s: s.center(5, "ab"),
        lambda s: s.join([s, 1]),
        lambda s: s[7],
        lambda s: s["a"],
        lambda s: s.encode("no such encoding"),
        lambda s: s.strip(1),
        lambda s: 1 in s,
        lambda s: s * 1.5,
    ]
    for call in calls:
        assert followed(lambda a, b, call=call: call(a), "abc", "abc") == result_of(call, "abc")
