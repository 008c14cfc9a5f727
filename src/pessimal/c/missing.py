"""Functions that a target mentions and nobody defines: stand-ins, so that the target can be loaded without them.

A file of a project is seldom complete by itself. A run that calls a stand-in ends there, and says which one it was.
"""

from __future__ import annotations

import re
from pathlib import Path

from pessimal.c import toolchain
from pessimal.c.toolchain import Flags

LIBRARY = "missing.so"
_STRICTLY = ("-Wl,--no-as-needed", "-Wl,--no-allow-shlib-undefined")
_UNDEFINED = re.compile(r"undefined reference to [`'](\w+)'")


def make_stand_ins(place: Path, texts: list[bytes], flags: Flags) -> None:
    """Write a library with the functions that the library of a directory lacks; variables have no stand-in."""
    names = [name for name in _lacking(place, flags) if any(_is_called(name, text) for text in texts)]
    lines = [f'void {name}(void) {{ pess_undefined("{name}"); }}\n' for name in names]
    source = place / "missing.c"
    source.write_text("void pess_undefined(const char *);\n" + "".join(lines))
    toolchain.call(["-w", "-fno-builtin", "-shared", "-fPIC", source, "-o", place / LIBRARY], place)


def _lacking(place: Path, flags: Flags) -> list[str]:
    """What neither the library itself nor one that it is linked with defines, by the linker's own words."""
    empty = place / "empty.c"
    empty.write_text("")
    words: list[str | Path] = ["-shared", "-fPIC", empty, *_STRICTLY, place / "native.so", *flags.linking, "-lm"]
    done = toolchain.attempt([*words, "-o", place / "empty.so"], Path.cwd())
    return sorted(set(_UNDEFINED.findall(done.stderr.decode(errors="replace"))))


def _is_called(name: str, text: bytes) -> bool:
    """Whether a name is that of a function, as its declaration or a call shows."""
    return re.search(rb"\b" + name.encode() + rb"\s*\(", text) is not None
