"""Numbers for sites, in the order in which an environment meets them."""

from __future__ import annotations

MOST_SITES = 1 << 16


class SiteNumbers:
    """Counts sites from 1; the same site has the same number as long as the environment lasts."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def number(self, site: str) -> int:
        """The number of a site."""
        return min(self._known.setdefault(site, len(self._known) + 1), MOST_SITES)
