"""Search beside the function: inputs are chosen and run by the executor itself, each by how the one before it went.

``runtime/annealing.h`` is the other side, and has the same fields in the same order. All of it is in shared memory, so
that an input which kills its process costs nothing but itself. Here the tables are written and the answer is read.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from mmap import mmap
from sys import float_info

from pessimal.expr import Leaf
from pessimal.inputs import Domain
from pessimal.local_search import LocalFindings, LocalSearch

MOST_LEAVES = 4096
"""How many leaves an input may have that is searched for here."""
_MOST_SUGGESTIONS, _MOST_SLOTS, _KEPT_FAILURES = 1 << 16, 1 << 14, 8
_WORD = 8
_WHOLE, _UNSIGNED, _CHARACTER, _FLOAT, _SPECIAL_FLOAT = range(5)
GOAL, MOST_BRANCHES, MOST_STEPS = range(3)
COOLING = 0.998
"""By how much each input lowers the temperature; it begins at 1, and again when it is below 0.01."""


class _Rank(ctypes.Structure):
    _fields_ = (("level", ctypes.c_int64), ("distance", ctypes.c_double))


class _State(ctypes.Structure):
    _fields_ = (
        ("random", ctypes.c_uint64),
        *((name, ctypes.c_int64) for name in ("objective", "most", "done", "is_running", "has_input")),
        *((name, ctypes.c_int64) for name in ("is_found", "cycles")),
        *((name, ctypes.c_double) for name in ("is_fresh", "ends_at", "cooling", "temperature", "scale")),
        ("input", _Rank),
        ("best", _Rank),
        *((name, ctypes.c_int64) for name in ("levels", "wanted", "sequences", "failures")),
        *((f"{name}_at", ctypes.c_int64) for name in ("domains", "suggested", "sequences", "levels", "wanted")),
        *((f"{name}_at", ctypes.c_int64) for name in ("input", "best", "failures")),
    )


_ROW = struct.Struct("=q8s8s8sqq")
_SIZES = {
    "domains": MOST_LEAVES * _ROW.size,
    "suggested": _MOST_SUGGESTIONS * _WORD,
    "sequences": MOST_LEAVES * 3 * _WORD,
    "levels": 2 * _MOST_SLOTS * _WORD,
    "wanted": _MOST_SLOTS * _WORD,
    "input": MOST_LEAVES * _WORD,
    "best": MOST_LEAVES * _WORD,
    "failures": _KEPT_FAILURES * (MOST_LEAVES + 2) * _WORD,
}
SIZE = ctypes.sizeof(_State) + 64 + sum(_SIZES.values())


class Annealing:
    """The part of the shared memory that describes a search."""

    def __init__(self, memory: mmap, at: int) -> None:
        self._memory = memory
        self._state = _State.from_buffer(memory, at)
        place = at + (ctypes.sizeof(_State) + 63) // 64 * 64
        self._domains: Sequence[Domain] | None = None
        self._places = {}
        for name, size in _SIZES.items():
            self._places[name] = place
            setattr(self._state, f"{name}_at", place)
            place += size

    @staticmethod
    def fits(search: LocalSearch, slots: int) -> bool:
        """Whether there is room for the inputs of a search, and for so many slots."""
        return 0 < len(search.domains) <= MOST_LEAVES and slots <= _MOST_SLOTS

    def _describe(self, domains: Sequence[Domain], sequences: Sequence[tuple[int, int, int]]) -> None:
        """Write down what inputs look like."""
        suggested: list[bytes] = []
        rows = bytearray()
        for domain in domains:
            values = getattr(domain, "suggestions", ())[: max(0, _MOST_SUGGESTIONS - len(suggested))]
            ends = [_packed(value, domain) for value in (*_bounds(domain), domain.initial)]
            rows += _ROW.pack(_kind(domain), *ends, len(values), len(suggested))
            suggested += (_packed(value, domain) for value in values)
        self._write("domains", bytes(rows))
        self._write("suggested", b"".join(suggested))
        self._write("sequences", b"".join(struct.pack("=3q", *item) for item in sequences))
        self._state.sequences = len(sequences)

    def begin(self, search: LocalSearch, objective: int) -> None:
        """Write down what is searched for."""
        if search.domains is not self._domains:
            self._describe(search.domains, search.sequences)
            self._domains = search.domains
        state = self._state
        flat = [number for level in search.goal for number in (len(level), *level)]
        self._write("levels", struct.pack(f"={len(flat)}q", *flat))
        self._write("wanted", struct.pack(f"={len(search.wanted)}q", *search.wanted))
        state.random, state.objective, state.most = search.seed & ((1 << 64) - 1), objective, search.most
        state.done = state.is_running = state.has_input = state.is_found = state.cycles = state.failures = 0
        state.is_fresh, state.ends_at, state.cooling = search.fresh, search.ends_at, COOLING
        state.temperature, state.scale = 1.0, 0.0
        state.levels, state.wanted = len(search.goal), len(search.wanted)

    def answer(self, packing: struct.Struct, leaves_at: int) -> LocalFindings:
        """What the search has found."""
        state = self._state
        best = list(packing.unpack_from(self._memory, self._places["best"]))
        found = list(packing.unpack_from(self._memory, leaves_at)) if state.is_found else None
        failures, at = [], self._places["failures"]
        for _ in range(state.failures):
            status, code = struct.unpack_from("=2q", self._memory, at)
            failures.append((status, code, list(packing.unpack_from(self._memory, at + 2 * _WORD))))
            at += 2 * _WORD + packing.size
        return LocalFindings(best, state.done, found, failures)

    def _write(self, name: str, data: bytes) -> None:
        at = self._places[name]
        self._memory[at : at + len(data)] = data


def _kind(domain: Domain) -> int:
    if domain.kind == "float":
        return _SPECIAL_FLOAT if domain.special and domain.low is None and domain.high is None else _FLOAT
    if domain.kind == "char":
        return _CHARACTER
    return _UNSIGNED if (domain.high or 0) >= 1 << 63 else _WHOLE


def _bounds(domain: Domain) -> tuple[Leaf, Leaf]:
    if domain.kind == "float":
        least, most = -float_info.max, float_info.max
        return (least if domain.low is None else domain.low, most if domain.high is None else domain.high)
    return (-(1 << 63) if domain.low is None else domain.low, (1 << 63) - 1 if domain.high is None else domain.high)


def _packed(value: Leaf, domain: Domain) -> bytes:
    """A value as a word of 64 bits."""
    if domain.kind == "float":
        return struct.pack("=d", value)
    return (int(value) & ((1 << 64) - 1)).to_bytes(_WORD, "little")
