"""Files that are no targets, and programs that misbehave: one clear line, or an outcome."""

import struct

import pytest

pytest.importorskip("unicorn")

from pessimal.errors import TargetError
from pessimal.target_spec import Limits
from pessimal.trace import Outcome
from tests.binary.building import built, library
from tests.binary.searching import SECONDS, front_end


def test_files_that_cannot_be_targets(tmp_path):
    whole = built("sage", "-O0").read_bytes()
    wrong = {
        "text": (b"hello", "is not an ELF file"),
        "short": (whole[:40], "damaged"),
        "cut": (whole[:900], "damaged|has no|cannot be loaded|before it began"),
        "bits32": (whole[:4] + b"\x01" + whole[5:], "not a 64-bit"),
        "arm": (whole[:18] + struct.pack("<H", 183) + whole[20:], "another processor"),
        "object": (whole[:16] + struct.pack("<H", 1) + whole[18:], "link it first"),
        "headers": (whole[:32] + bytes(8) + whole[40:], "damaged|has no"),
    }
    for name, (content, message) in wrong.items():
        path = tmp_path / name
        path.write_bytes(content)
        path.chmod(0o755)
        with pytest.raises(TargetError, match=message):
            front_end(path).evaluate([0] * 4, SECONDS)
    with pytest.raises(TargetError, match="is not a target"):
        front_end(tmp_path / "missing")
    with pytest.raises(TargetError, match="cannot be read"):
        front_end(tmp_path / "missing.so:f")
    plain = tmp_path / "plain"
    plain.write_bytes(whole)
    with pytest.raises(TargetError, match="chmod"):
        front_end(plain).evaluate([0] * 4, SECONDS)


def test_a_stripped_library_without_the_symbol(tmp_path):
    path = library("sage", "-O0", "-s", "-fvisibility=hidden")
    with pytest.raises(TargetError, match="has no function 'parse'"):
        front_end(f"{path}:parse")


def odd(*words, size=1):
    return front_end(built("odd", "-O1", *(f"-D{word}" for word in words)), size, cost="instructions")


def test_a_program_that_forks_is_refused():
    trace = odd("FORKS").evaluate([0], SECONDS)
    assert trace.outcome is Outcome.REJECTED and "which cannot be emulated" in trace.exception


def test_an_instruction_that_cannot_be_emulated_is_named():
    front = odd("WIDE")
    trace = front.evaluate(list(b"v"), SECONDS)
    assert trace.outcome is Outcome.REJECTED
    assert trace.exception.startswith("the instruction vpaddb at odd-O1-DWIDE+0x")
    assert front.evaluate(list(b"x"), SECONDS).returned == "exit 4"


def test_a_program_that_loads_a_library():
    front = odd("LOADS")
    assert front.evaluate(list(b"d"), SECONDS).returned == front.native(list(b"d"), SECONDS).returned == "exit 6"


def test_a_program_that_sleeps():
    front = odd("SLEEPS")
    assert front.evaluate([120], SECONDS).returned == "exit 4"
    assert front.native([120], 0.2).outcome is Outcome.TIMED_OUT


def test_a_program_that_handles_signals():
    front = odd("HANDLES")
    assert front.evaluate([120], SECONDS).returned == front.native([120], SECONDS).returned == "exit 4"


def test_a_program_that_reads_for_ever():
    front = odd("READS_ON")
    assert front.evaluate([1], 0.3).outcome is Outcome.TIMED_OUT
    assert front.native([1], 0.3).outcome is Outcome.TIMED_OUT


def test_a_program_that_writes_files(tmp_path):
    kept = tmp_path / "kept"
    kept.write_text("as it was")
    front = front_end(built("odd", "-O1", "-DWRITES"), 1, call=str(kept))
    assert front.evaluate([0], SECONDS).returned == "exit 9"
    front.native([0], SECONDS)
    assert kept.read_text() == "as it was"


def test_a_program_whose_memory_grows():
    front = front_end(built("odd", "-O1", "-DGROWS"), 1, cost="instructions", limits=Limits(memory=40 << 20))
    assert front.evaluate([0], SECONDS).returned == "exit 0"
    trace = front.evaluate([109], SECONDS)
    assert trace.outcome in (Outcome.RAISED, Outcome.TIMED_OUT)
    assert front.native([109], SECONDS).outcome is Outcome.RAISED
    assert front.evaluate([0], SECONDS).returned == "exit 0"
