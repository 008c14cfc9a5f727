"""``fixed``: the same decision at every visit of a site; one run, or two if both directions are the default."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from pessimal.errors import UsageError
from pessimal.runs import RunView
from pessimal.strategy import Session
from pessimal.trace import Site

_WORDS = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False, "input": None}


class Fixed:
    """Takes the same direction at every visit of a site, where that is feasible.

    The options are ``default`` and any number of ``FILE:LINE``, ``LINE`` or site identities, each true, false or input
    (the direction of the current input). A fixed policy has one path, so it needs one run; with ``both`` as the default
    it needs two, true before false.
    """

    name = "fixed"

    def __init__(self, default: str | bool = "true", **sites: str | bool) -> None:
        self._defaults_left = [True, False] if str(default).lower() == "both" else [_direction("default", default)]
        self._default = self._defaults_left[0]
        self._sites = {name: _direction(name, value) for name, value in sites.items()}
        self._by_site: dict[Site, bool | None] = {}

    def search(self, session: Session) -> None:
        """Run the path, or both."""
        deque(self.steps(session), 0)

    def steps(self, session: Session) -> Iterator[None]:
        """Search, and yield after each run."""
        while self._defaults_left:
            self._default = self._defaults_left[0]
            self._by_site.clear()
            session.run(self)
            self._defaults_left.pop(0)
            yield

    def state(self) -> dict[str, Any]:
        """What is left to run."""
        return {"defaults_left": self._defaults_left}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue an earlier search."""
        self._defaults_left = state["defaults_left"]

    def choose(self, run: RunView) -> int | None:
        """The direction given for the site; of more than two outcomes, true is the last and false the first."""
        site = run.site
        if site not in self._by_site:
            self._by_site[site] = self._look_up(site)
        direction = self._by_site[site]
        return None if direction is None else (run.arity - 1 if direction else 0)

    def pick(self, run: RunView) -> int | None:
        """Leave choices to the input."""
        return None

    def _look_up(self, site: Site) -> bool | None:
        for key in (*site.names, str(site.line)):
            if key in self._sites:
                return self._sites[key]
        return self._default


def _direction(name: str, value: str | bool) -> bool | None:
    try:
        return _WORDS[str(value).lower()]
    except KeyError:
        raise UsageError(
            f"the direction of {name} must be true, false or input (the default also both), but is {value!r}"
        ) from None
