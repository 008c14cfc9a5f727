"""Preprocessed source: the text that the compiler sees, and the file and line that each of its lines comes from."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MARKER = re.compile(rb'# (\d+) "((?:[^"\\]|\\.)*)"((?: \d)*)')
_SYSTEM = b"3"


@dataclass(frozen=True, slots=True)
class Line:
    """Where a line of preprocessed text comes from."""

    file: str
    number: int
    is_system: bool


@dataclass(frozen=True, slots=True)
class Preprocessed:
    """The text with its line markers blanked, and the origin of each line."""

    text: bytes
    lines: tuple[Line, ...]

    @classmethod
    def read(cls, output: bytes) -> Preprocessed:
        """Read what ``cc -E`` wrote."""
        kept: list[bytes] = []
        lines: list[Line] = []
        file, number, is_system = "", 1, False
        for raw in output.split(b"\n"):
            marker = _MARKER.match(raw)
            if marker is None:
                kept.append(raw)
                lines.append(Line(file, number, is_system))
                number += 1
                continue
            file = marker[2].decode("utf-8", "surrogateescape")
            number, is_system = int(marker[1]), _SYSTEM in marker[3].split()
            kept.append(b"")
            lines.append(Line(file, number, is_system))
        return cls(b"\n".join(kept), tuple(lines))
