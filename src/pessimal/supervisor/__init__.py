"""The parent's side of a search: supervise the workers, replay what they found, explain what they could not see.

The target never runs in this process. :class:`Supervisor` conducts the search and replaces workers that die,
:class:`Replayer` turns findings into witnesses, :func:`explanation` reports what was made concrete.
"""

from pessimal.supervisor.explanation import explanation
from pessimal.supervisor.findings import SearchFindings
from pessimal.supervisor.replay import Replayer
from pessimal.supervisor.supervise import Supervisor
from pessimal.supervisor.time_plan import TimePlan

__all__ = ["Replayer", "SearchFindings", "Supervisor", "TimePlan", "explanation"]
