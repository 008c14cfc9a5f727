"""The command ``pessimal``: it imports the rest late, so that Ctrl-C while Python does so ends without a traceback."""

from __future__ import annotations

import sys

_FIRST_TASKS = {
    "stress": "pessimal.worker.search:search",
    "explore": "pessimal.worker.search:search",
    "cover": "pessimal.covering.worker:cover",
    "check": "pessimal.proof.checker:work",
}
"""What the first worker of a command does."""


def main() -> None:
    """Run the command line."""
    try:
        _prepare()
        from pessimal import cli
    except KeyboardInterrupt:
        sys.stderr.write("pessimal: interrupted\n")
        sys.exit(130)
    cli.main()


def _prepare() -> None:
    """Let the server of workers start while this process imports the rest."""
    task = _FIRST_TASKS.get("".join(sys.argv[1:2]))
    if task is not None:
        from pessimal.pool import fork_server

        fork_server.prepare(task)


if __name__ == "__main__":
    main()
