"""Runs with a directory of their own: what is written there is allowed and gone afterwards, all else is blocked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pessimal.pool import Finished, Pool, alarm, confinement
from pessimal.pool.alarm import PUT_OFF_SECONDS, Deadline
from pessimal.pool.scratch import scratch_under
from pessimal.pool.waiting import waited

BLOCKED = "SideEffectBlocked"


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    folder = tmp_path_factory.mktemp("scratch")
    victim = tmp_path_factory.mktemp("outside") / "victim"
    victim.write_text("untouched")
    with Pool() as pool:
        handle = pool.submit("tests.pool.scratching:tries", (str(folder), str(victim)))
        (event,) = pool.wait([handle])
    assert isinstance(event, Finished), event
    return event.value, victim


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("write", [3, True, True, True]),
        ("above", [BLOCKED, False, False, True]),
        ("outside", [BLOCKED, False, False, True]),
        ("link", [BLOCKED, True, True, True]),
        ("hard link", [BLOCKED, False, False, True]),
        ("tree", [None, True, True, True]),
        ("archive", [["f"], True, True, True]),
        ("rename", [None, True, True, True]),
        ("temporary", [None, True, True, True]),
        ("list", [[], True, False, True]),
        ("missing", ["FileNotFoundError", True, False, True]),
        ("read outside", ["untouched", False, False, True]),
        ("nothing", [3, False, False, True]),
        ("elsewhere", [None, False, False, True]),
        ("itself", [BLOCKED, False, False, True]),
    ],
)
def test_files_change_in_the_directory_alone(tried: Any, name: str, expected: list[Any]) -> None:
    found, victim = tried
    assert found[name] == expected
    assert victim.read_text() == "untouched"


def test_there_is_none_where_it_would_weaken_the_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert scratch_under(None, False) is None
    assert scratch_under(str(tmp_path), True) is None
    monkeypatch.setattr(confinement, "layers", lambda: ("seccomp",))
    assert scratch_under(str(tmp_path), False) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("taken", "kept_waiting", "is_put_off"),
    [
        (100.0, 90.0, False),
        (1000.0, 0.0, False),
        (1000.0, 10.0, False),
        (1000.0, 500.0, True),
        (1000.0 + PUT_OFF_SECONDS + 1, 900.0, False),
    ],
)
def test_time_without_a_core_is_not_the_target_s(
    monkeypatch: pytest.MonkeyPatch, taken: float, kept_waiting: float, is_put_off: bool
) -> None:
    now = {"monotonic": 0.0, "waited": 7.0}
    monkeypatch.setattr(alarm, "monotonic", lambda: now["monotonic"])
    monkeypatch.setattr(alarm, "waited", lambda: now["waited"])
    for patient in (True, False):
        now |= {"monotonic": 0.0, "waited": 7.0}
        with Deadline(1000.0, patient) as _:
            now |= {"monotonic": taken, "waited": 7.0 + kept_waiting}
            found = Deadline._armed.is_put_off() if Deadline._armed is not None else None
        assert found is (is_put_off and patient)


def test_waiting_for_a_core_never_decreases() -> None:
    assert 0.0 <= waited() <= waited()
