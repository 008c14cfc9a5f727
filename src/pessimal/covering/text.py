"""The result of ``cover`` as text for a terminal: how much is covered, what fails, what is left, what it took."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from pessimal.covering.result import CoverResult

SHOWN_UNREACHED, SHOWN_FAILURES, SHOWN_TESTS = 30, 10, 20


def cover(result: CoverResult) -> str:
    """The coverage, the failures, the tests and the branches that were not reached."""
    branches, lines = result.branches, result.lines
    shown = [
        f"{' '.join(result.targets)}  strategy {result.strategy}",
        f"  branches  {branches.covered} of {branches.total} ({branches.percent:.1f} %)",
        f"  lines     {lines.covered} of {lines.total} ({lines.percent:.1f} %)",
        f"  tests     {len(result.tests)}{_where(result)}",
        *_stand_ins(result),
        *_failures(result),
        *_tests(result),
        *_unreached(result),
        *([] if result.model is None else [f"  model     {result.model['text']}"]),
        f"  effort    {result.executions} runs, {result.symbolic_runs} symbolic, {result.solver['queries']:.0f} solver "
        f"queries, {result.solver['calls']:.0f} back-end calls ({result.solver['seconds']:.1f}s), "
        f"{result.seconds:.1f}s; {result.stopped}",
    ]
    return "\n".join(shown)


def _where(result: CoverResult) -> str:
    return "" if result.test_file is None else f" in {result.test_file['file']}"


def _stand_ins(result: CoverResult) -> Iterable[str]:
    if result.stand_ins:
        names = ", ".join(result.stand_ins)
        yield f"  stand-ins {names}: not defined, taken as 0; name the file or library that defines them in --cc-flags"


def _failures(result: CoverResult) -> Iterable[str]:
    for failure in result.failures[:SHOWN_FAILURES]:
        place = f" at {failure.site}" if failure.site else ""
        yield f"  FAILS     {failure.input}: {failure.text}{place}"
    if len(result.failures) > SHOWN_FAILURES:
        yield f"            and {len(result.failures) - SHOWN_FAILURES} more"


def _tests(result: CoverResult) -> Iterable[str]:
    if result.test_file is not None:
        return
    for test in result.tests[:SHOWN_TESTS]:
        yield f"    {test.input}  {test.outcome}"
    if len(result.tests) > SHOWN_TESTS:
        yield f"    and {len(result.tests) - SHOWN_TESTS} more; --json or --tests FILE has all"


def _unreached(result: CoverResult) -> Iterable[str]:
    """The branches that were not reached, grouped by their reason."""
    if not result.unreached:
        return
    yield f"  unreached {len(result.unreached)}"
    ordered = sorted(result.unreached, key=lambda item: item.reason)[:SHOWN_UNREACHED]
    for reason, items in groupby(ordered, key=lambda item: item.reason):
        yield f"    {reason}:"
        yield from (f"      {item.site}  {item.condition}  to {item.to}" for item in items)
    if len(result.unreached) > SHOWN_UNREACHED:
        yield f"    and {len(result.unreached) - SHOWN_UNREACHED} more"
