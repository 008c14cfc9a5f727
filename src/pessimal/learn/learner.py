"""The protocol of learners, so that the strategy need not know by which rules one learns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from pessimal.strategy import Session
from pessimal.tree import Kinds, Tree


class Learner(Protocol):
    """Searches one size after another and learns from all of them.

    ``tree`` holds the paths of the current size; ``kinds`` numbers the branches of all sizes.
    """

    kinds: Kinds
    tree: Tree

    def steps(self, session: Session) -> Iterator[None]:
        """Run and learn until nothing is left to explore; yields after each run."""
        ...

    def start_new_size(self) -> None:
        """Forget what belongs to the current size, and keep what was learned."""
        ...

    def use_tree(self, tree: Tree) -> None:
        """Continue with another tree, which others may have filled."""
        ...

    def model_to_json(self) -> dict[str, Any]:
        """What was learned, for searches at other sizes and of other targets, as JSON values."""
        ...

    def restore_model(self, data: dict[str, Any]) -> None:
        """Restore what :meth:`model_to_json` wrote; ValueError, LookupError or TypeError if it does not fit."""
        ...

    def to_json(self) -> dict[str, Any]:
        """All that is needed to continue this search, with its tree as ``tree``, as JSON values."""
        ...

    def restore(self, data: dict[str, Any]) -> None:
        """Restore what :meth:`to_json` wrote; if ``tree`` is None, :meth:`use_tree` will provide one."""
        ...
