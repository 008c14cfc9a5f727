"""Lifted instructions leave what the processor leaves."""

import pytest

pytest.importorskip("unicorn")

from tests.binary.instructions import compare_all


def test_random_instructions(tmp_path):
    found = compare_all(600, 3, 11, tmp_path)
    assert found.differences == []
    assert found.counts["compared"] > 1700
    assert found.counts["not lifted"] == 0


def test_the_tracer_in_python_finds_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr("pessimal.binary.tracers.compiled_tracer", lambda: None)
    found = compare_all(60, 2, 12, tmp_path)
    assert found.differences == []
    assert found.counts["compared"] > 110
