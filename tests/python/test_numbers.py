"""Numbers stay symbolic: both outcomes of every construct are reached, and every value is Python's own."""

import inspect
import math
import operator
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import Evaluator, Offset, Var
from pessimal.expr.intervals import Intervals
from pessimal.python import current
from pessimal.python.handlers import resolve
from pessimal.python.values import SymBool, SymFloat, SymInt
from pessimal.trace import Outcome
from tests.profiles import examples
from tests.python import number_failures as failures
from tests.python import number_programs
from tests.python.exploring import Collector, both_outcomes, native

PROGRAMS = [
    function
    for _, function in inspect.getmembers(number_programs, inspect.isfunction)
    if function.__module__ == number_programs.__name__
]
FALLING_BACK = {"factorial", "power_of_two", "shifted_one", "hashed_by_a_class"}
"""Programs whose numbers become concrete: beyond a table, or where Python takes nothing else."""


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_both_outcomes_are_reached(function):
    paths = 40 if function.__name__ in FALLING_BACK else 200
    found = Collector(function, paths=paths).explore()
    if function.__name__ not in FALLING_BACK:
        assert not any(trace.concretisations for trace in found.traces)
    assert {0, 1} <= both_outcomes(function, paths=paths)


class Following:
    """An execution that takes every decision as a given input takes it."""

    identity_hash = False
    position = 0

    def __init__(self, leaves):
        self.evaluator = Evaluator(leaves)
        self.concretised = []
        self.notes = {}
        self.intervals = Intervals()

    def branch(self, condition, frame):
        return self.evaluator.condition(condition)

    choice = branch

    def concretise(self, terms, reason, frame):
        self.concretised.append(reason)
        return [self.evaluator.term(term) for term in terms]

    def value(self, result):
        if isinstance(result, tuple):
            return tuple(map(self.value, result))
        if type(result) is SymBool:
            return self.evaluator.condition(result.expr)
        if type(result) in (SymInt, SymFloat):
            return self.evaluator.term(result.expr)
        codes = getattr(result, "codes", None)
        return result if codes is None else bytes(self.evaluator.term(code) for code in codes)


def outcome(call, *args):
    try:
        return call(*args)
    except Exception as error:
        return type(error), str(error)


def same(a, b):
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if a != a and b != b:
        return True
    is_signed_alike = not isinstance(a, float) or math.copysign(1, a) == math.copysign(1, b)
    return type(a) is type(b) and a == b and is_signed_alike


def check(call, *numbers):
    """The symbolic result, evaluated at the input, is the native one: same type, value, sign of zero and error."""
    execution = Following(numbers)
    symbols = [SymFloat(Var(i)) if isinstance(n, float) else SymInt(Offset(i)) for i, n in enumerate(numbers)]
    outside, current.execution = current.execution, execution
    try:
        result = outcome(resolve(call) if not inspect.isfunction(call) else call, *symbols)
        found = execution.value(result)
    finally:
        current.execution = outside
    expected = outcome(call, *numbers)
    assert same(found, expected), (call, numbers, found, expected)


integers = st.integers(-300, 300) | st.integers(-(2**70), 2**70)
doubles = st.floats(-1e6, 1e6) | st.floats(allow_nan=False, allow_infinity=False) | st.integers(-9, 9).map(float)
numbers = integers | doubles

UNARY = [
    *(round, abs, int, float, bool, hash, operator.neg, operator.pos, math.floor, math.ceil, math.trunc),
    *(math.sqrt, math.cbrt, math.exp, math.exp2, math.expm1, math.log, math.log2, math.log10, math.log1p, math.sin),
    *(math.cos, math.tan, math.asin, math.acos, math.atan, math.sinh, math.cosh, math.tanh, math.asinh, math.acosh),
    *(math.atanh, math.erf, math.erfc, math.gamma, math.lgamma, math.fabs, math.degrees, math.radians, math.modf),
    *(math.isnan, math.isinf, math.isfinite, math.isqrt, math.hypot, math.gcd, math.lcm),
]
BINARY = [
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, divmod),
    *(operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge),
    *(math.gcd, math.lcm, math.log),
    *(math.fmod, math.remainder, math.pow, math.hypot, math.copysign, math.atan2, math.isclose),
]


@examples(500)
@given(st.sampled_from(UNARY), numbers)
def test_functions_of_one_number_are_pythons_own(call, x):
    check(call, x)


