"""Coroutines and generators as targets: they run to their end, symbolically and natively alike."""

import pytest

import pessimal

TARGET = """
import asyncio


async def waits(x: int) -> int:
    await asyncio.sleep(1000)
    return 1 if x == 7777 else 0


async def gathers(x: int) -> int:
    async def plus(n):
        await asyncio.sleep(n)
        return x + n
    return 1 if sum(await asyncio.gather(plus(1), plus(2))) == 7777 + 6 - 6 + 2 else 0


async def hangs(x: int) -> int:
    await asyncio.Event().wait()


def yields(x: int):
    got = yield 1
    if x == 7777:
        yield got


async def streams(x: int):
    yield 1
    if x == 7777:
        yield 2
"""


@pytest.fixture
def target(tmp_path):
    path = tmp_path / "target.py"
    path.write_text(TARGET)
    return path


@pytest.mark.parametrize(
    ("name", "returned"),
    [
        ("waits", {"0", "1"}),
        ("gathers", {"0", "1"}),
        ("yields", {"[1]", "[1, None]"}),
        ("streams", {"[1]", "[1, 2]"}),
    ],
)
def test_a_target_runs_to_its_end(target, name, returned):
    result = pessimal.explore(f"{target}:{name}")
    assert {path.returned for path in result.paths} == returned
    assert result.exhausted


def test_a_coroutine_that_waits_for_ever_raises(target):
    (path,) = pessimal.explore(f"{target}:hangs").paths
    assert path.outcome == "raised"
    assert "never comes" in path.exception
