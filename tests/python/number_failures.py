"""Small programs on numbers that fail for some inputs, as Python does."""

import math


def square_root(x: int) -> float:
    return math.sqrt(x)


def logarithm(x: int) -> float:
    return math.log(x)


def arc_sine(f: float) -> float:
    return math.asin(f)


def exponential(f: float) -> float:
    return math.exp(f)


def integer_root(x: int) -> int:
    return math.isqrt(x)


def negative_shift(x: int) -> int:
    return 77 >> x


def infinite_floor(f: float) -> int:
    return math.floor(f * 10)


def too_large_for_bytes(x: int) -> bytes:
    return x.to_bytes(2, "big")


def power_of_zero(x: int) -> float:
    return x**-1 if x < 100 else 0.0


def overflowing_square(f: float) -> float:
    return f**2


def unbounded_power(x: int) -> bool:
    return x > 1 << 30 and 2**x > 5
