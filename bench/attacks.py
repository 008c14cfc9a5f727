"""Published flaws of complexity in real packages: whether ``stress`` finds inputs as bad as the known attacks.

    make bench-attacks                                          six flaws, 60 s for each tool: a quarter of an hour
    python -m bench.attacks --strategy fuzz --only idna --seconds 20

The packages are pinned at vulnerable versions. ``ratio`` is what the found input costs by what the known attack of the
same length costs, in lines of all code that is executed, by line tracing; for the regular expression of ``wheel``,
which executes no lines, in native seconds, the least of five runs. The plain rival of bench-wild stands beside. A flaw
is hit if the ratio is at least 0.95; where the known attack does not end, if the found input does not end either.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from bench.table import RESULTS, publish
from bench.wild_tools import Answer, Question, Tools

ENOUGH = 0.95
JUDGED_SECONDS = 5.0


class Flaw(NamedTuple):
    """A target, and its known attack: a text that is cut at the size; compared by lines, or by seconds."""

    package: str
    target: str
    growth: str
    attack: Callable[[int], str]
    measure: str = "lines"


FLAWS = (
    Flaw("idna 3.6", "idna_encode", "n^2", lambda n: "\u0660" * n),
    Flaw("Markdown 3.3.4", "markdown_convert", "n^2", lambda n: "[" * n),
    Flaw("sqlparse 0.4.3", "sqlparse_parse", "depth n/2", lambda n: "[" * (n // 2) + "]" * (n // 2)),
    Flaw("zipp 3.18.2", "zipp_implied_dirs", "endless", lambda n: "//" + "a" * n),
    Flaw("html.parser", "html_feed", "n^2 in C", lambda n: "<a b=" * n),
    Flaw("wheel 0.37.1", "wheel_match", "n^5 in re", lambda n: "-" * n, "native"),
)


def main() -> None:
    """Search for every flaw and publish the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--size", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--strategy", default="auto")
    parser.add_argument("--only", default="", help="flaws whose packages contain it")
    parser.add_argument("--fresh", action="store_true", help="run again what was run before")
    options = parser.parse_args()
    tools = Tools("attacks", RESULTS / "attacks-cells.jsonl", fresh=options.fresh)
    rows = [_row(tools, flaw, options) for flaw in FLAWS if options.only in flaw.package]
    rows.sort(key=lambda row: (row["hit"], row["ratio"]))
    hits = sum(row["hit"] for row in rows)
    rivals = sum(row["plain ratio"] >= ENOUGH for row in rows)
    summary = {"package": f"hit: {hits} of {len(rows)}; by the plain rival: {rivals}"}
    publish("attacks", f"Published flaws, size {options.size}, {options.seconds:g} s", [*rows, summary])


def _row(tools: Tools, flaw: Flaw, options: argparse.Namespace) -> dict[str, Any]:
    asked: Question = {"target": f"bench/subjects/attacks.py:{flaw.target}", "inputs": {"text": "str:N"}}
    asked |= {"size": options.size, "seconds": options.seconds, "seed": options.seed, "judged": JUDGED_SECONDS}
    known = tools.judged(asked, {"arguments": {"text": flaw.attack(options.size)[: options.size]}})
    plain, ours = tools.rival("plain", asked), tools.pessimal(options.strategy, asked)
    ratio = _ratio(ours, known, flaw.measure)
    row = {
        "package": flaw.package,
        "growth": flaw.growth,
        "known": known["lines"],
        "plain": plain["lines"],
        "pessimal": ours["lines"],
        "plain ratio": _ratio(plain, known, flaw.measure),
        "ratio": ratio,
        "hit": ratio >= ENOUGH,
        "hangs": ours.get("hangs"),
        "runs": ours["runs"],
        "plain runs": plain["runs"],
        "time": ours["seconds"],
        "input": str((ours.get("arguments") or {}).get("text"))[: options.size],
        "error": ours.get("error"),
    }
    print(json.dumps(row), file=sys.stderr, flush=True)
    return row


def _ratio(found: Answer, known: Answer, measure: str) -> float:
    """Found by known; runs that are cut off by the judge have no end, and are alike."""
    if found.get("cut") and known.get("cut"):
        return 1.0
    return float(found[measure] / known[measure]) if known.get(measure) and measure in found else 0.0


if __name__ == "__main__":
    main()
