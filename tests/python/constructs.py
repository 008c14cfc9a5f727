"""Small programs, one construct each: outcome 1 is only reached by an engine that stays symbolic through it.

Choices of step one are here: numbers, truth values, text, containers that hold them, and C functions that compare.
"""

import bisect
import dataclasses
import heapq
from collections import deque, namedtuple
from functools import reduce
from itertools import accumulate
from typing import Annotated


def arithmetic(x: int) -> int:
    return 1 if x * 3 + 7 == 238 else 0


def subtraction(x: int, y: int) -> int:
    return 1 if 100 - x - y == 23 and x - y == 5 else 0


def floor_division(x: int) -> int:
    return 1 if x // 7 == -3 and x % 7 == 2 else 0


def negative_divisor(x: int) -> int:
    return 1 if x // -7 == 3 and x % -7 == -1 else 0


def division(x: Annotated[int, range(-(10**9), 10**9)]) -> int:
    return 1 if x / 2 == 38.5 else 0


def division_by_zero(x: int) -> int:
    try:
        return 0 * (10 // (x - 7))
    except ZeroDivisionError:
        return 1


def division_both(x: int) -> int:
    q, r = divmod(x, 100)
    return 1 if (q, r) == (77, 7) else 0


def power(x: int) -> int:
    return 1 if x**2 == 5929 and x < 0 else 0


def absolute(x: int) -> int:
    return 1 if abs(x) == 7777 and -x > 0 else 0


def mask(x: int) -> int:
    return 1 if (x & 0xFF) == 0x5A else 0


def shifts(x: int) -> int:
    return 1 if x << 3 == 616 or x >> 2 == 1000 else 0


def inverted(x: int) -> int:
    return 1 if ~x == 41 else 0


def chain(x: int) -> int:
    return 1 if 7776 < x < 7778 else 0


def and_or_not(x: int, y: int) -> int:
    return 1 if (x > 5 and not y > 3) or (x == -8 and y == 9) else 0


def or_value(x: int) -> int:
    return 1 if ((x - 7777) or 5) == 5 else 0


def truth_of_number(x: int) -> int:
    return 1 if not (x - 7777) else 0


def ternary(x: int) -> int:
    return (1 if x == 3 else 0) if x > 2 else 0


def walrus(x: int) -> int:
    return 1 if (y := x + 1) > 50 and y < 52 else 0


def assertion(x: int) -> int:
    try:
        assert x != 4321
    except AssertionError:
        return 1
    return 0


def tuple_order(x: int) -> int:
    return 1 if (7777, 1) < (x, 0) < (7779, 0) else 0


def tuple_equality(x: int, y: int) -> int:
    return 1 if (x, y) == (3, 4) else 0


def list_order(x: int) -> int:
    return 1 if [1, x] > [1, 99] and [1, x] < [1, 101] else 0


def loop(xs: list[int]) -> int:
    total = 0
    for x in xs:
        if x > 10:
            total += 1
    return 1 if total == len(xs) else 0


def while_loop(x: int) -> int:
    steps = 0
    while x > 0 and steps < 8:
        x -= 3
        steps += 1
    return 1 if steps == 5 else 0


def recursion(x: int) -> int:
    def depth(y: int, d: int) -> int:
        return d if y <= 0 or d > 8 else depth(y - 2, d + 1)

    return 1 if depth(x, 0) == 4 else 0


def exception(x: int) -> int:
    try:
        if x == 99:
            raise KeyError(x)
        return 0
    except KeyError:
        return 1
    finally:
        x = 0


class Account:
    def __init__(self, balance: int) -> None:
        self.balance = balance

    def __lt__(self, other: "Account") -> bool:
        return self.balance < other.balance

    @property
    def is_rich(self) -> bool:
        return self.balance > 1000


def classes(x: int) -> int:
    mine, yours = Account(x), Account(2000)
    return 1 if mine.is_rich and mine < yours else 0


@dataclasses.dataclass(order=True)
class Point:
    x: int
    y: int


def dataclass_order(x: int) -> int:
    return 1 if Point(3, 4) < Point(x, 4) < Point(5, 0) else 0


def named(x: int) -> int:
    pair = namedtuple("pair", "a b")
    return 1 if pair(x, 1).a == 7777 else 0


def closure(x: int) -> int:
    def over(limit: int) -> bool:
        return x > limit

    return 1 if over(10) and not over(11) else 0


def generator(xs: list[int]) -> int:
    def positive():
        for x in xs:
            if x > 0:
                yield x

    return 1 if sum(positive()) == 17 else 0


def comprehension(xs: list[int]) -> int:
    return 1 if len([x for x in xs if x == 5]) == 2 else 0


def slicing(xs: list[int]) -> int:
    return 1 if xs[1:] == [4, 5] and xs[::-1][0] == 5 else 0


def sorting(xs: list[int]) -> int:
    return 1 if sorted(xs)[1] == 177 else 0


def sorting_by_key(xs: list[int]) -> int:
    pairs = [(i, x) for i, x in enumerate(xs)]
    pairs.sort(key=lambda pair: -pair[1])
    return 1 if pairs[0][0] == 2 else 0


def extremes(x: int, y: int) -> int:
    return 1 if min(x, y, 500) == 377 and max([10, x]) == 7777 else 0


def heap(x: int) -> int:
    items = [10, 20, 30]
    heapq.heappush(items, x)
    heapq.heappop(items)
    return 1 if heapq.heappop(items) == 17 else 0


def bisection(x: int) -> int:
    return 1 if bisect.bisect_left([1000, 2000, 3000], x) == 2 else 0


def any_all(x: int) -> int:
    return 1 if any(v == x for v in (7777, 5)) and all([x > 7776, x < 7778]) else 0


def membership(x: int) -> int:
    return 1 if x in [5, 7777] and x not in (5,) else 0


def position(x: int) -> int:
    try:
        return 1 if [1, 7777, 3].index(x) == 1 else 0
    except ValueError:
        return 0


def folding(x: int) -> int:
    return 1 if reduce(lambda a, b: a + b, [x, 1, 2]) == 7777 and list(accumulate([x, 1]))[-1] == 7775 else 0


def queue(x: int) -> int:
    items = deque([x])
    items.append(3)
    return 1 if items.popleft() == 7777 else 0


def pattern(x: int) -> int:
    match (x, x + 1):
        case (41, 42):
            return 1
        case _:
            return 0


def truth_argument(flag: bool, x: int) -> int:
    return 1 if flag and (flag is True) and x + flag == 8 else 0


def is_true(x: int) -> int:
    return 1 if (x == 77) is True else 0


def types(x: int) -> int:
    return 1 if isinstance(x, int) and type(x) is int and x == 77 else 0


def conversion(x: int) -> int:
    return 1 if int(x) == 77 and float(x) < 77.5 and bool(x) else 0


def float_order(x: float, y: float) -> int:
    return 1 if 0.25 < x < y < 0.5 else 0


def float_arithmetic(x: float) -> int:
    return 1 if x * 2 + 1 == 8.5 else 0


def float_and_int(x: float, n: int) -> int:
    return 1 if x == n and n > 3 and x < 4.5 else 0


def text_equal(s: str) -> int:
    return 1 if s == "abc" else 0


def text_position(s: str) -> int:
    return 1 if s[1] == "q" and s[-1] != "q" else 0


def text_slice(s: str) -> int:
    return 1 if s[1:3] == "zq" and s[::-1][0] == "q" else 0


def text_order(s: str) -> int:
    return 1 if "mm" < s < "mn" else 0


def text_part(s: str) -> int:
    return 1 if "zq" in s and "x" not in s else 0


def text_loop(s: str) -> int:
    return 1 if sum(ord(c) for c in s) == 310 else 0


def text_affixes(s: str) -> int:
    return 1 if s.startswith("ab") and s.endswith(("xy", "c")) else 0


def text_concat(s: str) -> int:
    return 1 if "x" + s + "y" == "xabcy" and "-".join([s, "d"]) == "abc-d" else 0


def text_digits(s: str) -> int:
    return 1 if all("0" <= c <= "9" for c in s) else 0


def bytes_values(b: bytes) -> int:
    return 1 if b[0] == 77 and b[1:] == b"\x01\x02" else 0
