"""Numbers: digits, bits, dates, exact and floating arithmetic."""

from __future__ import annotations

import calendar
import colorsys
import datetime
import math
import statistics
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction


def digit_sum(number: int) -> int:
    if not 0 <= number < 10**6:
        return 0
    total = 0
    while number:
        number, digit = divmod(number, 10)
        total += digit
    return 1 if total == 53 else 0


def digits_in_base(number: int) -> int:
    if not 0 < number < 10**5:
        return 0
    digits = []
    while number:
        digits.append(number % 7)
        number //= 7
    return 1 if digits[::-1] == [4, 0, 2, 5] else 0


def armstrong(number: int) -> int:
    if not 100 <= number <= 999:
        return 0
    return 1 if sum(int(digit) ** 3 for digit in str(number)) == number else 0


def collatz(number: int) -> int:
    if not 0 < number < 1000:
        return 0
    number_was_large = number > 400
    steps = 0
    while number != 1 and steps < 60:
        number = 3 * number + 1 if number % 2 else number // 2
        steps += 1
    return 1 if steps == 19 and number_was_large else 0


def greatest_divisor(a: int, b: int) -> int:
    if not (0 < a < 1000 and 0 < b < 1000):
        return 0
    while b:
        a, b = b, a % b
    return 1 if a == 121 else 0


def prime_number(number: int) -> int:
    if not 900 < number < 1000 or number % 10 != 7:
        return 0
    for divisor in range(2, math.isqrt(number) + 1):
        if number % divisor == 0:
            return 0
    return 1


def fibonacci(number: int) -> int:
    a, b = 0, 1
    while a < min(number, 10**6):
        a, b = b, a + b
    return 1 if a == number and number > 5000 else 0


