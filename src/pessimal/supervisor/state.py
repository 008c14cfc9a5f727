"""The state of an unfinished search as it is kept in the run directory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pessimal.fatal_runs import FatalRun
from pessimal.ledger import Ledger
from pessimal.messages import Finding, Snapshot
from pessimal.search.claimed_paths import ClaimedPaths


@dataclass(frozen=True, slots=True)
class SearchState:
    """A snapshot of the worker, and what the parent knew at that moment."""

    snapshot: Snapshot
    paths: Sequence[Finding] = field(default_factory=list)
    failures: Sequence[Finding] = field(default_factory=list)
    fatal: Sequence[FatalRun] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The state as JSON values."""
        return {
            "snapshot": self.snapshot.to_json(),
            "paths": [finding.to_json() for finding in self.paths],
            "failures": [finding.to_json() for finding in self.failures],
            "fatal": [run.to_json() for run in self.fatal],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SearchState:
        """The state that :meth:`to_json` wrote; ``ValueError`` if it is damaged."""
        try:
            snapshot = Snapshot.from_json(data["snapshot"])
            if snapshot.ledger is not None:
                Ledger.from_json(snapshot.ledger)
            if snapshot.claimed_paths is not None:
                ClaimedPaths.from_json(snapshot.claimed_paths)
            return cls(
                snapshot,
                [Finding.from_json(item) for item in data["paths"]],
                [Finding.from_json(item) for item in data["failures"]],
                [FatalRun.from_json(item) for item in data["fatal"]],
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"the state is damaged: {error!r}") from None