@examples(500)
@given(st.sampled_from(BINARY), numbers, numbers)
def test_functions_of_two_numbers_are_pythons_own(call, x, y):
    check(call, x, y)


@examples(100)
@given(st.sampled_from([operator.and_, operator.or_, operator.xor]), integers, integers)
def test_bit_operations_are_pythons_own(call, x, y):
    check(call, x, y)


METHODS = [
    lambda x: x & 0.5,
    lambda x: x.bit_length(),
    lambda x: x.bit_count(),
    lambda x: x.as_integer_ratio(),
    lambda x: x.to_bytes(2, "big"),
    lambda x: x.to_bytes(9, "little", signed=True),
    lambda x: x.to_bytes(1, "middle"),
    lambda x: round(x, -2),
    lambda x: round(x, 3),
    lambda x: x**2 + x**12,
    lambda x: x**-1,
    lambda x: x << 3,
    lambda x: x >> 3,
    lambda x: ~x,
    lambda x: x + 0.5,
    lambda x: 0.1 * x,
    lambda x: (x.real, x.imag, x.numerator, x.denominator),
    lambda x: x == Decimal(3),
    lambda x: x < Decimal("0.1"),
    lambda x: x >= Fraction(1, 3),
    lambda x: x == 3 + 0j,
    lambda x: x + Decimal("0.5"),
    lambda x: x * 1j,
    lambda x: 1j - x,
    lambda x: x < 1j,
]
FLOAT_METHODS = [
    lambda x: x.is_integer(),
    lambda x: round(x, 1),
    lambda x: round(x, -1),
    lambda x: x**2,
    lambda x: x**0.5,
    lambda x: x**-2,
    lambda x: x**-0.5,
    lambda x: 2**x,
    lambda x: x**300.5,
    lambda x: int(x * 10),
    lambda x: x == Fraction(1, 3),
    lambda x: x <= Decimal("0.1"),
    lambda x: x > Fraction(1, 3),
    lambda x: (x < math.inf, x == math.nan, x > -math.inf),
    lambda x: (x.real, x.imag, x.conjugate()),
]


@examples(400)
@given(st.sampled_from(METHODS), integers)
def test_methods_of_integers_are_pythons_own(call, x):
    def tidy(value):
        result = call(value)
        return repr(result) if isinstance(result, complex | Decimal) else result

    check(tidy, x)


@examples(300)
@given(st.sampled_from(FLOAT_METHODS), doubles)
def test_methods_of_floats_are_pythons_own(call, x):
    def tidy(value):
        result = call(value)
        return repr(result) if isinstance(result, complex) else result

    check(tidy, x)


@examples(200)
@given(
    st.sampled_from([pow, operator.lshift, operator.rshift, math.comb, math.perm]),
    st.integers(-20, 60),
    st.integers(-5, 70),
)
def test_exponents_and_shifts_are_pythons_own(call, x, y):
    check(call, x, y)
    check(lambda a: resolve(call)(a, y) if type(a) is SymInt else call(a, y), x)
    check(lambda b: resolve(call)(x, b) if type(b) is SymInt else call(x, b), y)


@examples(100)
@given(st.integers(-50, 50), st.integers(-3, 20), st.integers(-9, 9))
def test_modular_powers_are_pythons_own(x, n, m):
    check(lambda a: resolve(pow)(a, n, m) if type(a) is SymInt else pow(a, n, m), x)


def test_an_unbounded_power_is_refused_before_it_fills_the_memory():
    found = Collector(failures.unbounded_power).explore()
    assert found.proof is None
    assert any(trace.refused for trace in found.traces)


@pytest.mark.parametrize(
    ("program", "error"),
    [
        (failures.square_root, "ValueError"),
        (failures.logarithm, "ValueError"),
        (failures.arc_sine, "ValueError"),
        (failures.exponential, "OverflowError"),
        (failures.integer_root, "ValueError"),
        (failures.negative_shift, "ValueError"),
        (failures.infinite_floor, "OverflowError"),
        (failures.too_large_for_bytes, "OverflowError"),
        (failures.power_of_zero, "ZeroDivisionError"),
        (failures.overflowing_square, "OverflowError"),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_what_python_raises_is_a_path_of_its_own(program, error):
    found = Collector(program, paths=20).explore()
    ends = {(trace.outcome, trace.exception) for trace in found.traces}
    assert (Outcome.RAISED, error) in ends
    assert (Outcome.RETURNED, None) in ends
    for trace in found.traces:
        assert native(program, found.inputs, trace.leaves)[0] is trace.outcome
