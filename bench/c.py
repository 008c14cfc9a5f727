"""C functions: evaluations per second, distances against brute force, and branches covered of functions of strangers.

    make bench-c
    python -m bench.c --part speed
    python -m bench.c --part wild --functions 5 --seconds 20

``speed`` runs a small function one input at a time and in batches; seconds are those of the processor, in both
processes, and of the clock. One by one means that each input depends on the result of the one before it: either Python
chooses it, or the executor does, beside the function. A function that writes through a pointer does not run in
Python's own process, and costs a message to the executor and back for each input. ``oracle`` compares the distances of
comparisons of all types of numbers with the smallest change of an operand by whole numbers that flips them, found by
brute force. ``wild`` draws functions from C files of source packages by a seed and covers each with ``auto``, with
random inputs and with AFL++ (``bench/install-c-peers.sh`` installs it), for the same time after it was compiled, asks
gcov about the tests that ``auto`` wrote, and keeps what it measured after each. KLEE is in no Debian release and not
compared.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from rich.console import Console

from bench import c_afl
from bench.c_draw import drawn
from bench.c_gcov import gcov
from bench.table import WIDTH, save, table
from pessimal.c.build import flags_for, sources_of
from pessimal.c.executor import Mode
from pessimal.c.frontend import CFrontEnd
from pessimal.covering.c_command import DEFAULT_SIZE
from pessimal.covering.command import cover
from pessimal.errors import UsageError
from pessimal.local_search import LocalSearch
from pessimal.search_spec import SearchSpec
from pessimal.target import Reference
from pessimal.target_spec import TargetSpec

TRIANGLE = """\
int triangle(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0) return 0;
    if (a + b <= c || a + c <= b || b + c <= a) return 1;
    if (a == b && b == c) return 2;
    if (a == b || b == c || a == c) return 3;
    return 4;
}
"""
WRITING = TRIANGLE.replace(
    "int triangle(int a, int b, int c) {",
    """\
