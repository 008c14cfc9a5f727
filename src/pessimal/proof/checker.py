"""The checker: believes neither the strategy nor our own solver.

It checks of a certificate that its leaves make up the whole tree of decisions; that each input takes the path that is
said, counted on the running target, and costs no more than is claimed; that one costs so much; and that Z3 finds the
directions called infeasible to be so. What it must believe are the conditions that the front-end reads off a run, and
their translation: that the conditions on the way to a fork are the same on both sides of it is checked, too.
"""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from pessimal.errors import UsageError
from pessimal.frontend import FrontEnd, make_front_end
from pessimal.messages import PathsChecked
from pessimal.pool import sandbox
from pessimal.pool.worker import Channel
from pessimal.proof.certificate import Leaves, as_text, read_claim, read_leaves
from pessimal.proof.check import CheckTask, Report, Verdict
from pessimal.proof.names import START, Names
from pessimal.proof.unsatisfiable import Unchecked, first_possible
from pessimal.runs import Request
from pessimal.search_spec import SearchSpec
from pessimal.target_spec import name_of
from pessimal.trace import Outcome, Trace

REPORT_EVERY = 0.2


class _Refused(Exception):
    """Why the certificate proves nothing."""


def work(payload: bytes, channel: Channel) -> Verdict:
    """The check itself, where the target may run."""
    task = CheckTask.unpack(payload)
    sandbox.enter(task.spec.allow_side_effects)
    return Checker(task.spec, task.certificate, task.sample, channel.send).verdict()


