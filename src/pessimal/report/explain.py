"""The explanation as text for a terminal: what was made concrete, the costliest first, then what else was lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pessimal.ledger import MAX_VALUES

SHOWN_ROWS = 20
SHOWN_LOSSES = 5
SHOWN_NEVER = 2
LONGEST_TEXT = 40
LONGEST_REASON = 160
HEADS = ("times", "values", "untried", "missed")
ADVICE = "a handler keeps such a value symbolic: see docs/extending.md; what the columns mean: docs/results.md"


def explanation(data: Mapping[str, Any] | None) -> list[str]:
    """The lines that ``--explain`` adds to a report; none without that option."""
    if data is None:
        return []
    lines = _concrete(data)
    lines += _losses("refused", [(item["times"], _clean(item["reason"], LONGEST_REASON)) for item in data["refusals"]])
    lines += _losses("unknown", [(item["times"], _unknown(item)) for item in data["unknown"]])
    if data["unseen"]:
        lines.append(f"  the first {data['unseen']} runs were made without --explain and are not included")
    return lines


def _concrete(data: Mapping[str, Any]) -> list[str]:
    rows = data["concretisations"]
    if not rows:
        return [f"  nothing was made concrete{'' if data['runs'] else ': no run was symbolic'}"]
    shown = rows[:SHOWN_ROWS]
    places = [f"{_place(row['site'])}  {_clean(row['reason'])}" for row in shown]
    width = max(map(len, ["made concrete", *places]))
    lines = [f"  {'made concrete':<{width}}  {_cells(HEADS)}"]
    for place, row in zip(places, shown, strict=True):
        lines.append(f"  {place:<{width}}  {_cells(_numbers(row))}")
        lines += _never(row)
    if len(rows) > SHOWN_ROWS:
        lines.append(f"  ... and {len(rows) - SHOWN_ROWS} more; --json lists them all")
    return [*lines, f"  {ADVICE}"]


def _numbers(row: Mapping[str, Any]) -> list[str]:
    values = f"{row['values']}{'+' if row['values'] >= MAX_VALUES else ''}"
    untried = "-" if row["untried"] is None else str(row["untried"])
    missed = "-" if row["missed"] is None else str(row["missed"])
    return [str(row["times"]), values, untried, missed]


def _cells(cells: Sequence[str]) -> str:
    return "  ".join(f"{cell:>7}" for cell in cells)


def _never(row: Mapping[str, Any]) -> list[str]:
    """The first ways that no run went after the concretisation."""
    shown = row["missing"][:SHOWN_NEVER]
    lines = [f"    never to line {item['to']} from {_place(item)}" for item in shown]
    hidden = (row["missed"] or 0) - len(shown)
    return [*lines, f"    ... and {hidden} more"] if hidden else lines


def _unknown(item: Mapping[str, Any]) -> str:
    confidence = item["confidence"]
    return _place(item["site"]) + ("" if confidence is None else f", confidence {percent(confidence)}")


def percent(confidence: float) -> str:
    """A confidence for people; one that is not zero is not shown as zero."""
    return "< 0.01 %" if 0 < confidence < 1e-4 else f"{100 * confidence:.3g} %"


def _losses(title: str, items: Sequence[tuple[int, str]]) -> list[str]:
    lines = [f"  {title}   {times} times: {text}" for times, text in items[:SHOWN_LOSSES]]
    hidden = len(items) - SHOWN_LOSSES
    return [*lines, f"  {title}   ... and {hidden} more; --json lists them all"] if hidden > 0 else lines


def _place(site: Mapping[str, Any]) -> str:
    file = _clean(site["file"].rpartition("/")[2])
    return f"{file}:{site['line']}  in {_clean(site['function'])}  `{_clean(site['text'])}`"


def _clean(text: str, limit: int = LONGEST_TEXT) -> str:
    """The text on one line, without control characters, and not too long."""
    plain = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    return plain if len(plain) <= limit else f"{plain[: limit - 1]}…"
