"""Tables 3 and 5 of the QTIP paper: branch coverage and evaluations, the published figures beside ours.

    make bench-qtip
    python -m bench.qtip --part paper --runs 3 --ranges 128 --episodes 200
    python -m bench.qtip --part published --episodes 500 --rate 1e-5 --runs 5 --ranges 128
    python -m bench.qtip --part wild --functions 5 --evaluations 2000
    python -m bench.qtip --part speed

``paper`` covers each branch of the paper's four functions by itself, as the paper does: every run starts from a random
input that does not take the branch and ends when the branch is taken or the budget of Table 4 is used up. QTIP as it
was published, our agent, random inputs and the alternating variable method have the same starts and the same budgets.
QTIP is trained first, on the training function in its range of 128. Evaluations count the start. ``published`` is QTIP
alone, in a program that does nothing else, so that all its episodes are trained, and tells what it covers while it goes
on learning and without. ``wild`` covers functions that others wrote, the same number of evaluations for each method.
``speed`` is how many steps the vectorised environment makes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from bench.c import _processor_seconds as processor_seconds
from bench.qtip_published import BUDGETS, COVERED, SPREAD, published
from bench.qtip_wild import wild
from bench.table import publish
from pessimal import train_agent
from pessimal.c.frontend import CFrontEnd
from pessimal.covering.c_goals import CGoals
from pessimal.learn.agent_file import Agent, load, shipped
from pessimal.search.agent.arena import starts
from pessimal.search.agent.columns import Columns, Words
from pessimal.search.agent.move_walks import MoveWalks
from pessimal.search.agent.moves import COUNT
from pessimal.search.agent.policies import best_moves, best_steps
from pessimal.search.agent.unit_walks import UnitWalks
from pessimal.search.goals.algorithms import AlternatingVariable, Input, Reached, moved
from pessimal.target import Reference
from pessimal.target_spec import TargetSpec

SUBJECTS = Path(__file__).parent / "subjects" / "qtip" / "subjects.c"
FUNCTIONS = {"training": "ab", "remainder_of": "ab", "gcd": "ab", "exponentiation": "xn"}
EPSILON = 0.02
IN_A_ROW = 20

Outcome = tuple[bool, int]
"""Whether a run has taken its branch, and after how many evaluations."""


def main() -> None:
    """Run the parts that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=["paper", "published", "wild", "speed"])
    parser.add_argument("--runs", type=int, default=30, help="for each branch")
    parser.add_argument("--ranges", type=int, nargs="*", default=list(BUDGETS), choices=list(BUDGETS))
    parser.add_argument(
        "--episodes", type=int, default=5700, help="of QTIP's training; 0 leaves it out of the paper's tables"
    )
    parser.add_argument("--rate", type=float, default=1e-7, help="of QTIP's learning, in the part published")
    parser.add_argument("--seconds", type=float, default=1e9, help="of the processor for that training; it can go on")
    parser.add_argument("--model", help="an agent of ours, if not the one that comes with the package")
    parser.add_argument("--functions", type=int, default=40, help="of others")
    parser.add_argument("--evaluations", type=int, default=5000, help="for each function of others")
    parser.add_argument("--seeds", type=int, default=3, help="searches of each function of others and method")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for name, part in {"paper": paper, "published": published, "wild": strangers, "speed": speed}.items():
        if options.part in (None, name):
            publish(f"qtip_{name}", f"QTIP: {name}", part(options))


# The paper's tables


