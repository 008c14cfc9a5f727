"""The start of every task: a sandbox around this process, and in it the front-end of the target."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pessimal.fatal_runs import FatalRun
from pessimal.frontend import FrontEnd, make_front_end
from pessimal.pool import Channel, sandbox
from pessimal.search_spec import SearchSpec


def open_front_end(
    spec: SearchSpec, channel: Channel, fatal: Sequence[FatalRun] = (), writable: Sequence[Path] = ()
) -> FrontEnd:
    """The front-end of the target, which ends runs that are known to be fatal before they are.

    From here on this process can write to the given files and directories only.
    """
    sandbox.confine(spec.allow_side_effects, writable)
    return make_front_end(spec, channel.recorder, fatal)
