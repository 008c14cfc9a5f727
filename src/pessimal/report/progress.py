"""Progress on stderr: one live line on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType

from rich.console import Console
from rich.status import Status

from pessimal.progress import Progress

PLAIN_EVERY = 5.0


class Display:
    """Shows what a search or a check says; silent when asked to be."""

    def __init__(self, quiet: bool) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._quiet = quiet
        self._live = None if quiet or not sys.stderr.isatty() else Status("starting", console=self._console)
        self._next = monotonic() + PLAIN_EVERY

    def __enter__(self) -> Display:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def update(self, news: Progress) -> None:
        """Show the latest figures of a search."""
        best = "none yet" if news.best is None else f"{news.best:g}"
        practice = f", {news.counters.practised} runs of practice" if news.counters.practised else ""
        self.show(f"size {news.size}: best {best}, {news.counters.paths} paths{practice}, {news.counters.seconds:.0f}s")

    def covered(self, executions: int, covered: int, total: int) -> None:
        """Show how much is covered."""
        self.show(f"{covered} of {total} branches, {executions} runs")

    def checked(self, done: int, total: int) -> None:
        """Show how far a check has come."""
        self.show(f"{done} of {total} paths checked")

    def show(self, line: str) -> None:
        """Show one line, in place of the one before."""
        if self._quiet:
            return
        if self._live is not None:
            self._live.update(line)
        elif monotonic() >= self._next:
            self._next = monotonic() + PLAIN_EVERY
            print(f"pessimal: {line}", file=sys.stderr, flush=True)

    def warn(self, text: str) -> None:
        """Show a warning, also when quiet."""
        print(f"pessimal: {text}", file=sys.stderr, flush=True)
