"""Defaults from pyproject.toml: the names of the options, nearest file first, one line for a mistake."""

import pytest

from pessimal.cli import _options
from pessimal.config import defaults
from pessimal.errors import UsageError


def read(tmp_path, text, below="."):
    (tmp_path / "pyproject.toml").write_text(text)
    folder = tmp_path / below
    folder.mkdir(parents=True, exist_ok=True)
    return defaults(_options(), folder)


def test_shared_and_own_tables_are_merged(tmp_path):
    found = read(tmp_path, '[tool.pessimal]\nseed = 5\nstop-after = "1s"\n[tool.pessimal.stress]\nsize = 7\nseed = 6\n')
    assert found["stress"] == {"seed": 6, "stop_after": "1s", "size": 7}
    assert found["explore"] == {"seed": 5, "stop_after": "1s"}


def test_options_have_the_names_of_the_command_line(tmp_path):
    found = read(tmp_path, '[tool.pessimal]\ninput = ["xs=list[int]:N"]\njson = true\nset = ["bias=0.3"]\n')
    assert found["stress"] == {"inputs": ["xs=list[int]:N"], "as_json": True, "options": ["bias=0.3"]}


def test_one_text_stands_for_a_list_of_one(tmp_path):
    found = read(tmp_path, '[tool.pessimal]\nrequire = "len(xs) > 0"\n')
    assert found["stress"] == {"require": ["len(xs) > 0"]}


def test_the_file_is_looked_for_upwards(tmp_path):
    assert read(tmp_path, "[tool.pessimal]\nseed = 5\n", below="a/b")["explore"] == {"seed": 5}


def test_other_projects_files_mean_nothing(tmp_path):
    assert read(tmp_path, "[tool.other]\nseed = 5\n") == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[tool.pessimal]\nsed = 5\n", "unknown option 'sed'"),
        ("[tool.pessimal.explore]\nsizes = '4,8'\n", "unknown option 'sizes'"),
        ("[tool.pessimal]\nstress = 5\n", "is not a table"),
        ("[tool.pessimal\n", "cannot be read"),
    ],
)
def test_a_mistake_is_one_line_with_the_file(tmp_path, text, words):
    with pytest.raises(UsageError, match=words) as caught:
        read(tmp_path, text)
    assert "pyproject.toml" in str(caught.value)
    assert "\n" not in str(caught.value)
