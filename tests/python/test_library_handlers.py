"""What the standard library needs of the handlers: callbacks, caches, and C code that takes real text only."""

from __future__ import annotations

import ast
import contextlib
import csv
import enum
import functools
import io
import itertools
import keyword
import os
import posixpath
import struct
import sys

import pytest

from pessimal.python.handlers import resolve
from tests.python.exploring import Collector, both_outcomes, native

normalise = getattr(sys.modules.get("posix"), "_path_normpath", posixpath.normpath)


def kind_is_kept(x: int) -> int:
    kind = functools.reduce(lambda left, right: left, [x], int)
    return 1 if kind is int and x > 3 else 0


def kinds_are_grouped(x: int) -> int:
    ((kind, most),) = [(kind, max(found)) for kind, found in itertools.groupby([x, 5], type)]
    return 1 if kind is int and most > 5 else 0


def running_total(x: int) -> int:
    return 1 if list(itertools.accumulate([x, 1, 2], func=max, initial=0))[-1] > 2 else 0


@functools.lru_cache
def shelf(name: str) -> list[int]:
    return []


def cached_shelf(x: int) -> int:
    shelf("a").append(x)
    shelf(name="a").append(1)
    if x > 3:
        shelf("a").append(x)
    return 1 if len(shelf("a")) == 2 else 0


@functools.lru_cache(typed=True)
def kind_of(value: object) -> str:
    return type(value).__name__


def typed_cache(x: int) -> int:
    return 1 if kind_of(1) + kind_of(1.0) == "intfloat" and x > 3 else 0


def evaluated_names(x: int) -> int:
    return 1 if eval("x > limit", {"limit": 3}, {"x": x}) else 0


def evaluated_locals(x: int) -> int:
    limit = x - 3  # noqa: F841 - the text names it
    return 1 if eval("limit > 0") else 0


def evaluated_text(text: str) -> int:
    return 1 if text == "7*6" and eval(text) == 42 else 0


def executed_text(text: str) -> int:
    scope: dict[str, int] = {}
    if text == "a=1":
        exec(text, scope)
    return 1 if scope.get("a") == 1 else 0


def compiled_text(text: str) -> int:
    return 1 if text == "1+2" and eval(compile(text, "<text>", "eval")) == 3 else 0


def parsed_text(text: str) -> int:
    return 1 if text == "a.b" and isinstance(ast.parse(text, mode="eval").body, ast.Attribute) else 0


def literal_text(text: str) -> int:
    return 1 if text == "[1]" and ast.literal_eval(text) == [1] else 0


def separated_values(text: str) -> int:
    return 1 if text == "a,b" and list(csv.reader([text])) == [["a", "b"]] else 0


def unpacked_bytes(data: bytes) -> int:
    return 1 if data == b"\x01\x02\x03" and struct.Struct("<BH").unpack(data) == (1, 770) else 0


def written_text(text: str) -> int:
    stream = io.StringIO()
    if text == "abc":
        stream.write(text)
    return 1 if stream.getvalue() == "abc" else 0


def printed_text(text: str) -> int:
    stream = io.StringIO()
    if text == "abc":
        print(text, 1, sep="-", end="!", file=stream)
    return 1 if stream.getvalue() == "abc-1!" else 0


def redirected_text(text: str) -> int:
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        print("abc" if text == "abc" else "", flush=True)
    return 1 if stream.getvalue() == "abc\n" else 0


