"""Functions and variables that a target mentions and nobody defines: stand-ins, so that it can be loaded without them.

A file of a project is seldom complete by itself. A run that calls a stand-in ends there, or goes on with 0 as what it
returned, and says which one it was. A variable is all zeros.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pessimal.c import toolchain
from pessimal.c.toolchain import Flags

LIBRARY, SOURCE = "missing.so", "missing.c"
_HEAD = """\
struct zero { long whole; double real; }; /* in the registers of both kinds */
void pess_undefined(const char *);
"""
_FUNCTION = re.compile(r"^struct zero (\w+)\(void\)", re.MULTILINE)
_VARIABLE = re.compile(r"^char (\w+)\[", re.MULTILINE)
VARIABLE_SIZE = 1 << 16
"""How many bytes there are of a variable: its type is declared, but its stand-in is compiled without it."""
_STRICTLY = ("-Wl,--no-as-needed", "-Wl,--no-allow-shlib-undefined")
_UNDEFINED = re.compile(r"undefined reference to [`'](\w+)'")


@dataclass(frozen=True, slots=True)
class StandIns:
    """The names of what has stand-ins."""

    functions: Sequence[str] = ()
    variables: Sequence[str] = ()

    def definitions(self) -> list[str]:
        """The stand-ins as C that gives way to definitions elsewhere, whatever types are declared."""
        return [*map(_function, self.functions), *map(_variable, self.variables)]


def make_stand_ins(place: Path, texts: list[bytes], flags: Flags) -> None:
    """Write a library with what the library of a directory lacks."""
    lines = [_line(name, any(_is_called(name, text) for text in texts)) for name in _lacking(place, flags)]
    source = place / SOURCE
    source.write_text(_HEAD + "".join(lines))
    toolchain.call(["-w", "-fno-builtin", "-shared", "-fPIC", source, "-o", place / LIBRARY], place)


def _line(name: str, is_function: bool) -> str:
    if not is_function:
        return f"char {name}[{VARIABLE_SIZE}] __attribute__((aligned(64)));\n"
    return f'struct zero {name}(void) {{ pess_undefined("{name}"); return (struct zero){{0, 0.0}}; }}\n'


def stand_ins(place: Path) -> StandIns:
    """The functions and variables of a directory that have stand-ins."""
    text = (place / SOURCE).read_text()
    return StandIns(tuple(_FUNCTION.findall(text)), tuple(_VARIABLE.findall(text)))


def _function(name: str) -> str:
    code = f".weak {name}\\n{name}:\\n\\txorl %eax, %eax\\n\\tpxor %xmm0, %xmm0\\n\\tret"
    return f'__asm__(".text\\n.type {name}, @function\\n{code}\\n");'


def _variable(name: str) -> str:
    code = f".weak {name}\\n.type {name}, @object\\n.size {name}, {VARIABLE_SIZE}\\n{name}: .zero {VARIABLE_SIZE}"
    return f'__asm__(".bss\\n.balign 64\\n{code}\\n.text\\n");'


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
