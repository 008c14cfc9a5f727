"""``wise``: sites that always go the same way on the worst paths of small sizes are forced that way at a larger one.

This is what WISE does: rules with no history at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from pessimal.search.history import History


class Wise(History):
    """Learns one direction for each site that has one; the options mean what they mean for ``history``."""

    name = "wise"

    def __init__(
        self,
        train: str | int | Sequence[int] | None = None,
        train_paths: int | None = None,
        save: str | None = None,
        load: str | Sequence[str] | None = None,
    ) -> None:
        super().__init__(train, train_paths, history=0, context=False, save=save, load=load)
