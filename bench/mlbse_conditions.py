"""Conditions that were drawn to break ``pessimal solve``: every answer beside that of trying all inputs.

    make bench-mlbse-conditions                         1,000 conditions
    python -m bench.mlbse_conditions --count 300        fewer
    python -m bench.mlbse_conditions --solver z3        another solver
    python -m bench.mlbse_conditions --show 17          one condition, and what becomes of it

A wrong model, "unsat" of what has a solution, an error that is no refusal, and an answer that takes more than two
seconds beyond its budget are defects; the bench then ends with exit code 1. Seconds are those of this process, since
the machine may be busy. Conditions with a part that never has a value, such as ``1 / 0``, are refused.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass

import pessimal
from bench.drawn_conditions import Drawn, drawn, truth_of
from bench.table import publish
from pessimal.errors import UsageError

BUDGET, GRACE = 3.0, 2.0
COUNT = 1000
DEFECTS = ("wrong model", "wrong unsat", "error", "overrun")


@dataclass(frozen=True, slots=True)
class Verdict:
    """How an answer compares with the truth, and what it was."""

    kind: str
    answer: str

    @property
    def is_defect(self) -> bool:
        """Whether the answer is wrong."""
        return self.kind in DEFECTS


def verdict(condition: Drawn, solver: str = "portfolio", samples: int = 1000) -> Verdict:
    """Solve a condition and compare the answer with all inputs."""
    started = time.process_time()
    try:
        result = pessimal.solve(
            condition.text, variables=condition.variables, solver=solver, samples=samples, budget=BUDGET
        )
    except UsageError as error:
        return Verdict("refused", str(error))
    except Exception as error:
        return Verdict("error", f"{type(error).__name__}: {error}")
    answer = f"{result.status} {result.model or ''}"
    if time.process_time() - started > BUDGET + GRACE:
        return Verdict("overrun", answer)
    if result.status == "sat":
        return Verdict("sat" if _is_model(condition, result.model or {}) else "wrong model", answer)
    known = condition.solution()
    if result.status == "unsat":
        return Verdict("unsat" if known is None else "wrong unsat", f"{answer}, but {known}")
    return Verdict("unknown, satisfiable" if known else "unknown", answer)


def _is_model(condition: Drawn, model: dict[str, object]) -> bool:
    """Whether values are those of the variables' ranges and make the condition true."""
    if set(model) != set(condition.variables) or not truth_of(condition.text)(model):
        return False
    ranged = [name for name, spec in condition.variables.items() if ":" in spec]
    return all(repr(model[name]) in set(map(repr, condition.values[name])) for name in ranged)


def rows(count: int, first: int, solver: str) -> list[dict[str, object]]:
    """How often each verdict was given; defects are shown as they come."""
    counts: Counter[str] = Counter()
    for seed in range(first, first + count):
        condition = drawn(seed)
        found = verdict(condition, solver)
        counts[found.kind] += 1
        if found.is_defect:
            print(f"{seed}: {found.kind}: {condition.text}  {dict(condition.variables)}  {found.answer}", flush=True)
    names = [*DEFECTS, *sorted(set(counts) - set(DEFECTS))]
    return [{"solver": solver, "verdict": name, "conditions": counts[name]} for name in names]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first condition")
    parser.add_argument("--solver", default="portfolio")
    parser.add_argument("--show", type=int, metavar="SEED")
    given = parser.parse_args()
    if given.show is not None:
        condition = drawn(given.show)
        print(condition.text, dict(condition.variables), verdict(condition, given.solver), sep="\n")
        return
    found = rows(given.count, given.first, given.solver)
    publish("mlbse_conditions", "Drawn conditions: answers beside trying all inputs", found)
    sys.exit(any(row["conditions"] for row in found if row["verdict"] in DEFECTS))


if __name__ == "__main__":
    main()
