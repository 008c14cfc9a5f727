"""``auto``: a portfolio of strategies that take turns on one tree, one best input and one budget.

The members are exhaustive search, rules learned at small sizes, a model of how the worst case grows, climbing on
concrete inputs, and a network that learns at the size itself. Each member first gets a short turn; turns get longer
from round to round, and longer still for members that improve the result. All members share the tree of observed paths,
continue from the best input that any of them found, and a proof by one of them ends the search.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from pathlib import Path
from random import Random
from typing import Any, Unpack

from pessimal.errors import UsageError
from pessimal.expr import Leaf
from pessimal.registry import STRATEGIES
from pessimal.runs import Policy, RunOptions
from pessimal.search.climb import Climb
from pessimal.search.options import names
from pessimal.search.proxy import SessionProxy
from pessimal.search.qlearn import QLearn
from pessimal.search.synthesis import Synthesis
from pessimal.strategy import Session, Stepwise, report_of, writable_by
from pessimal.trace import COMPLETED, Trace
from pessimal.tree import Kinds, Tree

MEMBERS = ("fixed", "exhaustive", "wise", "history", "synthesis", "climb", "qlearn")
LEARNING = "qlearn"
SHARES = {"climb": 8, LEARNING: 3, "synthesis": 64}
"""Longer turns for members that can always find something, or that find nothing before they are done."""

FIRST_ROUNDS = {"synthesis": 1, LEARNING: 2}
"""The first round of members that practise at small sizes: easy worst cases are found before that is worth its cost."""

TURN_WORK = 50_000.0
"""The work of a turn in the first round."""

DOUBLING_ROUNDS = 6
"""For how many rounds turns double in length."""

SYMBOLIC_WORK, CONCRETE_WORK = (100.0, 15.0), (30.0, 0.7)
"""The work of a run and of each of its branches: about its microseconds, but the same on every machine."""

SOLVER_CALL_WORK = 10_000.0
"""The work of a solver call."""

TRAINING_WORK = 10_000.0
"""The work of training a network after a run."""

PRACTICE_WORK = 300.0
"""The work of a run at a small size."""

OPTIONS: dict[str, dict[str, Any]] = {
    "fixed": {"default": "both"},
    "wise": {"train_paths": 200},
    "history": {"train_paths": 200},
    "synthesis": {"train_paths": 100},
}
"""Options of members in a portfolio, where they must be quick."""

FIRST_RUN_SECONDS = 3.0
"""How many seconds a run may take in the first round, so that no long run keeps the other members waiting."""

STEP_SECONDS = 10.0
"""How many seconds a member may compute between two runs."""

MAX_TURN_FACTOR = 4
"""The largest factor by which turns grow for a member that keeps improving the result."""

LARGE_SIZE = 100
"""From this size on ``synthesis`` takes the first turn: there one symbolic run takes longer than all its work."""

MAX_NODES = 2_000_000
"""No paths are added to a tree of more nodes than this."""


class _SharedSession(SessionProxy):
    """The session of the members: it adds all symbolic runs to the tree, counts work, and remembers the best input."""

    def __init__(self, session: Session, tree: Tree) -> None:
        super().__init__(session)
        self._tree = tree
        self.work = 0.0
        self.longest_path = 0
        self.adds_to_tree = True
        self.is_proved = False
        self.best: list[Leaf] | None = None
        self.cost_of_best = -inf

    def run(
        self, policy: Policy | None = None, start: Sequence[Leaf] | None = None, **options: Unpack[RunOptions]
    ) -> Trace:
        """One symbolic execution, added to the shared tree."""
        trace = self._session.run(policy, start, **options)
        self.longest_path = max(self.longest_path, len(trace))
        self.work += SYMBOLIC_WORK[0] + SYMBOLIC_WORK[1] * len(trace)
        cost = self._session.cost(trace) if trace.outcome in COMPLETED else -inf
        self._note_cost(trace.leaves, cost)
        if self.adds_to_tree and options.get("avoid") is None and len(self._tree) < MAX_NODES:
            self._tree.add(trace, cost)
        return trace

    def evaluate(self, leaves: Sequence[Leaf]) -> float:
        """What one concrete execution is worth."""
        self.work += CONCRETE_WORK[0] + CONCRETE_WORK[1] * self.longest_path
        cost = self._session.evaluate(leaves)
        self._note_cost(leaves, cost)
        return cost

    def _note_cost(self, leaves: Sequence[Leaf], cost: float) -> None:
        if cost > self.cost_of_best:
            self.best, self.cost_of_best = list(leaves), cost

    def claim(self, proof: str, *, every_input: bool = False) -> None:
        """Pass a proof on, which ends the search."""
        self.is_proved = True
        self._session.claim(proof, every_input=every_input)


class Auto:
    """Runs a portfolio of strategies.

    ``members`` names the strategies, in the order of their turns; ``site`` is an option for ``synthesis``: the file and
    line of the hot loop.
    """

    name = "auto"
    stop_after = 20.0

    def __init__(self, members: str | Sequence[str] = MEMBERS, site: str | None = None) -> None:
        self._left_out: dict[str, str | None] = {}  # by name: how to install what they need
        self._members: dict[str, Stepwise] = {}
        wanted = names("members", members, "climb,wise")
        if site is not None and Synthesis.name not in wanted:
            raise UsageError("site is an option of synthesis, which is not a member", slug="site")
        for name in wanted:
            try:
                options = dict(OPTIONS.get(name, {}), **({"site": site} if name == Synthesis.name else {}))
                strategy = STRATEGIES.make(name, options) if name != self.name else None
            except UsageError as error:
                if members != MEMBERS or error.slug != "missing":
                    raise
                self._left_out[name] = error.hint
                continue
            if not isinstance(strategy, Stepwise):
                raise UsageError(f"{name} cannot be a member: it needs steps(session), state() and restore(state)")
            self._members[name] = strategy
        if not self._members:
            raise UsageError("auto needs at least one member")
        self._seed: int | None = None
        self._begun: list[str] = []
        self._tree = Tree(Kinds())
        self._turn_factors = dict.fromkeys(self._members, 1)
        self._ended: list[str] = []
        self._round = 0
        self._next = 0
        self._best: tuple[list[Leaf] | None, float] = (None, -inf)
        self._shared: _SharedSession | None = None
        self._best_known_to: dict[str, float] = {}
        self._overdraft: dict[str, float] = {}
        self._work_left: float | None = None  # of the current turn
        self._best_before_turn = -inf
        self._longest_path = 0

    def search(self, session: Session) -> None:
        """Take turns until a member has a proof, all members are done, or the budget is used up."""
        for _ in self.steps(session):
            pass

    def steps(self, session: Session) -> Iterator[None]:
        """Search, and yield after each run."""
        if self._seed is None:
            self._seed = session.rng.getrandbits(32)
        shared = self._shared = _SharedSession(session, self._tree)
        shared.best, shared.cost_of_best = self._best
        shared.longest_path = self._longest_path
        running: dict[str, Iterator[None]] = {}
        is_large = session.size >= LARGE_SIZE
        order = sorted(self._members, key=lambda name: not is_large or name != Synthesis.name)
        first_rounds = {**FIRST_ROUNDS, Synthesis.name: 0} if is_large else FIRST_ROUNDS
        run_seconds = session.run_seconds
        session.step_seconds = min(session.step_seconds, STEP_SECONDS)
        while len(self._ended) < len(order) and not shared.is_proved:
            name = order[self._next]
            if name not in self._ended and (self._round >= first_rounds.get(name, 0) or len(order) == 1):
                session.current_strategy = name
                session.run_seconds = min(run_seconds, FIRST_RUN_SECONDS * 2.0 ** min(self._round, DOUBLING_ROUNDS))
                yield from self._take_turn(name, running, shared)
            self._next = (self._next + 1) % len(order)
            self._round += self._next == 0

    def _take_turn(self, name: str, running: dict[str, Iterator[None]], shared: _SharedSession) -> Iterator[None]:
        """Let one member work; its next turn is twice as long if it improved the result, and half as long if not."""
        member = self._members[name]
        if self._work_left is None:
            yield from self._share_best(name, member, shared)
            self._work_left = self._turn_work(name) - self._overdraft.get(name, 0.0)
            self._best_before_turn = shared.cost_of_best
        if name not in running:
            if isinstance(member, QLearn):
                member.tree = self._tree
            # Randomness of its own, so that it does not depend on which other members were resumed.
            shared.rng = Random(f"{self._seed}:{name}")
            running[name] = member.steps(shared)
            if name not in self._begun:
                self._begun.append(name)
        shared.adds_to_tree = not isinstance(member, QLearn)  # which adds its runs to the tree itself
        while self._work_left > 0:
            begin, called = shared.work, shared.solver_calls
            try:
                next(running[name])
            except StopIteration:
                self._ended.append(name)
                break
            if shared.work == begin:
                shared.work += PRACTICE_WORK
            if isinstance(member, QLearn):
                shared.work += TRAINING_WORK
            self._work_left -= shared.work - begin + SOLVER_CALL_WORK * (shared.solver_calls - called)
            yield
            if shared.is_proved:
                return
        # A run is never cut short: excess work shortens the next turn.
        self._overdraft[name] = max(0.0, -self._work_left)
        self._work_left = None
        improved, factor = shared.cost_of_best > self._best_before_turn, self._turn_factors[name]
        self._turn_factors[name] = min(MAX_TURN_FACTOR, 2 * factor) if improved else max(1, factor // 2)
        self._best_known_to[name] = shared.cost_of_best

    def _turn_work(self, name: str) -> float:
        """The work of a member's next turn."""
        return TURN_WORK * 2.0 ** min(self._round, DOUBLING_ROUNDS) * SHARES.get(name, 1) * self._turn_factors[name]

    def _share_best(self, name: str, member: Stepwise, shared: _SharedSession) -> Iterator[None]:
        """Let a member continue from the best input, if another member found it."""
        if shared.best is None or shared.cost_of_best <= self._best_known_to.get(name, -inf):
            return
        if isinstance(member, Climb):
            member.adopt(shared.best, shared.cost_of_best)
        elif isinstance(member, QLearn) and len(self._tree) < MAX_NODES:
            shared.adds_to_tree = True
            shared.run(start=shared.best, probe_other=True)
            yield

    def writable(self) -> list[Path]:
        """What the members write to."""
        return [path for member in self._members.values() for path in writable_by(member)]

    def report(self) -> dict[str, Any]:
        """The members and their own reports, as JSON values."""
        reports = {name: report_of(member) for name, member in self._members.items()}
        details = {name: report for name, report in reports.items() if report is not None}
        lines = [["left out", f"{name}: {hint}"] for name, hint in self._left_out.items()]
        for name, report in details.items():
            lines += [[label, f"{name}: {text}"] for label, text in report.get("member_lines", ())]
        return {
            "members": list(self._members),
            "left_out": list(self._left_out),
            "ended": self._ended,
            "rounds": self._round,
            "nodes": len(self._tree),
            "lines": lines,
            **self._generator(details),
            "details": details,
        }

    def _generator(self, details: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
        """The first generator of a member whose input costs as much as the best found."""
        best = self._best[1] if self._shared is None else self._shared.cost_of_best
        for report in details.values():
            if report.get("generator") is not None and report["generator_cost"] >= best:
                return {"generator": report["generator"], "generator_cost": report["generator_cost"]}
        return {}

    def state(self) -> dict[str, Any]:
        """The states of all members, and what they share."""
        shared = self._shared
        best = self._best if shared is None else (shared.best, shared.cost_of_best)
        return {
            "seed": self._seed,
            "members": {name: self._members[name].state() for name in self._begun},
            "tree": self._tree.to_json(),
            "turn_factors": self._turn_factors,
            "ended": self._ended,
            "round": self._round,
            "next": self._next,
            "best": [best[0], _finite(best[1])],
            "work_left": self._work_left,
            "best_before_turn": _finite(self._best_before_turn),
            "longest_path": self._longest_path if shared is None else shared.longest_path,
            "best_known_to": self._best_known_to,
            "overdraft": self._overdraft,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue an earlier search."""
        self._seed, self._begun = state["seed"], list(state["members"])
        for name in self._begun:
            self._members[name].restore(state["members"][name])
        self._tree = Tree.from_json(state["tree"])
        self._turn_factors, self._ended = state["turn_factors"], state["ended"]
        self._round, self._next = state["round"], state["next"]
        leaves, cost = state["best"]
        self._best = leaves, -inf if cost is None else cost
        self._best_before_turn = -inf if state["best_before_turn"] is None else state["best_before_turn"]
        self._work_left, self._longest_path = state["work_left"], state["longest_path"]
        self._best_known_to = state["best_known_to"]
        self._overdraft = state["overdraft"]


def _finite(cost: float) -> float | None:
    return None if cost == -inf else cost
