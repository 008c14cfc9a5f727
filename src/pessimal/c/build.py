"""From a C file and a function in it to libraries that can be run, kept by the content that they were made from."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, lru_cache
from pathlib import Path

from pessimal.c import dwarf, kept_source, toolchain
from pessimal.c.commands import project_flags
from pessimal.c.compiling import RUNTIME, TYPES, Compilation, Exceptions, LeftAlone, Refused
from pessimal.c.ctype import Signature
from pessimal.c.includes import including
from pessimal.c.instrument import instrument
from pessimal.c.missing import stand_ins
from pessimal.c.preprocess import Preprocessed
from pessimal.c.sites import CTest, Instrumented, Statement
from pessimal.c.stubs import offsets
from pessimal.c.toolchain import Flags
from pessimal.comparison import Operand
from pessimal.errors import TargetError

_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Source:
    """A C file with the flags that it is compiled with, preprocessed and instrumented."""

    file: Path
    raw: bytes
    instrumented: Instrumented


@dataclass(frozen=True, slots=True)
class Built:
    """A function that can be run: its signature, all tests of its files, and the files to run."""

    signature: Signature
    tests: tuple[CTest, ...]
    statements: tuple[Statement, ...]
    instrumented: Path
    native: Path
    executor: Path
    asking: Path
    flags: Flags
    literals: tuple[Operand, ...] = ()
    declared: Mapping[str, int] = field(default_factory=dict)
    """The lengths that parameters are declared with."""
    dimensions: Mapping[str, str] = field(default_factory=dict)
    """The parameters that say how long others are, as ``n`` in ``int m[n][n]``, each with one that it is about."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """The variables that have the value of another one."""
    is_harmless: bool = False
    """Whether the function may run in our own process."""
    zeros: tuple[str, ...] = ()
    """The variables that the function uses and nobody defines, which are all zeros."""

    @property
    def slots(self) -> int:
        """How many outcomes all tests have together."""
        return self.tests[-1].slot + self.tests[-1].arity if self.tests else 0

    @property
    def offsets(self) -> list[int]:
        """Where each argument lies in the block of arguments."""
        return offsets(self.signature)

    @property
    def arguments_size(self) -> int:
        """The size of the block of arguments."""
        last = self.signature.parameters[-1].type.size if self.signature.parameters else 0
        return (self.offsets[-1] if self.offsets else 0) + last


def flags_for(file: Path, given: str) -> Flags:
    """The flags of the project's compile_commands.json, those of the user, and where headers are that these miss."""
    try:
        words = shlex.split(given)
    except ValueError as error:
        raise TargetError(f"--cc-flags {given!r} cannot be read: {error}") from None
    return _complete(file, Flags.parse([*project_flags(file), *words]))


@lru_cache(maxsize=64)
def _complete(file: Path, flags: Flags) -> Flags:
    """The flags with further include paths; looked for once in a process."""
    return including(file, flags)


def sources_of(file: Path, flags: Flags, left_alone: LeftAlone = frozenset()) -> list[Source]:
    """The file and the further ones of the flags, instrumented with slots that go on from one to the next."""
    if not file.is_file():
        raise TargetError(f"{file} is not a file: check its path")
    sources: list[Source] = []
    slot = statement = 0
    for number, path in enumerate((file, *map(Path, flags.sources))):
        raw = toolchain.call(["-E", *flags.compiling, path], Path.cwd())
        own = [function for at, function in left_alone if at == number]
        done = _instrumented(raw, slot, statement, own)
        slot = done.tests[-1].slot + done.tests[-1].arity if done.tests else slot
        statement += len(done.statements)
        sources.append(Source(path, raw, done))
    return sources


def _instrumented(raw: bytes, slot: int, statement: int, left_alone: Sequence[str]) -> Instrumented:
    """A preprocessed file instrumented; kept, since that takes a second for a large file, in each process."""

    def make(place: Path) -> None:
        source = instrument(Preprocessed.read(raw), slot, statement, left_alone)
        (place / "source.json").write_text(kept_source.written(source), encoding="utf-8")

    name = toolchain.digest(*_maker(), raw, repr((slot, statement, sorted(left_alone))))
    return kept_source.read((_kept(name, make) / "source.json").read_text(encoding="utf-8"))


