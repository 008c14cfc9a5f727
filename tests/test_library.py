"""Functions of the standard library are explored as they are, and what is reported holds in a fresh interpreter."""

from __future__ import annotations

from typing import Any

import pytest

from bench import library
from bench.library import CASES, Case, explored
from tests.commands import PATIENCE

FEW_PATHS = 12
QUICK = {
    "calendar.isleap": {"True", "False"},
    "posixpath.basename": {"''"},
    "html.escape": {"'&lt;", "'&amp;"},
    "extension_of": {"''", "'."},
    "colour_of": {"'RED'", "'BLUE'"},
}
"""Functions, and beginnings of what they return on some of their first paths."""


def case(name: str) -> Case:
    return next(item for item in CASES if item.name == name)


@pytest.mark.parametrize("name", QUICK)
def test_what_is_reported_holds_in_a_fresh_interpreter(name: str) -> None:
    row = explored(case(name), paths=FEW_PATHS, budget=PATIENCE)
    assert row["differences"] == 0
    assert row["outcomes"] >= 2
    returned = [call.partition(" -> ")[2] for call in row["report"]["calls"]]
    assert all(any(text.startswith(wanted) for text in returned) for wanted in QUICK[name])


def test_the_functions_are_many_and_their_names_differ() -> None:
    assert len({item.name for item in CASES}) == len(CASES) >= 60


def test_a_witness_that_ends_otherwise_is_a_difference() -> None:
    class Claim:
        call, outcome, returned, exception = "isleap(4)", "returned", "False", None
        replayed, difference = True, None

    ending = library.natively("calendar:isleap", [{"year": 4}])[0]
    assert ending == ("returned", "True")
    assert "natively" in (library._difference(Claim, ending) or "")
    Claim.returned = "True"
    assert library._difference(Claim, ending) is None


def test_the_table_of_the_page_shows_the_rows() -> None:
    row: dict[str, Any] = {"function": "f", "inputs": "a: int|None", "paths": 3, "exhausted": True, "concrete": ""}
    lines = library.markdown([row]).splitlines()
    assert lines[-1] == "| `f` | `a: int\\|None` | 3 |  |  | yes |  |"
