"""What a search was asked to explain: what it made concrete where, what was refused, what stayed unknown.

A trace is looked at by distinct sites and values, so that a long path costs a few passes in C.
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

MOST_VALUES = 1000
"""Up to this many distinct values of one construct are told apart."""
SHOWN_VALUES = 5
SHOWN_PARTS = 20
SHOWN_MISSING = 5
MOST_REFUSALS = 100
LONGEST_REFUSAL = 300
OTHER_REFUSALS = "other refusals"
ENOUGH_INPUTS = 500
"""After so many inputs only those are kept that show something new."""
MOST_INPUTS = 1000


@dataclass(slots=True)
class Row:
    """What one construct at one site made concrete.

    ``digests`` stand for its distinct values; ``untried`` counts the places where another value is feasible that no
    run took, None if nobody asked a solver.
    """

    times: int = 0
    runs: int = 0
    untried: int | None = None
    sample: list[Any] = field(default_factory=list)
    digests: set[str] = field(default_factory=set)

    def take(self, values: Iterable[Leaf | bool]) -> bool:
        """Count a value among the distinct ones if it is new and there is room for it, and tell whether it was."""
        if len(self.digests) >= MOST_VALUES:
            return False
        shown = to_json(list(values))
        digest = blake2b(json.dumps(shown).encode(), digest_size=8).hexdigest()
        if digest in self.digests:
            return False
        self.digests.add(digest)
        if len(self.sample) < SHOWN_VALUES:
            self.sample.append(shown[:SHOWN_PARTS])
        return True

    def settle(self, again: bool, more: bool) -> None:
        """Note that a place was asked for another value, or for the first one, and whether there are more."""
        self.untried = max(0, (self.untried or 0) - again) + more

    def to_json(self) -> dict[str, Any]:
        """The row as JSON values."""
        return {**asdict(self), "digests": sorted(self.digests)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Row:
        """The row that :meth:`to_json` wrote."""
        return cls(**{**data, "digests": set(data["digests"])})


class _Directions:
    """The sites, by number, and which directions of their branches were run or are known to be feasible."""

    def __init__(self) -> None:
        self.sites: list[Site] = []
        self.taken: list[int] = []
        self.feasible: list[int] = []
        self._numbers: dict[Site, int] = {}
        # A front-end gives the same object for the same site; keeping it keeps its id from being used again.
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

    def read(self, trace: Trace) -> bool:
        """Note the directions of one run, taken or left while feasible, and tell whether it took a new one."""
        before = sum(self.taken)
        is_branch = bytearray(b"\1") * len(trace)
        for position in (*trace.choices, *trace.switches):
            is_branch[position] = 0
        # A run that was out of time may have been stopped between two columns, so that one is longer.
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

    def left(self) -> set[tuple[str, int]]:
        """The lines of branches that have a feasible direction which was not run, for want of time."""
        return {
            (site.file, site.line)
            for site, taken, feasible in zip(self.sites, self.taken, self.feasible, strict=True)
            if feasible & ~taken
        }


class Ledger:
    """Reads the traces of symbolic runs, and keeps inputs of theirs to measure their coverage with.

    ``unseen`` is how many runs were made before anybody asked for an explanation.
    """

    def __init__(self, unseen: int = 0) -> None:
        self.runs = 0
        self.unseen = unseen
        self.inputs: list[list[Leaf]] = []
        self._directions = _Directions()
        self._rows: dict[tuple[int, str], Row] = {}
        self._refusals: dict[str, int] = {}
        self._unknown: dict[int, int] = {}

    def read(self, trace: Trace, request: Request) -> None:
        """Enter one symbolic run, of which the known prefix was entered before."""
        self.runs += 1
        is_new = self._directions.read(trace)
        is_new = self._enter(trace) or is_new
        self._keep(trace, is_new)
        if request.probe_other:
            avoided = None if request.avoid is None else request.avoid.position
            self._settle(trace, request.known_prefix, avoided)
        self._lose(trace, request.known_prefix)

    def _row(self, event: Concretisation) -> Row:
        return self._rows.setdefault((self._directions.number(event.site), event.reason), Row())

    @property
    def places(self) -> list[Place]:
        """Where something was made concrete."""
        sites = (self._directions.sites[number] for number, _ in self._rows)
        return list({_spot(site): None for site in sites})

    def _enter(self, trace: Trace) -> bool:
        is_new = False
        entered: dict[int, Row] = {}
        for event in trace.concretisations:
            row = self._row(event)
            row.times += 1
            is_new = row.take(event.values or (bool(trace.decisions[event.position]),)) or is_new
            entered[id(row)] = row
        for row in entered.values():
            row.runs += 1
        return is_new

    def _keep(self, trace: Trace, is_new: bool) -> None:
        ended = trace.outcome in (Outcome.RETURNED, Outcome.RAISED) and trace.refused is None
        if ended and len(self.inputs) < (MOST_INPUTS if is_new else ENOUGH_INPUTS):
            self.inputs.append(list(trace.leaves))

    def _settle(self, trace: Trace, known_prefix: int, avoided: int | None) -> None:
        """Keep count of the places that have values left; a truth value is settled like any branch and has none."""
        for event in trace.concretisations:
            if event.values and event.position >= known_prefix:
                more = trace.others[event.position] == Side.FEASIBLE
                self._row(event).settle(event.position == avoided, more)

    def _lose(self, trace: Trace, known_prefix: int) -> None:
        position = trace.others.find(Side.UNKNOWN, known_prefix)
        while position >= 0:
            number = self._directions.number(trace.sites[position])
            self._unknown[number] = self._unknown.get(number, 0) + 1
            position = trace.others.find(Side.UNKNOWN, position + 1)
        if trace.refused is not None:
            text = trace.refused[:LONGEST_REFUSAL]
            if text not in self._refusals and len(self._refusals) >= MOST_REFUSALS:
                text = OTHER_REFUSALS
            self._refusals[text] = self._refusals.get(text, 0) + 1

    def report(self, coverage: Coverage | None) -> dict[str, Any]:
        """What was lost, the worst first, as JSON values for people and programs."""
        sites = self._directions.sites
        rows = [
            _tell(sites[number], reason, row, None if coverage is None else self._missing(sites[number], coverage))
            for (number, reason), row in self._rows.items()
        ]
        rows.sort(key=lambda row: (-(row["missed"] or 0), -row["times"], row["site"]["file"], row["site"]["line"]))
        refusals = sorted(self._refusals.items(), key=lambda item: -item[1])
        unknown = sorted(self._unknown.items(), key=lambda item: -item[1])
        return {
            "runs": self.runs,
            "unseen": self.unseen,
            "measured": 0 if coverage is None else coverage.runs,
            "concretisations": rows,
            "refusals": [{"reason": text, "times": times} for text, times in refusals],
            "unknown": [{"site": _place(sites[number]), "times": times} for number, times in unknown],
        }

    def _missing(self, site: Site, coverage: Coverage) -> list[Jump]:
        """The ways that no input went; not those of which a branch is known to be feasible and was left for later."""
        left = self._directions.left()
        return sorted(jump for jump in coverage.missing(_spot(site)) if (jump.file, jump.line) not in left)

    def to_json(self) -> dict[str, Any]:
        """The ledger as JSON values."""
        return {
            "runs": self.runs,
            "unseen": self.unseen,
            "sites": [asdict(site) for site in self._directions.sites],
            "taken": list(self._directions.taken),
            "feasible": list(self._directions.feasible),
            "inputs": self.inputs.copy(),
            "rows": [[number, reason, row.to_json()] for (number, reason), row in self._rows.items()],
            "refusals": dict(self._refusals),
            "unknown": [list(item) for item in self._unknown.items()],
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
        ledger._rows = {(number, reason): Row.from_json(row) for number, reason, row in data["rows"]}
        ledger._refusals = dict(data["refusals"])
        ledger._unknown = dict(data["unknown"])
        return ledger


def _tell(site: Site, reason: str, row: Row, missing: list[Jump] | None) -> dict[str, Any]:
    return {
        "site": _place(site),
        "reason": reason,
        "times": row.times,
        "runs": row.runs,
        "values": len(row.digests),
        "sample": row.sample,
        "untried": row.untried,
        "missed": None if missing is None else len(missing),
        "missing": [jump._asdict() for jump in (missing or [])[:SHOWN_MISSING]],
    }


def _spot(site: Site) -> Place:
    return site.file, site.function, site.line


def _place(site: Site) -> dict[str, Any]:
    """A site for people: its counter tells equal texts apart, which line and column do as well."""
    place = asdict(site)
    del place["counter"]
    return place
