"""The checker of certificates, which trusts neither the strategy nor Pessimal's own solvers.

It checks that the paths of a certificate make up the whole tree of decisions; that each input takes the stated path, as
counted on the running target, and costs no more than claimed; that its native run ends alike, on the same lines; that
one input has the claimed cost; and that Z3 confirms every outcome said to be infeasible. Then it runs other inputs, as
the search does before it shows a proof. It must trust the conditions that the front-end records in a run, and their
translation to Z3; but it checks that the conditions before a fork are the same on all its sides.
"""

from __future__ import annotations

import random
from functools import partial
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

from pessimal.errors import UsageError
from pessimal.frontend import FrontEnd, make_front_end
from pessimal.messages import PathsChecked
from pessimal.pool import sandbox
from pessimal.pool.worker import Channel
from pessimal.proof.certificate import CertifiedPath, as_text, read_claim, read_paths
from pessimal.proof.check import CheckTask, Report, Verdict
from pessimal.proof.fingerprints import START, Fingerprints
from pessimal.proof.unsatisfiable import Uncheckable, first_feasible
from pessimal.runs import Request
from pessimal.search.attack import Attack
from pessimal.search.claimed_paths import ClaimedPaths
from pessimal.search_spec import SearchSpec
from pessimal.target_spec import name_of
from pessimal.trace import COMPLETED, Trace

REPORT_EVERY = 0.2


class _NotProved(Exception):
    """Why the certificate does not prove its claim."""


def work(payload: bytes, channel: Channel) -> Verdict:
    """The entry point of the worker process that checks a certificate."""
    task = CheckTask.unpack(payload)
    sandbox.confine(task.spec.allow_side_effects)
    return Checker(task.spec, task.certificate, task.sample, channel.send, task.ends_at or inf).verdict()


