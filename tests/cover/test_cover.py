"""``cover`` as a user calls it: what it reaches, what it says of the rest, and the tests that it writes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import pessimal
from pessimal.covering import text
from pessimal.errors import UsageError
from pessimal.target_spec import Limits

HERE = Path(__file__).parent
PATIENCE = 120.0


def covered(name, **options):
    return pessimal.cover(str(HERE / name), budget=PATIENCE, workers=1, **options)


def run_pytest(file, *options):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, str(file)]
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent.parent)}
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, cwd=file.parent, env=environment)


@pytest.fixture(scope="module")
def of_programs(tmp_path_factory):
    file = tmp_path_factory.mktemp("written") / "test_programs.py"
    return covered("programs.py", tests=file), file


def test_every_branch_is_reached(of_programs):
    result, _ = of_programs
    assert result.branches.covered == result.branches.total == 14
    assert result.lines.covered == result.lines.total
    assert result.unreached == []
    assert result.stopped == "every branch was taken"


def test_the_json_has_what_is_documented(of_programs):
    data = json.loads(json.dumps(of_programs[0].to_json()))
    assert data["branches"] == {"covered": 14, "total": 14}
    assert {"lines", "tests", "unreached", "failures", "solver", "executions", "seconds"} <= set(data)
    assert all(set(test) >= {"input", "outcome", "new_sites"} for test in data["tests"])
    assert any("magic(" in test["input"] for test in data["tests"])


def test_the_written_tests_pass_and_reproduce_the_coverage(of_programs, tmp_path):
    _, file = of_programs
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent.parent)}
    data = tmp_path / "data"
    source = f"--include={HERE / 'programs.py'}"
    run = [sys.executable, "-m", "coverage", "run", "--branch", f"--data-file={data}", source, "-m", "pytest", "-q"]
    ended = subprocess.run([*run, str(file)], capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert ended.returncode == 0, ended.stdout
    report = [sys.executable, "-m", "coverage", "json", f"--data-file={data}", "-o", str(tmp_path / "c.json")]
    subprocess.run(report, check=True, capture_output=True, cwd=tmp_path)
    totals = json.loads((tmp_path / "c.json").read_text())["totals"]
    assert totals["covered_branches"] == totals["num_branches"] == 14


def test_a_second_run_keeps_every_line_that_was_there(of_programs, tmp_path):
    file = tmp_path / "test_programs.py"
    mine = of_programs[1].read_text() + "\n\ndef test_of_mine():\n    assert 1 + 1 == 2\n"
    file.write_text(mine)
    covered("programs.py", tests=file)
    left = iter(file.read_text().splitlines())
    assert all(line in left for line in mine.splitlines())  # each after the one before it
    assert "def test_of_mine():\n    assert 1 + 1 == 2\n" in file.read_text()
    assert run_pytest(file).returncode == 0


def test_what_no_input_takes_is_named_with_its_reason():
    result = covered("unreachable.py", runs=4000)
    reasons = {item.condition: item.reason for item in result.unreached}
    assert set(reasons) == {"if (number * 2) % 2 == 1:", 'if __name__ == "__main__":'}
    assert "script" in reasons['if __name__ == "__main__":']
    assert reasons["if (number * 2) % 2 == 1:"].startswith("unreachable")


def test_one_function_is_covered_with_what_it_calls():
    result = pessimal.cover(f"{HERE / 'programs.py'}:grade", budget=PATIENCE, workers=1)
    assert result.branches.covered == result.branches.total == 4
    assert all("grade(" in test.input for test in result.tests)


def test_a_class_is_covered_by_sequences_of_calls():
    result = pessimal.cover(f"{HERE / 'programs.py'}:Stack", budget=PATIENCE, workers=1)
    assert result.branches.covered == result.branches.total == 6


def test_an_input_that_ends_the_process_is_a_failure_and_the_rest_is_covered():
    result = covered("dangerous.py", runs=2000)
    assert any(failure.kind == "crashed" and failure.input.startswith("exits(") for failure in result.failures)
    unexpected = [failure for failure in result.failures if failure.kind == "ZeroDivisionError"]
    assert [failure.input for failure in unexpected] == ["divides(7)"]
    assert {item.condition for item in result.unreached} <= {"if number > 100:"}


def test_objects_whose_methods_raise_lie_or_do_not_end_are_covered_and_tested(tmp_path):
    file = tmp_path / "test_hostile.py"
    result = covered("hostile.py", tests=file, runs=1500, limits=Limits(run_seconds=0.5))
    assert result.branches.covered == result.branches.total == 10
    assert run_pytest(file).returncode == 0


def test_announced_exceptions_are_no_failures(of_programs):
    assert of_programs[0].failures == []


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("no_such_module_here", "no_such_module_here"),
        ("no/such/file.py", "file.py"),
        ("math", "no Python source"),
        ("a b", "nothing to cover"),
        (f"{HERE / 'programs.py'}:missing", "missing"),
    ],
)
def test_what_cannot_be_covered_is_one_clear_line(target, message):
    with pytest.raises(UsageError, match=message) as caught:
        pessimal.cover(target, budget=20.0, workers=1)
    assert "\n" not in str(caught.value)


def test_a_module_without_anything_to_call(tmp_path):
    file = tmp_path / "constants.py"
    file.write_text("X = 1\n")
    with pytest.raises(UsageError, match="nothing to call"):
        pessimal.cover(str(file), budget=20.0, workers=1)


def test_an_import_that_fails_is_one_clear_line(tmp_path):
    file = tmp_path / "broken.py"
    file.write_text("import no_such_module_at_all\n")
    with pytest.raises(UsageError, match="no_such_module_at_all"):
        pessimal.cover(str(file), budget=20.0, workers=1)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("raise SystemExit(3)", "exits"),
        ("def broken(:", "syntax"),
        ("1 / 0", "ZeroDivisionError"),
        ("open('made', 'w').write('x')", "made|side effect|Permission|blocked"),
    ],
)
def test_what_a_module_does_on_import_is_one_clear_line_or_blocked(source, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("acting.py").write_text(f"{source}\n\ndef one(x: int) -> int:\n    return 1 if x else 2\n")
    with pytest.raises(UsageError, match=message) as caught:
        pessimal.cover("acting.py", budget=30.0, workers=1, tests="test_acting.py")
    assert "\n" not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["acting.py"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("folder.py", None, "is a directory"),
        ("tests.txt", "mine", "ends in .py"),
        ("missing/test_it.py", None, "there is no directory"),
        ("test_broken.py", "def broken(:", "is not a Python file"),
        ("test_binary.py", "\0", "is not a Python file"),
    ],
)
def test_a_file_that_cannot_be_written_is_one_clear_line_and_stays_as_it_is(name, content, message, tmp_path):
    file = tmp_path / name
    if name == "folder.py":
        file.mkdir()
    elif content is not None:
        file.write_text(content)
    with pytest.raises(UsageError, match=message) as caught:
        covered("programs.py", tests=file, runs=200)
    assert "\n" not in str(caught.value)
    assert content is None or file.read_text() == content


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"workers": 0}, "--workers"),
        ({"runs": 0}, "--runs"),
        ({"seeds": "no/such/directory"}, "--seeds"),
        ({"strategy": "no_such_strategy"}, "no_such_strategy"),
        ({"budget": "soon"}, "budget"),
    ],
)
def test_wrong_options_are_one_clear_line(options, message):
    with pytest.raises(UsageError, match=message) as caught:
        pessimal.cover(str(HERE / "programs.py"), **{"workers": 1, **options})
    assert "\n" not in str(caught.value)


def test_a_result_is_the_start_of_another_search(of_programs, tmp_path):
    (tmp_path / "before.json").write_text(json.dumps(of_programs[0].to_json()))
    result = covered("programs.py", seeds=tmp_path, runs=len(of_programs[0].tests))
    assert result.branches.covered == result.branches.total == 14


@pytest.fixture(scope="module")
def model_of_gates(tmp_path_factory):
    file = tmp_path_factory.mktemp("models") / "gates.json"
    return file, covered("gates.py:magic", strategy="ranked", model=file, save_model=True, seed=1)


def test_a_model_is_made_on_request(model_of_gates):
    file, result = model_of_gates
    content = json.loads(file.read_text())
    assert "tests/cover/gates.py" in content["modules"]
    assert content["ranking"]["models"][0]["added"] > 0
    assert result.model["flips"] + result.model["compared"] > 0
    assert "  model     " in text.cover(result)


def test_auto_uses_a_model_that_fits_and_leaves_it_as_it_is(model_of_gates):
    file, _ = model_of_gates
    before, warnings = file.read_bytes(), []
    result = covered("gates.py:magic", model=file, warn=warnings.append)
    assert result.model["file"] == str(file)
    assert result.to_json()["model"]["flips"] > 0
    assert warnings == []
    assert file.read_bytes() == before


def test_auto_goes_on_without_a_model_of_other_modules(model_of_gates):
    file, _ = model_of_gates
    warnings = []
    result = covered("programs.py", model=file, warn=warnings.append, runs=100)
    assert result.branches.covered > 0
    assert result.model is None
    (warning,) = warnings
    assert "was learned from" in warning
    assert warning.endswith("and not from tests/cover/programs.py: the search goes on without it")


def test_auto_goes_on_without_a_damaged_model(tmp_path):
    file, warnings = tmp_path / "model.json", []
    file.write_text("{")
    result = covered("programs.py", model=file, warn=warnings.append, runs=100)
    assert result.branches.covered > 0
    assert result.model is None
    assert warnings == [f"{file} is damaged: it is not JSON: the search goes on without it"]


@pytest.mark.parametrize("strategy", ["agent", "avm"])
def test_descents_take_every_branch_without_a_solver(strategy):
    result = covered("gates.py:magic", strategy=strategy)
    assert result.unreached == []
    assert (result.symbolic_runs, result.solver["queries"]) == (0, 0)


def test_a_model_that_is_no_agent_is_one_clear_line(model_of_gates):
    with pytest.raises(UsageError, match="is not an agent: train one by pessimal train --agent"):
        covered("gates.py:magic", strategy="agent", model=model_of_gates[0])


def test_saving_a_model_needs_a_file():
    with pytest.raises(UsageError, match="--save-model needs a file"):
        covered("programs.py", save_model=True)


def test_code_that_writes_files_is_covered_in_a_directory_of_its_own(tmp_path):
    file = tmp_path / "test_filing.py"
    result = covered("filing.py", tests=file)
    assert result.branches.covered == result.branches.total == 6
    assert result.test_file["dropped"] == []
    assert "    monkeypatch.chdir(tmp_path)\n" in file.read_text()
    ended = run_pytest(file)
    assert ended.returncode == 0, ended.stdout
    assert [path.name for path in tmp_path.iterdir() if path.name != "__pycache__"] == ["test_filing.py"]