def build(file: str | Path, function: str, given: str = "") -> Built:
    """Compile a file so that a function of it can be run; what was built before is used again."""
    path = Path(file)
    flags = flags_for(path, given)
    sources = sources_of(path, flags)
    _check_defined(function, sources[0])
    name = toolchain.digest(toolchain.version(), *_maker(), repr(flags), *(source.raw for source in sources))
    directory = _kept(name, lambda place: _compile(place, path, flags))
    exceptions = Exceptions.read(directory)
    if exceptions.left_alone:
        sources = sources_of(path, flags, exceptions.left_alone)
    if function in exceptions.uncallable or (0, function) in exceptions.left_alone:
        what = "called" if function in exceptions.uncallable else "instrumented"
        raise TargetError(f"{function} of {file} cannot be {what}: the compiler refuses the code that does it")
    return Built(
        _signature(directory / TYPES, function, sources[0].instrumented.casts.get(function, {})),
        tuple(test for source in sources for test in source.instrumented.tests),
        tuple(statement for source in sources for statement in source.instrumented.statements),
        directory / "instrumented.so",
        directory / "native.so",
        executor(flags),
        asking(),
        flags,
        tuple(dict.fromkeys(_literals([source.instrumented for source in sources], function))),
        {name: length for (owner, name), length in sources[0].instrumented.declared.items() if owner == function},
        sources[0].instrumented.dimensions.get(function, {}),
        sources[0].instrumented.aliases.get(function, {}),
        function in exceptions.harmless,
        tuple(name for name in stand_ins(directory).variables if sources[0].instrumented.mentions(function, name)),
    )


def _literals(sources: Sequence[Instrumented], function: str) -> list[Operand]:
    """The literals that a function may compare with: of itself, of what it leads to in its file, of the other files."""
    others = [item for source in sources[1:] for found in source.literals.values() for item in found]
    return [*sources[0].literals_for(function), *others]


@cache
def _maker() -> tuple[bytes, ...]:
    """The code that makes builds: with another one, builds are other ones."""
    here = Path(__file__).parent
    return tuple(path.read_bytes() for path in (*sorted(here.glob("*.py")), RUNTIME / "pessimal.h"))


def executor(flags: Flags) -> Path:
    """The program that runs targets, linked with the sanitizers that the target needs."""
    sanitizers = [word for word in flags.linking if word.startswith("-fsanitize")]
    return _own("executor.c", "executor", ["-rdynamic", *sanitizers, "-ldl", "-lm"])


def asking() -> Path:
    """The library by which this process asks for runs."""
    return _own("asking.c", "asking.so", ["-shared", "-fPIC", "-ldl", "-lm"])


def _own(source: str, made: str, flags: Sequence[str]) -> Path:
    """Something of our own that is compiled once for each compiler."""
    code = b"".join(path.read_bytes() for path in (RUNTIME / source, *sorted(RUNTIME.glob("*.h"))))
    name = toolchain.digest(toolchain.version(), code, repr(flags))

    def link(place: Path) -> None:
        toolchain.call(["-w", "-O2", RUNTIME / source, "-o", place / made, *flags], place)

    return _kept(name, link) / made


def _kept(name: str, make: Callable[[Path], None]) -> Path:
    """The directory of a build, made if it is not there yet; another process may be making the same one."""
    base = toolchain.cache_directory()
    try:
        base.mkdir(parents=True, exist_ok=True)
    except OSError:
        base = Path(tempfile.gettempdir()) / f"pessimal-c-{os.getuid()}"
        base.mkdir(mode=0o700, exist_ok=True)
    place = base / name
    if not place.is_dir():
        fresh = Path(tempfile.mkdtemp(dir=base, prefix="new-"))
        try:
            make(fresh)
            fresh.rename(place)
        except OSError:
            if not place.is_dir():
                raise
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    return place


def _compile(place: Path, file: Path, flags: Flags) -> None:
    """Compile a file; functions that the compiler refuses when they are instrumented are left as they are."""
    left_alone: LeftAlone = frozenset()
    while True:
        sources = sources_of(file, flags, left_alone)
        parts = [source.instrumented for source in sources]
        try:
            return Compilation(place, [source.raw for source in sources], parts, flags).make(left_alone)
        except Refused as refused:
            left_alone |= refused.functions


def _signature(file: Path, function: str, casts: Mapping[str, str]) -> Signature:
    found = dwarf.signatures(file, function, casts).get(function)
    if found is None:
        raise TargetError(f"{function} has no debugging information that can be read: use gcc or clang")
    return found


def _check_defined(function: str, source: Source) -> None:
    names = source.instrumented.functions
    if function in names:
        return
    close = get_close_matches(function, names, n=3)
    if close:
        cure = f"did you mean {' or '.join(close)}?"
    else:
        cure = f"choose one of {', '.join(names[:_SHOWN])}" if names else "it defines no function"
    raise TargetError(f"{source.file} has no function {function!r}: {cure}")
