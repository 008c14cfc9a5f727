"""``stress`` on functions that others wrote, beside a plain mutation fuzzer, Hypothesis and atheris, at equal time.

    make bench-wild                                      all drawn functions, 10 s for each tool: 75 minutes
    python -m bench.wild --every 10 --seconds 5          each tenth function, half the time
    python -m bench.wild --strategy fuzz --only stdnum   one strategy on the functions of a package

The functions are drawn by :mod:`bench.wild_draw`. All tools get the same ranges and the same time, which begins with
their process. The rivals, which use one core, run first, two at a time; then ``stress`` runs alone. The judge is line
tracing (:mod:`bench.wild_judge`): the lines that are executed when the input is run once more. ``best ratio`` is our
lines by those of the best rival, ``work ratio`` the same for the statements that we count ourselves, which is what our
search maximises. Losses come first.

What a tool found is kept in ``bench/results/wild-cells.jsonl``, so that an interrupted bench goes on where it was, and
another strategy is compared without running the rivals again; ``--fresh`` runs everything.
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from typing import Any

from bench.table import RESULTS, publish
from bench.wild_draw import FILE, finite
from bench.wild_tools import Answer, Question, Tools

RIVALS = ("plain", "hypothesis", "atheris")
GRACE = 1.0
"""How long a command may take beyond its budget."""
SHARE = 0.98


def main() -> None:
    """Run every tool on every function and publish the costs."""
    options = _options()
    subjects = [item for item in json.loads(FILE.read_text()) if options.only in item["target"]]
    tools = Tools("wild", RESULTS / "wild-cells.jsonl", fresh=options.fresh)
    chosen = subjects[options.first :: options.every]
    asked = [_asked(subject, options) for subject in chosen]
    tools.run_ahead(partial(tools.rival, name, question) for question in asked for name in RIVALS)
    rows = [_row(tools, subject, options) for subject in chosen]
    rows.sort(key=lambda row: (row["best ratio"], row["function"]))
    title = f"Functions that others wrote, executed lines, {options.seconds:g} s, strategy {options.strategy}"
    publish("wild", title, [*rows, *({"function": line} for line in summary(rows))])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--size", type=int, default=20)
    parser.add_argument("--every", type=int, default=1, help="take each so many-th function only")
    parser.add_argument("--first", type=int, default=0, help="leave out so many functions at the beginning")
    parser.add_argument("--only", default="", help="functions whose names contain it")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--strategy", default="auto")
    parser.add_argument("--fresh", action="store_true", help="run again what was run before")
    return parser.parse_args()


def _row(tools: Tools, subject: dict[str, Any], options: argparse.Namespace) -> dict[str, Any]:
    """All tools on one function."""
    asked = _asked(subject, options)
    found = {name: tools.rival(name, asked) for name in RIVALS}
    ours = tools.pessimal(options.strategy, asked)
    row = {
        "function": subject["target"],
        **{name: answer["lines"] for name, answer in found.items()},
        "pessimal": ours["lines"],
        "best ratio": _ratio(ours, found, "lines"),
        "work ratio": _ratio(ours, found, "work"),
        "proof": ours.get("proof"),
        "time": ours["seconds"],
        "runs/s": ours["runs"] / options.seconds,
        **{f"{name} runs/s": answer["runs"] / options.seconds for name, answer in found.items()},
        "budget held": ours["seconds"] <= options.seconds + GRACE,
        "error": ours.get("error"),
    }
    print(json.dumps(row), file=sys.stderr, flush=True)
    return row


def _asked(subject: dict[str, Any], options: argparse.Namespace) -> Question:
    asked = {"target": subject["target"], "inputs": finite(subject["inputs"]), "size": options.size}
    return {**asked, "seconds": options.seconds, "seed": options.seed}


def _ratio(ours: Answer, found: dict[str, Answer], measure: str) -> float:
    most = max(answer[measure] for answer in found.values())
    return float(ours[measure] / most) if most else 1.0


def summary(rows: list[dict[str, Any]]) -> list[str]:
    """What the rows show together, a line each."""
    ratios = [row["best ratio"] for row in rows]
    others = [row for row in rows if row["best ratio"] != 1 or row["proof"] is None]
    proved = len(rows) - len(others)
    disagreeing = sum((row["best ratio"] < SHARE) != (row["work ratio"] < SHARE) for row in rows)
    return [
        _share("at least 98 % of the best rival", sum(ratio >= SHARE for ratio in ratios), rows),
        _share("more than the best rival", sum(ratio > 1 for ratio in ratios), rows),
        _share("equal, and proved to be the most", proved, rows),
        _share("more than the best rival, of the others", sum(ratio > 1 for ratio in ratios), others),
        _share("at least 98 % by work", sum(row["work ratio"] >= SHARE for row in rows), rows),
        _share("lines and work disagree about a loss", disagreeing, rows),
        _share("errors, or no result", sum(row["error"] is not None for row in rows), rows),
        _share("budget exceeded", sum(not row["budget held"] for row in rows), rows),
        *(_share(f"{name} is best", sum(_is_best(row, name) for row in rows), rows) for name in RIVALS),
    ]


def _share(what: str, number: int, rows: list[dict[str, Any]]) -> str:
    return f"{what}: {number} of {len(rows)}, {number / max(1, len(rows)):.0%}"


def _is_best(row: dict[str, Any], name: str) -> bool:
    return bool(row[name] > max(row["pessimal"], *(row[other] for other in RIVALS if other != name)))


if __name__ == "__main__":
    main()
