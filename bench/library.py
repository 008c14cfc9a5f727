"""Which functions of the standard library can be explored: each reported input is run again in a fresh interpreter.

    make bench-library                                     all functions, a quarter of an hour
    python -m bench.library --only textwrap --explain      some functions, with what became concrete; nothing is saved
    python -m bench.library --only textwrap --save         some functions, whose rows replace the saved ones
    python -m bench.library --docs                         the table of docs/library.md, from the saved results

Each function is explored by ``pessimal.explore`` in a process of its own, with inputs of a fixed shape, for 200 paths
or 20 seconds. An input is a difference when it was not replayed, when its replay ended otherwise than predicted, or
when a fresh interpreter ends otherwise on it than was reported. It differs in cost when the same outcome was reached
through more or fewer counted branches than predicted: what C code computes is not counted in replays (docs/limits.md).
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console

from bench.table import RESULTS, WIDTH, Row, cell, publish, table

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "library.md"
STANDARD = "bench/subjects/standard/"
PATHS = 200
SECONDS = 20.0
HARD_SECONDS = 240.0
"""After this a process is killed, whatever it is doing; replays and imports have their time in it."""

SHOWN_REASONS = 3
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"


class Case(NamedTuple):
    """A function to explore, and the inputs that it is explored with."""

    target: str
    inputs: Mapping[str, str]

    @property
    def name(self) -> str:
        """The function as the table calls it."""
        module, _, name = self.target.partition(":")
        return name if module.startswith(STANDARD) else f"{module}.{name}"


def _cases(module: str, **functions: str) -> list[Case]:
    """The cases of one module: ``function="parameter=SPEC; other=SPEC"``."""
    return [Case(f"{module}:{name}", _inputs(text)) for name, text in functions.items()]


def _inputs(text: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in text.split("; "))
    return {name.strip(): spec.strip() for name, _, spec in pairs}


_COLOUR = "float:0..1"
_DATE = "year=int:1..9999; month=int:-1..14; day=int:-1..33"
_FRACTIONS = "a=int:-9..9; b=int:-9..9; c=int:-9..9; d=int:-9..9"

CASES: tuple[Case, ...] = (
    *_cases(
        "colorsys",
        rgb_to_hls=f"r={_COLOUR}; g={_COLOUR}; b={_COLOUR}",
        hls_to_rgb=f"h={_COLOUR}; l={_COLOUR}; s={_COLOUR}",
        rgb_to_hsv=f"r={_COLOUR}; g={_COLOUR}; b={_COLOUR}",
        hsv_to_rgb=f"h={_COLOUR}; s={_COLOUR}; v={_COLOUR}",
    ),
    *_cases(
        "calendar",
        isleap="year=int",
        leapdays="y1=int:1..9999; y2=int:1..9999",
        weekday=_DATE,
        monthrange="year=int:1..9999; month=int:-1..14",
        timegm="tuple=tuple[int:1970..2100,int:1..12,int:1..28,int:0..23,int:0..59,int:0..59]",
    ),
    *_cases(
        "statistics",
        mean="data=list[int]:3",
        median="data=list[int]:4",
        median_low="data=list[int]:4",
        mode="data=list[int]:4",
        multimode="data=list[int]:3",
        pstdev="data=list[int:0..3]:2",
        quantiles="data=list[int]:3",
    ),
    *_cases(
        "textwrap",
        dedent="text=str:6",
        indent="text=str:4; prefix=const:'> '",
        shorten="text=str:5; width=int:3..8",
        wrap="text=str:5; width=int:0..5",
        fill="text=str:4; width=const:3",
    ),
    *_cases("shlex", split="s=str:4", quote="s=str:4", join="split_command=list[str]:2x2"),
    *_cases(
        "posixpath",
        normpath="path=str:5",
        split="p=str:4",
        splitext="p=str:5",
        basename="p=str:4",
        dirname="p=str:4",
    ),
    *_cases("ntpath", splitdrive="p=str:4", normpath="path=str:4", splitext="p=str:5", isabs="s=str:3"),
    *_cases("fnmatch", translate="pat=str:4", fnmatchcase="name=str:3; pat=const:'a*[!b-d]?'"),
    *_cases("difflib", get_close_matches="word=str:3; possibilities=const:['abc', 'abd', 'xyz']"),
    *_cases("ipaddress", ip_address="address=str:7:'0127.:'", v4_int_to_packed="address=int"),
    *_cases(
        "urllib.parse",
        urlsplit="url=str:5",
        quote="string=str:3",
        unquote="string=str:6",
        parse_qsl="qs=str:5",
        urljoin="base=const:'http://a/b/c'; url=str:3",
        urlencode="query=list[tuple[str:1,str:1]]:1",
    ),
    *_cases("string", capwords="s=str:4"),
    *_cases("html", escape="s=str:3", unescape="s=str:5"),
    *_cases("base64", b16encode="s=bytes:2", b32encode="s=bytes:2", b85encode="b=bytes:1", urlsafe_b64decode="s=str:4"),
    *_cases("getopt", getopt="args=list[str]:2x2; shortopts=const:'ab:'"),
    *_cases("email.utils", parseaddr="addr=str:4", quote="str=str:3", unquote="str=str:4"),
    *_cases("copy", deepcopy="x=list[list[int]]:2x2"),
    *_cases("ast", literal_eval="node_or_string=str:2"),
    *_cases("mimetypes", guess_type="url=str:5"),
    *_cases("http.cookies", _unquote="str=str:4"),
    *_cases(
        f"{STANDARD}texts.py",
        join_paths="a=str:2; b=str:2",
        relative_path="path=str:2; start=str:2",
        common_path="a=str:3; b=str:3",
        similarity="a=str:3; b=str:3",
        line_differences="a=list[str]:1x2; b=list[str]:1x2",
        edit_steps="a=str:2; b=str:2",
        fill_template="text=str:3; value=str:1",
        format_fields="text=str:4",
        count_letters="text=str:3",
        is_keyword="text=str:2",
        extension_of="path=str:4",
        pure_path="path=str:4",
        colour_of="number=int",
        printed="text=str:2",
    ),
    *_cases(
        f"{STANDARD}addresses.py",
        read_address="text=str:7",
        address_kind="number=int",
        in_network="number=int:0..4294967295; prefix=int:0..33",
        host_of="text=str:4",
        port_of="text=str:3",
    ),
    *_cases(
        f"{STANDARD}numbers.py",
        add_fractions=_FRACTIONS,
        limit_denominator="a=int:-99..99; b=int:-99..99",
        read_fraction="text=str:3",
        compare_fractions=_FRACTIONS,
        read_decimal="text=str:4",
    ),
    *_cases(
        f"{STANDARD}structures.py",
        order_of="edges=list[tuple[int:0..3,int:0..3]]:2",
        merge_sorted="a=list[int]:2; b=list[int]:2",
        smallest="numbers=list[int]:4",
        heap_order="numbers=list[int]:4",
        insert_place="number=int",
        deep_copy="numbers=list[int]:2",
    ),
    *_cases(
        f"{STANDARD}dates.py",
        read_date="text=str:10",
        date_after="ordinal=int:730000..730100; days=int:-5..5",
        make_date=_DATE,
        divide_spans="days=int:-9..9; seconds=int:0..100000; parts=int:-3..3",
        iso_week=_DATE,
        month_text="year=int:1990..2030; month=int:0..13",
        month_days="year=int:1..9999; month=int:1..12",
    ),
    *_cases(
        f"{STANDARD}documents.py",
        read_json="text=str:4",
        write_json="number=int; text=str:2; flag=bool",
        scan_string="text=str:4",
        read_settings="value=str:3",
        read_section="name=str:2",
        read_row="text=str:4",
        guess_dialect="text=str:5:' ,;a\\n'",
        short_repr="numbers=list[int]:3",
        pretty="numbers=list[int:0..99999]:3; text=str:2",
        token_names="source=str:3",
        quoted_printable="data=bytes:3",
        tags_of="text=str:4",
    ),
)


def main() -> None:
    """Explore the functions, or do one of the small tasks that the whole is made of."""
    options = _options()
    if options.one is not None:
        case = next(case for case in CASES if case.name == options.one)
        print(json.dumps(explored(case, budget=options.seconds)))
    elif options.natively is not None:
        inputs = pickle.loads(sys.stdin.buffer.read())  # from our own parent
        print(json.dumps(natively(options.natively, inputs)))
    elif options.docs:
        write_page()
    else:
        _bench(options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", nargs="+", default=(), help="functions whose name contains one of these")
    parser.add_argument("--explain", action="store_true", help="tell what became concrete and what was refused")
    parser.add_argument("--save", action="store_true", help="with --only: put the rows into the saved results")
    parser.add_argument("--docs", action="store_true", help="rewrite the table of docs/library.md and end")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="the budget of one function")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--natively", help=argparse.SUPPRESS)
    return parser.parse_args()


def _bench(options: argparse.Namespace) -> None:
    wanted = [case for case in CASES if not options.only or any(part in case.name for part in options.only)]
    with ThreadPoolExecutor(2) as threads:
        rows = list(threads.map(partial(_process, seconds=options.seconds), wanted))
    if options.explain:
        _explain(rows)
    shown = [{key: value for key, value in row.items() if key != "report"} for row in rows]
    if options.save:
        shown = _among_saved(shown)
    title = f"standard library: {len(shown)} functions, {PATHS} paths or {options.seconds:.0f} s each"
    if options.only and not options.save:
        Console(width=WIDTH).print(table(title, shown))
    else:
        publish("library", title, shown)
    total = sum(row.get("paths") or 0 for row in shown)
    wrong = sum(row.get("differences") or 0 for row in shown)
    failed = sum("error" in row for row in shown)
    Console(width=WIDTH).print(f"{total:,} inputs, {wrong} that do not replay as reported, {failed} functions failed")


def _among_saved(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The saved rows with these in their places, in the order of the cases."""
    saved = json.loads((RESULTS / "library.json").read_text())["rows"]
    known = {row["function"]: dict(row) for row in (*saved, *rows)}
    return [known[case.name] for case in CASES if case.name in known]