class Checker:
    """One pass over a certificate."""

    def __init__(self, spec: SearchSpec, file: Path, sample: int | None, report: Report, ends_at: float = inf) -> None:
        self._spec = spec
        self._ends_at = ends_at
        self._file = file
        self._report = report
        self._next_report = 0.0
        self._claim, self._count = read_claim(file)
        self._sample = None if sample is None or sample >= self._count else sample
        self._open: dict[str, bytes | None] = {"": START}  # prefixes not taken yet, with fingerprints
        self._fingerprints = Fingerprints()
        self._paths = ClaimedPaths()
        self._paths.is_complete = self._sample is None
        self._infeasible = 0
        self._started = monotonic()
        self._is_maximum_reached = False

    def verdict(self) -> Verdict:
        """Check the certificate; a certificate about something else is a usage error."""
        self._compare_claim()
        verdict_of = partial(Verdict, maximum=self._claim.maximum, sampled=self._sample)
        try:
            self._check_paths()
        except _NotProved as refused:
            return verdict_of(False, str(refused))
        except Uncheckable as reason:
            return verdict_of(False, f"it cannot be checked because {reason}")
        return verdict_of(True, "tree exhausted", paths=self._count, infeasible=self._infeasible)

    def _compare_claim(self) -> None:
        """Check that the certificate is about this function, by its name alone, and this size and cost."""
        claim, spec = self._claim, self._spec
        requested = name_of(spec.target)
        for what, claimed, wanted in (
            ("", _function(claim.target), _function(requested)),
            ("size ", claim.size, spec.size),
            ("the cost ", claim.cost, name_of(spec.cost)),
        ):
            if claimed != wanted:
                message = f"{str(self._file)!r} is about {what}{claimed}, but {what}{wanted} was requested"
                raise UsageError(message, slug="certificate")

    def _check_paths(self) -> None:
        spec = self._spec
        if spec.requirements:
            raise Uncheckable("preconditions are not decisions of the target")
        if spec.pyse_compatible:
            raise Uncheckable("hashes are treated as by PySE, which the target does not do")
        front_end = make_front_end(spec)
        if not front_end.path_determined:
            raise Uncheckable("the cost is not the same for all inputs that take the same path")
        sampled = self._sampled_paths()
        for number, path in enumerate(read_paths(self._file, self._count)):
            self._progress(number)
            self._check_start(path)
            is_best = not self._is_maximum_reached and path.cost == self._claim.maximum
            fingerprints = self._run(front_end, path) if sampled is None or number in sampled or is_best else None
            self._close_path(path, fingerprints)
        if self._open:
            raise _NotProved(f"{len(self._open)} outcomes are left open, the first is {_text(min(self._open))}")
        if not self._is_maximum_reached:
            raise _NotProved(f"no path costs {self._claim.maximum:g}, the claimed maximum")
        self._attack(front_end)

    def _attack(self, front_end: FrontEnd) -> None:
        """Run other inputs, none of which may cost more or take another path."""
        limits = self._spec.limits
        attack = Attack(
            front_end,
            self._paths,
            seed=self._spec.seed,
            run_seconds=limits.run_seconds,
            seconds_left=lambda: self._ends_at - monotonic(),
        )
        report = attack.report(monotonic() - self._started)
        if report.withdrawn is not None:
            raise _NotProved(f"{report.withdrawn}: {report.call}")

    def _sampled_paths(self) -> set[int] | None:
        if self._sample is None:
            return None
        return set(random.Random(self._spec.seed).sample(range(self._count), self._sample))

    def _progress(self, done: int) -> None:
        if monotonic() >= self._next_report:
            self._next_report = monotonic() + REPORT_EVERY
            self._report(PathsChecked(done, self._count))

    def _check_start(self, path: CertifiedPath) -> None:
        """A path must begin with an open outcome, so that no path occurs twice."""
        start = path.taken[: path.known_prefix]
        if start not in self._open or len(start) != path.known_prefix or not path.is_possible:
            raise _NotProved(f"the path {_text(path.taken)} begins with {_text(start)}, which is not open")
        own = {(position, outcome) for position, outcome, _ in path.forks}
        for position, outcome in path.closed:
            if (position, outcome) not in own:
                raise _NotProved(f"the path {_text(path.taken)} cannot close an outcome at decision {position}")

    def _close_path(self, path: CertifiedPath, fingerprints: list[bytes] | None) -> None:
        """Close the outcome that a path begins with, and open those along it that are not infeasible."""
        del self._open[path.taken[: path.known_prefix]]
        closed = {(position, outcome) for position, outcome in path.closed}
        for position, outcome, fork in path.forks:
            if (position, outcome) not in closed:
                self._open[fork] = None if fingerprints is None else fingerprints[position]
        self._infeasible += len(closed)

    def _run(self, front_end: FrontEnd, path: CertifiedPath) -> list[bytes]:
        """Run the input with counted and with symbolic values; return the fingerprints of its conditions."""
        shown, domains = _text(path.taken), front_end.domains
        if len(path.input) != len(domains) or not all(map(_contains, domains, path.input)):
            raise _NotProved(f"the input of the path {shown} is not an input of the target")
        seconds = self._spec.limits.run_seconds
        counted = front_end.evaluate(path.input, seconds, recording=True)
        # Without a policy a run follows its input, so that no solver of ours is called.
        symbolic = front_end.run(Request(None, path.input), seconds)
        self._compare(path, counted, symbolic)
        cost = front_end.cost(counted, seconds)
        if cost > self._claim.maximum:
            raise _NotProved(f"the path {shown} costs {cost:g}, but {self._claim.maximum:g} is the claimed maximum")
        self._is_maximum_reached = self._is_maximum_reached or cost == self._claim.maximum
        self._compare_natively(front_end, path, counted, cost)
        fingerprints = self._fingerprints.of_prefixes(symbolic)
        expected = self._open[path.taken[: path.known_prefix]]
        if path.known_prefix and expected is not None and fingerprints[path.known_prefix - 1] != expected:
            raise _NotProved(f"the path {shown} and the path it branches off from have different conditions")
        closed = {(position, outcome) for position, outcome in path.closed}
        feasible = first_feasible(symbolic, closed, domains)
        if feasible is not None:
            raise _NotProved(f"an outcome at decision {feasible} of the path {shown} is feasible, but said not to be")
        return fingerprints

    def _compare_natively(self, front_end: FrontEnd, path: CertifiedPath, counted: Trace, cost: float) -> None:
        """Compare with a native run, and remember the path, from which the attack at the end starts."""
        difference = front_end.differs_natively(path.input, self._spec.limits.run_seconds)
        if difference is not None:
            raise _NotProved(f"the input of the path {_text(path.taken)} is {difference}")
        self._paths.add(counted)
        self._paths.raised.clear()  # they need not be compared again
        self._paths.note_cost(cost, path.input)

    def _compare(self, path: CertifiedPath, counted: Trace, symbolic: Trace) -> None:
        shown = _text(path.taken)
        for trace in (counted, symbolic):
            if trace.outcome not in COMPLETED or trace.truncated:
                raise _NotProved(f"the input of the path {shown} is {trace.outcome.value}")
        if symbolic.refused:
            raise Uncheckable(f"on the path {shown} {symbolic.refused}")
        if any(event.values for event in symbolic.concretisations):
            raise Uncheckable(f"the path {shown} makes values concrete, of which others are not decisions")
        own = bytes(d for i, d in enumerate(symbolic.decisions) if i not in symbolic.choices)
        arities = [[position, len(switch.sides)] for position, switch in symbolic.switches.items()]
        if as_text(symbolic.decisions) != path.taken or own != counted.decisions or arities != path.switches:
            raise _NotProved(f"the input of the path {shown} takes the path {_text(as_text(counted.decisions))}")
        if symbolic.outcome is not counted.outcome:
            ends = f"{symbolic.outcome.value} when run symbolically and {counted.outcome.value} when counted"
            raise _NotProved(f"the input of the path {shown} {ends}")


def _function(name: str) -> str:
    return name.rpartition(":")[2]


def _contains(domain: Any, value: Any) -> bool:
    return value in domain


def _text(taken: str) -> str:
    """Decisions as readable text."""
    return (taken if len(taken) <= 80 else f"{taken[:60]}...({len(taken)} decisions)") or "at the start"
