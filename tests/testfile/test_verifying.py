"""Tests are run before they are written: what fails, flaps, hangs or kills its process is dropped and named."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path
from time import monotonic

import pytest

from pessimal.importing import import_file
from pessimal.testfile import Case, Module, Plan, Verified, files, observe, observed, verified, verify, written
from pessimal.testfile.observation import Observation
from pessimal.testfile.observing import NO_TIME, UNSTABLE
from tests.cover import hostile
from tests.testfile import zoo
from tests.testfile.making import call, case, method

PATIENCE = 240.0
ZOO = Module(zoo.__name__, zoo.__file__)


def zoo_case(name: str, *arguments: object) -> Case:
    return case(call(f"{zoo.__name__}:{name}", *arguments))


def checked(found: list[tuple[Case, Observation]], path: Path, before: str | None = None) -> Verified:
    return verified(found, Plan(path, [ZOO], "zoo", "c"), before, ends_at=monotonic() + PATIENCE)


def test_what_flaps_or_kills_its_process_is_dropped_and_named(tmp_path: Path) -> None:
    cases = [
        zoo_case("echo", 1),
        zoo_case("by_time"),
        zoo_case("by_hash", "x"),
        zoo_case("say", "hello"),
        case(call("os:abort")),
        zoo_case("fail", 1),
    ]
    seen = observe(cases[0].scenario)
    found = [(item, seen if number == 4 else observe(item.scenario)) for number, item in enumerate(cases)]
    result = checked(found, tmp_path / "test_zoo.py")
    assert {(item.number, item.name) for item in result.dropped} == {
        (1, "test_by_time"),
        (2, "test_by_hash"),
        (4, "test_abort"),
    }
    reasons = {item.name: item.reason for item in result.dropped}
    assert reasons["test_abort"] == "it killed its process (SIGABRT)"
    assert "assert" in reasons["test_by_hash"]
    assert list(result.written.nodes) == ["test_echo", "test_say", "test_fail_raises"]
    assert "by_" not in result.written.text


def test_a_test_that_closes_standard_output_is_dropped_and_the_others_stay(tmp_path: Path) -> None:
    closing = case(call(f"{hostile.__name__}:close_output", "bye"))
    cases = [zoo_case("echo", 1), closing, zoo_case("echo", 2)]
    modules = [ZOO, Module(hostile.__name__, hostile.__file__)]
    found = [(item, observe(item.scenario)) for item in cases]
    result = verified(found, Plan(tmp_path / "test_it.py", modules, "it", "c"), ends_at=monotonic() + PATIENCE)
    assert [(item.number, item.reason) for item in result.dropped] == [(1, "AssertionError: it closes standard output")]
    assert sorted(result.written.nodes) == ["test_echo[1]", "test_echo[2]"]


def test_a_row_that_fails_is_dropped_and_the_others_stay(tmp_path: Path) -> None:
    cases = [zoo_case("echo", number) for number in (1, 2, 3)]
    found = [(item, observe(cases[0 if number == 2 else number].scenario)) for number, item in enumerate(cases)]
    result = checked(found, tmp_path / "test_zoo.py")
    assert [str(item) for item in result.dropped] == ["test_echo[3]: assert 3 == 1"]
    assert sorted(result.written.nodes) == ["test_echo[1]", "test_echo[2]"]


def test_old_tests_are_not_run_and_not_dropped(tmp_path: Path) -> None:
    before = "def test_wrong():\n    assert False\n"
    result = checked([(zoo_case("echo", 1), observe(zoo_case("echo", 1).scenario))], tmp_path / "test_zoo.py", before)
    assert not result.dropped
    assert before in result.written.text


def test_what_there_is_no_time_to_run_is_not_written(tmp_path: Path) -> None:
    found = [(zoo_case("echo", 1), observe(zoo_case("echo", 1).scenario))]
    plan = Plan(tmp_path / "test_zoo.py", [ZOO], "zoo", "c")
    result = verified(found, plan, ends_at=monotonic() - 1)
    assert [(item.number, item.reason) for item in result.dropped] == [(0, verify.NO_TIME)]
    assert not result.written.nodes
    assert "def test" not in result.written.text


def test_without_pytest_the_tests_are_written_and_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "find_spec", lambda name: None)
    result = checked([(zoo_case("echo", 1), observe(zoo_case("echo", 1).scenario))], tmp_path / "test_zoo.py")
    assert result.notes == [verify.NO_PYTEST]
    assert list(result.written.nodes) == ["test_echo"]


def test_only_what_two_processes_agree_on_is_observed() -> None:
    cases = [
        zoo_case("echo", {"a", "b", "c", "d"}),
        zoo_case("by_hash", "x"),
        zoo_case("by_chance", 1),
        case(call("os:abort")),
        zoo_case("later", 3),
        case(call(f"{zoo.__name__}:fail", 3), call(f"{zoo.__name__}:echo", 1)),
        zoo_case("fail_by_hash", "b"),
        case(call(f"{zoo.__name__}:by_chance", 1), method(0, "__ge__", 0)),
    ]
    found = observed(cases, [ZOO], ends_at=monotonic() + PATIENCE)
    asserted = [None if isinstance(item, str) else [check.relation for check in item.checks] for item in found]
    assert asserted == [["=="], ["isinstance"], ["isinstance"], None, ["=="], None, None, ["isinstance"]]
    assert found[3].startswith("it ")
    assert found[5] == "a step before the last one raises SystemExit"
    assert found[6] == UNSTABLE


def test_tests_have_the_arguments_that_were_observed(tmp_path: Path) -> None:
    cases = [zoo_case("arguments", 0), zoo_case("arguments", 1), zoo_case("echo", 1)]
    seen = observed(cases, [ZOO], ends_at=monotonic() + PATIENCE)
    result = checked(list(zip(cases, seen, strict=True)), tmp_path / "test_zoo.py")
    assert len(result.written.nodes) == 3
    assert result.written.text.count('    monkeypatch.setattr("sys.argv", ["program"])\n') == 1
    assert "def test_arguments(start, expected, monkeypatch):" in result.written.text
    assert "def test_echo():" in result.written.text


def test_what_there_is_no_time_to_observe_is_no_test() -> None:
    assert observed([zoo_case("echo", 1)], [ZOO], ends_at=monotonic() - 1) == [NO_TIME]


@pytest.mark.parametrize("name", ["plain.py", "src/plain.py", "calendar.py", "with-dash.py"])
def test_the_module_of_a_file_is_found_by_its_test_from_anywhere(tmp_path: Path, name: str) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]\n")
    subject = tmp_path / name
    subject.parent.mkdir(exist_ok=True)
    subject.write_text(
        textwrap.dedent("""\
            from dataclasses import dataclass

            @dataclass
            class Point:
                x: int

            def point(x):
                if x < 0:
                    raise ValueError("x must not be negative")
                return Point(x)
            """)
    )
    module = import_file(str(subject))
    try:
        cases = [case(call(f"{module.__name__}:point", number)) for number in (1, -1)]
        found = [(item, observe(item.scenario, [str(subject)])) for item in cases]
        path = tmp_path / "test_it.py"
        plan = Plan(path, [Module(module.__name__, str(subject))], name, "c")
        text = written(found, plan).text
        if "/" in name:
            result = verified(found, plan, ends_at=monotonic() + PATIENCE)
            assert (result.dropped, result.written.text) == ([], text)
    finally:
        sys.modules.pop(module.__name__)
        sys.path.remove(str(subject.parent))
    files.write(path, text, None)
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", str(path)]
    done = subprocess.run(command, cwd="/", capture_output=True, text=True)
    assert "2 passed" in done.stdout, done.stdout
    ruff = str(Path(sys.executable).with_name("ruff"))
    for action in (["format", "--check"], ["check"]):
        done = subprocess.run([ruff, *action, str(path)], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
