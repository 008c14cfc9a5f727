"""Small programs on numbers, one construct each: outcome 1 is only reached by staying symbolic through it."""

import fractions
import math
import operator
from decimal import Decimal


def rounded(x: int) -> int:
    return 1 if round(x / 4) == 777 else 0


def square_root(x: int) -> int:
    return 1 if 0 <= x <= 10000 and math.sqrt(x) == 77.0 else 0


def floor_of_quotient(x: int) -> int:
    return 1 if math.floor(x / 2) == 777 else 0


def ceiling_of_quotient(x: int) -> int:
    return 1 if math.ceil(x / 2) == 777 else 0


def integer_root(x: int) -> int:
    return 1 if x >= 0 and math.isqrt(x) == 77 else 0


def hashed(x: int) -> int:
    return 1 if hash(x) == 7777 else 0


def hashed_minus_one(x: int) -> int:
    return 1 if hash(x) == -2 and x != -2 else 0


def binary_logarithm(x: int) -> int:
    return 1 if x > 0 and math.log2(x) == 10 else 0


def natural_logarithm(x: int) -> int:
    return 1 if x > 0 and math.log(x) > 9 else 0


def logarithm_to_base(x: int) -> int:
    return 1 if x > 0 and math.log(x, 10) > 3.5 else 0


def truncated_product(x: int) -> int:
    return 1 if int(x * 1.5) == 300 else 0


def power_of_two(x: int) -> int:
    return 1 if 2**x == 1024 else 0


def shifted_one(x: int) -> int:
    return 1 if x >= 0 and 1 << x == 1024 else 0


def shifted_both(x: int, y: int) -> int:
    return 1 if 0 <= y < 40 and x >> y == 5 and y == 7 else 0


def tenth_power(x: int) -> int:
    return 1 if x**10 == 1024 else 0


def length_in_bits(x: int) -> int:
    return 1 if x.bit_length() == 7 else 0


def bits_set(x: int) -> int:
    return 1 if 0 <= x < 4096 and x.bit_count() == 7 else 0


def common_divisor(x: int) -> int:
    return 1 if math.gcd(x, 77) == 77 else 0


def common_divisor_of_two(x: int, y: int) -> int:
    return 1 if 1 <= x <= 50 and 1 <= y <= 50 and math.gcd(x, y) == 7 else 0


def common_multiple(x: int) -> int:
    return 1 if 0 < x < 100 and math.lcm(x, 6) == 42 else 0


def factorial(x: int) -> int:
    return 1 if x >= 0 and math.factorial(x) == 720 else 0


def combinations(x: int) -> int:
    return 1 if x >= 0 and math.comb(10, x) == 120 else 0


def combinations_of_symbolic(x: int) -> int:
    return 1 if x >= 0 and math.comb(x, 2) == 45 else 0


def permutations(x: int) -> int:
    return 1 if x >= 0 and math.perm(x, 3) == 720 else 0


def rounded_to_hundreds(x: int) -> int:
    return 1 if round(x, -2) == 7700 else 0


def from_bytes(b: bytes) -> int:
    return 1 if int.from_bytes(b[:2], "big") == 0x1234 else 0


def from_signed_bytes(b: bytes) -> int:
    return 1 if int.from_bytes(b[:2], "little", signed=True) == -300 else 0


def to_bytes(x: int) -> int:
    return 1 if 0 <= x < 65536 and x.to_bytes(2, "big") == b"\x12\x34" else 0


def to_signed_bytes(x: int) -> int:
    return 1 if -100 < x < 100 and x.to_bytes(2, "little", signed=True) == b"\xfe\xff" else 0


def hypotenuse(x: int) -> int:
    return 1 if -1000 < x < 1000 and math.hypot(x, 3) == 5 else 0


def distance(x: int, y: int) -> int:
    return 1 if -100 < x < 100 and -100 < y < 100 and math.dist((x, y), (1, 2)) == 5.0 else 0


def float_floor(f: float) -> int:
    return 1 if math.floor(f) == 7 else 0


def whole_float(f: float) -> int:
    return 1 if f.is_integer() and f > 3 else 0


def float_to_integer(f: float) -> int:
    return 1 if int(f) == 42 else 0


def truncated(f: float) -> int:
    return 1 if math.trunc(f) == -42 else 0


