"""One method on all coral predicates, ours or a rival, in the rivals' environment: prints a line of JSON for each.

    python -m bench.mlbse_peer METHOD --evaluations 3000 --seeds 3
    python -m bench.mlbse_peer METHOD --seconds 1

Each attempt at a predicate is a process of its own, so that seconds of CPU can be limited for solvers that cannot be
interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import time
from collections.abc import Callable
from random import Random

from bench.coral import Predicate, predicates

WITHOUT_END = 10**9
OURS = ("portfolio", "sampling", "racos", "newton", "alternating", "evolution")
PROVERS = ("Z3", "cvc5", "dReal")


def ours(name: str, predicate: Predicate, evaluations: int, seed: int) -> bool:
    """One of our solvers; without end it doubles its samples until it is stopped."""
    from pessimal.solve import Query, Status
    from pessimal.solve.learning import solver as solvers
    from pessimal.solve.learning.portfolio import LearningPortfolio

    classes = {
        "portfolio": LearningPortfolio,
        "sampling": solvers.SamplingSolver,
        "racos": solvers.RacosSolver,
        "newton": solvers.NewtonSolver,
        "alternating": solvers.AlternatingSolver,
        "evolution": solvers.EvolutionSolver,
    }
    is_endless = evaluations == WITHOUT_END
    samples = 3000 if is_endless else evaluations
    kind, _, switch = name.partition(" without ")
    endless = {"guided": True, "threshold": -1.0, "attempts": 30} if is_endless else {}
    solver = classes[kind](samples=samples, **endless, **({switch: False} if switch else {}))
    condition = predicate.condition
    leaves = [variable.start() for variable in condition.variables]
    query = Query([], (condition.expression, True), condition.domains, leaves, Random(seed))
    answer = solver.solve(query)
    if answer.status is not Status.SAT or answer.samples > evaluations:
        return False
    found = [answer.values.get(leaf, value) for leaf, value in enumerate(leaves)]
    return condition.judge(condition.named(found))


def prover(name: str, predicate: Predicate) -> bool:
    """Z3 over reals and doubles, or cvc5, with the model checked as ours are."""
    if name == "cvc5":
        from bench.mlbse_rivals import cvc5

        return cvc5(predicate)
    from pessimal.solve import Query, Status
    from pessimal.solve.z3 import Z3Solver

    condition = predicate.condition
    leaves = [variable.start() for variable in condition.variables]
    query = Query([], (condition.expression, True), condition.domains, leaves)
    answer = Z3Solver(effort=0).solve(query)
    return answer.status is Status.SAT and query.satisfied_by(answer.values)


def attempt(method: str, predicate: Predicate, evaluations: int, seed: int) -> bool:
    """Whether a method solves a predicate."""
    if method.partition(" without ")[0] in OURS:
        return ours(method, predicate, evaluations, seed)
    if method in PROVERS:
        return prover(method, predicate)
    from bench.mlbse_rivals import optimise

    return optimise(method, predicate, evaluations, seed)


def limited(work: Callable[[], bool], seconds: float) -> tuple[bool, float]:
    """The answer of a process that has so many seconds of CPU, and how many it used."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        started = time.process_time()
        try:
            is_solved = work()
        except Exception:
            is_solved = False
        os.write(write, json.dumps([is_solved, time.process_time() - started]).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return tuple(json.loads(text)) if text else (False, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("method")
    parser.add_argument("--evaluations", type=int)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--seeds", type=int, default=1)
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    evaluations = arguments.evaluations or WITHOUT_END
    warm_up(arguments.method)
    for predicate in predicates():
        for seed in range(arguments.seeds):
            work = lambda: attempt(arguments.method, predicate, evaluations, seed)  # noqa: B023, E731
            is_solved, used = limited(work, arguments.seconds)
            print(json.dumps({"name": predicate.name, "seed": seed, "solved": is_solved, "seconds": used}), flush=True)


def warm_up(method: str) -> None:
    """Import what the method needs before it is forked, so that nobody pays for imports."""
    if method == "cvc5":
        import cvc5  # noqa: F401

        return  # it cannot be limited in this process
    attempt(method, next(one for one in predicates() if one.name == "p42"), 200, 0)


if __name__ == "__main__":
    main()
