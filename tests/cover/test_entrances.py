"""Modules that are used through their package are reached by what the package offers."""

import importlib
import sys

import pytest

from pessimal.python.cover.entrances import entrances_of
from pessimal.python.cover.members import members_of

PACKAGE = {
    "__init__.py": "from .engine import *\nfrom math import floor\n__all__ = ['run', 'Engine', 'floor', 'gone']\n",
    "engine.py": """
from . import plugin

class Engine:
    def __init__(self, text: str = "") -> None:
        self.text = text

    def go(self) -> int:
        return plugin.work(self.text)

    def _hidden(self) -> None: ...

def run(text: str) -> int:
    return Engine(text).go()

def internal(text: str) -> int:
    return 0
""",
    "plugin.py": "def work(text: str) -> int:\n    return 1 if text == 'a' else 2\n",
}


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    folder = tmp_path / "offering_package"
    folder.mkdir()
    for name, source in PACKAGE.items():
        (folder / name).write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("offering_package.plugin")
    for name in [name for name in sys.modules if name.startswith("offering_package")]:
        del sys.modules[name]


def test_what_the_package_exports_leads_to_its_modules(plugin):
    found = {(item.operation, item.name.qualname, item.attribute) for item in entrances_of([plugin])}
    assert found == {("call", "run", ""), ("call", "Engine", ""), ("method", "Engine", "go")}
    assert all(item.is_entrance for item in entrances_of([plugin]))
    assert {item.name.module for item in entrances_of([plugin])} == {"offering_package.engine"}


def test_what_is_covered_itself_is_no_entrance(plugin):
    assert entrances_of([plugin, sys.modules["offering_package.engine"]]) == []


def test_a_module_outside_of_packages_has_none():
    import fractions

    assert entrances_of([fractions]) == []


def test_classes_whose_constructors_take_each_other_are_looked_at_once():
    import shelve

    found = {(item.operation, item.attribute) for item in members_of([shelve])}
    assert ("method", "sync") in found and ("call", "") in found


def test_where_a_package_exports_nothing_the_modules_that_import_one_are_the_way_in(tmp_path, monkeypatch):
    folder = tmp_path / "silent_package"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "inner.py").write_text("def work(text: str) -> int:\n    return 1\n")
    (folder / "user.py").write_text("from . import inner\ndef go(text: str) -> int:\n    return inner.work(text)\n")
    (folder / "other.py").write_text("def inner() -> int:\n    return 1\n")
    (folder / "broken.py").write_text("from .inner import work\n1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    inner = importlib.import_module("silent_package.inner")
    assert [item.name.qualname for item in entrances_of([inner])] == ["go"]
