"""What synthesis has to say in a report: its model, its generator, and what small sizes had wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pessimal.result import StressResult


def model(result: StressResult) -> list[str]:
    """Where the model comes from and where it was checked, if the result is its doing; or what misled it."""
    report = result.synthesis
    if report.get("misled") and result.strategy != "synthesis":  # which has a note of its own
        return [f"  misled    synthesis: {report['refused'][-1]}"]
    made: dict[str, Any] | None = report.get("model")
    if made is None or result.effort.found_by != "synthesis":
        return []
    checked = f", checked at {_sizes(made['held_out'])}" if made["held_out"] else ""
    return [f"  model     of {made['of']} at sizes {_sizes(made['fitted'])}{checked}: {report['conditions']} here"]


def generator(result: StressResult) -> list[str]:
    """The code of the generator, or that there is none."""
    if result.generator is not None:
        return ["  generator", *(f"    {line}".rstrip() for line in result.generator.splitlines())]
    return ["  generator none found"] if "generator" in result.synthesis and result.strategy == "synthesis" else []


def _sizes(sizes: Sequence[int]) -> str:
    is_run = len(sizes) > 2 and list(sizes) == list(range(sizes[0], sizes[-1] + 1))
    return f"{sizes[0]} to {sizes[-1]}" if is_run else ", ".join(map(str, sizes))
