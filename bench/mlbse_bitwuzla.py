"""Bitwuzla beside Z3 on the same conditions of bit-vectors and doubles, in seconds of CPU.

    .venv/bin/pip install bitwuzla
    make bench-mlbse-bitwuzla
    python -m bench.mlbse_bitwuzla --reading words     the conditions of one reading

Both get the same reading of a condition: words where it has bit operations, otherwise IEEE doubles. Every model is
confirmed by exact evaluation. Z3 ends by its own count of work, as in the portfolio; no clock ends either of them
before a minute.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from random import Random

from bench.table import Row, publish
from pessimal.conditions import Variable, read_python
from pessimal.inputs import parse
from pessimal.solve import Query, Solver, words, z3
from pessimal.solve.bitwuzla import BitwuzlaSolver

LONGEST = 60_000
WORD, LONG = {"n": "int:0..4294967295"}, {"n": "int:0..18446744073709551615"}
PAIR = {"n": "int:0..4294967295", "m": "int:0..4294967295"}
FLOATS = {"x": "float", "y": "float"}
CONDITIONS: tuple[tuple[str, Mapping[str, str]], ...] = (
    ("uint32((n ^ (n >> 5)) * 2654435761) == 0xDEADBEEF", WORD),
    ("uint32((n ^ (n >> 5)) * 2654435761) % 1009 == 5 and n > 10", WORD),
    ("int32(n * n) == 17 and n > 100000", WORD),
    ("int32(n * n) == 3", WORD),
    ("int32(n * 1103515245 + 12345) == 42", WORD),
    ("uint64(n * 6364136223846793005 + 1442695040888963407) >> 33 == 12345", LONG),
    ("uint32(n * m) == 0xCAFEBABE and n > 1 and m > n", PAIR),
    ("(n ^ m) == 0xDEADBEEF and (n & m) == 16", PAIR),
    ("(n & (n - 1)) == 0 and n > 1000000", WORD),
    ("uint32(n * n + m * m) == 7 and n > 1000", PAIR),
    ("x * 3 == 1.0 and y * x > 2", FLOATS),
    ("x * x == 2.0", FLOATS),
    ("x * y == 0 and x != 0 and y != 0", FLOATS),
    ("x / y == 0.1 and x > 1", FLOATS),
    ("(x + y) - x != y and abs(x) < 10 and abs(y) < 10", FLOATS),
    ("x - y == 1e-9 and x + y == 3", FLOATS),
)


def row(text: str, variables: Mapping[str, str]) -> Row:
    """What both say of one condition, and the CPU that it took them; printed at once, since some take long."""
    reading = reading_of(variables)
    found: dict[str, object] = {"reading": reading, "condition": text}
    condition = read_python(text, [Variable.of(name, parse(spec)) for name, spec in variables.items()])
    rivals: dict[str, Solver] = {
        "Z3": z3.Z3Solver(readings=("numbers" if reading == "words" else "doubles",)),
        "Bitwuzla": BitwuzlaSolver(longest=LONGEST),
    }
    for name, solver in rivals.items():
        leaves = [variable.start() for variable in condition.variables]
        query = Query([], (condition.expression, True), condition.domains, leaves, Random(0))
        started = time.process_time()
        found[name] = str(solver.solve(query).status)
        found[f"{name}, s"] = round(time.process_time() - started, 2)
    print(*found.values(), flush=True)
    return found


def reading_of(variables: Mapping[str, str]) -> str:
    """How a condition is read: over doubles if it has floats, which none with bit operations has here."""
    return "doubles" if "float" in variables.values() else "words"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reading", choices=("words", "doubles"))
    given = parser.parse_args()
    z3.LONGEST = words.LONGEST = LONGEST
    chosen = [one for one in CONDITIONS if given.reading in (None, reading_of(one[1]))]
    publish("mlbse_bitwuzla", "Bitwuzla beside Z3, seconds of CPU", [row(*one) for one in chosen])


if __name__ == "__main__":
    main()
