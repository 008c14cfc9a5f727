"""Descents to the outcomes that a session wants, by algorithms and by the agent: what ``cover`` flips branches by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pessimal.learn.agent_file import Agent
from pessimal.search.goals.landscape import sample
from pessimal.search.goals.session_goals import SessionGoals
from pessimal.search.members import Members
from pessimal.strategy import Session

FIRST_DESCENT, SAMPLES = 200, 10
"""How many inputs a descent may run at first without coming nearer, since each takes a while here, and how many random
ones are run where the first shows no goal."""


class Descents:
    """Takes the outcomes that are wanted, each from the input that is nearest to it, until there are none left."""

    stop_after = 10.0

    def __init__(self, *names: str, agent: Agent | None = None) -> None:
        self.name = names[0]
        self._names = names
        self._agent = agent

    def sibling(self) -> Descents:
        """The same for another session."""
        return Descents(*self._names, agent=self._agent)

    def search(self, session: Session) -> None:
        """Descend until nothing is left, or the session ends the search."""
        for _ in self.steps(session):
            pass

    def steps(self, session: Session) -> Iterator[None]:
        """Descend to one goal after the other, and yield after each descent."""
        goals = SessionGoals(session)
        goals.run(list(session.initial))
        yield
        for _ in range(SAMPLES if session.domains else 0):
            if goals.missing:
                break
            goals.run(sample(goals))
            yield
        if not session.domains or not goals.missing:
            return
        for _ in Members(goals, self._names, self._agent, FIRST_DESCENT).steps():
            yield
            if not goals.missing:
                return

    def state(self) -> dict[str, Any]:
        """Nothing is kept: a search that is resumed starts anew."""
        return {}

    def restore(self, state: dict[str, Any]) -> None:
        """There is nothing to restore."""
