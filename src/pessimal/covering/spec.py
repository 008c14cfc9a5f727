"""What is to be covered, and how: the part of a command that crosses to the workers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path

from pessimal.errors import TargetError
from pessimal.target_spec import Limits

_FILE = re.compile(r"(?P<file>.*?\.py)(?:::?(?P<qualname>.+))?\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Place:
    """A module, a package or a directory of modules; with ``qualname`` only one function or class in it."""

    file: str | None
    module: str | None
    qualname: str | None = None

    @classmethod
    def parse(cls, text: str) -> Place:
        """Read ``package.module``, ``file.py``, and either with ``:function`` or ``:Class.method``."""
        text = text.strip()
        in_file = _FILE.match(text)
        if in_file:
            return cls(in_file["file"], None, _qualname(in_file["qualname"], text))
        if "/" in text or Path(text).is_dir():
            return cls(text, None)
        module, _, qualname = text.partition(":")
        if not all(part.isidentifier() for part in module.split(".")):
            raise TargetError(f"{text!r} is nothing to cover: write package.module, file.py or package.module:function")
        return cls(None, module, _qualname(qualname.removeprefix(":") or None, text))

    def __str__(self) -> str:
        return f"{self.file or self.module}{f':{self.qualname}' if self.qualname else ''}"


def _qualname(text: str | None, whole: str) -> str | None:
    name = None if text is None else text.replace("::", ".")
    if name is not None and not all(part.isidentifier() for part in name.split(".")):
        raise TargetError(f"{text!r} in {whole!r} is not a valid name: write file.py:function or file.py:Class.method")
    return name


@dataclass(frozen=True, slots=True)
class CoverSpec:
    """One search for inputs that reach every branch of some places."""

    places: Sequence[Place]
    _: KW_ONLY
    strategy: str = "auto"
    solver: str = "portfolio"
    seed: int = 0
    limits: Limits = field(default_factory=Limits)
    allow_side_effects: bool = False
    workers: int = 1
    runs: int | None = None
    """Stop after so many concrete runs."""
