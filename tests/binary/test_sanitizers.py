"""Programs that were built with sanitizers: the report's kind and place are in the failure."""

import subprocess

import pytest

pytest.importorskip("unicorn")

from pessimal.binary.sanitizer import summary
from pessimal.errors import TargetError
from pessimal.trace import Outcome
from tests.binary.building import built, library
from tests.binary.searching import SECONDS, front_end

REPORT = b"""==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010 at pc 0x55 bp 0x7f sp 0x7f
READ of size 1 at 0x602000000010 thread T0
    #0 0x7f2a in __interceptor_strlen ../../libsanitizer/asan/x.cpp:10
    #1 0x55d2 in look /tmp/where/look.c:12
"""


def test_summaries():
    assert summary(REPORT) == "AddressSanitizer heap-use-after-free in look look.c:12"
    assert summary(b"x.c:3:5: runtime error: division by zero\n") == (
        "UndefinedBehaviorSanitizer division by zero at x.c:3:5"
    )
    assert summary(b"hello") is None


def sanitized():
    try:
        return built("overflow", "-O0", "-g", "-fsanitize=address")
    except subprocess.CalledProcessError:
        pytest.skip("this compiler has no AddressSanitizer")


def test_the_report_of_a_program():
    front = front_end(sanitized(), 2, cost="instructions")
    assert front.native(b"W_", SECONDS).returned == "exit 0" == front.evaluate(b"W_", SECONDS).returned
    native, emulated = front.native(b"Wx", SECONDS), front.evaluate(b"Wx", SECONDS)
    assert native.outcome is emulated.outcome is Outcome.RAISED
    assert native.exception == "SIGABRT: AddressSanitizer heap-buffer-overflow in put overflow.c:5"
    assert emulated.exception.startswith("SIGABRT: AddressSanitizer heap-buffer-overflow: overflow")


def test_libraries_cannot_have_sanitizers():
    try:
        path = library("sage", "-O0", "-fsanitize=address")
    except subprocess.CalledProcessError:
        pytest.skip("this compiler has no AddressSanitizer")
    with pytest.raises(TargetError, match="built with a sanitizer"):
        front_end(f"{path}:parse")
