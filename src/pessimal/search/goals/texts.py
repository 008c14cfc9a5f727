"""Numbers in texts: where a test compares what was read from the input, the number that it wants is written there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from pessimal.expr import Leaf
from pessimal.inputs import Domain
from pessimal.search.goals.sequences import Input, Run

_WHOLE, _HEX = re.compile(r"[-+]?\d+"), re.compile(r"[0-9a-fA-F]+")
_REAL = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?")
_LONGEST_NUMBER = 40
_KINDS = ("char", "byte")


def with_number(
    leaves: Input, texts: Sequence[Run], domains: Sequence[Domain], old: Leaf, new: Leaf
) -> Iterator[Input]:
    """The input with a number in its texts, read as decimal or hexadecimal, replaced by another one, one at a time."""
    for run in texts:
        if domains[run.first].kind not in _KINDS:
            continue
        text = "".join(chr(int(item)) for item in leaves[run.first : run.first + run.count(leaves)])
        for changed in _replaced(text, old, new):
            yield written(leaves, run, domains, changed)


def written(leaves: Input, run: Run, domains: Sequence[Domain], text: str) -> Input:
    """The input with a text, as far as there is room, in place of the one that a run has."""
    codes = [domains[run.first + at].clip(ord(char)) for at, char in enumerate(text[: run.most])]
    changed = [*leaves[: run.first], *codes, *leaves[run.first + len(codes) :]]
    changed[run.length] = domains[run.length].clip(len(codes))
    return changed


def _replaced(text: str, old: Leaf, new: Leaf) -> Iterator[str]:
    for pattern, reads, writes in _NOTATIONS:
        shown = writes(new)
        for found in pattern.finditer(text) if shown else ():
            if len(found[0]) <= _LONGEST_NUMBER and reads(found[0]) == old:
                yield text[: found.start()] + shown + text[found.end() :]


def _decimal(number: Leaf) -> str:
    return str(int(number)) if number == number // 1 and abs(number) < 1e18 else repr(float(number))


def _hexadecimal(number: Leaf) -> str:
    return f"{int(number):x}" if number == number // 1 and 0 <= number < 1e18 else ""


_NOTATIONS: tuple[tuple[re.Pattern[str], Callable[[str], float], Callable[[Leaf], str]], ...] = (
    (_WHOLE, int, _decimal),
    (_REAL, float, _decimal),
    (_HEX, lambda text: int(text, 16), _hexadecimal),
)
