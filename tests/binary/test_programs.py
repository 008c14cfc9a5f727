"""Programs as they are in the world: what they do before they read their input, and the system calls of their start."""

import pytest

pytest.importorskip("unicorn")

from pessimal.binary.elf import ElfFile
from pessimal.binary.machine import Machine
from pessimal.runs import Request
from pessimal.trace import Outcome
from tests.binary.building import built
from tests.binary.searching import SECONDS, endings, front_end, searched


def started(**options):
    return front_end(built("startup", "-O1"), 1, **options)


@pytest.mark.parametrize("given", [{"stdin": "bytes:1"}, {"file": "bytes:1"}])
def test_a_program_behaves_as_it_does_natively(given):
    front = started(given=given, cost="instructions")
    for byte, returned in ((b"0", "exit 1"), (b"3", "exit 54"), (b"x", "exit 0")):
        assert front.evaluate(byte, SECONDS).returned == returned == front.native(byte, SECONDS).returned


def test_an_empty_input_and_longer_ones():
    front = front_end(built("startup", "-O1"), 2, growing=True, cost="instructions")
    session, messages = searched(front, "exhaustive", paths=60)
    assert session.proof == "tree exhausted"
    leaves = [message.finding.leaves for message in messages if type(message).__name__ == "PathFound"]
    returned = [front.native(list(item), SECONDS).returned for item in leaves]
    assert returned.count("exit 92") == 1 and {"exit 1", "exit 22", "exit 65"} < set(returned)


def test_runs_begin_where_the_input_is_asked_for_and_count_all_the_same(monkeypatch):
    front = started(cost="instructions")
    begun = dict(front._program.machine._kept.counts.counters)["instructions"]
    trace = front.evaluate(b"1", SECONDS)
    assert trace.costs["instructions"] > begun > 0.9 * trace.costs["instructions"] > 90_000
    monkeypatch.setattr(Machine, "settle", lambda self, resume, seconds: None)
    whole = started(cost="instructions")
    assert whole.evaluate(b"1", SECONDS).costs == trace.costs
    assert whole.executed_blocks() == front.executed_blocks()


def test_what_lies_behind_a_table_of_jumps_is_no_outcome():
    front = started()
    trace = front.run(Request(start=list(b"2")), SECONDS)
    assert trace.returned == "exit 13"
    assert [len(switch.conditions) for switch in trace.switches.values()] == [5]
    _, messages = searched(started(), "generational", paths=7)
    assert len(endings(messages)) == 6


def test_a_library_that_can_be_started_is_a_library():
    plain, marked = built("sage", "-O0"), built("sage", "-O0", "-static-pie")
    named = built("sage", "-O0", "-Wl,-soname,libsage.so")
    assert not ElfFile.read(plain).is_library and not ElfFile.read(marked).is_library
    assert ElfFile.read(named).is_library is False  # it is marked as a program, whatever it is called
    assert ElfFile.read(built("sage", "-O0", "-shared", "-fPIC", "-Wl,-e,parse")).is_library


def test_a_static_program_that_can_be_loaded_anywhere():
    front = front_end(built("sage", "-O0", "-static-pie"), 4, given={"stdin": "bytes:4"})
    assert front.evaluate(b"bad?", SECONDS).returned == "exit 0"
    assert front.evaluate(b"bad!", SECONDS).outcome is Outcome.RAISED