def _process(case: Case, seconds: float) -> dict[str, Any]:
    """The row of one case, made in a process of its own."""
    command = [sys.executable, "-m", "bench.library", "--one", case.name, "--seconds", str(seconds)]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HARD_SECONDS)
    except subprocess.TimeoutExpired:
        return _failed(case, "did not end")
    if done.returncode != 0:
        return _failed(case, done.stderr.strip().rpartition("\n")[2][:80], done.stderr)
    row: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return row


def _failed(case: Case, reason: str, detail: str = "") -> dict[str, Any]:
    return {"function": case.name, "inputs": _described(case), "error": reason, "report": detail}


def explored(case: Case, paths: int = PATHS, budget: float = SECONDS) -> dict[str, Any]:
    """One function explored, and all that it reported checked in a fresh interpreter."""
    import pessimal

    result = pessimal.explore(
        case.target, size=3, inputs=case.inputs, paths=paths, budget=budget, stop_after="none", explain=True
    )
    report = result.explain or {}
    native = _fresh(case.target, [witness.input for witness in result.paths])
    pairs = zip(result.paths, native, strict=True)
    differences = [_difference(witness, ending) for witness, ending in pairs]
    dearer = [witness.difference for witness in result.paths if witness.difference and not _is_outcome(witness)]
    reported = {(w.outcome, w.returned, w.exception) for w in result.paths}
    return {
        "function": case.name,
        "inputs": _described(case),
        "paths": len(result.paths),
        "outcomes": len(reported),
        "concretisations": result.effort.concretisations,
        "unknown": result.effort.unknown,
        "exhausted": result.exhausted,
        "seconds": round(result.effort.seconds, 2),
        "differences": sum(difference is not None for difference in differences) + len(result.failures),
        "in cost": len(dearer),
        "concrete": _reasons(report),
        "report": {
            "explain": report,
            "differences": [text for text in differences if text is not None],
            "in cost": dearer,
            "failures": [failure.call for failure in result.failures],
            "calls": [f"{witness.call} -> {witness.returned or witness.exception}" for witness in result.paths],
            "nondeterministic": result.effort.nondeterministic,
            "stopped": result.effort.stopped,
        },
    }


