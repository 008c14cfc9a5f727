"""Runs in which something refused a symbolic value are told apart from those that the target itself ends."""

import array
import asyncio
import contextlib
import csv
import ctypes
import datetime
import functools
import hmac
import itertools
import marshal
import pickle
from collections import Counter, OrderedDict, deque, namedtuple
from dataclasses import dataclass
from enum import Enum

import pytest

from pessimal.python import plain_calls
from pessimal.python.compiled_code import is_foreign, is_made_by_compiled_code, only_stores
from pessimal.python.values import SymBool, SymBytes, SymFloat, SymInt, SymStr
from pessimal.runs import Request
from pessimal.trace import Outcome
from tests.python import unrewritten
from tests.python.exploring import Collector, both_outcomes, native


class Suppressing:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return True


@contextlib.contextmanager
def suppressing():
    try:
        yield
    except ValueError:
        return


def refused_by_a_function(n: int):
    return len(marshal.dumps(n))


def refused_inside_a_list(n: int):
    return len(marshal.dumps([1, {"n": (n,)}]))


def refused_by_name(n: int):
    return len(marshal.dumps(value=n)) if n else itertools.permutations(iterable="ab", r=n)


def refused_by_a_method(s: str):
    return memoryview(b"ab").cast(s)


def refused_as_a_callback(xs: list[int]):
    return list(map(marshal.dumps, xs))


def refused_by_a_partial(n: int):
    return functools.partial(marshal.dumps)(n)


def refused_by_a_constructor(n: int):
    return list(itertools.permutations("ab", n))


def refused_as_a_length(n: int):
    return deque([1, 2], maxlen=n % 4)


def refused_by_a_foreign_function(n: int):
    return ctypes.CDLL(None).abs(n % 1000)


def refused_after_another_was_asked(n: int, m: int):
    return array.array("b", [1]).insert(n, marshal.dumps(m))


def refused_although_known(n: int):
    return [0, 0][hash(n) % 2] or marshal.dumps(n)


def refused_option(s: str):
    return list(csv.reader(["a,b"], delimiter=s))


def refused_name(s: str):
    return type(s, (), {})


def refused_by_a_library(data: bytes):
    return hmac.HMAC(b"key", data, "sha256").digest()


def refused_behind_a_library(n: int):
    return unrewritten.hand_on(marshal.dumps, n)


def refused_by_a_text(s: str):
    return unrewritten.holds("abc", s)


def refused_and_converted(n: int):
    return unrewritten.convert(marshal.dumps, n)


def yielding_operator(n: int):
    return datetime.timedelta(1) * n


def yielding_operator_on_the_right(n: int):
    return n * datetime.timedelta(1)


def unyielding(n: int):
    row = array.array("b", [1])
    row *= 2
    row += n
    return row


def refused_and_caught(n: int):
    try:
        return len(marshal.dumps(n))
    except ValueError:
        return 0


def refused_and_caught_by_all(n: int):
    try:
        return len(marshal.dumps(n))
    except:  # noqa: E722
        return 0


def refused_by_a_library_and_caught(data: bytes):
    try:
        return hmac.HMAC(b"key", data, "sha256").digest()
    except TypeError:
        return 0


def refused_and_converted_and_caught(n: int):
    try:
        return unrewritten.convert(marshal.dumps, n)
    except LookupError:
        return 0


def refused_and_suppressed(data: bytes):
    with contextlib.suppress(TypeError):
        return hmac.HMAC(b"key", data, "sha256").digest()
    return 0


def refused_and_suppressed_by_an_object(data: bytes):
    with Suppressing():
        return hmac.HMAC(b"key", data, "sha256").digest()
    return 0


def refused_and_suppressed_by_a_generator(n: int):
    with suppressing():
        return marshal.dumps(n)
    return 0


def refused_in_a_group(data: bytes):
    try:
        raise ExceptionGroup("all", [failure(data)])
    except* ValueError:
        pass
    return 0


def failure(data):
    """The exception as an object, which nobody has caught by a statement of its own."""
    return unrewritten.hand_on(hand_out, data)


def hand_out(data):
    try:
        return hmac.HMAC(b"key", data, "sha256")
    except TypeError as error:
        return error