def rounded_to_tenths(f: float) -> int:
    return 1 if round(f, 1) == 2.5 else 0


def sine(f: float) -> int:
    return 1 if math.sin(f) > 0.9 else 0


def float_remainder(f: float) -> int:
    return 1 if f % 1 == 0.5 else 0


def float_floor_division(f: float) -> int:
    return 1 if f // 2 == 3.0 else 0


def float_divmod(f: float) -> int:
    return 1 if divmod(f, 2) == (3.0, 0.5) else 0


def exponential(f: float) -> int:
    return 1 if f < 100 and 20 < math.exp(f) < 21 else 0


def arc_tangent(f: float) -> int:
    return 1 if math.atan(f) > 1.5 else 0


def arc_sine(f: float) -> int:
    return 1 if -1 <= f <= 1 and math.asin(f) > 1.2 else 0


def float_remainder_of_c(f: float) -> int:
    return 1 if math.fmod(f, 3) == -0.5 else 0


def parts_of_float(f: float) -> int:
    return 1 if math.modf(f) == (0.25, 7.0) else 0


def close(f: float) -> int:
    return 1 if math.isclose(f, 77.0) and f != 77.0 else 0


def exact_sum(f: float) -> int:
    return 1 if abs(f) < 1e9 and math.fsum([f, 1, 2.5]) == 10.5 else 0


def product(x: int, y: int) -> int:
    return 1 if math.prod([x, y, 2]) == 154 and x > y > 1 else 0


def degrees(f: float) -> int:
    return 1 if 179.5 < math.degrees(f) < 180.5 else 0


def sign_copied(f: float) -> int:
    return 1 if math.copysign(7, f) == -7 else 0


def absolute_float(f: float) -> int:
    return 1 if math.fabs(f) == 2.5 and f < 0 else 0


def cube_root(f: float) -> int:
    return 1 if math.cbrt(f) == 3.0 else 0


def float_square(f: float) -> int:
    return 1 if abs(f) < 1e6 and f**2 == 6.25 and f < 0 else 0


def square_root_by_power(f: float) -> int:
    return 1 if 0 <= f < 1e6 and f**0.5 == 1.5 else 0


def power_in_floats(f: float) -> int:
    return 1 if 0 <= f < 100 and math.pow(f, 3) == 27.0 else 0


def unit_to_a_large_power(x: int, y: int) -> int:
    return 1 if y > 5000 and -2 < x < 2 and x**y == -1 else 0


def zero_shifted_far(x: int, y: int) -> int:
    return 1 if y > 2**40 and -2 < x < 1 and x == 0 and x << y == 0 else 0


def modular_power(x: int) -> int:
    return 1 if 0 <= x < 50 and pow(x, 3, 7) == 6 and x > 20 else 0


def modulus(x: int) -> int:
    return 1 if x > 1 and pow(2, 10, x) == 24 else 0


def never_infinite(f: float) -> int:
    return 1 if f < math.inf and f > 7 else 0


def infinite_result(f: float) -> int:
    return 1 if math.isinf(f * 10) else 0


def not_a_number(f: float) -> int:
    return 1 if math.isnan(f * 10 - f * 10) else 0


def compared_with_nan(f: float) -> int:
    return 0 if min(f, float("nan")) == f and f > 3 else 1


def mean(x: float, y: float) -> int:
    values = [x, y]
    return 1 if sum(values) / len(values) == 4.25 else 0


def by_operators(x: int) -> int:
    return 1 if operator.add(operator.mul(x, 3), 1) == 232 and operator.lt(x, 100) else 0


def by_dunder(x: int) -> int:
    return 1 if x.__eq__(77) else 0


def ratio(x: int) -> int:
    return 1 if x.as_integer_ratio() == (77, 1) else 0


def with_fraction(x: int) -> int:
    return 1 if x != fractions.Fraction(1, 2) and x != Decimal("0.5") and x != 1j and x == 77 else 0


def truth_as_float(p: bool) -> int:
    return 1 if float(p) == 1.0 else 0


class Key:
    def __init__(self, number):
        self.number = number

    def __hash__(self):
        return hash(self.number)

    def __eq__(self, other):
        return self.number == other.number


def hashed_by_a_class(x: int) -> int:
    return 1 if 0 <= x < 4 and len({Key(x), Key(3)}) == 1 else 0
