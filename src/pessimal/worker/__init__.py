"""What worker processes do: search, recover the input of a run that killed its process, replay, measure coverage.

Each task is a dataclass in :mod:`~pessimal.worker.tasks` and a module here with the function that its worker calls.
Only these modules load a front-end, and so the target; the parent process imports the tasks alone.
"""
