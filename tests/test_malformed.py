"""Malformed commands and files end in one line and change nothing; ``make bench-malformed`` tries many more."""

import json
from contextlib import suppress
from pathlib import Path
from random import Random

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.malformed import Case, fault
from pessimal import cli
from pessimal.config import FLAGS, SEVERAL
from pessimal.json_values import parsed, sealed, unsealed
from tests import malformed

SORT = ["stress", "sort.py:sort", "--size", "3", "--cost", "branches", "--paths", "20"]
few = settings(max_examples=40, deadline=None)
randoms = st.integers(0, 2**32).map(Random)


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    folder = tmp_path_factory.mktemp("samples")
    (folder / "sort.py").write_text(malformed.TARGET)
    with malformed.working_in(folder), malformed.without_workers():
        for options in (["exhaustive", "--certificate", "proof"], ["history", "--set", "save=policy"]):
            assert malformed.run([*SORT, "--strategy", *options]).code == 0
        return {name: Path(name).read_bytes() for name in ("proof", "policy")}


@pytest.fixture(autouse=True)
def in_this_process():
    with malformed.without_workers():
        yield


@few
@given(randoms)
def test_command_lines(samples, rng):
    assert fault(Case(malformed.command_line(rng), {"proof": samples["proof"]}), of_its_own=False)[0] == ""


@few
@given(randoms)
def test_configurations(samples, rng):
    assert fault(Case(SORT, {"pyproject.toml": malformed.configuration(rng)}), of_its_own=False)[0] == ""


@few
@given(randoms)
def test_certificates(samples, rng):
    given = {"given": malformed.damaged_file(rng, samples["proof"])}
    assert (
        fault(
            Case(["check", "sort.py:sort", "given", "--size", "3", "--cost", "branches", "--json"], given, 3),
            of_its_own=False,
        )[0]
        == ""
    )


@few
@given(randoms)
def test_policies(samples, rng):
    given = {"given": malformed.damaged_file(rng, samples["policy"])}
    assert fault(Case([*SORT, "--strategy", "history", "--set", "load=given"], given), of_its_own=False)[0] == ""


@few
@given(randoms)
def test_a_sealed_object_that_is_damaged_is_noticed(rng):
    data = {"job": {"size": 3}, "paths": [[1, 2.5, None], "x"]}
    damaged = malformed.damaged_file(rng, sealed(data).encode())
    with suppress(ValueError):  # and nothing else
        read = parsed(damaged.decode())
        assert not isinstance(read, dict) or unsealed(read) == data


def test_a_certificate_does_not_replace_another_file(tmp_path):
    (tmp_path / "sort.py").write_text(malformed.TARGET)
    (tmp_path / "notes").write_text("precious\n")
    with malformed.working_in(tmp_path):
        ended = malformed.run([*SORT, "--strategy", "exhaustive", "--certificate", "notes"])
    assert ended.code == 2
    assert "is not a certificate: choose another file" in ended.err
    assert (tmp_path / "notes").read_text() == "precious\n"


@pytest.mark.parametrize(
    "line", ["quiet = 1", "seed = true", "memory = {}", "set = [1]", "budget = 1979-05-27", "x = 1"]
)
def test_options_of_another_type_are_refused(tmp_path, line):
    (tmp_path / "pyproject.toml").write_text(f"[tool.pessimal]\n{line}\n")
    with malformed.working_in(tmp_path):
        ended = malformed.run(SORT)
    assert (ended.code, ended.fault()) == (2, "")
    assert "[config]" in ended.err


def test_the_configuration_knows_which_options_are_flags_and_which_are_given_several_times():
    parameters = [parameter for command in cli.cli.commands.values() for parameter in command.params]
    options = [parameter for parameter in parameters if isinstance(parameter, click.Option)]
    assert {option.opts[0][2:].replace("-", "_") for option in options if option.is_flag} == FLAGS
    assert {option.opts[0][2:].replace("-", "_") for option in options if option.multiple} == SEVERAL


def test_numbers_that_json_does_not_have_are_refused():
    for text in ("NaN", "[-Infinity]", "1e999", "[" * 100_000):
        with pytest.raises(ValueError, match=r"JSON|deeply"):
            parsed(text)
    assert parsed("1e999", finite=False) == float("inf")
    assert json.loads(sealed({"a": 1}))["a"] == 1
