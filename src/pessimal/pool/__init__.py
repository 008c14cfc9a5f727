"""Targets run in processes of their own here: a crash, a hang or a memory hog is a finding, not the end.

:class:`Pool` hands tasks to worker processes and tells what became of them; :mod:`~pessimal.pool.sandbox` is
what a task puts around the target inside the worker; :class:`Recorder` survives the worker and tells which
run killed it.
"""

from pessimal.pool.events import Died, Event, Failed, Finished, Handle, Message, Reason
from pessimal.pool.pool import Pool
from pessimal.pool.process import in_worker
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
    "in_worker",
]
