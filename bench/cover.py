"""``pessimal cover`` on modules that others wrote, beside five rivals, at equal wall time.

    make bench-cover                                    all drawn modules, 60 s for each tool: three hours
    python -m bench.cover --every 10 --seconds 15       each tenth module, a quarter of the time
    python -m bench.cover --tools random,pessimal       some of the tools
    python -m bench.cover --mutants 0                   without mutation scores

The modules are drawn by :mod:`bench.cover_draw`; they are covered where they are installed. The judge is coverage.py
(:mod:`bench.cover_measure`), in per cent of branches. The rivals are a plain random generator, the one to beat,
Hypothesis, atheris, Pynguin and CrossHair; the first three are measured while they run, the others and ours by the
tests that they have written (:mod:`bench.cover_judge`), which are run twice with different hash seeds. Two rivals run
at a time, since each has use for one core; ours runs alone. Losses come first.

What a tool covered is kept in ``bench/results/cover-cells.jsonl``, so that an interrupted bench goes on where it was;
the written tests are in ``bench/results/cover-tests``. ``--fresh`` runs everything again.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from statistics import mean
from typing import Any

from rich.console import Console

from bench.cover_mutants import scores
from bench.cover_tools import MOMENTS, OURS, RIVALS, WRITING, Answer, Tools
from bench.peers import ROOT, environment
from bench.table import RESULTS, WIDTH, save, table

SUBJECTS = ROOT / "bench" / "subjects" / "cover.json"
AHEAD = 10.0
LOSSES = 3
Row = dict[str, Any]


def main() -> None:
    """Run every tool on every module and publish the branches."""
    options = _options()
    drawn = [item for item in json.loads(SUBJECTS.read_text()) if options.only in item["module"]]
    subjects = _with_files(drawn[options.first :: options.every])
    chosen = options.tools.split(",")
    tools = Tools(RESULTS / "cover-cells.jsonl", fresh=options.fresh)
    answers = {item["module"]: _answers(tools, item, chosen, options) for item in subjects}
    rows = [_row(item, answers[item["module"]]) for item in subjects]
    rows.sort(key=lambda row: (row.get("ahead", 0.0), row["module"]))
    lines = summary(rows, list(answers.values()), chosen)
    if options.mutants:
        lines += scores(tools, subjects, answers, options)
    title = f"Branches of modules that others wrote, per cent, {options.seconds:g} s"
    Console(width=WIDTH).print(table(title, rows))
    print("\n".join(lines))
    save("cover", title, [*rows, *({"module": line} for line in lines)])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--every", type=int, default=1, help="take each so many-th module only")
    parser.add_argument("--first", type=int, default=0, help="leave out so many modules at the beginning")
    parser.add_argument("--only", default="", help="modules whose names contain it")
    parser.add_argument("--tools", default=",".join((*RIVALS, OURS)), help="which tools, with commas between")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mutants", type=int, default=60, help="how many mutants of a module at most; 0 for none")
    parser.add_argument("--fresh", action="store_true", help="run again what was run before")
    return parser.parse_args()


def _with_files(subjects: list[Row]) -> list[Row]:
    """The subjects with the files in which the judge's environment finds them."""
    script = "import importlib.util, json, sys; "
    script += "print(json.dumps([importlib.util.find_spec(name).origin for name in sys.argv[1:]]))"
    command = [environment("cover"), "-c", script, *(item["module"] for item in subjects)]
    files = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return [{**item, "file": file} for item, file in zip(subjects, files, strict=True)]


def _answers(tools: Tools, subject: Row, chosen: list[str], options: argparse.Namespace) -> dict[str, Answer]:
    """All tools on one module: the rivals two at a time, then ours alone."""
    asked = {name: subject[name] for name in ("module", "file", "branches")}
    asked |= {"seconds": options.seconds, "seed": options.seed}
    rivals = [name for name in RIVALS if name in chosen]
    with ThreadPoolExecutor(2) as pool:
        found = dict(zip(rivals, pool.map(lambda name: tools.found(name, asked), rivals), strict=True))
    return {**found, OURS: tools.found(OURS, asked)} if OURS in chosen else found


