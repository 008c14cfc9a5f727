"""``fixed``: one decision per site, the same at every visit; one run, or two if both directions are wanted."""

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
    """Takes the same direction at every visit of a site, as far as it is feasible.

    Options are ``default`` and any number of ``FILE:LINE``, ``LINE`` or site identities, each true, false or input
    (whatever the current input does). It needs one run: a fixed policy has one path. With ``both`` as the default it
    needs two, true before false.
    """

    name = "fixed"

    def __init__(self, default: str | bool = "true", **sites: str | bool) -> None:
        self._waiting = [True, False] if str(default).lower() == "both" else [_direction("default", default)]
        self._default = self._waiting[0]
        self._sites = {name: _direction(name, value) for name, value in sites.items()}
        self._memo: dict[Site, bool | None] = {}

    def search(self, session: Session) -> None:
        """Run the one path, or both."""
        deque(self.steps(session), 0)

    def steps(self, session: Session) -> Iterator[None]:
        """The same, one run at a time."""
        while self._waiting:
            self._default = self._waiting[0]
            self._memo.clear()
            session.run(self)
            self._waiting.pop(0)
            yield

    def state(self) -> dict[str, Any]:
        """What is still to be run."""
        return {"waiting": self._waiting}

    def restore(self, state: dict[str, Any]) -> None:
        """Run what an earlier search left."""
        self._waiting = state["waiting"]

    def choose(self, run: RunView) -> int | None:
        """The decision of the site; of more than two outcomes true is the last and false the first."""
        site = run.site
        if site not in self._memo:
            self._memo[site] = self._look_up(site)
        wanted = self._memo[site]
        return None if wanted is None else (run.arity - 1 if wanted else 0)

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
