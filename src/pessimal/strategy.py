"""The protocols of strategies and sessions: what a strategy is, and what it can ask for.

A strategy decides what to run next. It runs in the same process as the target and sees only its :class:`Session`:
symbolic runs steered by a policy, concrete runs on an input, the domains of the leaves, one source of randomness.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from math import inf
from pathlib import Path
from typing import Any, Protocol, Unpack, runtime_checkable

from pessimal.comparison import Comparison, Operand
from pessimal.errors import UsageError
from pessimal.expr import Leaf
from pessimal.inputs import Domain, Inputs
from pessimal.runs import Policy, RunOptions
from pessimal.trace import Site, Trace


class Session(Protocol):
    """What a strategy can ask for. Any call may end the search by raising :class:`SearchOver`: do not catch it.

    ``target`` is the name of the target and ``inputs`` turns leaves into its arguments; ``current_strategy`` is the
    name under which findings are reported; ``run_seconds`` is the time limit of one run, which a strategy may lower;
    ``step_seconds`` is how long it may compute between two runs before others miss their turn; ``is_hurried`` says that
    runs get less time than the user grants, so that one that times out may still end later; ``is_reproducible`` that
    nothing may depend on the time.
    """

    target: str
    size: int
    current_strategy: str
    run_seconds: float
    step_seconds: float
    inputs: Inputs
    domains: Sequence[Domain]
    initial: list[Leaf]
    rng: random.Random

    @property
    def is_reproducible(self) -> bool:
        """Whether the same seed must lead to the same runs, on any machine."""
        ...

    @property
    def is_hurried(self) -> bool:
        """Whether a strategy gives runs less time than the user grants."""
        ...

    @property
    def solver_calls(self) -> int:
        """The number of solver calls so far: work that the number of runs does not show."""
        ...

    def at(self, size: int) -> Session:
        """The same target at another size, for practice: within the same budget, but nothing found is reported."""
        ...

    @property
    def seconds_left(self) -> float:
        """How much time the search has left; infinite if there is no limit."""
        ...

    def newest_input(self) -> tuple[list[Leaf], float] | None:
        """An input of another lane, with its value, if it is better than all here, or reaches something new; once."""
        ...

    @property
    def proof(self) -> str | None:
        """The proof that was claimed and accepted, if any."""
        ...

    def run(
        self, policy: Policy | None = None, start: Sequence[Leaf] | None = None, **options: Unpack[RunOptions]
    ) -> Trace:
        """One symbolic execution from an input, steered by a policy; the options are those of a request."""
        ...

    def evaluate(self, leaves: Sequence[Leaf]) -> float:
        """The value of a concrete execution; minus infinity for an input that violates a precondition."""
        ...

    def measure(self, leaves: Sequence[Leaf]) -> tuple[float, Sequence[int]]:
        """The value of a concrete execution, and how often each place in the code was executed, if that is counted."""
        ...

    def survey(self, inputs: Sequence[Sequence[Leaf]]) -> tuple[Sequence[Leaf], float] | None:
        """Run many inputs quickly; the worst with its value, or None, and nothing is counted, where that cannot be."""
        ...

    def search_near(self, start: Sequence[Leaf], most: int, fresh: float = 0.0) -> tuple[Sequence[Leaf], float] | None:
        """Let the front-end run up to so many inputs by itself, each chosen by how the one before it went.

        The share ``fresh`` of them is drawn anew. The worst with its value, or None, and nothing is counted, where that
        cannot be.
        """
        ...

    def comparisons(self, leaves: Sequence[Leaf]) -> list[Comparison]:
        """What a concrete execution compares; this counts as a run, but its cost is not taken."""
        ...

    def literals(self) -> list[Operand]:
        """The literals in the code of the target, as far as they are known; this is no run."""
        ...

    def observe(self, leaves: Sequence[Leaf]) -> Trace:
        """The trace of a concrete execution, with its branches."""
        ...

    def approach(self, leaves: Sequence[Leaf]) -> Trace | None:
        """The trace of a concrete execution with the distances of its tests; None where they are not measured.

        Its tests may be more than the branches that :meth:`observe` tells.
        """
        ...

    def cost(self, trace: Trace) -> float:
        """The value that the search maximises, for a trace that :meth:`run` returned."""
        ...

    def wants(self, site: Site) -> bool:
        """Whether the search is after other outcomes at a site; what it does not want can wait."""
        ...

    def learning(self) -> AbstractContextManager[None]:
        """Count the time spent inside as learning, which is reported separately."""
        ...

    def importing(self) -> AbstractContextManager[None]:
        """Import what a strategy needs inside, during the search and invisible to the target."""
        ...

    def count_infeasible(self, leaves: int) -> None:
        """Count leaves of the tree that were proved infeasible and need no run."""
        ...

    def diverged(self, trace: Trace) -> None:
        """Report that the same decisions led to another path: the target is not deterministic."""
        ...

    def claim(self, proof: str, *, every_input: bool = False) -> None:
        """Claim that no larger cost exists, and why: every path was run, or with ``every_input`` every single input.

        The session rejects the claim if something was left out.
        """
        ...


@runtime_checkable
class Strategy(Protocol):
    """Decides what to run next. ``search`` returns when there is nothing left to try.

    A strategy is created with its options as keyword arguments. It may also have:

    - ``state() -> dict`` and ``restore(dict)``, of JSON values, to resume without repeating its work; without them a
      resumed search starts again with the same seed, which leads to the same result;
    - ``steps(session)``, a generator that yields after each run, to take turns with other strategies;
    - ``report() -> dict``, what users should know about the search: see :func:`report_of`;
    - ``certifiable``, False if its proofs cannot be written down as a certificate;
    - ``stop_after``, if it never ends by itself: the default of ``--stop-after`` in seconds;
    - ``take_lane(lane, lanes)`` and ``exclude(names)``, if it is a portfolio: see :class:`Portfolio`;
    - ``take_part(part, parts)``, if its work can be divided: see :class:`Divisible`;
    - ``writable() -> list[Path]``, the files and directories that it writes to during the search: see
      :func:`writable_by`;
    - ``sibling() -> Strategy``, one for another search that goes on with what this one has learned.
    """

    name: str

    def search(self, session: Session) -> None:
        """Run the target again and again through the session."""
        ...


@runtime_checkable
class Stepwise(Strategy, Protocol):
    """A strategy that can take turns with others."""

    def steps(self, session: Session) -> Iterator[None]:
        """Search, and yield after each run; at each yield :meth:`state` has all that is needed to continue."""
        ...

    def state(self) -> dict[str, Any]:
        """What is needed to continue, as JSON values."""
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from the state of an earlier search."""
        ...


