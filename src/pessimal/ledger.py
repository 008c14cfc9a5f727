"""The ledger of a search that is to be explained: what it made concrete and where, what was refused or stayed unknown.

A trace is reduced to its distinct sites and values first, so that even a long path takes only a few fast passes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from itertools import compress
from typing import Any

from pessimal.coverage import Coverage, Jump, Place
from pessimal.expr import Leaf
from pessimal.inputs import to_json
from pessimal.runs import Request
from pessimal.trace import Concretisation, Outcome, Side, Site, Trace

MAX_VALUES = 1000
"""Up to this many distinct values of one construct are counted."""
SHOWN_VALUES = 5
SHOWN_PARTS = 20
SHOWN_MISSING = 5
MAX_REFUSALS = 100
MAX_REFUSAL_LENGTH = 300
OTHER_REFUSALS = "other refusals"
ENOUGH_INPUTS = 500
"""Beyond this many inputs, only those are kept that show something new."""
MAX_INPUTS = 1000


@dataclass(slots=True)
class ConcretisationRecord:
    """What one construct at one site made concrete: how often, in how many runs, and which values.

    ``digests`` identify the distinct values. ``untried`` counts the places on paths where another value is feasible but
    no run took it; None if no solver was asked.
    """

    times: int = 0
    runs: int = 0
    untried: int | None = None
    sample: list[Any] = field(default_factory=list)
    digests: set[str] = field(default_factory=set)

    def add_value(self, values: Iterable[Leaf | bool]) -> bool:
        """Add a value to the distinct ones if it is new and there is room for it; return whether it was added."""
        if len(self.digests) >= MAX_VALUES:
            return False
        shown = to_json(list(values))
        digest = blake2b(json.dumps(shown).encode(), digest_size=8).hexdigest()
        if digest in self.digests:
            return False
        self.digests.add(digest)
        if len(self.sample) < SHOWN_VALUES:
            self.sample.append(shown[:SHOWN_PARTS])
        return True

    def count_alternatives(self, is_repeated: bool, has_more: bool) -> None:
        """Update ``untried`` after a run took a value at a place, whether again, and whether more are feasible."""
        self.untried = max(0, (self.untried or 0) - is_repeated) + has_more

    def include(self, other: ConcretisationRecord) -> None:
        """Add what another process made concrete there; places that both left untried are not told apart."""
        self.times += other.times
        self.runs += other.runs
        if other.untried is not None:
            self.untried = max(self.untried or 0, other.untried)
        self.sample += [value for value in other.sample if value not in self.sample][: SHOWN_VALUES - len(self.sample)]
        self.digests |= set(sorted(other.digests - self.digests)[: MAX_VALUES - len(self.digests)])

    def to_json(self) -> dict[str, Any]:
        """The record as JSON values."""
        return {**asdict(self), "digests": sorted(self.digests)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ConcretisationRecord:
        """The record that :meth:`to_json` wrote."""
        return cls(**{**data, "digests": set(data["digests"])})


class _Directions:
    """The sites, by number, and which outcomes of their branches were taken or are known to be feasible."""

    def __init__(self) -> None:
        self.sites: list[Site] = []
        self.taken: list[int] = []
        self.feasible: list[int] = []
        self._numbers: dict[Site, int] = {}
        # A front-end uses one object per site; keeping a reference prevents its id from being reused.
        self._by_id: dict[int, tuple[Site, int]] = {}

    def number(self, site: Site) -> int:
        known = self._by_id.get(id(site))
        if known is None:
            if site not in self._numbers:
                self._numbers[site] = len(self.sites)
                self.sites.append(site)
                self.taken.append(0)
                self.feasible.append(0)
            known = self._by_id[id(site)] = site, self._numbers[site]
        return known[1]

    def add(self, trace: Trace) -> bool:
        """Add the outcomes of one run, taken or feasible; return whether it took a new one."""
        before = sum(self.taken)
        is_branch = bytearray(b"\1") * len(trace)
        for position in (*trace.choices, *trace.switches):
            is_branch[position] = 0
        # A run that timed out may have been stopped between two columns, so that one is longer.
        columns = zip(map(id, trace.sites), trace.decisions, trace.others, strict=False)
        distinct = set(compress(columns, is_branch))
        if any(key not in self._by_id for key, _, _ in distinct):
            for site in dict(zip(map(id, trace.sites), trace.sites, strict=True)).values():
                self.number(site)
        for key, taken, other in distinct:
            number = self._by_id[key][1]
            self.taken[number] |= 1 << taken
            if other == Side.FEASIBLE:
                self.feasible[number] |= 0b10 >> taken
        for position in trace.switches:
            number = self.number(trace.sites[position])
            self.taken[number] |= 1 << trace.decisions[position]
            self.feasible[number] |= sum(1 << outcome for outcome in trace.untaken(position))
        return sum(self.taken) > before

    def include(self, other: _Directions) -> None:
        """Add the outcomes that another process took or knows to be feasible."""
        for site, taken, feasible in zip(other.sites, other.taken, other.feasible, strict=True):
            number = self.number(site)
            self.taken[number] |= taken
            self.feasible[number] |= feasible

    def left(self) -> set[tuple[str, int]]:
        """The lines of branches with a feasible outcome that was not run yet."""
        return {
            (site.file, site.line)
            for site, taken, feasible in zip(self.sites, self.taken, self.feasible, strict=True)
            if feasible & ~taken
        }


class Ledger:
    """Collects what symbolic runs lost, and keeps some of their inputs to measure coverage with.

    ``unseen`` is the number of runs that were made before an explanation was requested.
    """

    def __init__(self, unseen: int = 0) -> None:
        self.runs = 0
        self.unseen = unseen
        self.inputs: list[list[Leaf]] = []
        self._directions = _Directions()
        self._records: dict[tuple[int, str], ConcretisationRecord] = {}
        self._refusals: dict[str, int] = {}
        self._unknown: dict[int, tuple[int, float | None]] = {}

    def add(self, trace: Trace, request: Request) -> None:
        """Add one symbolic run; its known prefix was added with an earlier run."""
        self.runs += 1
        is_new = self._directions.add(trace)
        is_new = self._add_concretisations(trace) or is_new
        self._keep_input(trace, is_new)
        if request.probe_other:
            avoided = None if request.avoid is None else request.avoid.position
            self._count_alternatives(trace, request.known_prefix, avoided)
        self._count_losses(trace, request.known_prefix)

    def _record(self, event: Concretisation) -> ConcretisationRecord:
        return self._records.setdefault((self._directions.number(event.site), event.reason), ConcretisationRecord())

    @property
    def places(self) -> list[Place]:
        """The places where something was made concrete."""
        sites = (self._directions.sites[number] for number, _ in self._records)
        return list({_place(site): None for site in sites})

    def _add_concretisations(self, trace: Trace) -> bool:
        is_new = False
        updated: dict[int, ConcretisationRecord] = {}
        for event in trace.concretisations:
            record = self._record(event)
            record.times += 1
            is_new = record.add_value(event.values or (bool(trace.decisions[event.position]),)) or is_new
            updated[id(record)] = record
        for record in updated.values():
            record.runs += 1
        return is_new

    def _keep_input(self, trace: Trace, is_new: bool) -> None:
        ended = trace.outcome in (Outcome.RETURNED, Outcome.RAISED) and trace.refused is None
        if ended and len(self.inputs) < (MAX_INPUTS if is_new else ENOUGH_INPUTS):
            self.inputs.append(list(trace.leaves))

    def _count_alternatives(self, trace: Trace, known_prefix: int, avoided: int | None) -> None:
        """Count the places with other feasible values; a truth value is decided like a branch and has none."""
        for event in trace.concretisations:
            if event.values and event.position >= known_prefix:
                has_more = trace.others[event.position] == Side.FEASIBLE
                self._record(event).count_alternatives(event.position == avoided, has_more)

    def _count_losses(self, trace: Trace, known_prefix: int) -> None:
        position = trace.others.find(Side.UNKNOWN, known_prefix)
        while position >= 0:
            self._count_unknown(self._directions.number(trace.sites[position]), 1, trace.confidences.get(position))
            position = trace.others.find(Side.UNKNOWN, position + 1)
        if trace.refused is not None:
            text = trace.refused[:MAX_REFUSAL_LENGTH]
            if text not in self._refusals and len(self._refusals) >= MAX_REFUSALS:
                text = OTHER_REFUSALS
            self._refusals[text] = self._refusals.get(text, 0) + 1

    def include(self, other: Ledger) -> None:
        """Add the ledger of another process of the same search."""
        self.runs += other.runs
        self.unseen += other.unseen
        self._directions.include(other._directions)
        self.inputs += other.inputs[: MAX_INPUTS - len(self.inputs)]
        number = [self._directions.number(site) for site in other._directions.sites]
        for (site, reason), record in other._records.items():
            self._records.setdefault((number[site], reason), ConcretisationRecord()).include(record)
        for text, times in other._refusals.items():
            self._refusals[text] = self._refusals.get(text, 0) + times
        for site, (times, confidence) in other._unknown.items():
            self._count_unknown(number[site], times, confidence)

    def _count_unknown(self, number: int, more: int, confidence: float | None) -> None:
        times, before = self._unknown.get(number, (0, None))
        known = [item for item in (before, confidence) if item is not None]
        self._unknown[number] = times + more, max(known, default=None)

    def report(self, coverage: Coverage | None) -> dict[str, Any]:
        """What was lost, the worst first, as JSON values."""
        sites = self._directions.sites
        rows = [
            _record_report(
                sites[number], reason, record, None if coverage is None else self._missing(sites[number], coverage)
            )
            for (number, reason), record in self._records.items()
        ]
        rows.sort(key=lambda row: (-(row["missed"] or 0), -row["times"], row["site"]["file"], row["site"]["line"]))
        refusals = sorted(self._refusals.items(), key=lambda item: -item[1])
        return {
            "runs": self.runs,
            "unseen": self.unseen,
            "measured": 0 if coverage is None else coverage.runs,
            "concretisations": rows,
            "refusals": [{"reason": text, "times": times} for text, times in refusals],
            "unknown": self._unknown_report(),
        }

    def _unknown_report(self) -> list[dict[str, Any]]:
        """The sites with unknown outcomes, those first where more effort is worth most."""
        sites = self._directions.sites
        rows = [
            {"site": _site_report(sites[number]), "times": times, "confidence": confidence}
            for number, (times, confidence) in self._unknown.items()
        ]
        return sorted(rows, key=lambda row: (-(row["confidence"] or 0.0), -row["times"]))

    def _missing(self, site: Site, coverage: Coverage) -> list[Jump]:
        """The jumps that no input took, except at branches with a feasible outcome that is still to be run."""
        left = self._directions.left()
        return sorted(jump for jump in coverage.missing(_place(site)) if (jump.file, jump.line) not in left)

    def to_json(self) -> dict[str, Any]:
        """The ledger as JSON values."""
        return {
            "runs": self.runs,
            "unseen": self.unseen,
            "sites": [asdict(site) for site in self._directions.sites],
            "taken": list(self._directions.taken),
            "feasible": list(self._directions.feasible),
            "inputs": self.inputs.copy(),
            "records": [[number, reason, record.to_json()] for (number, reason), record in self._records.items()],
            "refusals": dict(self._refusals),
            "unknown": [[number, *item] for number, item in self._unknown.items()],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Ledger:
        """The ledger that :meth:`to_json` wrote."""
        ledger = cls(data["unseen"])
        ledger.runs = data["runs"]
        for site in data["sites"]:
            ledger._directions.number(Site(**site))
        ledger._directions.taken = list(data["taken"])
        ledger._directions.feasible = list(data["feasible"])
        ledger.inputs = list(data["inputs"])
        ledger._records = {
            (number, reason): ConcretisationRecord.from_json(record) for number, reason, record in data["records"]
        }
        ledger._refusals = dict(data["refusals"])
        ledger._unknown = {number: (times, confidence) for number, times, confidence in data["unknown"]}
        return ledger


def _record_report(site: Site, reason: str, record: ConcretisationRecord, missing: list[Jump] | None) -> dict[str, Any]:
    return {
        "site": _site_report(site),
        "reason": reason,
        "times": record.times,
        "runs": record.runs,
        "values": len(record.digests),
        "sample": record.sample,
        "untried": record.untried,
        "missed": None if missing is None else len(missing),
        "missing": [jump._asdict() for jump in (missing or [])[:SHOWN_MISSING]],
    }


def _place(site: Site) -> Place:
    return site.file, site.function, site.line


def _site_report(site: Site) -> dict[str, Any]:
    """A site for reports: without its counter, because line and column identify it as well."""
    place = asdict(site)
    del place["counter"]
    return place
