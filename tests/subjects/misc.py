"""Targets that misbehave, each in one way, when their argument is 7 or at once."""

from __future__ import annotations

import ctypes
import os
import random
import signal
import sys
import threading
import time
from pathlib import Path

LUCKY = 7


class Misfortune(Exception):
    """An exception that only this module knows."""


def raises(x: int) -> int:
    """Fails with a builtin exception on 7."""
    if x == LUCKY:
        raise ValueError("seven")
    return x


def raises_own(x: int) -> int:
    """Fails with an exception of its own on 7."""
    if x == LUCKY:
        raise Misfortune(x)
    return x


def asserts(x: int) -> int:
    """Claims that its argument is not 7."""
    assert x != LUCKY, "seven"
    return x


def divides(x: int) -> int:
    """Divides by zero on 7."""
    return 100 // (x - LUCKY)


def indexes(xs: list[int]) -> int:
    """Reads beyond the end of the list unless an element is negative."""
    i = 0
    while xs[i] >= 0:
        i += 1
    return i


def loops(x: int) -> int:
    """Never returns on 7."""
    while x == LUCKY:
        pass
    return x


def loops_without_asking(x: int) -> int:
    """Never returns on 7, and makes no branch on its argument while it loops."""
    if x == LUCKY:
        while True:
            pass
    return x


def counts_up(x: int) -> int:
    """Makes one branch for each integer up to its argument, which has no bound."""
    i = 0
    while i < x:
        i += 1
    return i


def sleeps(x: int) -> int:
    """Waits for an hour on 7."""
    if x == LUCKY:
        time.sleep(3600)
    return x


def recurses(x: int) -> int:
    """Recurses as deep as its argument says."""
    if x <= 0:
        return 0
    return 1 + recurses(x - 1)


def recurses_for_ever(x: int) -> int:
    """Exceeds every recursion limit on 7."""
    return recurses_for_ever(x) + 1 if x == LUCKY else x


def exits(x: int) -> int:
    """Ends the program politely on 7."""
    if x == LUCKY:
        sys.exit(3)
    return x


def exits_at_once(x: int) -> int:
    """Ends the process on 7, with no clean-up."""
    if x == LUCKY:
        os._exit(3)
    return x


def interrupts(x: int) -> int:
    """Behaves on 7 as if the user had pressed Ctrl-C."""
    if x == LUCKY:
        raise KeyboardInterrupt
    return x


def segfaults(x: int) -> int:
    """Reads address 0 on 7."""
    if x == LUCKY:
        ctypes.string_at(0)
    return x


def kills_itself(x: int) -> int:
    """Is killed by a signal on 7."""
    if x == LUCKY:
        os.kill(os.getpid(), signal.SIGKILL)
    return x


def swallows(x: int) -> int:
    """Catches everything, also what is not meant for it."""
    try:
        return 1 if x == LUCKY else 0
    except BaseException:
        return -1


def eats_memory(x: int) -> int:
    """Asks on 7 for more than any machine can address."""
    return len(bytearray(1 << 60)) if x == LUCKY else x


def grows(x: int) -> int:
    """Takes 16 MiB more and more on 7, until somebody stops it."""
    blocks: list[bytes] = []
    while x == LUCKY:
        blocks.append(b"x" * (1 << 24))
    return x


def floods(x: int) -> int:
    """Prints a hundred thousand lines on both streams."""
    for i in range(100_000):
        print("out", i)
        print("err", i, file=sys.stderr)
    return 1 if x == LUCKY else 0


def reads_input(x: int) -> int:
    """Asks the terminal for a line on 7."""
    return len(input("seven? ")) if x == LUCKY else x


def writes_file(x: int) -> int:
    """Leaves a file in the current directory on 7."""
    if x == LUCKY:
        Path("left-behind.txt").write_text("seven\n")
    return x


def changes_directory(x: int) -> int:
    """Leaves the current directory on 7."""
    if x == LUCKY:
        os.chdir("/")
    return x


def leaves_thread(x: int) -> int:
    """Leaves a thread running for an hour that the interpreter would wait for."""
    threading.Thread(target=time.sleep, args=(3600,)).start()
    return 1 if x == LUCKY else 0


def asks_from_thread(x: int) -> int:
    """Makes its branch in another thread."""
    answer: list[int] = []
    thread = threading.Thread(target=lambda: answer.append(1 if x == LUCKY else 0))
    thread.start()
    thread.join()
    return answer[0]


def changes_argument(xs: list[int]) -> int:
    """Empties the list that it was given."""
    total = 0
    while xs:
        if xs.pop() > 0:
            total += 1
    return total


def returns_function(x: int) -> object:
    """Returns what cannot be pickled."""
    return (lambda: 1) if x == LUCKY else (lambda: 0)


def random_branches(x: int) -> int:
    """Asks of its argument or not as chance will have it."""
    return 1 if random.random() < 0.5 and x == LUCKY else 0


def random_threshold(x: int) -> int:
    """Compares its argument with a number drawn anew at every call."""
    return 1 if x < random.randrange(10**9) else 0


def depends_on_id(x: int) -> int:
    """Compares its argument with the address of a new object."""
    return 1 if x < id(object()) else 0


def depends_on_time(x: int) -> int:
    """Compares its argument with the clock."""
    return 1 if x < time.time_ns() else 0


def depends_on_calls(x: int, *, _calls: list[int] = []) -> int:  # noqa: B006 (the memory is the point)
    """Makes one branch more at every call of the process."""
    _calls.append(0)
    return sum(1 for i in range(len(_calls)) if x > i)