class Lines:
    """A stream of the program's own, which keeps text as it is."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def write(self, text: str) -> None:
        self.parts.append(text)


def kept_text(text: str) -> int:
    lines = Lines()
    print(text, file=lines)
    return 1 if "".join(lines.parts) == "abc\n" else 0


class Colour(enum.Enum):
    RED = 1
    CRIMSON = RED
    BLUE = 7


class Word(enum.StrEnum):
    YES = "yes"
    NO = "no!"


class Rank(enum.IntEnum):
    LOW = 1
    OTHER = 2

    @classmethod
    def _missing_(cls, value: object) -> Rank:
        return cls.OTHER


class Right(enum.Flag):
    READ = 1
    WRITE = 2


def coloured(x: int) -> int:
    try:
        return 1 if Colour(x) is Colour.BLUE else 0
    except ValueError:
        return 0


def worded(text: str) -> int:
    try:
        return 1 if Word(text) is Word.NO else 0
    except ValueError:
        return 0


def named_colour(text: str) -> int:
    try:
        return 1 if Colour[text] is Colour.RED else 0
    except KeyError:
        return 0


def ranked(x: int) -> int:
    return 1 if Rank(x) is Rank.LOW else 0


def permitted(x: int) -> int:
    if x == 3:
        return 1 if Right.WRITE in Right(x) else 2
    return 0


def read_complex(text: str) -> int:
    return 1 if text == "1+j" and complex(text).imag == 1 else 0


def path_of(text: str) -> int:
    return 1 if os.fspath(text) == "a/b" else 0


def normal_path(text: str) -> int:
    return 1 if normalise(text) == ".." else 0


def is_word(text: str) -> int:
    return 1 if keyword.iskeyword(text) else 0


def interned(text: str) -> int:
    return 1 if sys.intern(text) == "abc" else 0


@pytest.mark.parametrize(
    "function",
    [
        printed_text,
        redirected_text,
        kept_text,
        coloured,
        worded,
        named_colour,
        ranked,
        permitted,
        read_complex,
        interned,
        path_of,
        normal_path,
        is_word,
        kind_is_kept,
        kinds_are_grouped,
        running_total,
        cached_shelf,
        typed_cache,
        evaluated_names,
        evaluated_locals,
        evaluated_text,
        executed_text,
        compiled_text,
        parsed_text,
        literal_text,
        separated_values,
        unpacked_bytes,
        written_text,
    ],
    ids=lambda function: function.__name__,
)
def test_both_outcomes_are_reached(function) -> None:
    shelf.cache_clear()
    found = Collector(function).explore()
    results = set()
    for trace in found.traces:
        if not trace.refused:
            shelf.cache_clear()
            results.add(native(function, found.inputs, trace.leaves)[1])
    assert results == {0, 1}
    assert not any(trace.refused for trace in found.traces)


@pytest.mark.parametrize("function", [evaluated_text, literal_text, separated_values, written_text])
def test_what_becomes_real_text_is_told(function) -> None:
    traces = Collector(function).explore().traces
    assert any(trace.concretisations for trace in traces)


@pytest.mark.parametrize(
    "function", [coloured, worded, named_colour, kept_text, interned, path_of, normal_path, is_word]
)
def test_what_can_stay_symbolic_does(function) -> None:
    found = Collector(function).explore()
    assert not any(trace.concretisations for trace in found.traces)
    assert found.proof is not None


def test_plain_values_and_functional_enumerations_are_native() -> None:
    assert resolve(Colour)(7) is Colour.BLUE
    assert resolve(Right)(3) == Right.READ | Right.WRITE
    assert [member.name for member in resolve(enum.Enum)("Made", "A B")] == ["A", "B"]
    with pytest.raises(ValueError, match="2 is not a valid Colour"):
        resolve(Colour)(2)


def test_plain_arguments_are_compiled_like_by_the_caller() -> None:
    code = resolve(compile)("x: int = 1", "<text>", "exec", dont_inherit=True)
    assert code.co_flags == compile("x: int = 1", "<text>", "exec", dont_inherit=True).co_flags
    inherited = resolve(compile)("x: int = 1", "<text>", "exec")
    assert inherited.co_flags == compile("x: int = 1", "<text>", "exec").co_flags
    here = sys._getframe()
    assert resolve(eval)("here") is here


def test_functions_without_a_run_are_cached_natively() -> None:
    shelf.cache_clear()
    resolve(shelf)("a").append(1)
    assert resolve(shelf)("a") == shelf("a") == [1]


def test_an_unhashable_argument_is_refused_by_a_cache_in_a_run_as_well() -> None:
    def unhashable(x: int) -> int:
        try:
            kind_of([])
        except TypeError:
            return 1 if x > 3 else 0
        return 2

    assert both_outcomes(unhashable) == {0, 1}
