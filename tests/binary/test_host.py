"""How the host waits for a native run: waiting for a core is no time of the run, but does not go on for ever."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from pessimal.binary import host


def _wait(monkeypatch: pytest.MonkeyPatch, ends_after: int, waited: float) -> int | None:
    """How a run ends that may take 5 seconds; each look at the clock finds one more second gone."""
    seconds = iter(range(1000))
    looks = iter(range(1000))

    def wait4(pid: int, options: int) -> tuple[int, int, SimpleNamespace]:
        return int(next(looks) >= ends_after), 3, SimpleNamespace(ru_maxrss=1)

    monkeypatch.setattr(host.os, "wait4", wait4)
    monkeypatch.setattr(host.time, "monotonic", lambda: float(next(seconds)))
    monkeypatch.setattr(host.time, "sleep", lambda pause: None)
    monkeypatch.setattr(host, "waited", lambda pid: waited)
    return host.wait(1, 5.0)[0]


@pytest.mark.parametrize(
    ("ends_after", "waited", "status"), [(4, 0, 3), (9, 0, None), (9, 6, 3), (14, 100, 3), (40, 100, None)]
)
def test_time_without_a_core_is_not_counted(
    monkeypatch: pytest.MonkeyPatch, ends_after: int, waited: float, status: int | None
) -> None:
    assert _wait(monkeypatch, ends_after, waited) == status


def test_how_long_this_process_has_waited_is_known() -> None:
    assert host.waited(host.os.getpid()) >= 0
    assert host.waited(1 << 30) == 0
