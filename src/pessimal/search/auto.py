"""``auto``: several strategies take turns on one tree, one best input and one budget; who improves gets longer turns.

All paths, if they are few, rules learned at small sizes, a model of how the worst case grows, climbing on concrete
inputs, and a network that learns at the size itself: first everybody has a quick look, then turns get longer from
round to round. The tree of observed paths belongs to all, a better input that one has found is where the others go on
from, and a proof by one ends the search.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
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
from pessimal.strategy import Session, Stepwise, report_of
from pessimal.trace import COMPLETED, Trace
from pessimal.tree import Kinds, Tree

MEMBERS = ("fixed", "exhaustive", "wise", "history", "synthesis", "climb", "qlearn")
LEARNING = "qlearn"
SHARES = {"climb": 8, LEARNING: 3, "synthesis": 64}
"""How much longer the turns are of those that can always find something, or that find nothing before they are done."""

BEGINS = {"synthesis": 1, LEARNING: 2}
"""The round in which those begin that practise first: what is easy is found before that is paid for."""

TURN = 50_000.0
"""How much work a turn is in the first round."""

ROUNDS = 6
"""For how many rounds turns get twice as long each time."""

SYMBOLIC, CONCRETE = (100.0, 15.0), (30.0, 0.7)
"""The work of a run, and of each of its branches: about its microseconds, but the same on every machine."""

SOLVING = 10_000.0
"""The work of a call of a solver."""

LESSON = 10_000.0
"""The work of learning from a run."""

PRACTICE = 300.0
"""The work of a run at a small size."""

OPTIONS: dict[str, dict[str, Any]] = {
    "fixed": {"default": "both"},
    "wise": {"train_paths": 200},
    "history": {"train_paths": 200},
    "synthesis": {"train_paths": 100},
}
"""What members are told when they are part of a portfolio: to be quick."""

PATIENCE = 3.0
"""How many seconds a run may take in the first round: nobody should wait long for what may lead nowhere."""

LONGEST = 4
"""How much longer turns get for a member that improves the result again and again."""

LARGE = 100
"""From this size on ``synthesis`` goes first: one symbolic run takes longer there than all that it does."""

MOST_NODES = 2_000_000
"""Beyond this size the tree is not added to."""


class _Shared(SessionProxy):
    """The session as the members see it: all symbolic runs go into the tree, and proofs are noticed."""

    def __init__(self, session: Session, tree: Tree) -> None:
        super().__init__(session)
        self._tree = tree
        self.work = 0.0
        self.length = 0
        self.is_watching = True
        self.is_proved = False
        self.best: list[Leaf] | None = None
        self.cost_of_best = -inf

    def run(
        self, policy: Policy | None = None, start: Sequence[Leaf] | None = None, **options: Unpack[RunOptions]
    ) -> Trace:
        """One symbolic execution, which all members learn of."""
        trace = self._session.run(policy, start, **options)
        self.length = max(self.length, len(trace))
        self.work += SYMBOLIC[0] + SYMBOLIC[1] * len(trace)
        cost = self._session.cost(trace) if trace.outcome in COMPLETED else -inf
        self._note(trace.leaves, cost)
        if self.is_watching and options.get("avoid") is None and len(self._tree) < MOST_NODES:
            self._tree.add(trace, cost)
        return trace

    def evaluate(self, leaves: Sequence[Leaf]) -> float:
        """What one concrete execution is worth."""
        self.work += CONCRETE[0] + CONCRETE[1] * self.length
        cost = self._session.evaluate(leaves)
        self._note(leaves, cost)
        return cost

    def _note(self, leaves: Sequence[Leaf], cost: float) -> None:
        if cost > self.cost_of_best:
            self.best, self.cost_of_best = list(leaves), cost

    def claim(self, proof: str) -> None:
        """Pass a proof on; there is nothing to add to it."""
        self.is_proved = True
        self._session.claim(proof)


class Auto:
    """Runs a portfolio; ``members`` says which strategies take part, in the order of their turns.

    ``site`` is for ``synthesis``: the file and line of the hot loop.
    """

    name = "auto"
    stop_after = 20.0

    def __init__(self, members: str | Sequence[str] = MEMBERS, site: str | None = None) -> None:
        self._left_out: dict[str, str | None] = {}  # and how to install what they need
        self._members: dict[str, Stepwise] = {}
        wanted = names("members", members, "climb,wise")
        if site is not None and Synthesis.name not in wanted:
            raise UsageError("site is for synthesis, which is no member", slug="site")
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
                raise UsageError(f"{name} cannot take turns with others: it has no steps(session), state and restore")
            self._members[name] = strategy
        if not self._members:
            raise UsageError("auto needs at least one member")
        self._seed: int | None = None
        self._begun: list[str] = []
        self._tree = Tree(Kinds())
        self._turns = dict.fromkeys(self._members, 1)
        self._ended: list[str] = []
        self._round = 0
        self._next = 0
        self._best: tuple[list[Leaf] | None, float] = (None, -inf)
        self._shared: _Shared | None = None
        self._known_to: dict[str, float] = {}
        self._owed: dict[str, float] = {}
        self._left: float | None = None  # of the turn that is being taken
        self._before = -inf
        self._length_seen = 0

    def search(self, session: Session) -> None:
        """Take turns until somebody has a proof, everybody is done or the budget is spent."""
        for _ in self.steps(session):
            pass

    def steps(self, session: Session) -> Iterator[None]:
        """The same, one run at a time."""
        if self._seed is None:
            self._seed = session.rng.getrandbits(32)
        shared = self._shared = _Shared(session, self._tree)
        shared.best, shared.cost_of_best = self._best
        shared.length = self._length_seen
        running: dict[str, Iterator[None]] = {}
        is_large = session.size >= LARGE
        order = sorted(self._members, key=lambda name: not is_large or name != Synthesis.name)
        begins = {**BEGINS, Synthesis.name: 0} if is_large else BEGINS
        longest = session.run_seconds
        while len(self._ended) < len(order) and not shared.is_proved:
            name = order[self._next]
            if name not in self._ended and (self._round >= begins.get(name, 0) or len(order) == 1):
                session.current_strategy = name
                session.run_seconds = min(longest, PATIENCE * 2.0 ** min(self._round, ROUNDS))
                yield from self._turn(name, running, shared)
            self._next = (self._next + 1) % len(order)
            self._round += self._next == 0

    def _turn(self, name: str, running: dict[str, Iterator[None]], shared: _Shared) -> Iterator[None]:
        """Let one member work; it gets twice as long next time if it has improved, and half if it has not."""
        member = self._members[name]
        if self._left is None:
            yield from self._share_best(name, member, shared)
            self._left = self._length(name) - self._owed.get(name, 0.0)
            self._before = shared.cost_of_best
        if name not in running:
            if isinstance(member, QLearn):
                member.tree = self._tree
            shared.rng = Random(f"{self._seed}:{name}")  # its own, so that it does the same whoever else was resumed
            running[name] = member.steps(shared)
            if name not in self._begun:
                self._begun.append(name)
        shared.is_watching = not isinstance(member, QLearn)  # which adds its runs to the tree by itself
        while self._left > 0:
            begin, called = shared.work, shared.solver_calls
            try:
                next(running[name])
            except StopIteration:
                self._ended.append(name)
                break
            if shared.work == begin:
                shared.work += PRACTICE
            if isinstance(member, QLearn):
                shared.work += LESSON
            self._left -= shared.work - begin + SOLVING * (shared.solver_calls - called)
            yield
            if shared.is_proved:
                return
        self._owed[name] = max(0.0, -self._left)  # a run is never cut short: who took too long waits
        self._left = None
        improved = shared.cost_of_best > self._before
        self._turns[name] = min(LONGEST, 2 * self._turns[name]) if improved else max(1, self._turns[name] // 2)
        self._known_to[name] = shared.cost_of_best

    def _length(self, name: str) -> float:
        """How much work the next turn of a member is."""
        return TURN * 2.0 ** min(self._round, ROUNDS) * SHARES.get(name, 1) * self._turns[name]

    def _share_best(self, name: str, member: Stepwise, shared: _Shared) -> Iterator[None]:
        """Let a member go on from the best input, if somebody else has found it."""
        if shared.best is None or shared.cost_of_best <= self._known_to.get(name, -inf):
            return
        if isinstance(member, Climb):
            member.adopt(shared.best, shared.cost_of_best)
        elif isinstance(member, QLearn) and len(self._tree) < MOST_NODES:
            shared.is_watching = True
            shared.run(start=shared.best, probe_other=True)
            yield

    def report(self) -> dict[str, Any]:
        """Who took part and how it ended for each, as JSON values."""
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
        """The first generator of a member whose inputs are as bad as the best that was found."""
        best = self._best[1] if self._shared is None else self._shared.cost_of_best
        for report in details.values():
            if report.get("generator") is not None and report["generator_cost"] >= best:
                return {"generator": report["generator"], "generator_cost": report["generator_cost"]}
        return {}

    def state(self) -> dict[str, Any]:
        """Where everybody stands, and what all have seen."""
        shared = self._shared
        best = self._best if shared is None else (shared.best, shared.cost_of_best)
        return {
            "seed": self._seed,
            "members": {name: self._members[name].state() for name in self._begun},
            "tree": self._tree.to_json(),
            "turns": self._turns,
            "ended": self._ended,
            "round": self._round,
            "next": self._next,
            "best": [best[0], _finite(best[1])],
            "left": self._left,
            "before": _finite(self._before),
            "length": self._length_seen if shared is None else shared.length,
            "known": self._known_to,
            "owed": self._owed,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from where another portfolio stood."""
        self._seed, self._begun = state["seed"], list(state["members"])
        for name in self._begun:
            self._members[name].restore(state["members"][name])
        self._tree = Tree.from_json(state["tree"])
        self._turns, self._ended = state["turns"], state["ended"]
        self._round, self._next = state["round"], state["next"]
        leaves, cost = state["best"]
        self._best = leaves, -inf if cost is None else cost
        self._before = -inf if state["before"] is None else state["before"]
        self._left, self._length_seen = state["left"], state["length"]
        self._known_to = state["known"]
        self._owed = state["owed"]


def _finite(cost: float) -> float | None:
    return None if cost == -inf else cost
