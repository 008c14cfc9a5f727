"""The command ``pessimal``: it imports the rest late, so that Ctrl-C while Python does so ends without a traceback."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line."""
    try:
        from pessimal import cli
    except KeyboardInterrupt:
        sys.stderr.write("pessimal: interrupted\n")
        sys.exit(130)
    cli.main()


if __name__ == "__main__":
    main()
