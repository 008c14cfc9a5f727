"""``wise``: sites that always take the same outcome on the worst paths of small sizes are forced to take it.

This is the method of WISE: rules without any history.
"""

from __future__ import annotations

from collections.abc import Sequence

from pessimal.search.history import History


class Wise(History):
    """Learns one outcome for each site that always takes the same; the options mean the same as for ``history``."""

    name = "wise"

    def __init__(
        self,
        train: str | int | Sequence[int] | None = None,
        train_paths: int | None = None,
        save: str | None = None,
        load: str | Sequence[str] | None = None,
    ) -> None:
        super().__init__(train, train_paths, history=0, context=False, save=save, load=load)