def _described(case: Case) -> str:
    return ", ".join(f"{name}: {spec}" for name, spec in case.inputs.items())


def _reasons(report: Mapping[str, Any]) -> str:
    """What became concrete, the most frequent first."""
    times: dict[str, int] = {}
    for row in report.get("concretisations", ()):
        times[row["reason"]] = times.get(row["reason"], 0) + row["times"]
    names = sorted(times, key=lambda name: -times[name])
    return ", ".join(names[:SHOWN_REASONS]) + (", ..." if len(names) > SHOWN_REASONS else "")


def _difference(witness: Any, native: Sequence[str]) -> str | None:
    """Where a witness is not what a fresh interpreter sees, in words."""
    if not witness.replayed:
        return f"{witness.call} was not replayed"
    if _is_outcome(witness):
        return f"{witness.call}: {witness.difference}"
    reported = [witness.outcome, witness.returned if witness.outcome == "returned" else witness.exception]
    if _without_addresses(native) != _without_addresses(reported):
        return f"{witness.call}: reported {reported}, but natively {list(native)}"
    return None


def _without_addresses(ending: Sequence[str | None]) -> list[str]:
    return [_ADDRESS.sub("", text or "") for text in ending]


def _is_outcome(witness: Any) -> bool:
    """Whether a replay ended otherwise than predicted, not only at another cost."""
    return (witness.difference or "").startswith(("predicted to be", "predicted to raise"))