@runtime_checkable
class Portfolio(Strategy, Protocol):
    """A strategy of several members, which works in several lanes at once: each is an object and a process of its own.

    The lanes pass their best inputs on to each other, and what settles the search in one of them ends them all.
    """

    def take_lane(self, lane: int, lanes: int) -> None:
        """Do one lane's part of the search, of so many lanes."""
        ...

    def exclude(self, names: Sequence[str]) -> None:
        """Go on without members that computed too long between two runs."""
        ...


@runtime_checkable
class Divisible(Strategy, Protocol):
    """A strategy whose work can be divided among several processes, each with an object of its own.

    Where things are to be reached, the processes pass on to each other what they have reached.
    """

    def take_part(self, part: int, parts: int) -> None:
        """Do one of so many parts of the search."""
        ...


class SearchOver(BaseException):
    """Ends a search from inside the session: the budget is spent, or the goal is reached."""


def state_of(strategy: Strategy) -> dict[str, Any] | None:
    """What a strategy needs to resume; None if it starts again from the beginning."""
    state = getattr(strategy, "state", None)
    return None if state is None else state()


def report_of(strategy: Strategy) -> dict[str, Any] | None:
    """What a strategy reports about its search, as JSON values; None if it reports nothing.

    These keys have the same meaning for all strategies: ``note``, one line for the user; ``lines``, pairs
    ``[label, text]`` for the text of the result; ``member_lines``, pairs that a portfolio shows even if another member
    found the result; ``generator`` with ``generator_cost``, the text of a function ``worst_case(n)`` and its cost;
    ``details``, the reports of members by name.
    """
    report = getattr(strategy, "report", None)
    return None if report is None else dict(report())


def merge_reports(reports: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """One report for the lanes of a portfolio: lists and details are united, numbers added, the best generator kept."""
    if len(reports) < 2:
        return reports[0] if reports else None
    whole: dict[str, Any] = {}
    for report in reports:
        is_worse = report.get("generator_cost", -inf) <= whole.get("generator_cost", -inf)
        for key, value in report.items():
            if key in ("generator", "generator_cost"):
                whole.update({} if is_worse and key in whole else {key: value})
            elif isinstance(value, dict):
                whole[key] = _united(whole.get(key, {}), value)
            elif isinstance(value, list):
                known = whole.setdefault(key, [])
                whole[key] = [*known, *(item for item in value if item not in known)]
            elif isinstance(value, int | float):
                whole[key] = whole.get(key, 0) + value
            else:
                whole.setdefault(key, value)
    return whole


def _united(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Both dictionaries in one; numbers under the same name are added, and of anything else the first is kept."""
    united = {**other, **one}
    for name in one.keys() & other.keys():
        if type(one[name]) in (int, float) and type(other[name]) in (int, float):
            united[name] = one[name] + other[name]
    return united


def writable_by(strategy: Strategy) -> list[Path]:
    """The files and directories that a strategy writes to; the process that it shares with the target has no others.

    What does not exist yet must be made by then.
    """
    writable = getattr(strategy, "writable", None)
    return [] if writable is None else list(writable())


def restore(strategy: Strategy, state: dict[str, Any] | None) -> None:
    """Restore the state of a strategy, if there is one; a usage error if the strategy does not understand it."""
    if state is None:
        return
    try:
        strategy.restore(state)  # type: ignore[attr-defined]
    except Exception as error:
        raise UsageError(
            f"the state of {strategy.name} cannot be restored ({error!r}): remove it to start over", slug="out"
        ) from None