def paper(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Coverage and evaluations of each function and range."""
    ours = _ours(options)
    qtip = trained_qtip(options.episodes, options.seed) if options.episodes else None
    rows = []
    for function in FUNCTIONS:
        for size in options.ranges:
            rows.append(_row(function, size, ours, qtip, options))
            print(rows[-1], flush=True)
    return [*rows, *_totals(rows)]


def _ours(options: argparse.Namespace) -> Agent:
    return shipped() if options.model is None else load(options.model, ("moves",))


def strangers(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Functions that others wrote."""
    return wild(options, _ours(options))


def trained_qtip(episodes: int, seed: int) -> Agent:
    """QTIP's agent, trained on the training function."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "qtip.json"
        given = dict.fromkeys("ab", "int:-128..128")
        target = f"{SUBJECTS}:training"
        result = train_agent(target, model=file, agent="qtip", episodes=episodes, inputs=given, budget=None, seed=seed)
        print(result, flush=True)
        return load(file)


def _row(function: str, size: int, ours: Agent, qtip: Agent | None, options: argparse.Namespace) -> dict[str, Any]:
    given = dict.fromkeys(FUNCTIONS[function], f"int:-{size}..{size}")
    arena = CGoals(CFrontEnd(TargetSpec(Reference.parse(f"{SUBJECTS}:{function}"), 4, given=given)))
    methods: dict[str, Callable[[CGoals, Any, Any, int, int], list[Outcome]]] = {
        "ours": lambda *rest: walk_moves(ours, *rest),
        "random": random_inputs,
        "avm": alternating,
    }
    if qtip is not None:
        methods["qtip"] = lambda *rest: walk_qtip(qtip, *rest)
    covered = COVERED[function][size]
    row: dict[str, Any] = {"function": function, "range": size, "branches": len(arena.goals)}
    row |= {"paper qtip": covered[0], "paper random": covered[1]}
    goals = np.repeat(np.array(arena.goals), options.runs)
    begun = starts(arena, Columns(arena.domains), goals, np.random.default_rng([options.seed, size]))
    for name, method in methods.items():
        outcomes = method(arena, goals, begun, BUDGETS[size], options.seed)
        row |= {f"{name} %": _coverage(outcomes), f"{name} runs": round(float(np.mean([n for _, n in outcomes])), 2)}
    if qtip is not None:
        row["qtip within spread"] = abs(row["qtip %"] - covered[0]) <= SPREAD[function][size]
    arena.close()
    return row


def _coverage(outcomes: Sequence[Outcome]) -> float:
    return round(100 * float(np.mean([is_taken for is_taken, _ in outcomes])), 2)


def _totals(rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The mean of all functions for each range, as the paper's last row has it."""
    for size in sorted({row["range"] for row in rows}):
        part = [row for row in rows if row["range"] == size]
        numbers = [name for name, value in part[0].items() if isinstance(value, float)]
        yield {"function": "all", "range": size} | {
            name: round(float(np.mean([row[name] for row in part])), 2) for name in numbers
        }


def walk_qtip(agent: Agent, arena: CGoals, goals: Any, begun: Any, budget: int, seed: int) -> list[Outcome]:
    """QTIP's walks, each with the action that its network values most."""
    rng = np.random.default_rng(seed)
    walks = UnitWalks(arena, len(goals), rng, budget=budget)
    walks.place(np.arange(len(goals)), goals, *(part.copy() for part in begun))
    while True:
        going = np.flatnonzero(~walks.is_covered & ~walks.is_over_budget)
        if not len(going):
            break
        _, actions = best_steps(agent.weights, walks, going, 0.0, rng)
        walks.step(actions, going)
    return _outcomes(walks)


def walk_moves(agent: Agent, arena: CGoals, goals: Any, begun: Any, budget: int, seed: int) -> list[Outcome]:
    """Our agent's walks."""
    rng = np.random.default_rng(seed)
    walks = MoveWalks(arena, len(goals), rng, arena.literals)
    walks.place(np.arange(len(goals)), goals, *(part.copy() for part in begun))
    while True:
        going = np.flatnonzero(~walks.is_covered & (walks.steps < budget))
        if not len(going):
            break
        _, actions = best_moves(agent.weights, walks, going, EPSILON, rng)
        walks.step(actions // COUNT, actions % COUNT, going)
    return _outcomes(walks)


def _outcomes(walks: UnitWalks | MoveWalks) -> list[Outcome]:
    return list(zip(walks.is_covered.tolist(), (walks.steps + 1).tolist(), strict=True))


def random_inputs(arena: CGoals, goals: Any, begun: Any, budget: int, seed: int) -> list[Outcome]:
    """Random inputs, a new sequence of them for each run."""
    rng, columns = np.random.default_rng(seed), Columns(arena.domains)
    found: list[Outcome] = []
    for goal, level, distance in zip(goals, *begun[1:], strict=True):
        if level == 0 and distance == 0:
            found.append((True, 1))
            continue
        words = columns.drawn(budget, rng)
        levels, distances = arena.measure(words, np.full(budget, goal))
        taken = np.flatnonzero((levels == 0) & (distances == 0))
        found.append((True, int(taken[0]) + 2) if len(taken) else (False, budget + 1))
    return found


class _OneByOne(AlternatingVariable):
    """The alternating variable method without inputs that are run ahead of time, which would count against it."""

    def follow(self, landscape: Any, current: Input, best: float, at: int, step: float) -> tuple[Input, float]:
        while True:
            step *= 2
            further = moved(current, at, step, landscape.domains[at])
            (value,) = landscape.fitness([further])
            if value >= best:
                return current, best
            current, best = further, value


class _Goal:
    """The landscape of one branch, for a number of evaluations."""

    def __init__(self, arena: CGoals, goal: int, budget: int, rng: Random) -> None:
        self.domains, self.rng = arena.domains, rng
        self._arena, self._goal, self._budget = arena, goal, budget
        self._columns = Columns(arena.domains)
        self.used, self.is_taken = 0, False

    def fitness(self, inputs: Sequence[Input]) -> list[float]:
        return [self._value(self._columns.encoded([item])) for item in inputs]

    def _value(self, words: Words) -> float:
        if self.used > self._budget:
            raise Reached
        self.used += 1
        levels, distances = self._arena.measure(words, np.array([self._goal]))
        if levels[0] == 0 and distances[0] == 0:
            self.is_taken = True
            raise Reached
        return float(levels[0] + distances[0] / (distances[0] + 1))


def alternating(arena: CGoals, goals: Any, begun: Any, budget: int, seed: int) -> list[Outcome]:
    """The alternating variable method, from the same starts."""
    inputs = Columns(arena.domains).decoded(begun[0])
    found = []
    for number, (goal, start) in enumerate(zip(goals.tolist(), inputs, strict=True)):
        landscape = _Goal(arena, goal, budget, Random(seed * 100_003 + number))
        with suppress(Reached):
            _OneByOne().descend(landscape, start)
        found.append((landscape.is_taken, landscape.used))
    return found


def speed(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Steps of the vectorised environment with random actions, resets included.

    Seconds of the processor are those of both processes. The fastest steps in a row are those that nobody disturbed.
    """
    import gymnasium

    import pessimal.gym  # noqa: F401 - it registers the environments

    rows = []
    given = dict.fromkeys("ab", "int:-128..128")
    for count in (64, 1024, 4096):
        env = gymnasium.make_vec("pessimal/CoverBranch-v0", num_envs=count, target=f"{SUBJECTS}:training", inputs=given)
        env.reset(seed=options.seed)
        actions = [env.action_space.sample() for _ in range(16)]
        steps = 400_000 // count
        pid = env.unwrapped.process
        processor, ends = processor_seconds(pid), [time.perf_counter()]
        for step in range(steps):
            env.step(actions[step % 16])
            ends.append(time.perf_counter())
        processor = processor_seconds(pid) - processor
        env.close()
        fastest = min(after - before for before, after in zip(ends, ends[IN_A_ROW:], strict=False))
        rates = {
            "per second": round(steps * count / (ends[-1] - ends[0])),
            f"the fastest {IN_A_ROW} in a row": round(IN_A_ROW * count / fastest),
            "per processor second": round(steps * count / processor),
        }
        rows.append({"environments": count, "steps": steps * count, **rates})
    return rows


if __name__ == "__main__":
    main()