def _fresh(target: str, inputs: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """How the function ends on inputs in an interpreter of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.library", "--natively", target],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "0"},
        input=pickle.dumps(list(inputs)),
        capture_output=True,
        check=True,
        timeout=HARD_SECONDS,
    )
    endings: list[list[str]] = json.loads(done.stdout.splitlines()[-1])
    return endings


def natively(target: str, inputs: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """How a function ends on inputs, without anything of the search."""
    import importlib

    module, _, name = target.partition(":")
    function = getattr(importlib.import_module(module.removesuffix(".py").replace("/", ".")), name)
    return [_ending(function, given) for given in inputs]


def _ending(function: Any, given: Mapping[str, Any]) -> tuple[str, str]:
    from pessimal.importing import describe
    from pessimal.inputs import safe_repr

    try:
        return "returned", safe_repr(function(**given))
    except Exception as error:
        return "raised", describe(error)


def _explain(rows: Sequence[Mapping[str, Any]]) -> None:
    """Everything that a row says about itself, for who wants to mend it."""
    for row in rows:
        print(f"== {row['function']}", row.get("error", ""))
        report = row["report"]
        if isinstance(report, str):
            print(report)
            continue
        for item in report["explain"].get("concretisations", ()):
            site = item["site"]
            where = f"{Path(site['file']).name}:{site['line']} {site['function']}"
            print(f"  concrete {where}: {item['reason']} x{item['times']}, values {item['values']} {item['sample']!r}")
        for item in report["explain"].get("refusals", ()):
            print(f"  refused {item['reason']} x{item['times']}")
        for item in report["explain"].get("unknown", ()):
            site = item["site"]
            print(f"  unknown {Path(site['file']).name}:{site['line']} {site['function']} x{item['times']}")
        for text in (*report["differences"], *report["failures"], report["nondeterministic"]):
            if text:
                print(f"  DIFFERENT {text}")
        if report["in cost"]:
            print(f"  in cost {len(report['in cost'])}: {report['in cost'][0]}")
        print(f"  stopped {report['stopped']}")
        for text in report["calls"][:: max(1, len(report["calls"]) // 12)]:
            print(f"    {text[:150]}")


def write_page() -> None:
    """Put the saved results into the page, between its two marks."""
    record = json.loads((RESULTS / "library.json").read_text())
    before, _, rest = PAGE.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{markdown(record['rows'])}\n{END}{after}")


def markdown(rows: Sequence[Row]) -> str:
    """The rows as a table of the page."""
    names = ("function", "inputs", "paths", "outcomes", "concretisations", "exhausted", "concrete")
    heads = ("function", "inputs", "paths", "outcomes", "concretisations", "all paths", "what became concrete")
    lines = [f"| {' | '.join(heads)} |", f"|{' --- |' * len(heads)}"]
    for row in rows:
        lines.append(f"| {' | '.join(_escaped(name, row.get(name)) for name in names)} |")
    return "\n".join(lines)


def _escaped(name: str, value: object) -> str:
    text = cell(value).replace("|", "\\|")
    return f"`{text}`" if name in ("function", "inputs") and text else text


if __name__ == "__main__":
    main()
