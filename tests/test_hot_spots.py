"""Hot spots: lines that a fix was the last to change, by today's line numbers."""

import subprocess

import pytest

from pessimal.errors import UsageError
from pessimal.hot_spots import mined


def commit(directory, message):
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", "-C", str(directory), "add", "-A"], check=True)
    subprocess.run(["git", "-C", str(directory), *who, "commit", "-qm", message], check=True)


def test_lines_that_fixes_changed_are_hot(tmp_path):
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    file = tmp_path / "a.py"
    file.write_text("one\ntwo\nthree\n")
    commit(tmp_path, "First")
    file.write_text("one\ntwo!\nthree\n")
    commit(tmp_path, "Fix the second line")
    file.write_text("zero\none\ntwo!\nthree\n")
    commit(tmp_path, "Add a prefix")
    assert mined(tmp_path).to_json() == {"a.py:3": 1}


def test_without_a_history_there_is_one_line(tmp_path):
    with pytest.raises(UsageError, match="has no history to mine"):
        mined(tmp_path)
