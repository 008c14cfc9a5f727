"""``agent``: a trained network chooses how inputs are changed, so that outcomes are taken that no run has taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pessimal.learn.agent_file import load as read
from pessimal.learn.agent_file import shipped
from pessimal.search.descending import random_inputs
from pessimal.search.descents import Descents
from pessimal.search.members import AGENT
from pessimal.strategy import Session


class AgentSearch:
    """Takes outcomes by the agent of a file, or by the one that comes with the package; then inputs are random."""

    name = AGENT
    stop_after = 10.0

    def __init__(self, load: str | None = None) -> None:
        self._agent = shipped() if load is None else read(load, ("moves",))

    def search(self, session: Session) -> None:
        """Take outcomes until the session ends the search."""
        for _ in self.steps(session):
            pass

    def steps(self, session: Session) -> Iterator[None]:
        """Make one move of all walks at a time, and yield after each; inputs are random where no outcome is left."""
        yield from self.flipping().steps(session)
        if session.domains:
            yield from random_inputs(session)

    def flipping(self) -> Descents:
        """The strategy that takes the branches which are wanted."""
        return Descents(AGENT, agent=self._agent)

    def state(self) -> dict[str, Any]:
        """Nothing is kept: a search that is resumed starts anew."""
        return {}

    def restore(self, state: dict[str, Any]) -> None:
        """There is nothing to restore."""