YIELDING = [yielding_operator, yielding_operator_on_the_right]
REFUSED = [value for name, value in dict(globals()).items() if name.startswith("refused_")]


@pytest.fixture(autouse=True)
def nothing_refused_before():
    plain_calls.needing_plain.clear()


@pytest.mark.parametrize("function", [*REFUSED, unyielding])
def test_what_refuses_a_symbolic_value_ends_no_path_of_the_target(function):
    collector = Collector(function, size=1)
    for start in ([0], [1]):
        trace = collector.symbolic.run(Request(start=start * len(collector.inputs.domains)))
        if trace.refused:
            break
    assert "a symbolic value was refused" in (trace.refused or "")


@pytest.mark.parametrize("function", [*REFUSED, *YIELDING])
def test_what_refused_a_symbolic_value_gets_concrete_ones_and_the_path_goes_on(function):
    found = Collector(function, size=1, paths=3).explore()
    assert [trace.refused for trace in found.traces] == [None] * 3
    assert any(trace.concretisations for trace in found.traces)
    assert found.proof is None
    for trace in found.traces:
        outcome, result = native(function, found.inputs, trace.leaves)
        assert trace.outcome is outcome
        assert trace.exception == (result if outcome is Outcome.RAISED else None)


def test_what_refuses_even_concrete_values_proves_nothing():
    found = Collector(unyielding, size=1, paths=3).explore()
    assert found.proof is None
    assert "a symbolic value was refused" in found.traces[0].refused


def test_an_object_of_a_library_that_keeps_symbolic_values_gets_concrete_ones():
    def keeps(data: bytes, n: int):
        signature = unrewritten.Signature(data)
        return signature.digest()[0] % 2 if n > 3 else None

    found = Collector(keeps, size=1, paths=40).explore()
    assert all(trace.refused is None for trace in found.traces)
    assert {native(keeps, found.inputs, trace.leaves)[1] for trace in found.traces} == {None, 0, 1}


def test_lists_and_dicts_that_a_library_changes_stay_the_same_objects():
    def changes(n: int):
        numbers, by_name = [n, n + 1], {"n": n}
        unrewritten.add_marshalled(numbers, by_name)
        return 2 if len(numbers) == 3 and "size" in by_name and numbers[0] == by_name["n"] else 1

    assert both_outcomes(changes, size=1, paths=5) == {2}


def test_an_iterator_is_read_once_although_the_function_refused_its_items():
    def reads(xs: list[int]):
        items = (x + 1 for x in xs)
        first = list(map(len, map(marshal.dumps, items)))
        return len(first) if len(list(items)) == 0 else -1

    assert both_outcomes(reads, size=3, paths=5) == {3}


class Strict:
    def __add__(self, other):
        raise TypeError("unsupported operand type(s) for +: 'Strict' and 'SymInt'")


class Silent:
    def __add__(self, other):
        return NotImplemented


@dataclass(frozen=True)
class Frozen:
    x: int


class Colour(Enum):
    RED = 1


def own_error_of_that_name(n: int):
    raise TypeError("'SymInt' object is not what SymInt says")


def own_error_when_caught(n: int):
    try:
        raise AttributeError("SymInt")
    except AttributeError:
        return 1 if n > 3 else 0


def own_operator(n: int):
    return Strict() + n


def own_operator_that_is_not_there(n: int):
    return Silent() + n


def own_sum_of_different_kinds(s: str):
    return 1 + s


def own_length_of_a_number(n: int):
    return len(n)


def own_loop_through_a_number(n: int):
    return [x for x in n]  # noqa: C416


def own_call_of_a_number(n: int):
    return n()


def own_attribute(n: int):
    return n.nothing


def own_attribute_of_text(s: str):
    return s.nothing


def own_search(n: int):
    return [1, 2].index(n)


def own_removal(n: int):
    return deque([1]).remove(n)


def own_end_of_an_iterator(n: int):
    return next(x for x in (1, 2) if x == n)


def own_key(n: int):
    return {1: 2}[n]


def own_place(n: int):
    return [1, 2][n]


def own_frozen_object(n: int):
    Frozen(1).x = n


def own_member(n: int):
    return Colour(n)


def own_division(n: int):
    return 1 // n


