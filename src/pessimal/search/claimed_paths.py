"""The paths that a claim rests on, as fingerprints, so that a path can be looked up in the tree without keeping it."""

from __future__ import annotations

from base64 import b64decode, b64encode
from bisect import insort
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import compress
from typing import Any

from pessimal.expr import Leaf
from pessimal.json_values import leaves, typed
from pessimal.trace import Outcome, Site, Trace

MAX_STEPS = 20_000_000
"""When the paths have more branches than this together, they are no longer remembered."""
MAX_RAISED = 100_000
MAX_SAMPLE = 100
_DIGEST = 8


class ClaimedPaths:
    """The paths that symbolic runs took, as fingerprints, and the inputs of those that are run again."""

    def __init__(self) -> None:
        self.is_complete = True
        self.maximum: float | None = None
        self.worst: list[Leaf] = []
        self.raised: list[list[Leaf]] = []
        self._sample: list[tuple[bytes, list[Leaf]]] = []
        self._known: set[bytes] = set()
        self._steps = 0
        self._numbers: dict[int, tuple[Site, bytes]] = {}

    def __len__(self) -> int:
        return len(self._known)

    @property
    def sample(self) -> list[list[Leaf]]:
        """The inputs of some paths: those of the smallest fingerprints, in whatever order they were run."""
        return [item for _, item in self._sample]

    def __contains__(self, trace: Trace) -> bool:
        return self._fingerprint(trace) in self._known

    def note_cost(self, cost: float, leaves: Sequence[Leaf]) -> None:
        """Keep the input of the largest cost."""
        if self.maximum is None or cost > self.maximum:
            self.maximum, self.worst = cost, list(leaves)

    def add(self, trace: Trace) -> None:
        """Remember the path of a run that came to its end."""
        self._steps += len(trace)
        if self._steps > MAX_STEPS:
            self.is_complete = False
            return
        fingerprint = self._fingerprint(trace)
        if fingerprint in self._known:
            return
        self._known.add(fingerprint)
        insort(self._sample, (fingerprint, list(trace.leaves)))
        del self._sample[MAX_SAMPLE:]
        if trace.outcome is Outcome.RAISED and len(self.raised) <= MAX_RAISED:
            self.raised.append(list(trace.leaves))

    def _fingerprint(self, trace: Trace) -> bytes:
        """A digest of the sites and outcomes of all branches, choices left out."""
        sites, decisions = trace.sites, bytes(trace.decisions)
        if trace.choices:
            is_branch = bytearray(b"\1") * len(decisions)
            for position in trace.choices:
                is_branch[position] = 0
            sites, decisions = list(compress(sites, is_branch)), bytes(compress(decisions, is_branch))
        numbers = self._numbers
        for site in dict(zip(map(id, sites), sites, strict=True)).values():
            if id(site) not in numbers:
                numbers[id(site)] = site, blake2b(site.id.encode(), digest_size=_DIGEST).digest()
        names = b"".join([numbers[id(site)][1] for site in sites])
        return blake2b(names + decisions, digest_size=_DIGEST).digest()

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return {
            "complete": self.is_complete,
            "maximum": self.maximum,
            "worst": self.worst,
            "raised": self.raised.copy(),
            "sample": [[fingerprint.hex(), item] for fingerprint, item in self._sample],
            "known": b64encode(b"".join(sorted(self._known))).decode(),
            "steps": self._steps,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ClaimedPaths:
        """What :meth:`to_json` wrote."""
        paths = cls()
        paths.is_complete = typed(data["complete"], bool)
        paths.maximum, paths.worst = typed(data["maximum"], int | float | None), list(leaves(data["worst"]))
        paths.raised = [list(leaves(item)) for item in typed(data["raised"], list)]
        paths._sample = [(bytes.fromhex(mark), list(leaves(item))) for mark, item in typed(data["sample"], list)]
        known = b64decode(typed(data["known"], str), validate=True)
        paths._known = {known[i : i + _DIGEST] for i in range(0, len(known), _DIGEST)}
        paths._steps = typed(data["steps"], int)
        return paths
