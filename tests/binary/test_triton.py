"""Triton as an oracle: the same branches depend on the input, and they are taken alike."""

import pytest

pytest.importorskip("unicorn")

from pessimal.runs import Request
from tests.binary.building import library
from tests.binary.searching import SECONDS, front_end
from tests.binary.triton_runs import TritonFunction, is_installed

if not is_installed():
    pytest.skip("triton-library is not installed", allow_module_level=True)


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("sage", [b"\0\0\0\0", b"bad?", b"b??!"]),
        ("nested", [b"EMPL\x06abcdef\0", b"EMPL\0abcdef\0", bytes(12)]),
    ],
)
def test_the_same_branches(name, inputs):
    path = library(name, "-O0")
    front, oracle = front_end(f"{path}:parse", len(inputs[0])), TritonFunction(path, "parse")
    for data in inputs:
        trace = front.run(Request(start=list(data)), SECONDS)
        own = [(site.line, outcome) for site, outcome in zip(trace.sites, trace.decisions, strict=True)]
        assert [(offset, taken) for offset, taken in oracle.run(data)] == [(at, bool(taken)) for at, taken in own]


def test_its_search_finds_all_paths():
    found = set(TritonFunction(library("sage", "-O0"), "parse").search(bytes(4)))
    assert len(found) == 16
