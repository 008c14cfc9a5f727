"""The state of an unfinished search as it is kept in the run directory: a list of the states of its lanes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pessimal.fatal_runs import FatalRun
from pessimal.json_values import typed
from pessimal.ledger import Ledger
from pessimal.messages import Finding, Snapshot
from pessimal.search.claimed_paths import ClaimedPaths


@dataclass(frozen=True, slots=True)
class SearchState:
    """A snapshot of one worker, if there was one, and what the parent knew at that moment."""

    snapshot: Snapshot | None = None
    paths: Sequence[Finding] = field(default_factory=list)
    failures: Sequence[Finding] = field(default_factory=list)
    fatal: Sequence[FatalRun] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The state as JSON values."""
        return {
            "snapshot": None if self.snapshot is None else self.snapshot.to_json(),
            "paths": [finding.to_json() for finding in self.paths],
            "failures": [finding.to_json() for finding in self.failures],
            "fatal": [run.to_json() for run in self.fatal],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SearchState:
        """The state that :meth:`to_json` wrote; ``ValueError`` if it is damaged."""
        try:
            return cls(
                None if data["snapshot"] is None else _checked(Snapshot.from_json(data["snapshot"])),
                [Finding.from_json(item) for item in data["paths"]],
                [Finding.from_json(item) for item in data["failures"]],
                [FatalRun.from_json(item) for item in data["fatal"]],
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"the state is damaged: {error!r}") from None


def lanes_to_json(states: Iterable[SearchState]) -> dict[str, Any]:
    """The states of all lanes as JSON values."""
    return {"lanes": [state.to_json() for state in states]}


def lanes_from_json(data: Mapping[str, Any]) -> list[SearchState]:
    """The states that :func:`lanes_to_json` wrote, at least one; ``ValueError`` if they are damaged."""
    try:
        states = [SearchState.from_json(item) for item in typed(data["lanes"], list)]
    except (KeyError, TypeError) as error:
        raise ValueError(f"the state is damaged: {error!r}") from None
    if not states:
        raise ValueError("the state is damaged: it has no lanes")
    return states


def _checked(snapshot: Snapshot) -> Snapshot:
    """The snapshot, if all of its parts can be read."""
    if snapshot.ledger is not None:
        Ledger.from_json(snapshot.ledger)
    if snapshot.claimed_paths is not None:
        ClaimedPaths.from_json(snapshot.claimed_paths)
    return snapshot