class Checker:
    """One pass over a certificate."""

    def __init__(self, spec: SearchSpec, file: Path, sample: int | None, report: Report) -> None:
        self._spec = spec
        self._file = file
        self._report = report
        self._next_report = 0.0
        self._claim, self._count = read_claim(file)
        self._sample = None if sample is None or sample >= self._count else sample
        self._open: dict[str, bytes | None] = {"": START}  # decisions that nobody followed yet, their conditions
        self._names = Names()
        self._infeasible = 0
        self._attained = False

    def verdict(self) -> Verdict:
        """Go through the certificate, and say what it is worth; one about something else is a mistake."""
        self._compare_claim()
        made = partial(Verdict, maximum=self._claim.maximum, sampled=self._sample)
        try:
            self._go()
        except _Refused as refused:
            return made(False, str(refused))
        except Unchecked as unchecked:
            return made(False, f"it cannot be checked because {unchecked}")
        return made(True, "tree exhausted", paths=self._count, infeasible=self._infeasible)

    def _compare_claim(self) -> None:
        """Functions are compared by their names alone: a file has more than one."""
        claim, spec = self._claim, self._spec
        asked = name_of(spec.target)
        for what, claimed, wanted in (
            ("", _function(claim.target), _function(asked)),
            ("size ", claim.size, spec.size),
            ("the cost ", claim.cost, name_of(spec.cost)),
        ):
            if claimed != wanted:
                message = f"{str(self._file)!r} is about {what}{claimed}, but {what}{wanted} was asked for"
                raise UsageError(message, slug="certificate")

    def _go(self) -> None:
        spec = self._spec
        if spec.requirements:
            raise Unchecked("preconditions are no decisions of the target")
        if spec.pyse_compatible:
            raise Unchecked("hashes read as PySE does are not what the target does")
        front_end = make_front_end(spec)
        if not front_end.path_determined:
            raise Unchecked("the cost is not the same for all inputs of one path")
        drawn = self._drawn()
        for number, leaves in enumerate(read_leaves(self._file, self._count)):
            self._progress(number)
            self._attach(leaves)
            is_best = not self._attained and leaves.cost == self._claim.maximum
            chain = self._run(front_end, leaves) if drawn is None or number in drawn or is_best else None
            self._extend(leaves, chain)
        if self._open:
            raise _Refused(f"{len(self._open)} directions are left open, the first is {_way(min(self._open))}")
        if not self._attained:
            raise _Refused(f"no path costs {self._claim.maximum:g}, which is said to be the maximum")

    def _drawn(self) -> set[int] | None:
        if self._sample is None:
            return None
        return set(random.Random(self._spec.seed).sample(range(self._count), self._sample))

    def _progress(self, done: int) -> None:
        if monotonic() >= self._next_report:
            self._next_report = monotonic() + REPORT_EVERY
            self._report(PathsChecked(done, self._count))

    def _attach(self, leaves: Leaves) -> None:
        """A path must begin with a direction that is open: so no leaf is there twice."""
        start = leaves.taken[: leaves.known_prefix]
        if start not in self._open or len(start) != leaves.known_prefix or not leaves.is_possible:
            raise _Refused(f"the path {_way(leaves.taken)} begins with {_way(start)}, which is not open")
        own = {(position, outcome) for position, outcome, _ in leaves.forks}
        for position, outcome in leaves.closed:
            if (position, outcome) not in own:
                raise _Refused(f"the path {_way(leaves.taken)} has no decision {position} of its own to close")

    def _extend(self, leaves: Leaves, chain: list[bytes] | None) -> None:
        """A path closes the outcome that it begins with and opens those beside it that are not infeasible."""
        del self._open[leaves.taken[: leaves.known_prefix]]
        closed = {(position, outcome) for position, outcome in leaves.closed}
        for position, outcome, fork in leaves.forks:
            if (position, outcome) not in closed:
                self._open[fork] = None if chain is None else chain[position]
        self._infeasible += len(closed)

    def _run(self, front_end: FrontEnd, leaves: Leaves) -> list[bytes]:
        """Run the input with counted values and with symbolic ones; the names of the conditions on the way."""
        way, domains = _way(leaves.taken), front_end.domains
        if len(leaves.input) != len(domains) or not all(map(_contains, domains, leaves.input)):
            raise _Refused(f"the input of the path {way} is not one of the target's")
        seconds = self._spec.limits.run_seconds
        counted = front_end.evaluate(leaves.input, seconds, recording=True)
        # Without a policy a run follows its input, so that our solver is never asked.
        symbolic = front_end.run(Request(None, leaves.input), seconds)
        self._compare(leaves, counted, symbolic)
        cost = front_end.cost(counted, seconds)
        if cost > self._claim.maximum:
            raise _Refused(f"the path {way} costs {cost:g}, but {self._claim.maximum:g} is said to be the maximum")
        self._attained = self._attained or cost == self._claim.maximum
        chain = self._names.chain(symbolic)
        expected = self._open[leaves.taken[: leaves.known_prefix]]
        if leaves.known_prefix and expected is not None and chain[leaves.known_prefix - 1] != expected:
            raise _Refused(f"the path {way} comes to its fork by other conditions than its neighbour")
        closed = {(position, outcome) for position, outcome in leaves.closed}
        possible = first_possible(symbolic, closed, domains)
        if possible is not None:
            raise _Refused(f"the other direction at decision {possible} of the path {way} is feasible")
        return chain

    def _compare(self, leaves: Leaves, counted: Trace, symbolic: Trace) -> None:
        way = _way(leaves.taken)
        for trace in (counted, symbolic):
            if trace.outcome not in (Outcome.RETURNED, Outcome.RAISED) or trace.truncated:
                raise _Refused(f"the input of the path {way} is {trace.outcome.value}")
        if symbolic.refused:
            raise Unchecked(f"on the path {way} {symbolic.refused}")
        if any(event.values for event in symbolic.concretisations):
            raise Unchecked(f"the path {way} makes values concrete, and others are not decisions")
        own = bytes(d for i, d in enumerate(symbolic.decisions) if i not in symbolic.choices)
        arities = [[position, len(switch.sides)] for position, switch in symbolic.switches.items()]
        if as_text(symbolic.decisions) != leaves.taken or own != counted.decisions or arities != leaves.switches:
            raise _Refused(f"the input of the path {way} takes the path {_way(as_text(counted.decisions))}")
        if symbolic.outcome is not counted.outcome:
            ends = f"{symbolic.outcome.value} when run symbolically and {counted.outcome.value} when counted"
            raise _Refused(f"the input of the path {way} {ends}")


def _function(name: str) -> str:
    return name.rpartition(":")[2]


def _contains(domain: Any, value: Any) -> bool:
    return value in domain


def _way(taken: str) -> str:
    """Decisions as people can read them."""
    return (taken if len(taken) <= 80 else f"{taken[:60]}...({len(taken)} decisions)") or "at the start"