def own_domain(n: int):
    return itertools.islice([], 1 if n > 3 else -1)


def own_library(n: int):
    return unrewritten.small(n)


def own_place_in_a_library(n: int):
    return unrewritten.element([1, 2], 5 if n > 3 else 0)


def own_number_of_arguments(n: int):
    return own_call_of_a_number(n, n)


SHOWING = (own_search, own_removal)
"""What is raised shows the value, which so becomes concrete."""

OWN = [value for name, value in dict(globals()).items() if name.startswith("own_")]


@pytest.mark.parametrize("function", OWN)
def test_what_the_target_raises_itself_is_a_path_of_its_own(function):
    found = Collector(function, size=1).explore()
    assert [trace.refused for trace in found.traces] == [None] * len(found.traces)
    assert Outcome.RAISED in {trace.outcome for trace in found.traces} or function is own_error_when_caught
    assert found.proof == "tree exhausted" or function in SHOWING


def asked_place(n: int):
    return array.array("b", [1, 2])[n]


def asked_assignment(n: int):
    row = array.array("b", [1, 2])
    row[n] = 1
    return row[0]


def asked_range(n: int):
    row = array.array("b")
    row.append(n)
    return row[0]


def asked_groups(n: int):
    return b"abcdef".hex("-", n)


def asked_pickle(n: int):
    return pickle.loads(pickle.dumps([n, n > 1])) == [n, n > 1]


@pytest.mark.parametrize("function", [asked_place, asked_assignment, asked_range, asked_groups, asked_pickle])
def test_what_was_asked_for_its_value_is_not_refused(function):
    """Compiled code that makes a number concrete may raise what it likes: it was given what it wanted."""
    found = Collector(function, size=1, paths=5).explore()
    assert [trace.refused for trace in found.traces] == [None] * len(found.traces)
    assert all(trace.concretisations for trace in found.traces)


def test_memory_that_ran_out_is_told_also_if_the_target_catches_it():
    def large(n: int):
        try:
            return 3**n
        except Exception:
            return 0

    found = Collector(large, size=1, paths=50).explore()
    assert "memory ran out" in {trace.refused for trace in found.traces}


def test_a_coroutine_is_watched_like_a_function():
    async def wait(data):
        async with contextlib.AsyncExitStack():
            await asyncio.sleep(0)
            return hmac.HMAC(b"key", data, "sha256").digest()

    def target(data: bytes):
        try:
            return asyncio.new_event_loop().run_until_complete(wait(data))
        except TypeError:
            return 0

    (trace, *_) = Collector(target, size=1, paths=1).explore().traces
    assert "a symbolic value was refused" in trace.refused


MISSING = {"__getnewargs__", "__getformat__", "__rmod__", "__buffer__"}
"""Special methods that no operator reaches; compiled code that asks for a buffer is watched."""


@pytest.mark.parametrize(
    ("symbolic", "real"), [(SymInt, int), (SymBool, bool), (SymFloat, float), (SymStr, str), (SymBytes, bytes)]
)
def test_a_symbolic_value_has_all_operators_of_a_real_one(symbolic, real):
    """So that what Python says of an operation is what it would say of the real one."""
    own = {name for name in dir(real) if name.startswith("__")}
    assert own - set(dir(symbolic)) <= MISSING


Pair = namedtuple("Pair", "left right")


class Stack(list):
    pass


class Whole(int):
    pass


class Row(array.array):
    pass


class Mishap(ValueError):
    pass


def test_containers_and_exceptions_keep_what_they_are_given():
    for kind in (list, Stack, dict, OrderedDict, Counter, deque, Pair, Frozen, Suppressing, ValueError, Mishap):
        assert only_stores(kind)
        assert is_made_by_compiled_code(kind) == (kind is deque)  # which is given a maxlen
        assert not is_foreign(kind)


def test_other_compiled_classes_may_look_into_it():
    for kind in (array.array, Row, datetime.date):
        assert not only_stores(kind)
        assert is_made_by_compiled_code(kind)
        assert is_foreign(kind)


def test_real_numbers_and_texts_are_asked_by_their_constructors():
    for kind in (int, str, bytes, Whole):
        assert not is_made_by_compiled_code(kind)
        assert not is_foreign(kind)
