"""``auto``: a portfolio of strategies that take turns on one tree, one best input and one budget.

Concrete inputs are enumerated where there are few, mutated, and climbed on; symbolic runs flip their branches, follow
simple policies, exhaust the tree, apply rules learned at small sizes, a model of how the worst case grows, and a
network that learns at the size itself. In several lanes, one process for each core, the first lane searches on concrete
inputs only, and the members that search systematically are divided among the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

from pessimal.errors import NotSymbolicError, UsageError
from pessimal.expr import Leaf
from pessimal.registry import STRATEGIES
from pessimal.search.enumeration import Enumerate, number_of_inputs
from pessimal.search.options import names
from pessimal.search.qlearn import QLearn
from pessimal.search.quick_random import QuickRandom
from pessimal.search.schedule import Schedule
from pessimal.search.shared_session import SharedSession
from pessimal.search.synthesis import Synthesis
from pessimal.strategy import Session, Stepwise, report_of, writable_by
from pessimal.tree import Kinds, Tree

LEARNING = "qlearn"
CONCRETE = ("enumerate", "fuzz", "climb")
"""The members that run no symbolic execution."""

DESCENDING = (
    *("anneal", "probe", "avm", "genetic", "hill", "dynamosa", "random"),
    *("avm-geometric", "avm-lattice", "avm-exploratory"),
)
"""The members that take the place of symbolic ones where the target cannot be run symbolically."""

MEMBERS = (
    *("fixed", "enumerate", "exhaustive", "fuzz", "climb", "generational", "wise", "history", "synthesis", "qlearn"),
)

EVERYWHERE = ("fuzz", "climb", "generational")
"""The members that work by chance, so that each lane can have one."""

SHARES = {"enumerate": 8.0, "fuzz": 8.0, "fixed": 4.0, "exhaustive": 8.0, "climb": 8.0, "synthesis": 8.0, "wise": 2.0}
SHARES |= {**dict.fromkeys(DESCENDING, 0.5), "anneal": 4.0}
"""Weights other than one. Members that run symbolically lose theirs while they improve nothing."""

LEAST_GAINS = {"enumerate": 1.0, "climb": 1.0, "anneal": 1.0, "synthesis": 1.0, "fuzz": 0.5}
"""What is left of the weights of the others then: annealing is a matter of many runs, mutation less so."""

EARLY_GAINS, EARLY_WORK = LEAST_GAINS | {"climb": 0.25, "fuzz": 1.0}, 5_000_000.0
"""What is left at first, until so much work is done: what mutation finds it mostly finds in some seconds."""

SHARES_OF_OTHER_LANES = {**SHARES, "fuzz": 4.0}
"""In the lanes that also run symbolically there is less mutation."""

STARTS = {"synthesis": 1_500_000.0, LEARNING: 6_000_000.0}
"""The total work before members that practise at small sizes begin: easy worst cases are found before that pays."""

ESTIMATED_STARTS = 1 / 10
"""How much sooner they begin where the work is estimated: a search of some thousand paths should have all members."""

SOLVER_CALL_WORK, TRAINING_WORK, PRACTICE_WORK = 10_000.0, 10_000.0, 300.0
"""The estimated work of a solver call, of training a network after a run, and of a run at a small size."""

OPTIONS: dict[str, dict[str, Any]] = {
    "fixed": {"default": "both"},
    "wise": {"train_paths": 200},
    "history": {"train_paths": 200},
    "synthesis": {"train_paths": 100},
}
"""Options of members in a portfolio, where they must be quick."""

FIRST_RUN_SECONDS, RUN_SHARE = 0.25, 1 / 10
"""How long a symbolic run may take: a share of the time so far. What is slow is dropped, and can come again later."""

FIXED_SECONDS = 1.0
"""How long the one or two runs of ``fixed`` may take."""

REPRODUCIBLE_RUN_SECONDS = 3.0
"""How long a symbolic run may take at first where nothing may depend on the time."""

STEP_SECONDS = 10.0
"""How many seconds a member may compute between two runs."""

LARGE_SIZE = 100
"""From this size on ``synthesis`` takes the first turn: there one symbolic run takes longer than all its work."""

FEW_INPUTS, FIRST_ESTIMATE_SECONDS, HOPELESS = 5_000, 0.5, 2.0
"""Where work is estimated, enumeration has its whole share only if there are so few inputs. Otherwise it is weighed
after so many seconds of its own, and given up if it needs that many times as much as is left."""

PROMISING, PROMISING_SHARE = (0.5, 0.8), (32.0, 96.0)
"""Enumeration has this share if it needs less than this part of the time that is left, in a single lane and in one of
several, where the others search meanwhile."""

SHARES_OF_LARGE_SIZES = {"synthesis": 64.0}
"""There it finds nothing before it is done, and then the result."""


class Auto:
    """Runs a portfolio of strategies.

    ``members`` names the strategies, in the order of their first turns; ``site`` is an option for ``synthesis``: the
    file and line of the hot loop.
    """

    name = "auto"
    stop_after = 20.0

    def __init__(self, members: str | Sequence[str] = MEMBERS, site: str | None = None) -> None:
        self._left_out: dict[str, str | None] = {}  # by name: how to install what they need
        self._members: dict[str, Stepwise] = {}
        wanted = names("members", members, "climb,wise")
        if site is not None and Synthesis.name not in wanted:
            raise UsageError("site is an option of synthesis, which is not a member", slug="site")
        self._is_complete = members == MEMBERS
        self._excluded: list[str] = []
        self._add_members(wanted, site)
        if not self._members:
            raise UsageError("auto needs at least one member")
        self._lane = 0
        self._has_others = False  # other lanes
        self._seed: int | None = None
        self._begun: list[str] = []
        self._tree = Tree(Kinds())
        self._schedule: Schedule | None = None
        self._resumed: dict[str, Any] | None = None
        self._best: tuple[list[Leaf] | None, float] = (None, -inf)
        self._shared: SharedSession | None = None
        self._best_known_to: dict[str, float] = {}
        self._turn: str | None = None  # the member whose turn it is, and what is left of it
        self._work_left = 0.0
        self._best_before_turn = -inf
        self._longest_path = 0

    def _add_members(self, wanted: Sequence[str], site: str | None = None) -> None:
        """Make members; of those that a user did not choose, the ones that need what is not installed are left out."""
        for name in wanted:
            try:
                self._members[name] = self._member(name, site)
            except UsageError as error:
                if not self._is_complete or error.slug != "missing":
                    raise
                self._left_out[name] = error.hint

    def _member(self, name: str, site: str | None) -> Stepwise:
        options = dict(OPTIONS.get(name, {}), **({"site": site} if name == Synthesis.name else {}))
        strategy = STRATEGIES.make(name, options) if name != self.name else None
        if not isinstance(strategy, Stepwise):
            raise UsageError(f"{name} cannot be a member: it needs steps(session), state() and restore(state)")
        return strategy

    def take_lane(self, lane: int, lanes: int) -> None:
        """Do one lane's part: the first searches on concrete inputs; the others divide the rest among them."""
        self._lane = lane
        self._has_others = lanes > 1
        if lanes > 1:
            divided = [name for name in self._members if name not in EVERYWHERE and name not in CONCRETE]
            first = [name for name in self._members if name in CONCRETE]
            own = first if lane == 0 else [*divided[lane - 1 :: lanes - 1], *EVERYWHERE]
            self._members = {name: member for name, member in self._members.items() if name in own}

    def exclude(self, names: Sequence[str]) -> None:
        """Go on without some members."""
        self._excluded = list(names)
        self._members = {name: member for name, member in self._members.items() if name not in names}

    def search(self, session: Session) -> None:
        """Take turns until a member has a proof, all members are done, or the budget is used up."""
        for _ in self.steps(session):
            pass

    def steps(self, session: Session) -> Iterator[None]:
        """Search, and yield after each run."""
        if self._seed is None:
            self._seed = session.rng.getrandbits(32)
        shared = self._shared = SharedSession(session, self._tree)
        shared.best, shared.cost_of_best = self._best
        shared.longest_path = self._longest_path
        running: dict[str, Iterator[None]] = {}
        schedule = self._schedule = self._make_schedule(session)
        granted = session.run_seconds
        session.step_seconds = min(session.step_seconds, STEP_SECONDS)
        while (name := self._turn or schedule.next()) is not None and not shared.is_proved:
            session.current_strategy = name
            self._weigh_enumeration(session, schedule)
            session.run_seconds = min(granted, self._run_seconds(name, session))
            yield from self._take_turn(name, running, shared, schedule)
        session.run_seconds = granted

    def _make_schedule(self, session: Session) -> Schedule:
        is_large = session.size >= LARGE_SIZE
        shares = {**(SHARES_OF_OTHER_LANES if self._lane else SHARES), **(SHARES_OF_LARGE_SIZES if is_large else {})}
        order = sorted(self._members, key=lambda name: not is_large or name != Synthesis.name)
        scale = ESTIMATED_STARTS if session.is_reproducible else 1.0
        starts = {name: scale * work for name, work in STARTS.items()} if self._is_complete else {}
        if is_large:
            starts[Synthesis.name] = 0.0
        schedule = Schedule({name: shares.get(name, 1.0) for name in order}, starts, EARLY_GAINS)
        inputs = number_of_inputs(session.domains)
        is_long = session.is_reproducible and (inputs is None or inputs > FEW_INPUTS)
        if Enumerate.name in self._members and is_long:
            schedule.weigh(Enumerate.name, 1.0)
        if self._resumed is not None:
            schedule.restore(self._resumed)
        return schedule

    def _weigh_enumeration(self, session: Session, schedule: Schedule) -> None:
        """Give enumeration most of the time if it can come to its end, and none if it cannot."""
        member = self._members.get(Enumerate.name)
        if session.is_reproducible or not isinstance(member, Enumerate) or Enumerate.name in schedule.ended:
            return
        needed = member.seconds_needed
        if needed is not None and schedule.work[Enumerate.name] > 1e6 * FIRST_ESTIMATE_SECONDS:
            is_promising = needed < PROMISING[self._has_others] * session.seconds_left
            schedule.weigh(Enumerate.name, PROMISING_SHARE[self._has_others] if is_promising else 1.0)
            if needed > HOPELESS * session.seconds_left and self._turn != Enumerate.name:
                schedule.end(Enumerate.name)

    def _run_seconds(self, name: str, session: Session) -> float:
        """How long a run of a member may take."""
        seconds = 0.0 if self._schedule is None else self._schedule.total / 1e6
        if name in CONCRETE or name in DESCENDING:
            return inf
        if session.is_reproducible:
            return max(REPRODUCIBLE_RUN_SECONDS, seconds)
        return max(FIXED_SECONDS if name == "fixed" else FIRST_RUN_SECONDS, RUN_SHARE * seconds)

    def _take_turn(
        self, name: str, running: dict[str, Iterator[None]], shared: SharedSession, schedule: Schedule
    ) -> Iterator[None]:
        """Let one member work for its turn."""
        member = self._members[name]
        if self._turn is None:
            yield from self._begin_turn(name, member, shared, schedule)
        if name not in running:
            running[name] = self._begin(name, member, shared)
        shared.adds_to_tree = not isinstance(member, QLearn)  # which adds its runs to the tree itself
        while self._work_left > 0:
            before = self._work_so_far(shared)
            try:
                is_done = next(running[name], running) is running
            except NotSymbolicError as error:
                self._end_symbolic_members(error, schedule)
                break
            if not shared.is_reproducible:
                work = self._work_so_far(shared) - before
            else:
                work = (self._work_so_far(shared) - before or PRACTICE_WORK) + TRAINING_WORK * (name == LEARNING)
            schedule.charge(name, work)
            self._work_left -= work
            if is_done:
                schedule.end(name)
                break
            yield
            if shared.is_proved:
                return
        schedule.least = EARLY_GAINS if schedule.total < EARLY_WORK else LEAST_GAINS
        schedule.reward(name, _improvement(self._best_before_turn, shared.cost_of_best))
        self._best_known_to[name] = shared.cost_of_best
        self._turn = None

    def _end_symbolic_members(self, error: NotSymbolicError, schedule: Schedule) -> None:
        """Go on with the members that need no symbolic runs; where there are none, that is the user's answer."""
        symbolic = [name for name in self._members if name not in CONCRETE and name not in DESCENDING]
        if len(symbolic) == len(self._members):
            raise error
        for name in symbolic:
            schedule.end(name)
            self._left_out[name] = str(error)
        if self._is_complete:
            self._add_members([name for name in DESCENDING if name not in self._excluded])
            schedule.add({name: SHARES.get(name, 1.0) for name in self._members if name in DESCENDING})

    def _work_so_far(self, shared: SharedSession) -> float:
        """A count that grows with the work of members: microseconds, or an estimate of them."""
        if not shared.is_reproducible:
            return monotonic() * 1e6
        return shared.work + SOLVER_CALL_WORK * shared.solver_calls

    def _begin(self, name: str, member: Stepwise, shared: SharedSession) -> Iterator[None]:
        if isinstance(member, QLearn):
            member.tree = self._tree
        # Randomness of its own, so that it does not depend on which other members were resumed.
        shared.rng = QuickRandom(f"{self._seed}:{name}")
        if name not in self._begun:
            self._begun.append(name)
        return member.steps(shared)

    def _begin_turn(self, name: str, member: Stepwise, shared: SharedSession, schedule: Schedule) -> Iterator[None]:
        """Start a turn; a member that is stuck continues from the best input, if another found it."""
        received = shared.newest_input()
        if received is not None:
            shared.note_cost(*received)
        is_news = shared.best is not None and shared.cost_of_best > self._best_known_to.get(name, -inf)
        if is_news and shared.best is not None and not schedule.is_improving(name):
            if isinstance(member, QLearn) and shared.has_room:
                shared.adds_to_tree = True
                shared.run(start=shared.best, probe_other=True)
                yield
            elif hasattr(member, "adopt"):
                member.adopt(list(shared.best), shared.cost_of_best)
        self._turn, self._work_left = name, schedule.turn(name)
        self._best_before_turn = shared.cost_of_best

    def writable(self) -> list[Path]:
        """What the members write to."""
        return [path for member in self._members.values() for path in writable_by(member)]

    def report(self) -> dict[str, Any]:
        """The members and their own reports, as JSON values."""
        reports = {name: report_of(member) for name, member in self._members.items()}
        details = {name: report for name, report in reports.items() if report is not None}
        reasons = dict.fromkeys(self._left_out.values())
        without = {hint: [name for name, other in self._left_out.items() if other == hint] for hint in reasons}
        lines = [["left out", f"{', '.join(names)}: {hint}"] for hint, names in without.items()]
        for name, report in details.items():
            lines += [[label, f"{name}: {text}"] for label, text in report.get("member_lines", ())]
        schedule = self._schedule
        return {
            "members": list(self._members),
            "left_out": list(self._left_out),
            "ended": [] if schedule is None else list(schedule.ended),
            "work": {} if schedule is None else {name: round(work) for name, work in schedule.work.items()},
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
            "schedule": None if self._schedule is None else self._schedule.to_json(),
            "turn": self._turn,
            "work_left": self._work_left,
            "best": [best[0], _finite(best[1])],
            "best_before_turn": _finite(self._best_before_turn),
            "best_known_to": {name: _finite(cost) for name, cost in self._best_known_to.items()},
            "longest_path": self._longest_path if shared is None else shared.longest_path,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue an earlier search, with the members that are still there."""
        self._seed = state["seed"]
        scheduled = () if state["schedule"] is None else state["schedule"]["work"]
        self._add_members([name for name in DESCENDING if name in scheduled and name not in self._excluded])
        self._begun = [name for name in state["members"] if name in self._members]
        for name in self._begun:
            self._members[name].restore(state["members"][name])
        self._tree = Tree.from_json(state["tree"])
        self._resumed = state["schedule"]
        self._turn = state["turn"] if state["turn"] in self._members else None
        self._work_left, self._longest_path = state["work_left"], state["longest_path"]
        leaves, cost = state["best"]
        self._best = leaves, _infinite(cost)
        self._best_before_turn = _infinite(state["best_before_turn"])
        self._best_known_to = {name: _infinite(cost) for name, cost in state["best_known_to"].items()}


def _improvement(before: float, after: float) -> float:
    """How much more an input costs than the best before it, of which there may be none."""
    return after - before if after == before or before > -inf else max(1.0, after)


def _finite(cost: float) -> float | None:
    return None if cost == -inf else cost


def _infinite(cost: float | None) -> float:
    return -inf if cost is None else cost
