"""The process that runs a target, as this process sees it: requests and results in shared memory.

``runtime/executor.c`` is the other side. It runs all inputs of a request. An input that kills its process, or does not
end, has that as its result; the others are run all the same.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import re
import select
import struct
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from time import monotonic
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pessimal.c import annealing, dwarf
from pessimal.c.annealing import Annealing
from pessimal.c.build import Built
from pessimal.c.missing import LIBRARY
from pessimal.errors import InternalError, TargetError
from pessimal.expr import Leaf
from pessimal.inputs import Domain
from pessimal.local_search import LocalFindings, LocalSearch
from pessimal.pool import seccomp

UNLIMITED = 1 << 62
FURTHER = -2
"""The slot of an event that adds the distance of one more outcome to the switch before it."""
STARTING = 30.0
_NO_EVENT = -1
_UNDEFINED = re.compile(r"undefined symbol: (\w+)")
_SELF = 0x7FFFFFFF
_WORD = 8
_FIELDS = (
    *("request", "done", "executor_sleeps", "worker_sleeps", "count", "current", "is_running", "runs", "mode"),
    *("leaves", "most_steps", "slots", "statements", "memory", "events", "filter_size", "ranges", "native_ranges"),
    *(
        "arguments",
        "seconds",
        "wakes_executor",
        "wakes_worker",
        "code_at",
        "filter_at",
        "leaves_at",
        "results_at",
        "rows_at",
        "lines_at",
        "events_at",
    ),
    *("output_at", "ranges_at", "annealing_at", "goes_on"),
)
_AT = {name: number for number, name in enumerate(_FIELDS)}
_REQUEST, _DONE, _COUNT, _MODE, _SECONDS = (_AT[name] for name in ("request", "done", "count", "mode", "seconds"))
_MOST_CODE, _MOST_LEAVES, _MOST_INPUTS, _MOST_ROWS = 1 << 18, 1 << 21, 1 << 16, 1 << 21
MOST_EVENTS = 1 << 20
_OUTPUT = struct.Struct("4096s512s512sq")
_RESULT = struct.Struct("iiqq")
_first_asking: dict[str, str] = {}
"""The library by which this process asks: targets find its variables by their names, so that there is one alone."""
EVENT = np.dtype([("slot", "i4"), ("outcome", "i4"), ("left", "f8"), ("right", "f8"), ("distance", "f8")])


class Status(IntEnum):
    """How a run ended."""

    RETURNED = 0
    SIGNALLED = 1
    EXITED = 2
    OUT_OF_TIME = 3
    OUT_OF_STEPS = 4
    ABORTED = 5
    UNDEFINED = 6


class Mode(IntFlag):
    """What a request wants to know."""

    NOTHING = 0
    EVENTS = 1
    ROWS = 2
    NATIVE = 4
    LINES = 8
    ANNEALING = 16


class Result(NamedTuple):
    """How one run ended: the number of its signal or what it passed to exit, its branches and its steps."""

    status: int
    code: int
    branches: int
    steps: int


@dataclass(frozen=True, slots=True)
class Layout:
    """How the executor makes arguments out of leaves."""

    code: tuple[int, ...]
    packing: struct.Struct

    @classmethod
    def of(cls, code: Sequence[int], domains: Sequence[Domain]) -> Layout:
        """The layout with this code for leaves of these domains."""
        kinds = ["d" if item.kind == "float" else "Q" if (item.high or 0) >= 1 << 63 else "q" for item in domains]
        return cls(tuple(code), struct.Struct("=" + "".join(kinds)))


class Executor:
    """Runs the inputs of one target; closed by :meth:`close`, or when this process ends."""

    def __init__(self, built: Built, *, memory: int, is_confined: bool = True) -> None:
        self._ranges = [dwarf.data_ranges(built.instrumented), dwarf.data_ranges(built.native)]
        self._slots, self._statements = built.slots, len(built.statements)
        self._arguments_size = built.arguments_size
        filter_code = _filter() if is_confined else b""
        self._places, size = self._arrange(len(filter_code))
        descriptor = os.memfd_create("pessimal")
        os.ftruncate(descriptor, size)
        self._map = mmap.mmap(descriptor, size)
        self._bytes = memoryview(self._map)
        self._words = self._bytes[: len(_FIELDS) * _WORD].cast("q")
        self._annealing = Annealing(self._map, self._places["annealing_at"])
        self._layout: Layout | None = None
        self._pack: Callable[..., None] = struct.Struct("").pack_into
        self._leaves_at, self._results_at = self._places["leaves_at"], self._places["results_at"]
        self._seconds = 0.0
        has_sanitizer = any(word.startswith("-fsanitize=address") for word in built.flags.linking)
        self._prepare(filter_code, 0 if has_sanitizer else memory)
        self._executor_wakes, self._worker_wakes = os.eventfd(0, os.EFD_NONBLOCK), os.eventfd(0, os.EFD_NONBLOCK)
        wakes = self._executor_wakes, self._worker_wakes
        self._words[_AT["wakes_executor"]], self._words[_AT["wakes_worker"]] = wakes
        self._control = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(self._map)))
        asking = ctypes.PyDLL(str(built.asking), ctypes.RTLD_GLOBAL)
        self._request = asking.pess_ask
        self._wait = ctypes.CDLL(str(built.asking)).pess_wait
        self._here = self._load_here(asking, built)
        self._asked = (0, 0)
        shared = (descriptor, self._executor_wakes, self._worker_wakes)
        command = [str(built.executor), *map(str, shared), str(built.instrumented), str(built.native)]
        command += [built.signature.name, str(built.native.parent / LIBRARY)]
        parent = str(os.getpid())
        self._process = subprocess.Popen(
            command, pass_fds=shared, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env={"PATH": os.environ.get("PATH", ""), "ASAN_OPTIONS": "detect_leaks=0", "PESSIMAL_PARENT": parent},
        )  # fmt: skip
        os.close(descriptor)
        self._wait_for_start()

    def _load_here(self, asking: ctypes.PyDLL, built: Built) -> ctypes.c_void_p:
        """A harmless target, loaded into this process; NULL for others, and where the library has a rival."""
        if not built.is_harmless or _first_asking.setdefault("", asking._name) != asking._name:
            return ctypes.c_void_p(None)
        asking.pess_load.restype = ctypes.c_void_p
        names = str(built.instrumented).encode(), built.signature.name.encode()
        return ctypes.c_void_p(asking.pess_load(self._control, *names))

    def _arrange(self, filter_size: int) -> tuple[dict[str, int], int]:
        sizes = {
            "code_at": _MOST_CODE * _WORD,
            "filter_at": filter_size,
            "leaves_at": _MOST_LEAVES * _WORD,
            "results_at": _MOST_INPUTS * _RESULT.size,
            "rows_at": max(_MOST_ROWS, self._slots) * _WORD,
            "lines_at": self._statements + 1,
            "events_at": (MOST_EVENTS + 1) * EVENT.itemsize,
            "output_at": _OUTPUT.size,
            "ranges_at": 2 * _WORD * sum(map(len, self._ranges)),
            "annealing_at": annealing.SIZE,
        }
        places, at = {}, 4096
        for name, size in sizes.items():
            places[name] = at
            at += (size + 63) // 64 * 64
        return places, at + 4096

    def _prepare(self, filter_code: bytes, memory: int) -> None:
        words = self._words
        for name, place in self._places.items():
            words[_AT[name]] = place
        words[_AT["slots"]], words[_AT["statements"]] = self._slots, self._statements
        words[_AT["memory"]], words[_AT["events"]] = memory, MOST_EVENTS
        words[_AT["filter_size"]], words[_AT["arguments"]] = len(filter_code), self._arguments_size
        words[_AT["ranges"]], words[_AT["native_ranges"]] = map(len, self._ranges)
        at = self._places["filter_at"]
        self._bytes[at : at + len(filter_code)] = filter_code
        flat = [number for part in self._ranges for pair in part for number in pair]
        struct.pack_into(f"={len(flat)}q", self._map, self._places["ranges_at"], *flat)
        words[_REQUEST] = 1
        self.limit_steps()

    def _wait_for_start(self) -> None:
        ends_at = monotonic() + STARTING
        while self._words[_DONE] != 1:
            if self._process.poll() is not None or monotonic() > ends_at:
                self.close()
                raise self._not_loaded(self._said())
            select.select([], [], [], 0.001)

    def _said(self) -> str:
        """What the process has written while it loaded the target."""
        assert self._process.stderr is not None
        os.set_blocking(self._process.stderr.fileno(), False)
        return (self._process.stderr.read() or b"").decode(errors="replace")

    def _not_loaded(self, said: str) -> TargetError:
        missing = _missing(said)
        if missing:
            return TargetError(f"{missing} is not defined: name the file or library that defines it in --cc-flags")
        return TargetError(f"the compiled target cannot be loaded: {said.strip() or 'no reason'}")

    def close(self) -> None:
        """End the processes; front-ends of several sizes share them, and each may be closed."""
        if self._executor_wakes < 0:
            return
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        for descriptor in (self._executor_wakes, self._worker_wakes):
            os.close(descriptor)
        self._executor_wakes = self._worker_wakes = -1

    def use(self, layout: Layout) -> None:
        """Make arguments by a layout from now on."""
        if layout is self._layout:
            return
        if len(layout.code) >= _MOST_CODE:
            raise TargetError("the input has too many different parts: choose a smaller size")
        self._layout, self._pack = layout, layout.packing.pack_into
        struct.pack_into(
            f"={len(layout.code) + 1}q", self._map, self._places["code_at"], len(layout.code), *layout.code
        )
        self._words[_AT["leaves"]] = layout.packing.size // _WORD

    def limit_steps(self, most: int = UNLIMITED) -> None:
        """End runs after so many steps of loops and calls, counted so that the same input is always slow."""
        self._words[_AT["most_steps"]] = most

    def go_on(self) -> None:
        """Let functions that nobody defines return 0, where otherwise a run ends that calls one."""
        self._words[_AT["goes_on"]] = 1

    def run(self, leaves: Sequence[Leaf], seconds: float, mode: int = 0) -> Result:
        """Run one input by the layout in use."""
        self._pack(self._map, self._leaves_at, *leaves)
        self._ask(1, seconds, mode)
        return Result._make(_RESULT.unpack_from(self._map, self._results_at))

    def run_all(self, inputs: NDArray[np.int64], seconds: float, mode: int = 0) -> NDArray[np.void]:
        """Run a batch of inputs, given as rows of 64-bit words; how each ended."""
        size, at = inputs.size * _WORD, self._leaves_at
        self._bytes[at : at + size] = np.ascontiguousarray(inputs).view(np.uint8).reshape(-1).data
        self._ask(len(inputs), seconds, mode)
        kind = np.dtype([("status", "i4"), ("code", "i4"), ("branches", "i8"), ("steps", "i8")])
        return np.frombuffer(self._map, kind, len(inputs), self._results_at).copy()

    def search(self, search: LocalSearch, objective: int, seconds: float) -> LocalFindings | None:
        """Let the executor choose inputs itself, each by how the one before it went; None if they are too large."""
        assert self._layout is not None
        if not Annealing.fits(search, self._slots):
            return None
        self._annealing.begin(search, objective)
        at = self._leaves_at
        self._pack(self._map, at, *search.start)
        self._ask(1, seconds, Mode.ANNEALING | Mode.ROWS)
        return self._annealing.answer(self._layout.packing, at)

    @property
    def pid(self) -> int:
        """The number of the process that forks those which run the target."""
        return self._process.pid

    @property
    def most_inputs(self) -> int:
        """How many inputs one request may have, if rows are wanted too."""
        leaves = self._words[_AT["leaves"]]
        return max(1, min(_MOST_INPUTS, _MOST_LEAVES // max(1, leaves), _MOST_ROWS // max(1, self._slots)))

    def _ask(self, count: int, seconds: float, mode: int) -> None:
        if (count, mode) != self._asked:
            self._words[_COUNT], self._words[_MODE] = self._asked = count, mode
        if seconds != self._seconds:
            struct.pack_into("=d", self._map, _SECONDS * _WORD, seconds)
            self._seconds = seconds
        if not self._request(self._control, self._here):
            self._sleep()

    def _sleep(self) -> None:
        while not self._wait(self._control):
            if self._process.poll() is not None:
                raise InternalError(f"the process that runs the target ended with {self._process.returncode}")

    # What the last request has left

    def rows(self, count: int) -> NDArray[np.float64]:
        """For each input the least distance to each slot."""
        flat = np.frombuffer(self._map, np.float64, count * self._slots, self._places["rows_at"])
        return flat.reshape(count, self._slots).copy()

    def events(self) -> NDArray[np.void]:
        """The tests of the last run in order."""
        found = np.frombuffer(self._map, EVENT, MOST_EVENTS + 1, self._places["events_at"])
        step = 1024
        for start in range(0, MOST_EVENTS + 1, step):
            ends = np.flatnonzero(found["slot"][start : start + step] == _NO_EVENT)
            if len(ends):
                return found[: start + int(ends[0])].copy()
        return found[:MOST_EVENTS].copy()

    def clear_lines(self) -> None:
        """Forget which statements were executed."""
        at = self._places["lines_at"]
        self._bytes[at : at + self._statements] = bytes(self._statements)

    def lines(self) -> NDArray[np.bool_]:
        """Which statements the runs since :meth:`clear_lines` executed."""
        return np.frombuffer(self._map, np.uint8, self._statements, self._places["lines_at"]) > 0

    def output(self) -> tuple[bytes, bytes | None, str]:
        """The bytes that the last run returned, the text that they point to, and what an assertion said."""
        returned, text, message, size = _OUTPUT.unpack_from(self._map, self._places["output_at"])
        return returned, text[:size] if size >= 0 else None, message.split(b"\0")[0].decode(errors="replace")


def _missing(said: str) -> str:
    """The function or variable that the loader did not find; empty if it found all."""
    found = _UNDEFINED.search(said)
    return found[1] if found else ""


def _filter() -> bytes:
    """The rules that the kernel enforces for a process that runs a target, with a mark where its number goes."""
    if not seccomp.is_available():
        return b""
    return b"".join(struct.pack("HBBI", *item) for item in seccomp.program(_SELF, deny_file_changes=True))