def per_cent(answer: Answer) -> float:
    """The share of branches that are covered."""
    return 100 * float(answer["covered"]) / max(1, answer["total"])


def _row(subject: Row, answers: dict[str, Answer]) -> Row:
    """One line of the table."""
    row: Row = {"module": subject["module"], "branches": subject["branches"]}
    row |= {name: round(per_cent(answer), 1) for name, answer in answers.items()}
    rivals = [row[name] for name in RIVALS if name in answers]
    if OURS in answers and rivals:
        ours = answers[OURS]
        row["ahead"] = round(row[OURS] - max(rivals), 1)
        row["seconds"] = round(ours["seconds"], 1)
        row["tests"], row["pass twice"] = ours["tests"], ours["passed twice"]
        row["unreached"], row["no reason"] = ours.get("unreached"), ours.get("without reason")
        row["out of time"], row["dropped"] = ours.get("out of time"), ours.get("dropped")
        row["agrees"] = ours.get("own count") == {name: ours[name] for name in ("covered", "total")}
    errors = [
        f"{name}: {answer['error'].splitlines()[-1][:60]}" for name, answer in answers.items() if answer.get("error")
    ]
    return {**row, "errors": "; ".join(errors)}


def summary(rows: list[Row], answers: list[dict[str, Answer]], chosen: list[str]) -> list[str]:
    """What the rows show together, a line each."""
    if not rows:
        return ["no modules"]
    named = [name for name in (*RIVALS, OURS) if name in chosen]
    means = {name: mean(per_cent(answer[name]) for answer in answers) for name in named}
    lines = [f"mean branch coverage of {name}: {means[name]:.1f} %" for name in named]
    lines += [_over_time(name, answers) for name in named]
    if OURS in means and len(means) > 1:
        best = max((name for name in named if name != OURS), key=lambda name: means[name])
        lines += _must_show(rows, means[OURS] - means[best], best)
    return [*lines, *(_twice(name, answers) for name in named if name in (*WRITING, OURS))]


def _must_show(rows: list[Row], lead: float, best: str) -> list[str]:
    behind = sum(row["ahead"] < 0 for row in rows)
    silent, late = (sum(row[name] or 0 for row in rows) for name in ("no reason", "out of time"))
    each = mean(row["ahead"] for row in rows)
    agreed = sum(row["agrees"] for row in rows)
    slowest = max(row["seconds"] for row in rows)
    return [
        f"{_mark(lead >= AHEAD)}: {lead:.1f} points ahead of the best on average, {best}; wanted {AHEAD:g}",
        f"{each:.1f} points ahead on average of whichever rival is best on a module",
        f"{_mark(behind <= LOSSES)}: behind a rival on {behind} of {len(rows)} modules; wanted at most {LOSSES}",
        f"{_mark(silent == 0)}: {silent} unreached branches without a reason; {late} say only that time was up",
        f"{_mark(agreed == len(rows))}: our count is that of coverage.py on {agreed} of {len(rows)} modules",
        f"the slowest of our commands took {slowest:.1f} s",
    ]


def _over_time(name: str, answers: list[dict[str, Answer]]) -> str:
    curves = [(answer[name].get("curve"), answer[name]["total"]) for answer in answers]
    known = [(curve, total) for curve, total in curves if curve and total]
    moments = [str(moment) for moment in MOMENTS if known and all(str(moment) in curve for curve, _ in known)]
    figures = [f"{mean(100 * curve[at] / total for curve, total in known):.1f} at {at} s" for at in moments]
    return f"{name} over time, {len(known)} modules: {', '.join(figures) or 'not told'}"


def _twice(name: str, answers: list[dict[str, Answer]]) -> str:
    tests = sum(answer[name].get("tests", 0) for answer in answers)
    passed = sum(answer[name].get("passed twice", 0) for answer in answers)
    expected = sum(answer[name].get("expected failures", 0) for answer in answers)
    mark = f"{_mark(passed == tests > 0)}: " if name == OURS else ""
    share = f"{passed / max(1, tests):.1%}"
    return f"{mark}tests of {name} that pass twice: {passed} of {tests}, {share}; {expected} expected failures"


def _mark(is_met: bool) -> str:
    return "met" if is_met else "NOT MET"


if __name__ == "__main__":
    main()
