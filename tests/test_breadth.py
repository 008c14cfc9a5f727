"""The subjects of the breadth bench have the outcomes that they claim, and the bench reads answers right."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from bench import breadth

PLAIN = {"int": 0, "str": "", "float": 0.0, "bool": False, "bytes": b"", "list[int]": [], "list[bool]": []}


def module(path: Path) -> ModuleType:
    name = ".".join(path.relative_to(breadth.ROOT).with_suffix("").parts)
    return importlib.import_module(name)


def cases() -> Iterator[Any]:
    for path in breadth.FILES:
        for name in breadth.names(path.read_text()):
            yield pytest.param(path, name, id=f"{path.stem}-{name}")


def loaded(path: Path, name: str) -> tuple[Callable[..., int], tuple[object, ...]]:
    if "numpy" in name:
        pytest.importorskip("numpy")
    found = module(path)
    return getattr(found, name), found.WITNESSES[name]


@pytest.mark.parametrize(("path", "name"), list(cases()))
def test_the_witness_gives_the_rare_outcome_and_a_plain_input_the_common_one(path: Path, name: str) -> None:
    function, witness = loaded(path, name)
    plain = [PLAIN[str(parameter.annotation)] for parameter in inspect.signature(function).parameters.values()]
    assert function(*witness) == 1
    assert function(*plain) == 0


@pytest.mark.parametrize("path", breadth.FILES, ids=lambda path: path.stem)
def test_every_witness_belongs_to_a_function_and_fits_the_lengths_that_are_explored(path: Path) -> None:
    found = module(path)
    for name, witness in found.WITNESSES.items():
        assert inspect.isfunction(getattr(found, name))
        assert all(len(value) <= 10 for value in witness if isinstance(value, str | bytes | list))


def test_the_subjects_are_many_and_their_names_differ() -> None:
    found = [subject.name for subject in breadth.subjects(breadth.FILES, ())]
    assert len(found) == len(set(found)) > 96 + 110


def test_names_come_from_the_witnesses_or_else_from_the_functions() -> None:
    functions = "def _hidden(x): ...\ndef a(x): ...\ndef b(x): ...\n"
    assert breadth.names(functions) == ["a", "b"]
    assert breadth.names(functions + "WITNESSES: dict = {'b': (float('nan'),)}\n") == ["b"]


def test_only_some_functions_can_be_chosen() -> None:
    assert [subject.name for subject in breadth.subjects(breadth.FILES, ["s_eq", "luhn_checksum"])] == [
        "s_eq",
        "luhn_checksum",
    ]


def test_the_answer_is_the_last_line_whatever_was_printed_before() -> None:
    assert breadth.read('noise\n{"both": true}\n\n') == {"both": True}
    assert breadth.read("") is None
    assert breadth.read("3") is None


def test_a_process_that_fails_or_hangs_reaches_nothing() -> None:
    failed = breadth.answer([sys.executable, "-c", "raise ValueError('no')"])
    assert failed == {"both": False, "stopped": "ValueError: no"}
    hung = breadth.answer([sys.executable, "-c", "import time; time.sleep(60)"], seconds=0.2)
    assert hung["both"] is False
    assert hung["stopped"] == "killed"


def test_totals_count_per_file_and_over_all() -> None:
    rows = [
        {"file": "a", "both": True, "seconds": 1.0, "crosshair_both": False},
        {"file": "b", "both": False, "seconds": None, "crosshair_both": True},
        {"file": "b", "both": True, "seconds": 0.5, "crosshair_both": True},
    ]
    assert breadth.totals(rows) == [
        {"file": "a", "function": "total of 1", "both": 1, "seconds": 1.0, "crosshair_both": 0},
        {"file": "b", "function": "total of 2", "both": 1, "seconds": 0.5, "crosshair_both": 2},
        {"file": "all", "function": "total of 3", "both": 2, "seconds": 1.5, "crosshair_both": 2},
    ]


def test_our_side_ends_as_soon_as_both_outcomes_are_reached() -> None:
    found = breadth.explore(breadth.Subject(breadth.SUBJECTS / "basics.py", "i_chain"), "exhaustive")
    assert found["both"]
    assert found["stopped"] in ("both outcomes", "exhausted")
