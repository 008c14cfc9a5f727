"""Why branches were not reached: what symbolic runs showed, what the source says, or what stood before them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from pessimal.arcs import Arc
from pessimal.covering.messages import ArcRow, Reason
from pessimal.covering.result import Unreached
from pessimal.python.cover.attempts import Attempts
from pessimal.python.cover.obstacles import Obstacles

_MOST_LINES = 12
"""How many lines of a condition are shown at most."""


def unreached(
    missing: Iterable[ArcRow], reasons: Sequence[Reason], taken: Collection[ArcRow], lost: Mapping[ArcRow, str]
) -> list[Unreached]:
    """Each branch that no input takes, with the best reason that is known; executed lines are in ``taken``.

    ``lost`` are the branches of tests that were not written, with the reasons.
    """
    known: dict[tuple[str, int], list[Reason]] = {}
    for reason in reasons:
        known.setdefault((reason.file, reason.line), []).append(reason)
    obstacles = Obstacles((), Attempts(), [Arc(*row) for row in taken])
    return [_described(arc, known.get(arc[:2], []), obstacles, lost.get(arc)) for arc in sorted(missing)]


def _described(arc: ArcRow, reasons: Sequence[Reason], obstacles: Obstacles, lost: str | None) -> Unreached:
    file, line, to = arc
    static = _static_reason(file, line) if lost is None else f"reached, but no written test does so: {lost}"
    own = [reason for reason in reasons if reason.to == to]
    best = max(own, key=lambda reason: reason.weight, default=None)
    shown = _weakest([reason for reason in reasons if reason.to is None])
    if best is None or (shown is not None and shown.weight > best.weight):
        best = shown
    text = static or (best.text if best is not None else obstacles.explain(Arc(*arc)))
    where = f"line {to}" if to > 0 else "the end of the function" if to < 0 else "the end"
    confidence = None if static or best is None else best.confidence
    return Unreached(f"{file}:{line}", source_line(file, line), where, text, confidence)


def _weakest(reasons: Sequence[Reason]) -> Reason | None:
    """The reason that holds for all tests on a line: for each the best that is known, and of these the weakest."""
    best: dict[str, Reason] = {}
    for reason in reasons:
        if reason.test not in best or reason.weight > best[reason.test].weight:
            best[reason.test] = reason
    return min(best.values(), key=lambda reason: reason.weight, default=None)


def source_line(file: str, line: int) -> str:
    """The text of a line of source, without its indentation; where a bracket is open, with the lines that close it."""
    lines = [text.strip() for text in _source(file)[max(0, line - 1) : line - 1 + _MOST_LINES]]
    text = lines[0] if lines else ""
    for further in lines[1:]:
        if sum(map(text.count, "([{")) <= sum(map(text.count, ")]}")):
            break
        text += further if text.endswith(("(", "[", "{")) or further.startswith((")", "]", "}")) else f" {further}"
    return text


@cache
def _source(file: str) -> Sequence[str]:
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()


def _static_reason(file: str, line: int) -> str | None:
    """What the source says about a branch that no input can take."""
    text = source_line(file, line)
    if "__name__" in text and "__main__" in text:
        return "taken only when the file is run as a script"
    if "TYPE_CHECKING" in text:
        return "taken only by type checkers"
    if "sys.version_info" in text or "sys.platform" in text or "os.name" in text:
        return "depends on the interpreter or the system"
    return None
