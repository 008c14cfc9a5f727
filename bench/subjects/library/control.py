"""Control flow: exceptions, matching, generators, coroutines, decorators, arguments, closures."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any


class RangeError(ValueError):
    """A value outside of its range, with the value."""

    def __init__(self, value: int) -> None:
        super().__init__(f"bad value {value}")
        self.value = value


def checked(value: int) -> int:
    """The value, unless it is far out of range."""
    if not -1000 <= value <= 1000:
        raise RangeError(value)
    return value


def finally_order(x: int) -> int:
    steps = []
    try:
        steps.append(checked(x))
    except RangeError as error:
        steps.append(-1)
        if error.value % 1009 == 7:
            steps.append(-2)
    else:
        steps.append(1)
    finally:
        steps.append(0)
    return 1 if steps == [-1, -2, 0] else 0


def chained_error(x: int) -> int:
    try:
        try:
            return int(10 // (x - 5151) > 100)
        except ZeroDivisionError as error:
            raise RuntimeError("wrapped") from error
    except RuntimeError as error:
        return 1 if isinstance(error.__cause__, ZeroDivisionError) else 0


def error_message(x: int) -> int:
    try:
        checked(x)
    except ValueError as error:
        return 1 if str(error) == "bad value -4711" else 0
    return 0


def walrus(text: str) -> int:
    if (place := text.find("#")) > 2 and (rest := text[place + 1 :]) and len(rest) == 3:
        return 1 if rest.isupper() else 0
    return 0


def walrus_loop(x: int) -> int:
    if not 0 < x < 10**4:
        return 0
    rest, turns = x, 0
    while (rest := rest - 7 * turns) > 0:
        turns += 1
    return 1 if rest == 0 and turns == 12 else 0


def star_arguments(x: int) -> int:
    def blend(first: int, *others: int, scale: int = 1, **extra: int) -> int:
        return first * scale - sum(others) + extra.get("bonus", 0)

    values, options = [x, 3, 4], {"scale": 3, "bonus": 100}
    return 1 if blend(*values, **options) == 1893 else 0


def starred_unpacking(values: list[int]) -> int:
    if len(values) < 3:
        return 0
    first, *middle, last = values
    return 1 if first == last == 64 and middle == [1, 2] else 0


@dataclass
class Move:
    """A step on a board."""

    dx: int
    dy: int = 0


def match_class(dx: int, dy: int) -> int:
    match Move(dx, dy):
        case Move(dx=0, dy=0):
            return 0
        case Move(404, dy=down) if down < -300:
            return 1
        case Move():
            return 0
    return 0


def match_mapping(x: int) -> int:
    match {"kind": "resize", "size": x, "unit": "px"}:
        case {"kind": "close"}:
            return 0
        case {"kind": "resize", "size": 1920 | 2560, **rest} if rest == {"unit": "px"}:
            return 1
        case _:
            return 0


def match_sequence(values: list[int]) -> int:
    match values:
        case [] | [_]:
            return 0
        case [90, angle, *_, 270] if angle > 90:
            return 1
        case _:
            return 0


def match_words(text: str) -> int:
    match text.split():
        case ["go", ("n" | "s") as way]:
            return 1 if way == "s" else 0
        case ["go", *_]:
            return 0
        case _:
            return 0


def running_average() -> Generator[float, int, None]:
    """The mean of all numbers sent so far."""
    total, count, mean = 0, 0, 0.0
    while True:
        total += yield mean
        count += 1
        mean = total / count


def generator_send(x: int) -> int:
    averages = running_average()
    next(averages)
    averages.send(10)
    return 1 if averages.send(x) == 105.5 else 0


def flattened(items: list[Any]) -> Iterator[int]:
    """The numbers in nested lists."""
    for item in items:
        if isinstance(item, list):
            yield from flattened(item)
        else:
            yield item


def yield_from(x: int) -> int:
    return 1 if list(flattened([1, [x, [x + 1]], 2])) == [1, 880, 881, 2] else 0


def generator_throw(x: int) -> int:
    def worker() -> Iterator[str]:
        try:
            yield "ready"
        except RangeError as error:
            yield "late" if error.value == 2077 else "early"

    run = worker()
    next(run)
    return 1 if run.throw(RangeError(x)) == "late" else 0  # type: ignore[attr-defined]


def delegated_result(x: int) -> int:
    def inner() -> Generator[int, None, int]:
        yield 1
        return x * 2

    def outer() -> Generator[int, None, None]:
        result = yield from inner()
        yield result + 1

    return 1 if list(outer()) == [1, 3333] else 0


async def fetched(x: int) -> int:
    """A value that takes a turn of the loop to arrive."""
    await asyncio.sleep(0)
    return x + 1


def gathered(x: int) -> int:
    async def main() -> int:
        first, second = await asyncio.gather(fetched(x), fetched(5))
        return first * second

    return 1 if asyncio.run(main()) == 6006 else 0


def coroutine_by_hand(x: int) -> int:
    async def double(value: int) -> int:
        return value * 2

    async def main() -> int:
        return await double(x) + await double(3)

    running = main()
    try:
        running.send(None)
    except StopIteration as end:
        return 1 if end.value == 1450 else 0
    return 0


def retried(times: int) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """A decorator that calls again after an error, with a smaller number."""

    def decorate(function: Callable[..., int]) -> Callable[..., int]:
        @functools.wraps(function)
        def wrapper(value: int) -> int:
            for attempt in range(times):
                try:
                    return function(value - 500 * attempt)
                except RangeError:
                    continue
            return -1

        return wrapper

    return decorate


@retried(3)
def careful(value: int) -> int:
    """The checked value again."""
    return checked(value)


def decorated(x: int) -> int:
    return 1 if careful(x) == 987 and x > 1000 else 0


def closure_counter(x: int) -> int:
    count = 0

    def add(amount: int) -> int:
        nonlocal count
        count += amount
        return count

    add(x)
    add(2 * x)
    return 1 if add(1) == 2224 else 0


def late_binding(x: int) -> int:
    handlers = {name: (lambda value, name=name: value - name) for name in (10, 250, 4000)}
    return 1 if handlers[250](x) == 517 else 0


def for_else(x: int) -> int:
    if not 100 < x < 200:
        return 0
    for divisor in (2, 3, 5, 7, 11):
        if x % divisor == 0:
            break
    else:
        return 1 if x % 13 == 0 else 0
    return 0


def nested_break(x: int) -> int:
    for a in range(1, 12):
        for b in range(a, 12):
            if a * 100 + b * b == x and a > 5:
                return 1
            if a * b > 60:
                break
    return 0


def recursion(x: int) -> int:
    def ackermann(m: int, n: int) -> int:
        if m == 0:
            return n + 1
        if n == 0:
            return ackermann(m - 1, 1)
        return ackermann(m - 1, ackermann(m, n - 1))

    if not 240 <= x <= 246:
        return 0
    return 1 if ackermann(2, x - 240) == 13 else 0


def mutual_recursion(text: str) -> int:
    def even(place: int) -> bool:
        return place == len(text) or (text[place] == "a" and odd(place + 1))

    def odd(place: int) -> bool:
        return place < len(text) and text[place] == "b" and even(place + 1)

    return 1 if len(text) == 6 and even(0) else 0


def asserted(x: int) -> int:
    try:
        assert x % 2 == 0, "odd"
        assert x // 2 != 1234, "found"
    except AssertionError as error:
        return 1 if error.args == ("found",) else 0
    return 0


def conditional_chain(a: int, b: int) -> int:
    kind = "both" if a > 100 and b > 100 else "left" if a > 100 else "right" if b > 100 else "none"
    return 1 if kind == "right" and a + b == 101 and a < -50 else 0


def vending_machine(coins: list[int]) -> int:
    state, credit = "idle", 0
    for coin in coins:
        if coin not in (5, 10, 25):
            return 0
        credit += coin
        state = "paid" if credit == 55 else "over" if credit > 55 else "paying"
    return 1 if state == "paid" and len(coins) == 4 else 0


def memoised(x: int) -> int:
    @functools.cache
    def ways(steps: int) -> int:
        return 1 if steps < 2 else ways(steps - 1) + ways(steps - 2)

    return 1 if 300 <= x <= 325 and ways(x - 300) == 2584 else 0


def swapped(a: int, b: int) -> int:
    a, b = b, a
    a += b
    return 1 if (a, b) == (1000, 333) else 0


# fmt: off
WITNESSES: dict[str, tuple[object, ...]] = {
    "finally_order": (1016,), "chained_error": (5151,), "error_message": (-4711,), "walrus": ("abc#XYZ",),
    "walrus_loop": (546,), "star_arguments": (600,), "starred_unpacking": ([64, 1, 2, 64],), "match_class": (404, -301),
    "match_mapping": (1920,), "match_sequence": ([90, 91, 270],), "match_words": ("go s",), "generator_send": (201,),
    "yield_from": (880,), "generator_throw": (2077,), "delegated_result": (1666,), "gathered": (1000,),
    "coroutine_by_hand": (722,), "decorated": (1487,), "closure_counter": (741,), "late_binding": (767,),
    "for_else": (169,), "nested_break": (649,), "recursion": (245,), "mutual_recursion": ("ababab",),
    "asserted": (2468,), "conditional_chain": (-51, 152), "vending_machine": ([25, 10, 10, 10],), "memoised": (317,),
    "swapped": (333, 667),
}
# fmt: on
