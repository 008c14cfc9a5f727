"""The run directory: what is kept, what is refused, and what happens when it cannot be written."""

import json
import shutil

import pytest

from pessimal.errors import UsageError
from pessimal.store import Store

IDENTITY = {"target": "a:f", "size": 3, "seed": 0}
STATE = {"snapshot": {"counters": {}, "best": None, "strategy": None}, "paths": [], "failures": [], "fatal": []}


@pytest.fixture
def warnings():
    return []


@pytest.fixture
def store(tmp_path, warnings):
    return Store(tmp_path / "run", warnings.append)


def test_what_is_saved_is_resumed(store, tmp_path, warnings):
    store.save_state(IDENTITY, STATE)
    assert Store(tmp_path / "run", warnings.append).resume(IDENTITY) == {"job": IDENTITY, **STATE}
    assert warnings == []


def test_there_is_nothing_to_resume_in_a_new_directory(store):
    assert store.resume(IDENTITY) is None


def test_a_finished_search_leaves_its_result_only(store, tmp_path):
    store.save_state(IDENTITY, STATE)
    store.save_result({"cost": 3}, finished=True)
    assert store.resume(IDENTITY) is None
    assert [file.name for file in (tmp_path / "run").iterdir()] == ["result.json"]
    assert json.loads((tmp_path / "run/result.json").read_text()) == {"cost": 3}


def test_a_result_that_cannot_be_written_leaves_the_state(store, tmp_path):
    store.save_state(IDENTITY, STATE)
    (tmp_path / "run/result.new").symlink_to("/dev/full")
    store.save_result({"cost": 3}, finished=True)
    assert store.resume(IDENTITY) == {"job": IDENTITY, **STATE}


def test_the_best_is_kept_beside_the_state(store):
    assert store.resume_best(IDENTITY) is None
    store.save_best(IDENTITY, {"cost": 3})
    assert store.resume_best(IDENTITY) == {"cost": 3}
    with pytest.raises(UsageError, match="another size"):
        store.resume_best({**IDENTITY, "size": 4})
    store.save_result({}, finished=True)
    assert store.resume_best(IDENTITY) is None


def test_a_part_that_cannot_be_created_is_told_and_costs_nothing(store, tmp_path, warnings):
    (tmp_path / "run/size-3").touch()
    store.part("size-3").save_result({}, finished=True)
    assert len(warnings) == 1
    assert "the search continues without it" in warnings[0]


def test_an_unfinished_search_keeps_its_state_beside_the_result(store):
    store.save_state(IDENTITY, STATE)
    store.save_result({"cost": 3}, finished=False)
    assert store.resume(IDENTITY) == {"job": IDENTITY, **STATE}


@pytest.mark.parametrize(
    ("change", "named"),
    [({"size": 4}, "another size:"), ({"seed": 1, "target": "b:g"}, "another seed, target:"), ({"new": 1}, "new")],
)
def test_the_state_of_another_search_is_refused(store, change, named):
    store.save_state(IDENTITY, STATE)
    with pytest.raises(UsageError, match=named):
        store.resume({**IDENTITY, **change})


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"null", b"\xff", b'{"job": 3}'])
def test_a_state_that_cannot_be_read_is_refused(store, tmp_path, content):
    (tmp_path / "run/state.json").write_bytes(content)
    with pytest.raises(UsageError, match="remove"):
        store.resume(IDENTITY)


def test_what_a_crash_left_half_written_does_not_matter(store, tmp_path):
    store.save_state(IDENTITY, STATE)
    (tmp_path / "run/state.new").write_text('{"job"')
    assert store.resume(IDENTITY) == {"job": IDENTITY, **STATE}
    store.save_state(IDENTITY, {**STATE, "paths": [1]})
    assert store.resume(IDENTITY)["paths"] == [1]
    assert not (tmp_path / "run/state.new").exists()


def test_a_full_disk_is_told_once_and_leaves_the_old_state(store, tmp_path, warnings):
    store.save_state(IDENTITY, STATE)
    for _ in range(2):
        (tmp_path / "run/state.new").symlink_to("/dev/full")
        store.save_state(IDENTITY, {**STATE, "paths": ["x" * 100_000]})
    assert len(warnings) == 1
    assert "No space left on device" in warnings[0]
    assert store.resume(IDENTITY) == {"job": IDENTITY, **STATE}


def test_writing_is_tried_again_after_a_failure(store, tmp_path):
    (tmp_path / "run/state.new").symlink_to("/dev/full")
    store.save_state(IDENTITY, STATE)
    assert store.resume(IDENTITY) is None
    store.save_state(IDENTITY, STATE)
    assert store.resume(IDENTITY) == {"job": IDENTITY, **STATE}


def test_a_directory_that_disappears_is_told_once(store, tmp_path, warnings):
    shutil.rmtree(tmp_path / "run")
    store.save_state(IDENTITY, STATE)
    store.save_result({}, finished=True)
    assert len(warnings) == 1


def test_without_a_directory_nothing_is_kept_and_everything_works(tmp_path, monkeypatch, warnings):
    monkeypatch.chdir(tmp_path)
    store = Store(None, warnings.append)
    store.save_state(IDENTITY, STATE)
    store.part("size-3").save_result({}, finished=True)
    assert store.resume(IDENTITY) is None
    assert list(tmp_path.iterdir()) == []
    assert warnings == []


def test_parts_do_not_know_of_each_other(store, tmp_path):
    store.part("size-3").save_state(IDENTITY, STATE)
    assert store.part("size-4").resume({**IDENTITY, "size": 4}) is None
    assert store.resume(IDENTITY) is None
    assert (tmp_path / "run/size-3/state.json").exists()


def test_a_file_in_the_way_is_refused(tmp_path, warnings):
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot be created"):
        Store(tmp_path / "file", warnings.append)
