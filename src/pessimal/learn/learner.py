"""The seam between the strategy and the rules by which it learns, so that it need not know which rules they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from pessimal.strategy import Session
from pessimal.tree import Kinds, Tree


class Learner(Protocol):
    """Learns and searches at one size after the other.

    ``tree`` is what was seen at the size of the moment; ``kinds`` number the branches of all sizes.
    """

    kinds: Kinds
    tree: Tree

    def steps(self, session: Session) -> Iterator[None]:
        """Run and learn until nothing is left to see, and yield after each run."""
        ...

    def restart(self) -> None:
        """Forget what belongs to a size, and keep what was learned."""
        ...

    def follow(self, tree: Tree) -> None:
        """Go on with a tree that may have been seen before."""
        ...

    def model_to_json(self) -> dict[str, Any]:
        """What was learned, for searches of other sizes and targets, as JSON values."""
        ...

    def restore_model(self, data: dict[str, Any]) -> None:
        """Take up what :meth:`model_to_json` wrote; ValueError, LookupError or TypeError if it does not fit."""
        ...

    def to_json(self) -> dict[str, Any]:
        """All that is needed to go on with this search, with its tree as ``tree``, as JSON values."""
        ...

    def restore(self, data: dict[str, Any]) -> None:
        """Take up what :meth:`to_json` wrote; where its ``tree`` is None, one to follow is still to come."""
        ...
