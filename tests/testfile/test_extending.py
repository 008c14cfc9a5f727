"""A second run adds to a test file: what a person wrote stays as it is, and nothing is written twice."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pessimal.errors import UsageError
from pessimal.testfile import Case, OpenBranch, Plan, Written, files, observe, written
from tests.testfile.making import call, case

SHORT = case(call("textwrap:shorten", "hello world", 5), reaches="a")
LONG = case(call("textwrap:shorten", "hello world", 20), reaches="b")
CAPITALS = case(call("string:capwords", "a b"), reaches="d")
WRAPPED = case(call("textwrap:wrap", "a b", 1), reaches="c")
EDITED = '''\
"""My own tests."""
import textwrap as tw
from textwrap import shorten


def test_shorten():  # I like it
    result = shorten("hello world", 5)
    assert result   ==   "[...]"
    assert len(result) == 5


def test_mine():
    assert tw.wrap("a b", 1) == ["a", "b"]
'''


def extended(before: str | None, *cases: Case, open_branches: tuple[OpenBranch, ...] = ()) -> Written:
    plan = Plan(Path("test_things.py"), [], "things", "pessimal cover things", open_branches=open_branches)
    return written([(item, observe(item.scenario)) for item in cases], plan, before)


def test_nothing_is_written_twice() -> None:
    once = extended(None, SHORT, LONG, WRAPPED)
    again = extended(once.text, SHORT, LONG, WRAPPED)
    assert (again.text, again.nodes, again.known) == (once.text, {}, 3)


def test_tests_of_a_person_are_recognised_by_the_calls_that_they_make() -> None:
    assert extended(EDITED, SHORT, WRAPPED).text == EDITED


def test_new_tests_come_last_under_new_names_and_all_else_stays() -> None:
    file = extended(EDITED, SHORT, LONG, CAPITALS)
    head, tail = EDITED.split("from textwrap import shorten\n")
    assert file.text == (
        f"{head}from textwrap import shorten\nfrom string import capwords\n{tail}"
        '\n\ndef test_shorten_b():\n    assert shorten("hello world", 20) == "hello world"\n'
        '\n\ndef test_capwords():\n    assert capwords("a b") == "A B"\n'
    )
    assert file.nodes == {"test_shorten_b": 1, "test_capwords": 2}


def test_names_that_a_person_defined_are_left_alone() -> None:
    before = "def shorten():\n    return 1\n"
    text = extended(before, SHORT).text
    assert text.endswith(f'{before}\n\ndef test_shorten():\n    assert textwrap.shorten("hello world", 5) == "[...]"\n')
    assert text.startswith("import textwrap\n\n")


def test_the_list_of_open_branches_is_replaced_and_other_comments_are_not() -> None:
    first, second = (OpenBranch("a.py", line, "if x", "not reached in time") for line in (1, 2))
    once = extended(None, SHORT, open_branches=(first, second)).text
    again = extended(once, LONG, open_branches=(second,)).text
    assert "a.py:1" not in again
    assert again.endswith("# Branches that no test here reaches:\n#   not reached in time:\n#     a.py:2 if x\n")
    assert again.count("# Branches") == 1
    mine = once + "# and mine\n"
    assert extended(mine, LONG, open_branches=(second,)).text.startswith(mine.partition("from")[0])
    assert "# and mine\n" in extended(mine, LONG).text


def test_line_ends_and_a_missing_last_one_are_kept() -> None:
    before = EDITED.replace("\n", "\r\n").removesuffix("\r\n")
    text = extended(before, CAPITALS).text
    assert text.replace("\r\n", "").count("\n") == 0
    assert text.startswith(before[:60])
    assert text.endswith('assert capwords("a b") == "A B"\r\n')


@pytest.mark.parametrize("content", ["def (:\n", "x = '\x00'\n", "\x80"])
def test_a_file_that_is_not_python_is_an_error_and_stays(tmp_path: Path, content: str) -> None:
    path = tmp_path / "test_x.py"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(UsageError, match=r"test_x.py is not a Python file: .*: correct it") as raised:
        files.read(path)
    assert "\n" not in str(raised.value)
    assert raised.value.slug == "tests"
    assert path.read_bytes() == content.encode("latin-1")


def test_places_where_nothing_can_be_written_are_errors(tmp_path: Path) -> None:
    (tmp_path / "directory.py").mkdir()
    with pytest.raises(UsageError, match="is a directory"):
        files.read(tmp_path / "directory.py")
    with pytest.raises(UsageError, match="there is no directory"):
        files.read(tmp_path / "no" / "test_x.py")
    with pytest.raises(UsageError, match=r"ends in \.py"):
        files.read(tmp_path / "test_x.txt")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "test_x.py"
    path.write_text("")
    path.chmod(0o444)
    with pytest.raises(UsageError, match="permission denied"):
        files.read(path)


def test_a_file_is_replaced_in_one_step_unless_it_was_changed_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "test_x.py"
    assert files.read(path) is None
    files.write(path, "x = 1\n", None)
    path.chmod(0o640)
    files.write(path, "x = 'é'\n", "x = 1\n")
    assert (path.read_text(encoding="utf-8"), path.stat().st_mode & 0o777) == ("x = 'é'\n", 0o640)
    with pytest.raises(UsageError, match="was changed meanwhile"):
        files.write(path, "y = 1\n", "x = 1\n")
    assert sorted(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("pyproject.toml", "[tool.ruff]\nline-length = 120\n", 120),
        ("pyproject.toml", "[tool.black]\nline-length = 79\n", 79),
        ("pyproject.toml", "[project]\n", 88),
        ("ruff.toml", "line-length = 100\n", 100),
        ("ruff.toml", "line-length = ", 88),
    ],
)
def test_lines_are_as_long_as_the_project_has_them(tmp_path: Path, name: str, content: str, expected: int) -> None:
    (tmp_path / name).write_text(content)
    (tmp_path / "tests").mkdir()
    assert files.line_length(tmp_path / "tests" / "test_x.py") == expected
