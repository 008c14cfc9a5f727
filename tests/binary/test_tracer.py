"""The tracer in C: the kinds of instructions that it reads from their code, and what it counts."""

import ctypes

import pytest

pytest.importorskip("unicorn")

from elftools.elf.elffile import ELFFile

from pessimal.binary.building import compiled_tracer
from pessimal.binary.decoding import Decoder, described
from pessimal.binary.symbolic import SymbolicRun
from pessimal.binary.tracer import CALLS, ENDS_BLOCK, RETURNS
from pessimal.runs import Request
from pessimal.trace import Outcome
from tests.binary.building import built, library
from tests.binary.searching import SECONDS, front_end

KINDS = ENDS_BLOCK | CALLS | RETURNS


def test_kinds_of_instructions_are_those_of_the_decoder():
    tracer = compiled_tracer()
    assert tracer is not None
    with built("sage", "-O0", "-static").open("rb") as stream:
        section = ELFFile(stream).get_section_by_name(".text")
        code, address = section.data(), section["sh_addr"]
    decoder, seen, at = Decoder(), {}, 0
    while at < len(code) and len(seen) < 4000:
        instruction = decoder.instruction(code[at : at + 15], address + at)
        seen[bytes(instruction.bytes)] = described(instruction).flags & KINDS
        at += instruction.size
    others = ("f2e900000000", "3effe0", "41ffd7", "0f05", "e3fe", "f4", "48ff6008", "ff5810", "c20800", "f2c3", "ff30")
    for text in others:
        seen[bytes.fromhex(text)] = described(decoder.instruction(bytes.fromhex(text), 0)).flags & KINDS
    found = {item: tracer.brief_flags(ctypes.c_char_p(item), ctypes.c_uint64(len(item))) for item in seen}
    assert {item.hex(): kinds for item, kinds in found.items() if kinds != seen[item]} == {}
    assert set(seen.values()) == {0, ENDS_BLOCK, ENDS_BLOCK | CALLS, ENDS_BLOCK | RETURNS}


@pytest.mark.parametrize("given", [{"cost": "blocks"}, {"cost": "address:top"}])
def test_runs_count_alike_whether_or_not_they_look_for_the_input(given):
    plain, followed = (front_end(f"{library('sage', '-O0')}:parse", **given) for _ in range(2))
    for leaves in (list(b"bad!"), [0] * 4, list(b"b\0d\0")):
        costs = plain.evaluate(leaves, SECONDS).costs
        with_branches = followed.evaluate(leaves, SECONDS, recording=True).costs
        assert {**with_branches, **costs} == with_branches
        assert plain.executed_blocks() == followed.executed_blocks()


def test_a_run_ends_at_its_deadline_though_it_has_executed_few_instructions(monkeypatch):
    lifted, lift = [], SymbolicRun.lift

    def lift_long(run, address):
        lifted.append(address)
        run.state.counters.deadline = 0.0  # as if this instruction had taken all of the time
        return lift(run, address)

    monkeypatch.setattr(SymbolicRun, "lift", lift_long)
    trace = front_end(f"{library('sage', '-O0')}:parse").run(Request(start=list(b"bad!")), SECONDS)
    assert trace.outcome is Outcome.TIMED_OUT
    assert len(lifted) == 1
