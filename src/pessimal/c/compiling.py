"""The libraries of a C file: one as it was written, one instrumented, both with all its functions.

What the compiler refuses after it was rewritten is left as it was: a function that uses an extension which our parser
does not know costs only its own tests, not those of the whole file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess

from pessimal.c import dwarf, toolchain
from pessimal.c.ctype import Signature
from pessimal.c.harmless import harmless
from pessimal.c.missing import make_stand_ins
from pessimal.c.preprocess import Preprocessed
from pessimal.c.sites import Instrumented
from pessimal.c.stubs import stubs
from pessimal.c.syntax import parsed
from pessimal.c.toolchain import Flags

RUNTIME = Path(__file__).parent / "runtime"
LINKING = ("-lm",)
_KEPT_CALLS = ("-fno-builtin-malloc", "-fno-builtin-calloc", "-fno-builtin-realloc", "-fno-builtin-free")
"""Without these the compiler removes what is allocated and never used, and a free that is one too many."""
COMPILING = ("-w", "-fPIC", "-Og", "-fno-strict-aliasing", "-fstack-protector-strong", *_KEPT_CALLS)
INSTRUMENTED = ("-fstack-clash-protection",)
"""In our own process a stack that is used up must be noticed at its end, and not behind it."""
GRAPH, TYPES, EXCEPTIONS = "graph.cfg", "types.so", "exceptions.json"
_ERROR = re.compile(r"^(?:.*/)?instrumented(\d+)\.c:(\d+):.*error:", re.MULTILINE)
_STUB_ERROR = re.compile(r"^(?:.*/)?stubs:(\d+):.*error:", re.MULTILINE)

LeftAlone = frozenset[tuple[int, str]]
"""Functions, each with the number of its file, that are not instrumented."""


class Refused(Exception):
    """The compiler refuses some of the rewritten functions, which are to be left alone."""

    def __init__(self, functions: LeftAlone) -> None:
        super().__init__(str(functions))
        self.functions = functions


class Compilation:
    """Compiles preprocessed and instrumented files in a directory."""

    def __init__(self, place: Path, raw: Sequence[bytes], instrumented: Sequence[Instrumented], flags: Flags) -> None:
        self._place, self._raw, self._instrumented, self._flags = place, raw, instrumented, flags
        self._cwd = Path.cwd()

    def make(self, left_alone: LeftAlone) -> None:
        """Write the libraries; what is missing in them is kept beside them."""
        for number, raw in enumerate(self._raw):
            (self._place / f"native{number}.i").write_bytes(raw)
        self._write_instrumented(self._keeping())
        self._compile_types()
        own = self._instrumented[0].functions
        signatures = [item for item in dwarf.signatures(self._place / TYPES).values() if item.name in own]
        uncallable: set[str] = set()
        while refused := self._link(signatures, uncallable):
            uncallable |= refused
        make_stand_ins(self._place, list(self._raw), self._flags)
        exceptions = {
            "left_alone": sorted(left_alone),
            "uncallable": sorted(uncallable),
            "harmless": sorted(self._harmless({name for _, name in left_alone})),
        }
        (self._place / EXCEPTIONS).write_text(json.dumps(exceptions))

    def _harmless(self, left_alone: set[str]) -> frozenset[str]:
        """What may run in our own process; nothing that needs other files, libraries or sanitizers."""
        if len(self._raw) > 1 or self._flags.linking:
            return frozenset()
        return harmless(parsed(Preprocessed.read(self._raw[0]).text), left_alone)

    def _keeping(self) -> bytes:
        """What makes the compiler keep static functions that nobody calls."""
        names = self._instrumented[0].functions
        lines = (f"__attribute__((used)) static void *pess_keep_{name} = (void *)&{name};\n" for name in names)
        return "".join(lines).encode()

    def _write_instrumented(self, end: bytes) -> None:
        for number, item in enumerate(self._instrumented):
            text = b'#include "pessimal.h"\n# 1 "instrumented%d.c"\n' % number + item.text + b"\n"
            (self._place / f"instrumented{number}.c").write_bytes(text + (end if number == 0 else b""))

    def _compile_types(self) -> None:
        """Compile the first file with its types, and with its control-flow graph where the compiler can write it."""
        graph = [f"-fdump-tree-cfg={self._place / GRAPH}"] if toolchain.is_gcc() else []
        words = ["-w", "-ftrack-macro-expansion=0"] if graph else ["-w"]
        source = self._place / "instrumented0.c"
        command: list[str | Path] = [
            *words,
            *self._flags.compiling,
            "-O0",
            "-g",
            *graph,
            f"-I{RUNTIME}",
            "-shared",
            "-fPIC",
            source,
        ]
        done = toolchain.attempt([*command, "-o", self._place / TYPES], self._cwd)
        if done.returncode:
            self._check_source()
            raise self._blamed(done.stderr)

    def _check_source(self) -> None:
        """Raise the error that is in the source itself, if there is one."""
        for number in range(len(self._raw)):
            toolchain.call(
                ["-w", *self._flags.compiling, "-fsyntax-only", self._place / f"native{number}.i"], self._cwd
            )

    def _link(self, signatures: Sequence[Signature], uncallable: set[str]) -> set[str]:
        """Make both libraries; the names of the functions whose stubs the compiler refuses."""
        end = stubs(signatures, uncallable)
        (self._place / "native0.i").write_bytes(self._raw[0] + end)
        self._write_instrumented(end)
        with ThreadPoolExecutor(2) as both:
            native = both.submit(self._library, "native", "i")
            instrumented = both.submit(self._library, "instrumented", "c")
        refused: set[str] = set()
        for done in (native.result(), instrumented.result()):
            lines = [int(line) for line in _STUB_ERROR.findall(done.stderr.decode(errors="replace"))]
            refused |= {signatures[line - 1].name for line in lines if line <= len(signatures)}
        if refused:
            return refused
        if native.result().returncode:
            raise toolchain.complaint(native.result().stderr.decode(errors="replace"))
        if instrumented.result().returncode:
            raise self._blamed(instrumented.result().stderr)
        return set()

    def _library(self, name: str, suffix: str) -> CompletedProcess[bytes]:
        sources = [self._place / f"{name}{number}.{suffix}" for number in range(len(self._raw))]
        words: list[str | Path] = [
            *COMPILING,
            *(INSTRUMENTED if name == "instrumented" else ()),
            *self._flags.compiling,
            "-shared",
            "-Wl,-Bsymbolic",
            f"-I{RUNTIME}",
            *sources,
        ]
        return toolchain.attempt([*words, "-o", self._place / f"{name}.so", *self._flags.linking, *LINKING], self._cwd)

    def _blamed(self, said: bytes) -> Exception:
        """The functions that errors are about; the first error itself where it is about none."""
        text = said.decode(errors="replace")
        functions = frozenset(
            (int(number), span.function)
            for number, line in _ERROR.findall(text)
            for span in self._instrumented[int(number)].spans
            if span.first <= int(line) <= span.last
        )
        return Refused(functions) if functions else toolchain.complaint(text)


@dataclass(frozen=True, slots=True)
class Exceptions:
    """Functions of a build that are not like the others."""

    left_alone: LeftAlone
    uncallable: frozenset[str]
    harmless: frozenset[str]
    """Those that may run in our own process."""

    @classmethod
    def read(cls, place: Path) -> Exceptions:
        """Those of the build in a directory."""
        kept = json.loads((place / EXCEPTIONS).read_text())
        left_alone = frozenset((int(number), name) for number, name in kept["left_alone"])
        return cls(left_alone, frozenset(kept["uncallable"]), frozenset(kept["harmless"]))