def newton_root(number: int) -> int:
    if not 0 < number < 10**5:
        return 0
    guess = number
    while guess * guess > number:
        guess = (guess + number // guess) // 2
    return 1 if guess == 57 and guess * guess == number else 0


def set_bits(number: int) -> int:
    if not 0 <= number < 2**16:
        return 0
    count = 0
    while number:
        number &= number - 1
        count += 1
    return 1 if count == 14 else 0


def gray_code(number: int) -> int:
    return 1 if 0 <= number < 4096 and number ^ (number >> 1) == 0x5A5 else 0


def reversed_bits(number: int) -> int:
    if not 0 <= number < 256:
        return 0
    result = 0
    for _ in range(8):
        result = result << 1 | number & 1
        number >>= 1
    return 1 if result == 0x1D else 0


def mixing_hash(number: int) -> int:
    if not 0 <= number < 2**16:
        return 0
    mixed = (number * 31 + 7) & 0xFFFF
    mixed ^= mixed >> 5
    return 1 if mixed == 0x1234 else 0


def congruential(seed: int) -> int:
    return 1 if (seed * 69069 + 12345) % 2**16 == 4242 and 0 <= seed < 2**16 else 0


def modular_power(number: int) -> int:
    if not 0 <= number < 1009:
        return 0
    return 1 if pow(number, 3, 1009) == 27 and number > 3 else 0


def income_tax(income: int) -> int:
    tax, lower = 0, 0
    for upper, rate in ((10_000, 0), (30_000, 20), (80_000, 35)):
        if income > lower:
            tax += (min(income, upper) - lower) * rate
        lower = upper
    return 1 if tax == 645_000 else 0


def coin_change(amount: int) -> int:
    if not 0 <= amount < 500:
        return 0
    count = 0
    for coin in (100, 50, 20, 10, 5, 2, 1):
        count += amount // coin
        amount %= coin
    return 1 if count == 10 else 0


def big_endian(number: int) -> int:
    if not 0 <= number < 2**32:
        return 0
    return 1 if number.to_bytes(4, "big")[1:3] == b"\x02\x03" else 0


def hue(red: int, green: int) -> int:
    if not (0 <= red < 256 and 0 <= green < 256):
        return 0
    shade, _, value = colorsys.rgb_to_hsv(red / 255, green / 255, 0.0)
    return 1 if 0.2 < shade < 0.21 and value == 1.0 else 0


def leap_weekday(year: int) -> int:
    if not 1900 <= year <= 2100 or not calendar.isleap(year):
        return 0
    return 1 if calendar.weekday(year, 2, 29) == calendar.SUNDAY else 0


def month_length(year: int, month: int) -> int:
    if not (1900 <= year <= 2100 and 1 <= month <= 12):
        return 0
    return 1 if calendar.monthrange(year, month) == (6, 29) else 0


def same_fraction(number: int) -> int:
    return 1 if Fraction(number, 84) == Fraction(5, 7) else 0


def fraction_sum(numerator: int, denominator: int) -> int:
    if not 0 < denominator < 50:
        return 0
    return 1 if Fraction(numerator, denominator) + Fraction(1, 6) == Fraction(11, 12) else 0


def decimal_share(cents: int) -> int:
    return 1 if Decimal(cents) / 8 == Decimal("12.125") else 0


def rounded_price(cents: int) -> int:
    if not 0 <= cents < 10**6:
        return 0
    price = (Decimal(cents) * Decimal("0.0119")).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    return 1 if str(price) == "47.11" else 0


def date_of_ordinal(number: int) -> int:
    if not 700_000 < number < 740_000:
        return 0
    day = datetime.date.fromordinal(number)
    return 1 if (day.year, day.month, day.day) == (1999, 12, 31) else 0


def date_after(days: int) -> int:
    if not 0 <= days < 5000:
        return 0
    day = datetime.date(2024, 1, 1) + datetime.timedelta(days=days)
    return 1 if day.isoformat() == "2031-07-04" else 0


def friday_thirteenth(year: int, month: int) -> int:
    try:
        day = datetime.date(year, month, 13)
    except (ValueError, OverflowError):
        return 0
    return 1 if day.weekday() == 4 and year == 2026 else 0


def elapsed(seconds: int) -> int:
    if not 0 <= seconds < 10**6:
        return 0
    return 1 if str(datetime.timedelta(seconds=seconds)) == "1 day, 2:03:04" else 0


def double_root(b: float) -> int:
    discriminant = b * b - 4.0 * 2.0 * 18.0
    return 1 if discriminant == 0.0 and b < 0 else 0


def fahrenheit(celsius: float) -> int:
    return 1 if 98.59 < celsius * 1.8 + 32.0 < 98.61 else 0


def rounded_float(value: float) -> int:
    return 1 if round(value, 1) == 2.7 and value != 2.7 else 0


def whole_float(value: float) -> int:
    if not 0.0 < value < 1e6:
        return 0
    return 1 if value.is_integer() and int(value) % 1000 == 321 else 0


def not_a_number(value: float) -> int:
    return 1 if math.isnan(value) else 0


def floor_and_ceiling(value: float) -> int:
    if not -1e6 < value < 1e6:
        return 0
    return 1 if math.floor(value) == -18 and math.ceil(value) == -17 else 0


def hypotenuse(a: int, b: int) -> int:
    if not 0 < a < b < 100:
        return 0
    return 1 if math.hypot(a, b) == 65.0 else 0


def compound_interest(rate: float) -> int:
    if not 0.0 < rate < 1.0:
        return 0
    amount = 100.0
    for _ in range(3):
        amount *= 1.0 + rate
    return 1 if 133.0 < amount < 133.2 else 0


def average(values: list[int]) -> int:
    if len(values) != 3:
        return 0
    return 1 if statistics.mean(values) == 17 and statistics.median(values) == 3 else 0


def determinant(a: int, b: int) -> int:
    rows = [[a, 2, 0], [1, b, 3], [0, 1, 4]]
    total = 0
    for i in range(3):
        (c, d), (e, f) = ([row[j] for j in range(3) if j != i] for row in rows[1:])
        total += (-1) ** i * rows[0][i] * (c * f - d * e)
    return 1 if total == 153 and a > 0 and b > 0 else 0


def thermostat(on: bool, degrees: int) -> int:
    target = 21 if on else 15
    return 1 if not on and degrees - target == 40 else 0


# fmt: off
WITNESSES: dict[str, tuple[object, ...]] = {
    "digit_sum": (899999,), "digits_in_base": (1391,), "armstrong": (371,), "collatz": (401,),
    "greatest_divisor": (242, 363), "prime_number": (937,), "fibonacci": (6765,), "newton_root": (3249,),
    "set_bits": (0x3FFF,), "gray_code": (0x6C6,), "reversed_bits": (0xB8,), "mixing_hash": (12838,),
    "congruential": (28861,),
    "modular_power": (113,), "income_tax": (37_000,), "coin_change": (488,), "big_endian": (0x00020300,),
    "hue": (199, 255), "leap_weekday": (2032,), "month_length": (2032, 2), "same_fraction": (60,),
    "fraction_sum": (3, 4),
    "decimal_share": (97,), "rounded_price": (3959,), "date_of_ordinal": (730119,), "date_after": (2741,),
    "friday_thirteenth": (2026, 11), "elapsed": (93784,), "double_root": (-12.0,), "fahrenheit": (37.0,),
    "rounded_float": (2.71,), "whole_float": (4321.0,), "not_a_number": (math.nan,), "floor_and_ceiling": (-17.5,),
    "hypotenuse": (16, 63), "compound_interest": (0.1,), "average": ([3, 1, 47],), "determinant": (1, 41),
    "thermostat": (False, 55),
}
# fmt: on
