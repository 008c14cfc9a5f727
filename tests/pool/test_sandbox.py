"""The sandbox around a target: side effects, output, deadlines and leftovers, tried in a worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pessimal.pool import Failed, Finished, Pool, sandbox

FAULTS = "tests.pool.faults:"


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool() as pool:
        yield pool


def value(pool: Pool, task: str, payload: Any = None, **options: Any) -> Any:
    (event,) = pool.wait([pool.submit(FAULTS + task, payload, **options)])
    assert isinstance(event, Finished), event
    return event.value


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "old.txt").write_text("old")
    return tmp_path


def test_side_effects_are_blocked_and_named(pool: Pool, folder: Path) -> None:
    errors, blocked = value(pool, "side_effects", (str(folder), False))
    assert [path.name for path in folder.iterdir()] == ["old.txt"]
    assert (folder / "old.txt").read_text() == "old"
    assert [what.partition("(")[0] for what in blocked] == [
        *("open", "open", "open", "os.mkdir", "os.chmod", "os.truncate", "os.symlink", "subprocess.Popen"),
        *("os.fork", "os.system", "os.kill", "socket.bind", "os.rename", "os.remove"),
    ]
    new = str(folder / "new.txt")
    assert errors[0] == f"open({_shown(new)}, 'w') was blocked: give --allow-side-effects to allow it"
    assert all(error.startswith(what) for error, what in zip(errors, blocked, strict=True))


def _shown(path: str) -> str:
    return repr(path) if len(repr(path)) <= 80 else repr(path)[:77] + "..."


def test_side_effects_happen_where_they_are_allowed(pool: Pool, folder: Path) -> None:
    assert value(pool, "side_effects", (str(folder), True)) == [[], []]
    assert {path.name for path in folder.iterdir()} == {"new.txt", "raw.txt", "made", "link"}
    assert (folder / "new.txt").read_text() == "new"


def test_permission_can_be_withdrawn_in_the_same_worker(pool: Pool, folder: Path) -> None:
    value(pool, "side_effects", (str(folder), True))
    (folder / "new.txt").unlink()
    (folder / "old.txt").write_text("old")
    errors, _ = value(pool, "side_effects", (str(folder), False))
    assert len(errors) == 14
    assert not (folder / "new.txt").exists()


def test_harmless_things_pass(pool: Pool, folder: Path) -> None:
    assert value(pool, "harmless", str(folder / "old.txt")) == ["old", 4, None, [7], "", []]


def test_guard_is_off_outside_of_the_block(pool: Pool, folder: Path) -> None:
    assert value(pool, "writes_outside_guard", str(folder / "report.txt")) == 6
    assert (folder / "report.txt").read_text() == "report"


def test_import_by_the_target_writes_no_bytecode(pool: Pool, tmp_path: Path) -> None:
    (tmp_path / "imported_by_target.py").write_text("WORD = 'found'\n")
    assert value(pool, "imports_without_trace", str(tmp_path), fresh=True) == "found"
    assert [path.name for path in tmp_path.iterdir()] == ["imported_by_target.py"]


def test_blocked_side_effect_is_a_permission_error() -> None:
    assert issubclass(sandbox.SideEffectBlocked, PermissionError)


@pytest.mark.parametrize("target", ["loop", "regular expression", "sleep"])
def test_deadline_interrupts_again_a_target_that_swallows_it(pool: Pool, target: str) -> None:
    assert value(pool, "interrupted", target, deadline=60) == [3, "DeadlineExceeded"]


def test_deadline_leaves_no_late_alarm(pool: Pool) -> None:
    assert value(pool, "disarmed", 3000, deadline=60) == [0.0, 0.0]


def test_deadline_leaves_no_half_written_decision(pool: Pool) -> None:
    assert value(pool, "interrupted_decisions", 400, deadline=250) == [0]


def test_an_alarm_inside_a_deadline_goes_off_sooner_and_never_later(pool: Pool) -> None:
    assert value(pool, "sooner", deadline=60) == [False, True, True, [0.0, 0.0]]


def test_a_deadline_can_be_paused(pool: Pool) -> None:
    assert value(pool, "paused", deadline=60) == ["paused", "(0.0, 0.0)"]


def test_deadlines_do_not_nest(pool: Pool) -> None:
    (event,) = pool.wait([pool.submit(FAULTS + "nested_deadlines", None)])
    assert isinstance(event, Failed)
    assert "RuntimeError: deadlines cannot be nested" in str(event.error)
    assert value(pool, "interrupted", "loop", deadline=60) == [3, "DeadlineExceeded"]


def test_leftover_threads_are_named(pool: Pool) -> None:
    assert value(pool, "leaves_threads", fresh=True) == ["daemon", "steady"]