int writing(int a, int b, int c, int *kind) {
    *kind = 0;""",
)
OPERATORS = ("==", "!=", "<", "<=", ">", ">=")
TYPES = (
    *("signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long"),
    *("long long", "float", "double", "long double"),
)
REACH = 40
IN_A_ROW, NEAR = 200, 3_000_000


def main() -> None:
    """Run the parts that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=["speed", "oracle", "wild"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--functions", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=30.0, help="for each function and rival")
    options = parser.parse_args()
    for name, part in {"speed": speed, "oracle": oracle, "wild": wild}.items():
        if options.part in (None, name):
            rows = part(options)
            title = f"C: {name}"
            Console(width=WIDTH).print(table(title, rows))
            save(f"c_{name}", title, rows)


def speed(options: argparse.Namespace) -> list[dict[str, Any]]:
    """How many inputs of a small function are run in a second."""
    with TemporaryDirectory() as folder:
        front_end = _front_end(Path(folder) / "triangle.c", TRIANGLE, "triangle")
        executor = front_end.executor
        front_end.evaluate([3, 4, 5], 1.0)
        inputs = np.random.default_rng(options.seed).integers(-10, 100, (60_000, 3))
        singles = inputs.tolist()
        near = LocalSearch([3, 4, 5], front_end.domains, options.seed, NEAR)
        rows = [_timed("one by one, beside it", NEAR, executor.pid, lambda: front_end.search_near(near))]
        rows += _from_python("from Python", executor, singles)
        for name, mode in (("batch", Mode.NOTHING), ("batch with all distances", Mode.ROWS)):
            rows.append(_timed(name, 600_000, executor.pid, lambda mode=mode: _batches(executor, inputs, mode)))
        front_end = _front_end(Path(folder) / "writing.c", WRITING, "writing")
        front_end.evaluate(front_end.initial, 1.0)
        longer = [[*item, *front_end.initial[3:]] for item in singles]
        rows += _from_python("from Python, writing", front_end.executor, longer)
    return rows


def _from_python(name: str, executor: Any, inputs: list[list[int]]) -> list[dict[str, Any]]:
    """Of a function that runs in this process, or in that of the executor because it writes through a pointer."""
    row = _timed(f"one by one, {name}", len(inputs), executor.pid, lambda: _one_by_one(executor, inputs))
    return [row, {"way": f"{name}, the fastest {IN_A_ROW} in a row", "per second": _fastest(executor, inputs)}]


def _front_end(file: Path, text: str, function: str) -> CFrontEnd:
    file.write_text(text)
    return CFrontEnd(SearchSpec(Reference.parse(f"{file}:{function}"), 4, "auto"))


def _one_by_one(executor: Any, inputs: list[list[int]]) -> None:
    for leaves in inputs:
        executor.run(leaves, 1.0)


def _fastest(executor: Any, inputs: list[list[int]]) -> int:
    """The rate while nobody else had the processors: on a machine that others use, that is only now and then."""
    seconds = []
    for start in range(0, len(inputs) - IN_A_ROW, IN_A_ROW):
        began = time.perf_counter()
        _one_by_one(executor, inputs[start : start + IN_A_ROW])
        seconds.append(time.perf_counter() - began)
    return round(IN_A_ROW / min(seconds))


def _batches(executor: Any, inputs: Any, mode: Mode) -> None:
    size = min(len(inputs), executor.most_inputs)
    done = 0
    while done < 600_000:
        executor.run_all(inputs[:size], 10.0, mode)
        done += size


def _timed(name: str, count: int, pid: int, work: Any) -> dict[str, Any]:
    before, began = _processor_seconds(pid), time.perf_counter()
    work()
    processor, clock = _processor_seconds(pid) - before, time.perf_counter() - began
    rates = {"per processor second": round(count / max(processor, 0.01)), "per second": round(count / clock)}
    return {"way": name, "inputs": count, **rates}


def _processor_seconds(pid: int) -> float:
    """What this process and the executor's child have used so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    own = used.ru_utime + used.ru_stime
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
        own += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own


def oracle(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Distances of comparisons of all types and operators beside the least change that flips them."""
    rng = random.Random(options.seed)
    rows = []
    with TemporaryDirectory() as folder:
        for kind in TYPES:
            name = kind.replace(" ", "_")
            body = "".join(f"    if (a {sign} b) n += {1 << i};\n" for i, sign in enumerate(OPERATORS))
            text = f"int f({kind} a, {kind} b) {{\n    int n = 0;\n{body}    return n;\n}}\n"
            front_end = _front_end(Path(folder) / f"{name}.c", text, "f")
            low = 0 if "unsigned" in kind else -REACH
            pairs = [(rng.randrange(low, REACH), rng.randrange(low, REACH)) for _ in range(60)]
            wrong = sum(_differs(front_end, a, b) for a, b in pairs)
            rows.append({"type": kind, "comparisons": len(pairs) * len(OPERATORS), "wrong": wrong})
    return rows


def _differs(front_end: CFrontEnd, a: int, b: int) -> int:
    trace = front_end.evaluate([a, b], 1.0, recording=True)
    wrong = 0
    for position, sign in enumerate(OPERATORS):
        taken = trace.decisions[position]
        holds = {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[sign]
        wrong += taken != holds or trace.distances(position)[1 - taken] != _least_change(sign, a, b)
    return wrong


def _least_change(sign: str, a: int, b: int) -> float:
    """How much the first operand must change at least for the comparison to come out the other way."""
    now = _holds(sign, a, b)
    return float(next(step for step in range(3 * REACH) for to in (a + step, a - step) if _holds(sign, to, b) != now))


def _holds(sign: str, a: int, b: int) -> bool:
    return {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[sign]


def wild(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Branches covered of drawn functions by ``auto``, random inputs and AFL++, and what gcov says of the tests."""
    rows: list[dict[str, Any]] = []
    for file, function, flags in drawn(options.seed, options.functions):
        row: dict[str, Any] = {"file": file.name, "function": function}
        for strategy in ("auto", "random"):
            row |= _covered(file, function, strategy, flags, options)
        if "auto" in row:
            row |= _by_afl(f"{file}:{function}", flags, options)
        rows.append(row)
        print(row, flush=True)
        save("c_wild", "C: wild", rows)
    made = [row for row in rows if "auto" in row and "random" in row]
    names = ("auto", "random", "afl++", "branches")
    sums = {name: sum(row[name] for row in made if isinstance(row.get(name), int)) for name in names}
    return [*rows, {"file": "all", "function": f"{len(made)} of {len(rows)}", **sums}] if made else rows


def _covered(file: Path, function: str, strategy: str, flags: str, options: argparse.Namespace) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        tests = Path(folder) / "tests.c"
        try:
            _start(f"{file}:{function}", flags)
            result = cover(
                [f"{file}:{function}"],
                strategy=strategy,
                budget=options.seconds,
                cc_flags=flags,
                seed=options.seed,
                tests=tests,
            )
        except UsageError as error:
            return {"refused": str(error)[:90]}
        failures = ", ".join(sorted({failure.kind.partition(":")[0] for failure in result.failures}))
        found = {strategy: result.branches.covered, "branches": result.branches.total, f"{strategy} fails": failures}
        if strategy == "auto":
            found["gcov"] = gcov(file, tests, _lines(file, function, flags), flags)
        return found


def _start(target: str, flags: str) -> None:
    """Compile a function and start what runs it, which ``cover`` then finds started: that is no time of the search."""
    CFrontEnd(TargetSpec(Reference.parse(target), DEFAULT_SIZE, cc_flags=flags, growing=True))


def _lines(file: Path, function: str, flags: str) -> set[int]:
    """The lines of a function that have tests."""
    own = sources_of(file, flags_for(file, flags))[0].instrumented.tests
    return {test.site.line for test in own if test.site.function == function}


def _by_afl(target: str, flags: str, options: argparse.Namespace) -> dict[str, Any]:
    if not c_afl.is_installed():
        return {}
    spec = TargetSpec(Reference.parse(target), DEFAULT_SIZE, cc_flags=flags, growing=True)
    front_end = CFrontEnd(spec)
    try:
        return c_afl.covered(front_end, options.seconds, options.seed)
    except (subprocess.SubprocessError, OSError) as error:
        return {"afl++": f"failed: {error}"[:60]}
    finally:
        front_end.close()


if __name__ == "__main__":
    main()
