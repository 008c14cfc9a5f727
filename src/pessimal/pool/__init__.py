"""Worker processes for targets: a crash, a hang or too much memory is a finding and does not end the search.

:class:`Pool` hands tasks to worker processes and reports how they end; :class:`TaskRunner` runs tasks and listens to
them; :mod:`~pessimal.pool.sandbox` is what a task puts around the target inside the worker; :class:`Recorder`
survives the worker and names the run that killed it.
"""

from pessimal.pool.events import Died, Event, Failed, Finished, Handle, Message, Reason
from pessimal.pool.pool import Pool
from pessimal.pool.process import available_cores, in_worker
from pessimal.pool.recorder import DECISIONS, Record, Recorder
from pessimal.pool.task import Task
from pessimal.pool.task_runner import TaskRunner, WorkerDeath
from pessimal.pool.worker import Channel

__all__ = [
    "DECISIONS",
    "Channel",
    "Died",
    "Event",
    "Failed",
    "Finished",
    "Handle",
    "Message",
    "Pool",
    "Reason",
    "Record",
    "Recorder",
    "Task",
    "TaskRunner",
    "WorkerDeath",
    "available_cores",
    "in_worker",
]
