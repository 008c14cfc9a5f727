"""The start of every task: a sandbox around this process, and in it the front-end of the target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from time import monotonic

from pessimal.fatal_runs import FatalRun
from pessimal.frontend import FrontEnd, confines_itself, make_front_end, start_outside
from pessimal.pool import Channel, descriptors, sandbox
from pessimal.registry import FRONT_ENDS
from pessimal.search_spec import SearchSpec

IMPORT_SHARE = 0.75
"""How much of the time that is left an import may take: less than all of it, so that it can be said where it was."""


def preload_front_end() -> None:
    """Import and prepare the front-end of Python targets, which most tasks need, before workers are forked."""
    FRONT_ENDS.get("python").preload()


def open_front_end(
    spec: SearchSpec,
    channel: Channel,
    fatal: Sequence[FatalRun] = (),
    *,
    ends_at: float | None = None,
    writable: Sequence[Path] = (),
    rewriting_seconds: float = inf,
) -> FrontEnd:
    """The front-end of the target, which ends runs that are known to be fatal before they are.

    From here on this process can write to the given files and directories only. ``rewriting_seconds`` is how long the
    import of the copy for symbolic runs may take, where there is something else to do without it.
    """
    descriptors.discard(2)
    start_outside(spec)
    if confines_itself(spec):
        sandbox.enter(spec.allow_side_effects)
    else:
        sandbox.confine(spec.allow_side_effects, writable)
    left = inf if ends_at is None else ends_at - monotonic()
    most = max(0.05, left * IMPORT_SHARE)
    limits = replace(
        spec.limits,
        import_seconds=min(spec.limits.import_seconds, most),
        rewriting_seconds=min(spec.limits.rewriting_seconds, most, rewriting_seconds),
    )
    return make_front_end(replace(spec, limits=limits), channel.recorder, fatal)
