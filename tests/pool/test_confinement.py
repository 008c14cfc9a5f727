"""Confinement by the operating system: compiled code tries to get out of a worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pessimal.pool import Finished, Pool, confinement, landlock, seccomp, syscalls

pytestmark = pytest.mark.skipif(len(confinement.layers()) < 2, reason="this system has not both layers")

OWN = 4711
ALLOWED, EPERM, ENOSYS = 0x7FFF0000, 0x00050001, 0x00050026


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool() as pool:
        yield pool


def value(pool: Pool, task: str, payload: Any) -> Any:
    (event,) = pool.wait([pool.submit(f"tests.pool.escapes:{task}", payload, fresh=True)])
    assert isinstance(event, Finished), event
    return event.value


@pytest.mark.parametrize("without", ["nothing", "landlock", "privileges"])
def test_there_is_no_way_out(pool: Pool, tmp_path: Path, without: str) -> None:
    (tmp_path / "old.txt").write_text("old")
    tmp_path.chmod(0o777)
    assert value(pool, "escape", (str(tmp_path), without, [])) == []
    assert [path.name for path in tmp_path.iterdir()] == ["old.txt"]
    assert (tmp_path / "old.txt").read_text() == "old"


def test_landlock_alone_protects_files_and_tcp(pool: Pool, tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_text("old")
    assert {"unlink", "rename", "open for writing", "mkdir", "exec", "system"}.isdisjoint(
        value(pool, "escape", (str(tmp_path), "seccomp", []))
    )
    assert [path.name for path in tmp_path.iterdir()] == ["old.txt"]


def test_only_the_writable_directory_is_writable(pool: Pool, tmp_path: Path) -> None:
    (tmp_path / "writable").mkdir()
    (tmp_path / "old.txt").write_text("old")
    assert value(pool, "escape", (str(tmp_path), "nothing", [str(tmp_path / "writable")])) == []
    assert value(pool, "work", str(tmp_path / "writable")) == ['"""', 4, "hello", None, ["renamed"]]


def test_a_worker_that_cannot_be_confined_runs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(writable: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(landlock, "restrict", fails)
    monkeypatch.setattr(confinement, "forbid_privileges", lambda: None)
    with pytest.raises(confinement.UsageError, match="--allow-side-effects"):
        confinement.confine()


@pytest.mark.parametrize("is_arm", [False, True])
@pytest.mark.parametrize(
    ("call", "arguments", "verdict"),
    [
        ("connect", (), EPERM),
        ("execve", (), EPERM),
        ("kill", (OWN, 9), ALLOWED),
        ("kill", (1, 9), EPERM),
        ("kill", (-1 & 0xFFFFFFFF, 9), EPERM),
        ("tgkill", (OWN, OWN + 1), ALLOWED),
        ("setpriority", (0, 1), EPERM),
        ("clone", (0x3D0F00,), ALLOWED),
        ("clone", (17,), EPERM),
        ("clone3", (), ENOSYS),
        ("socket", (1,), ALLOWED),
        ("socket", (16,), EPERM),
        ("sendto", (3, 0, 1, 0, 0), ALLOWED),
        ("sendto", (3, 0, 1, 0, 1 << 32), EPERM),
        ("ioctl", (0, 0x5401), ALLOWED),
        ("ioctl", (0, 0x5412), EPERM),
        ("openat", (0, 0, 0o2000000), ALLOWED),
        ("openat", (0, 0, 1), EPERM),
        ("unlinkat", (), EPERM),
    ],
)
def test_filter_of_both_architectures(is_arm: bool, call: str, arguments: tuple[int, ...], verdict: int) -> None:
    number = syscalls.numbers(is_arm)[call]
    assert _filtered(seccomp.program(OWN, True, is_arm), is_arm, number, arguments) == verdict


@pytest.mark.parametrize("is_arm", [False, True])
def test_filter_of_calls_that_it_does_not_know(is_arm: bool) -> None:
    program = seccomp.program(OWN, False, is_arm)
    assert _filtered(program, is_arm, syscalls.NEWEST) == ENOSYS
    assert _filtered(program, is_arm, 0x40000000 + 59) == EPERM
    assert _filtered(program, not is_arm, 0) == EPERM
    assert _filtered(program, is_arm, syscalls.numbers(is_arm)["unlinkat"]) == ALLOWED


def _filtered(program: list[Any], is_arm: bool, number: int, arguments: tuple[int, ...] = ()) -> int:
    """What the kernel's machine computes from a call."""
    data = {0: number, 4: 0xC00000B7 if is_arm else 0xC000003E}
    for position in range(6):
        argument = arguments[position] if position < len(arguments) else 0
        data |= {16 + 8 * position: argument & 0xFFFFFFFF, 20 + 8 * position: argument >> 32}
    loaded = at = 0
    while True:
        code, if_true, if_false, constant = program[at]
        at += 1
        if code == 0x06:
            return int(constant)
        if code == 0x20:
            loaded = data[constant]
        else:
            holds = {0x15: loaded == constant, 0x35: loaded >= constant, 0x45: bool(loaded & constant)}[code]
            at += if_true if holds else if_false
