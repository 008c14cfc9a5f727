"""Files are named by their path from the root of their project, alike on every machine."""

import json
import sysconfig
from pathlib import Path

import pytest

from pessimal.project import MARKERS, project_path
from pessimal.trace import Site


def file_at(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    return str(path)


@pytest.mark.parametrize("marker", MARKERS)
def test_a_project_is_marked_by_what_its_root_contains(tmp_path, marker):
    (tmp_path / marker).mkdir()
    assert project_path(file_at(tmp_path / "src" / "app" / "__init__.py")) == "src/app/__init__.py"


def test_the_nearest_marker_counts(tmp_path):
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "setup.py").touch()
    assert project_path(file_at(tmp_path / "tools" / "lint" / "main.py")) == "lint/main.py"


def test_without_a_project_a_file_is_named_from_its_outermost_package(tmp_path):
    for package in ("app", "app/parsing"):
        file_at(tmp_path / package / "__init__.py")
    assert project_path(file_at(tmp_path / "app" / "parsing" / "words.py")) == "app/parsing/words.py"
    assert project_path(file_at(tmp_path / "alone.py")) == "alone.py"


def test_the_standard_library_and_installed_packages_have_no_project():
    paths = sysconfig.get_paths()
    assert project_path(json.__file__) == "json/__init__.py"
    assert project_path(str(Path(paths["purelib"]) / "wheel" / "cli.py")) == "wheel/cli.py"


def test_packages_of_one_project_do_not_share_identities(tmp_path):
    (tmp_path / "pyproject.toml").touch()
    sites = [
        Site(file_at(tmp_path / package / "__init__.py"), "parse", 3, 4, "x > 0") for package in ("app", "app/parsing")
    ]
    assert [site.id for site in sites] == ["app/__init__.py:parse:x > 0", "app/parsing/__init__.py:parse:x > 0"]
    assert len({site.id for site in sites}) == 2
