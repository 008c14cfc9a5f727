"""Functions that a target mentions and nobody defines: stand-ins, so that the target can be loaded without them.

A file of a project is seldom complete by itself. A run that calls a stand-in ends there, or goes on with 0 as what it
returned, and says which one it was.
"""

from __future__ import annotations

import re
from pathlib import Path

from pessimal.c import toolchain
from pessimal.c.toolchain import Flags

LIBRARY, SOURCE = "missing.so", "missing.c"
_HEAD = """\
struct zero { long whole; double real; }; /* in the registers of both kinds */
void pess_undefined(const char *);
"""
_STAND_IN = re.compile(r"^struct zero (\w+)\(void\)", re.MULTILINE)
_STRICTLY = ("-Wl,--no-as-needed", "-Wl,--no-allow-shlib-undefined")
_UNDEFINED = re.compile(r"undefined reference to [`'](\w+)'")


def make_stand_ins(place: Path, texts: list[bytes], flags: Flags) -> None:
    """Write a library with the functions that the library of a directory lacks; variables have no stand-in."""
    names = [name for name in _lacking(place, flags) if any(_is_called(name, text) for text in texts)]
    lines = [
        f'struct zero {name}(void) {{ pess_undefined("{name}"); return (struct zero){{0, 0.0}}; }}\n' for name in names
    ]
    source = place / SOURCE
    source.write_text(_HEAD + "".join(lines))
    toolchain.call(["-w", "-fno-builtin", "-shared", "-fPIC", source, "-o", place / LIBRARY], place)


def stand_ins(place: Path) -> list[str]:
    """The functions of a directory that have stand-ins."""
    return _STAND_IN.findall((place / SOURCE).read_text())


def definition(name: str) -> str:
    """A stand-in as C that gives way to a definition elsewhere, whatever type the function is declared with."""
    code = f".weak {name}\\n{name}:\\n\\txorl %eax, %eax\\n\\tpxor %xmm0, %xmm0\\n\\tret"
    return f'__asm__(".text\\n.type {name}, @function\\n{code}\\n");'


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
