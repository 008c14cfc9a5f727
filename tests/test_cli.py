"""The command line: what it refuses and how, what it prints, and how it ends."""

import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.commands import PAUSE, finish, is_gone, kept, linux, slowly, start, wait_for, workers

TARGETS = """
import typing

def seven(x: int) -> int:
    return 1 if x == 7 else 0

def positives(xs: list[int]) -> int:
    count = 0
    for x in xs:
        if x > 0:
            count += 1
    return count

def unsupported(x: typing.Never) -> int:
    return 1

def misspelt(x: "Nope") -> int:
    return 1
"""


@pytest.fixture
def targets(write):
    return write(TARGETS)


def refused(answer, *words):
    """Whether the answer is one clear line, with these words, and nothing else."""
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("pessimal: ")
    assert answer.err.count("\n") == 1 and answer.err.endswith("\n"), answer.err
    assert len(answer.err) < 400
    assert "Traceback" not in answer.err
    for word in words:
        assert word in answer.err
    return True


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("nomodule:f", ["no module 'nomodule'"]),
        ("nofile.py:f", ["no file nofile.py"]),
        ("targets.py:sevn", ["'sevn'", "did you mean seven?"]),
        ("targets.py:unsupported", ["'x'", "Never", "--input"]),
        ("targets.py:misspelt", ["'x'", "Nope", "--input"]),
        ("targets.py", ["targets.py:function"]),
        ("targets.py:", ["targets.py:function"]),
        ("", ["package.module:function"]),
    ],
)
def test_a_target_that_cannot_be_had_is_refused(pessimal, targets, target, words):
    assert refused(pessimal("stress", target, "--strategy", "random", "--paths", 1), *words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def f(:\n", ["broken.py, line 1", "syntax"]),
        ("1 / 0\n", ["ZeroDivisionError", "broken.py, line 1"]),
        ("raise SystemExit(3)\n", ["exits", "__main__"]),
        ("import os\nos._exit(3)\n", ["importing", "exit status 3"]),
        ("import ctypes\nctypes.string_at(0)\n", ["importing", "SIGSEGV"]),
        ("import nomodule\n", ["nomodule"]),
        ("raise KeyboardInterrupt\n", ["KeyboardInterrupt"]),
        ("import builtins\nbuiltins.len = None\n", ["replaces the built-in len() by None"]),
    ],
)
def test_a_module_that_cannot_be_imported_is_refused(pessimal, write, text, words):
    file = write(text, "broken.py")
    assert refused(pessimal("explore", f"{file}:f"), *words)


@pytest.mark.parametrize("command", ["stress", "explore"])
def test_an_import_that_takes_longer_than_the_budget_is_refused(pessimal, write, command):
    file = write("import time\ntime.sleep(600)\n\ndef f(x: int) -> int:\n    return x\n", "slow.py")
    assert refused(pessimal(command, f"{file}:f", "--budget", "200ms"), "importing", "did not end within")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--size", "-1"], ["--size", "'-1'"]),
        (["--size", "ten"], ["--size", "'ten'"]),
        (["--size", "2.5"], ["--size", "'2.5'"]),
        (["--sizes", "4,x"], ["--sizes", "'x'"]),
        (["--sizes", ""], ["--sizes"]),
        (["--sizes", "4,-5"], ["--sizes", "'-5'"]),
        (["--size", "3", "--sizes", "3,4"], ["not both"]),
        (["--strategy", "exhaustiv"], ["unknown strategy 'exhaustiv'", "did you mean 'exhaustive'?"]),
        (["--strategy", "nope"], ["unknown strategy 'nope'", "exhaustive", "random"]),
        (["--cost", "nope"], ["unknown cost 'nope'", "branches"]),
        (["--budget", "soon"], ["--budget", "'soon'", "60s"]),
        (["--budget", "0s"], ["--budget", "more than 0"]),
        (["--budget", "-1s"], ["--budget", "'-1s'"]),
        (["--budget", "inf"], ["--budget", "'inf'"]),
        (["--stop-after", "0"], ["--stop-after", "more than 0"]),
        (["--stop-at", "nan"], ["--stop-at", "nan"]),
        (["--stop-at", "much"], ["--stop-at", "'much'"]),
        (["--run-timeout", "never"], ["--run-timeout", "'never'"]),
        (["--run-timeout", "0s"], ["run-timeout", "more than 0"]),
        (["--paths", "0"], ["--paths", "more than 0"]),
        (["--paths", "many"], ["--paths", "'many'"]),
        (["--seed", "x"], ["--seed", "'x'"]),
        (["--memory", "0"], ["memory", "more than 0"]),
        (["--memory", "x"], ["--memory", "'x'"]),
        (["--input", "xs"], ["'xs'", "xs=list[int]:N"]),
        (["--input", "xs=lost[int]"], ["'lost'", "list"]),
        (["--input", "xs=list[int"], ["']'"]),
        (["--input", "xs=int", "--input", "xs=int"], ["'xs'", "twice"]),
        (["--input", "ys=int"], ["no parameter 'ys'", "xs"]),
        (["--set", "bias"], ["'bias'", "KEY=VALUE"]),
        (["--set", "bias=2"], ["bias", "between 0 and 1", "2"]),
        (["--set", "bias=x"], ["bias"]),
        (["--set", "nope=2"], ["nope"]),
        (["--strategy", "fixed", "--set", "default=maybe"], ["default", "'maybe'"]),
        (["--budget-line", "n +"], ["--budget-line", "'n +'", "for example", "[formula]"]),
        (["--bound", "n +"], ["--bound", "'n +'", "for example", "[formula]"]),
        (["--size", "0", "--bound", "1/n"], ["--bound", "at size 0", "division by zero"]),
        (["--budget-line", "40*m"], ["--budget-line", "'m'", "log2"]),
        (["--budget-line", "__import__('os')"], ["--budget-line", "not understood"]),
        (["--sizes", "4,0", "--budget-line", "9/n"], ["--budget-line", "'9/n'", "at size 0", "division by zero"]),
        (["--size", "0", "--budget-line", "n*log(n)"], ["--budget-line", "at size 0"]),
        (["--nope"], ["--nope"]),
        (["another"], ["another"]),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(pessimal, targets, options, words):
    strategy = [] if "--strategy" in options else ["--strategy", "random"]
    assert refused(pessimal("stress", f"{targets}:positives", *strategy, *options), *words)


@pytest.mark.parametrize(
    ("requirement", "words"),
    [
        ("all(x > 0 for x in xs) and sum(xs) < 0", ["no input of size 3"]),
        ("len(xs) > 20", ["no input of size 3"]),
        ("xs[0] != xs[0]", ["no input of size 3"]),
        ("sorted(xs) == xs and xs[0] > xs[2]", ["no input of size 3"]),
        ("xs[", ["not a Python expression"]),
        ("", ["not a Python expression"]),
        ("xs = [1]", ["not a Python expression"]),
        ("True", ["uses no parameter", "xs"]),
        ("nope > 20", ["uses no parameter", "xs"]),
        ("xs[0] > nope", ["NameError", "nope"]),
        ("xs[20] > 1", ["IndexError"]),
        ("xs.nope", ["AttributeError"]),
    ],
)
@pytest.mark.parametrize("strategy", ["exhaustive", "random"])
def test_a_precondition_that_nothing_satisfies_is_refused(pessimal, targets, strategy, requirement, words):
    command = ["stress", f"{targets}:positives", "--size", 3, "--strategy", strategy, "--paths", 20]
    assert refused(pessimal(*command, "--require", requirement), "--require", repr(requirement), *words)


def test_a_bad_precondition_among_good_ones_is_refused(pessimal, targets):
    command = ["explore", f"{targets}:positives", "--size", 2, "--require", "xs[0] > 3", "--require", "xs[0] < 3"]
    assert refused(pessimal(*command), "no input of size 2", "'xs[0] > 3'", "'xs[0] < 3'")


@pytest.mark.parametrize("out", ["targets.py", "targets.py/below"])
def test_a_directory_that_cannot_be_made_is_refused(pessimal, targets, out):
    assert refused(pessimal("explore", f"{targets}:seven", "--out", out), f"--out {out}")


IDENTITY = {
    "target": "targets.py:seven",
    "size": "up to 10",
    "strategy": "sweep",
    "options": {},
    "objective": "paths",
    "solver": "z3",
    "cost": "branches",
    "inputs": {},
    "requirements": [],
    "seed": 0,
    "pyse_compatible": False,
}


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (b"{", ["cannot be read", "remove it"]),
        (b"\xff\xfe", ["cannot be read", "remove it"]),
        (b"[]", ["not the state of a search", "remove it"]),
        (b'{"job": []}', ["remove"]),
        (json.dumps({"job": IDENTITY}).encode(), ["remove"]),
        (
            json.dumps(
                {"job": IDENTITY, "lanes": [{"snapshot": {}, "paths": [], "failures": [], "fatal": []}]}
            ).encode(),
            ["remove"],
        ),
        (json.dumps({"job": {**IDENTITY, "size": 11}}).encode(), ["another size", "choose another directory"]),
        (json.dumps({"job": {**IDENTITY, "seed": 1, "cost": "lines"}}).encode(), ["another cost, seed"]),
    ],
)
def test_a_directory_with_another_state_is_refused_and_left_alone(pessimal, targets, state, words):
    out = Path("out")
    out.mkdir()
    (out / "state.json").write_bytes(state)
    assert refused(pessimal("explore", f"{targets}:seven", "--out", out), *words)
    assert [file.name for file in out.iterdir()] == ["state.json"]
    assert (out / "state.json").read_bytes() == state


def test_a_state_that_is_a_directory_is_refused(pessimal, targets):
    Path("out/state.json").mkdir(parents=True)
    assert refused(pessimal("explore", f"{targets}:seven", "--out", "out"), "cannot be read", "remove it")


def test_no_command_shows_the_help_and_fails(pessimal):
    answer = pessimal()
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("Usage: ")


@pytest.mark.parametrize("arguments", [["--help"], ["stress", "--help"], ["explore", "-h"], ["--version"]])
def test_help_goes_to_stdout(pessimal, arguments):
    answer = pessimal(*arguments)
    assert answer.code == 0
    assert answer.out
    assert answer.err == ""


STRESS_FIELDS = {
    "target",
    "strategy",
    "size",
    "cost",
    "input",
    "replayed",
    "proof",
    "paths",
    "infeasible",
    "unknown",
    "concretisations",
    "solver",
    "seconds",
    "seed",
    "outcome",
}


def test_stress_prints_the_specified_json_and_nothing_else(pessimal, targets):
    answer = pessimal(
        "stress",
        f"{targets}:positives",
        "--cost",
        "branches",
        "--size",
        3,
        "--strategy",
        "exhaustive",
        "--seed",
        5,
        "--json",
    )
    result = answer.json
    assert answer.err == ""
    assert answer.out.count("\n") == 1
    assert result.keys() >= STRESS_FIELDS
    assert "curve" not in result
    assert result["target"] == "targets.py:positives"
    assert result["strategy"] == "exhaustive"
    assert result["size"] == 3
    assert result["cost"] == {"name": "branches", "value": 3}
    assert len(result["input"]["xs"]) == 3
    assert result["outcome"] == "returned"
    assert result["replayed"] is True
    assert result["proof"] == "tree exhausted"
    assert (result["paths"], result["infeasible"], result["unknown"], result["concretisations"]) == (8, 0, 0, 0)
    assert result["solver"].keys() == {"calls", "seconds"}
    assert result["seconds"] > 0
    assert result["seed"] == 5
    assert result["failures"] == []
    assert result["interrupted"] is False


def test_sizes_give_a_curve(pessimal, targets):
    command = [
        "stress",
        f"{targets}:positives",
        "--cost",
        "branches",
        "--sizes",
        "0,2,4",
        "--strategy",
        "exhaustive",
        "--json",
    ]
    result = pessimal(*command).json
    assert result.keys() >= STRESS_FIELDS
    assert result["size"] == 4
    assert [point.keys() for point in result["curve"]] == [{"size", "cost", "input", "proof"}] * 3
    assert [(point["size"], point["cost"], point["proof"]) for point in result["curve"]] == [
        (0, 0, "tree exhausted"),
        (2, 2, "tree exhausted"),
        (4, 4, "tree exhausted"),
    ]
    assert [len(point["input"]["xs"]) for point in result["curve"]] == [0, 2, 4]


def test_one_of_several_sizes_gives_a_curve_too(pessimal, targets):
    result = pessimal("stress", f"{targets}:positives", "--sizes", "2", "--strategy", "exhaustive", "--json").json
    assert [point["size"] for point in result["curve"]] == [2]


def test_a_curve_of_four_sizes_tells_its_growth(pessimal, targets):
    command = ["stress", f"{targets}:positives", "--cost", "branches", "--sizes", "0,2,4,6", "--strategy", "exhaustive"]
    growth = pessimal(*command, "--json").json["growth"]
    assert (growth["law"], growth["formula"], growth["error"]) == ("O(n)", "n", 0)
    assert growth["runner_up"]["error"] > 0
    assert "  growth    O(n): n, exact\n" in pessimal(*command).out


def test_a_cost_on_the_budget_line_is_within_it(pessimal, targets):
    command = ["stress", f"{targets}:positives", "--cost", "branches", "--strategy", "exhaustive", "--budget-line", "n"]
    assert pessimal(*command, "--size", 3, "--json").json["over_budget"] == []
    answer = pessimal(*command, "--sizes", "2,3")
    assert answer.code == 0
    assert "no cost is above the budget line" in answer.out


def test_a_cost_above_the_budget_line_is_told_and_fails_the_command(pessimal, targets):
    command = [
        "stress",
        f"{targets}:positives",
        "--cost",
        "branches",
        "--strategy",
        "exhaustive",
        "--budget-line",
        "8/n",
    ]
    answer = pessimal(*command, "--sizes", "2,3,4", "--json", "--out", "out")
    result = json.loads(answer.out)
    assert answer.code == 1
    assert result["over_budget"] == [{"size": 3, "cost": 3, "limit": 8 / 3}, {"size": 4, "cost": 4, "limit": 2}]
    assert json.loads(Path("out/result.json").read_text()) == result
    answer = pessimal(*command, "--size", 4)
    assert answer.code == 1
    assert "over      size 4: 4, but the budget line is at 2\n" in answer.out


def test_the_budget_line_can_stand_in_the_file(pessimal, targets):
    Path("pyproject.toml").write_text('[tool.pessimal.stress]\nbudget-line = "n - 1"\n')
    answer = pessimal(
        "stress",
        f"{targets}:positives",
        "--cost",
        "branches",
        "--size",
        3,
        "--strategy",
        "exhaustive",
        "--json",
        "--out",
        "out",
    )
    assert answer.code == 1
    assert json.loads(Path("out/result.json").read_text())["over_budget"] == [{"size": 3, "cost": 3, "limit": 2}]


def test_explore_prints_the_specified_json(pessimal, targets):
    answer = pessimal("explore", f"{targets}:seven", "--json")
    result = answer.json
    assert answer.err == ""
    assert {"target", "strategy", "size", "paths", "exhausted", "seed", "seconds"} <= result.keys()
    assert result["exhausted"] is True
    assert all({"input", "outcome", "returned", "cost", "branches"} <= path.keys() for path in result["paths"])
    found = {path["input"]["x"] == 7: path for path in result["paths"]}
    assert len(result["paths"]) == 2
    assert [(p["outcome"], p["returned"], p["cost"], p["branches"]) for p in (found[False], found[True])] == [
        ("returned", "0", 1, 1),
        ("returned", "1", 1, 1),
    ]


def test_explore_stops_after_the_paths_that_it_may_run(pessimal, targets):
    result = pessimal("explore", f"{targets}:positives", "--size", 4, "--paths", 5, "--json").json
    assert len(result["paths"]) == 5
    assert result["exhausted"] is False
    assert result["stopped"] == "5 paths"


def test_text_tells_the_answer_its_proof_and_the_call(pessimal, targets):
    answer = pessimal("stress", f"{targets}:positives", "--cost", "branches", "--size", 2, "--strategy", "exhaustive")
    assert answer.code == 0
    assert "cost      2 branches" in answer.out
    assert "positives([" in answer.out
    assert "proof     tree exhausted" in answer.out
    assert "replayed  yes, as predicted" in answer.out


def test_inputs_given_on_the_command_line_replace_hints(pessimal, targets):
    command = ["explore", f"{targets}:unsupported", "--input", "x=int:0..3", "--json"]
    assert [path["input"] for path in pessimal(*command).json["paths"]] == [{"x": 0}]


def test_the_out_directory_keeps_the_result_and_no_state_of_what_is_finished(pessimal, targets):
    command = ["stress", f"{targets}:positives", "--size", 3, "--strategy", "exhaustive", "--out", "a/b", "--json"]
    printed = pessimal(*command).json
    assert json.loads(Path("a/b/result.json").read_text()) == printed
    assert [file.name for file in Path("a/b").iterdir()] == ["result.json"]
    again = pessimal(*command)
    assert again.err == ""
    assert again.json["paths"] == 8


def test_several_sizes_are_kept_beside_each_other(pessimal, targets):
    command = [
        "stress",
        f"{targets}:positives",
        "--cost",
        "branches",
        "--sizes",
        "1,2",
        "--strategy",
        "exhaustive",
        "--out",
        "out",
        "--json",
    ]
    printed = pessimal(*command).json
    assert json.loads(Path("out/result.json").read_text()) == printed
    assert json.loads(Path("out/size-1/result.json").read_text())["cost"]["value"] == 1
    assert json.loads(Path("out/size-2/result.json").read_text())["cost"]["value"] == 2


def test_a_full_disk_costs_the_directory_but_not_the_result(pessimal, targets):
    out = Path("out")
    out.mkdir()
    for name in ("state.new", "result.new"):
        (out / name).symlink_to("/dev/full")
    command = ["stress", f"{targets}:positives", "--size", 3, "--strategy", "exhaustive", "--out", "out", "--json"]
    answer = pessimal(*command)
    assert answer.json["proof"] == "tree exhausted"
    assert "No space left on device" in answer.err
    assert answer.err.count("\n") == 1
    assert list(out.iterdir()) == []


def _timeless(result):
    """A result without what a clock says."""
    solver = {key: value for key, value in result["solver"].items() if key != "seconds"}
    counted = {key: value for key, value in result.items() if key not in ("seconds", "found_after", "opening_runs")}
    return {**counted, "solver": solver}


@pytest.mark.parametrize(
    ("command", "short", "options"),
    [
        ("stress", "quicksort:quicksort", ["--size", 6, "--strategy", "random", "--paths", 50, "--seed", 3]),
        ("stress", "bubble_sort:bubble_sort", ["--size", 4, "--strategy", "exhaustive"]),
        ("stress", "dijkstra:shortest_path", ["--size", 6, "--strategy", "exhaustive", "--seed", 1]),
        ("explore", "insertion_sort:insertion_sort", ["--size", 4]),
        ("explore", "boyer_moore:search", ["--size", 3, "--paths", 30]),
    ],
)
def test_the_same_seed_gives_the_same_result(pessimal, subject, command, short, options):
    first, second = (pessimal(command, subject(short), *options, "--json").json for _ in range(2))
    assert _timeless(first) == _timeless(second)


def test_another_seed_gives_other_random_paths(pessimal, subject):
    target = subject("insertion_sort:insertion_sort")
    command = ["explore", target, "--size", 6, "--strategy", "random", "--paths", 10, "--json"]
    inputs = [[path["input"] for path in pessimal(*command, "--seed", seed).json["paths"]] for seed in (0, 1)]
    assert inputs[0] != inputs[1]


SYNTHESIS = ["--size", 20, "--cost", "branches", "--strategy", "synthesis", "--set", "train_paths=60", "-q"]


def test_synthesis_tells_its_model_and_its_generator(pessimal, subject):
    answer = pessimal("stress", subject("insertion_sort:insertion_sort"), *SYNTHESIS, "--json")
    result = answer.json
    assert answer.err == ""
    assert (result["cost"]["value"], result["found_by"], result["replayed"]) == (190, "synthesis", True)
    assert result["report"]["model"]["expected"] == 190
    assert result["report"]["generator"].startswith("def worst_case(n):\n")
    names = {}
    exec(result["report"]["generator"], names)
    assert len(names["worst_case"](33)["xs"]) == 33


def test_a_generator_is_printed_and_written(pessimal, subject, tmp_path):
    file = tmp_path / "worst.py"
    answer = pessimal("stress", subject("insertion_sort:insertion_sort"), *SYNTHESIS, "--generator", file)
    assert (answer.code, answer.err) == (0, "")
    code = file.read_text()
    shown = [f"    {line}".rstrip() for line in code.splitlines()]
    assert answer.out.splitlines()[-len(shown) - 1 :] == ["  generator", *shown]
    assert "  model     of all conditions at sizes " in answer.out
    assert ": 190 here\n" in answer.out
    assert [item.name for item in tmp_path.iterdir()] == ["worst.py"]


def test_a_generator_that_was_not_found_is_not_written(pessimal, subject, tmp_path):
    file = tmp_path / "worst.py"
    command = ["stress", subject("misleading:guarded_sort"), "--size", 30, *SYNTHESIS[2:], "--generator", file]
    answer = pessimal(*command)
    assert answer.code == 0
    assert answer.err == f"pessimal: no generator was found: {file} was not written\n"
    assert "  generator none found\n" in answer.out
    assert "  note      no model holds: its input of size 30 costs " in answer.out
    assert not file.exists()


def test_the_portfolio_reports_a_cost_that_was_predicted_wrongly(pessimal, subject):
    command = ["stress", subject("misleading:hybrid_sort"), "--size", 30, "--set", "members=synthesis,fixed", "-q"]
    answer = pessimal(*command, "--budget", "10m", "--stop-after", "none")
    assert answer.code == 0
    assert "  mismatch  synthesis: its input of size 30 costs " in answer.out
    assert "was predicted" in answer.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--generator", "none/worst.py"], ["none/worst.py cannot be written", "[generator]"]),
        (["--generator", "."], ["cannot be written: Is a directory", "[generator]"]),
        (["--site", "nope.py:3"], ["no branch of the target is at nope.py:3", "targets.py:10", "[site]"]),
        (["--set", "train=x"], ["train must be a list of sizes such as 3,4", "'x'"]),
        (["--set", "train_paths=0"], ["train_paths", "at least 1"]),
        (["--set", "held_out=-1"], ["held_out", "at least 0"]),
        (["--set", "generator=maybe"], ["generator must be true or false"]),
        (["--set", "sources=sweep"], ["sweep cannot search for examples"]),
        (["--set", "sources=[5]"], ["sources must be a list of strategies"]),
        (["--set", "inputs=none.json"], ["none.json cannot be read: No such file", "[examples]"]),
        (["--set", "inputs=targets.py"], ["targets.py does not contain examples", "[examples]"]),
        (["--set", "inputs=short.json"], ["an example of size 3 does not fit", "[1, 2]", "[examples]"]),
        (["--set", "nope=3"], ["nope"]),
    ],
)
def test_an_option_of_synthesis_that_makes_no_sense_is_refused(pessimal, targets, tmp_path, options, words):
    (tmp_path / "short.json").write_text('[{"size": 3, "input": {"xs": [1, 2]}}]')
    strategy = ["--size", 12, "--strategy", "synthesis", "-q"]
    assert refused(pessimal("stress", f"{targets}:positives", *strategy, *options), *words)
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("strategy", ["climb", "exhaustive"])
def test_a_site_is_for_synthesis_alone(pessimal, targets, strategy):
    command = ["stress", f"{targets}:positives", "--strategy", strategy, "--site", "targets.py:8"]
    assert refused(pessimal(*command), f"--site only applies to --strategy synthesis or auto, not to {strategy}")


SLOW = f"""
import os
import time

def steps(xs: list[int]) -> int:
    count = 0
    for x in xs:
        if x * x > 4:
            count += 1
        if x * x > 9:
            count += 1
    {PAUSE}
    return count
"""
COMMAND = [
    "stress",
    "slow.py:steps",
    "--cost",
    "branches",
    "--size",
    "4",
    "--strategy",
    "exhaustive",
    "--budget",
    "10m",
    "--json",
]


def test_an_interrupt_keeps_and_prints_the_best_and_the_same_command_goes_on(write, tmp_path):
    write(SLOW, "slow.py")
    out = tmp_path / "out"
    with slowly():
        process = start(*COMMAND, "--out", "out")
        wait_for(lambda: kept(out) > 0, process)
        process.send_signal(signal.SIGINT)
        printed, said = finish(process)
    assert process.returncode == 130, said
    result = json.loads(printed)
    assert result["interrupted"] is True
    assert result["replayed"] is True or result["unfinished"] is not None  # a busy machine may leave no time for it
    assert result["cost"]["value"] == 8
    assert result["proof"] is None
    assert "Traceback" not in said
    assert json.loads((out / "result.json").read_text()) == result
    printed, said = finish(start(*COMMAND, "--out", "out"))
    assert "resuming after" in said
    assert json.loads(printed)["proof"] == "tree exhausted"
    assert json.loads(printed)["interrupted"] is False


@linux
def test_an_interrupt_before_anything_was_found_ends_quietly(write, tmp_path):
    os.mkfifo(tmp_path / "gate")
    write(f"open({str(tmp_path / 'gate')!r}).read()\n\ndef steps(x: int) -> int:\n    return x\n", "slow.py")
    process = start(*COMMAND)
    with ExitStack() as held:
        wait_for(lambda: _is_held(tmp_path / "gate", held), process)
        process.send_signal(signal.SIGINT)
        printed, said = finish(process)
    assert process.returncode == 130
    assert json.loads(printed)["interrupted"] is True
    assert json.loads(printed)["input"] is None
    assert "Traceback" not in said


def _is_held(gate, held):
    """Whether a process reads from the gate: it waits there until the stack closes the gate."""
    try:
        held.callback(os.close, os.open(gate, os.O_WRONLY | os.O_NONBLOCK))
    except OSError:  # nobody reads yet
        return False
    return True


@pytest.mark.parametrize("options", [(), ("--paths", "60")], ids=["exhausted", "limited"])
def test_a_killed_command_goes_on_where_it_was(write, tmp_path, pessimal, options):
    write(SLOW, "slow.py")
    undisturbed = pessimal(*COMMAND, *options).json
    with slowly():
        process = start(*COMMAND, "--out", "out", *options)
        wait_for(lambda: kept(tmp_path / "out") > 0, process)
        process.kill()
        process.communicate()
    paths = kept(tmp_path / "out")
    resumed = pessimal(*COMMAND, "--out", "out", *options)
    assert f"resuming after {paths} paths" in resumed.err
    assert _timeless(resumed.json) == _timeless(undisturbed)


@linux
def test_a_killed_command_takes_its_worker_along(write, tmp_path):
    write(SLOW, "slow.py")
    with slowly():
        process = start(*COMMAND, "--out", "out")
        wait_for((tmp_path / "out" / "state.json").exists, process)
        started = workers(process)
        process.kill()
        process.communicate()
        wait_for(lambda: all(is_gone(worker) for worker in started))


@linux
def test_a_worker_that_is_killed_from_outside_does_not_end_the_search(write, tmp_path):
    write(SLOW, "slow.py")
    with slowly():
        process = start(*COMMAND, "--out", "out")
        wait_for(lambda: kept(tmp_path / "out") > 0, process)
        worker = workers(process)[0]  # the first that was started; another waits to replay
        os.kill(worker, signal.SIGKILL)
    printed, said = finish(process)
    assert process.returncode == 0, said
    result = json.loads(printed)
    assert result["cost"]["value"] == 8
    assert (result["paths"], result["infeasible"]) == (121, 40)
    assert result["proof"] == "tree exhausted"
    assert result["failures"] == []


def test_an_interrupt_while_the_command_is_imported_is_one_line(tmp_path):
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n")
    command = [sys.executable, "-m", "pessimal", "--help"]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "pessimal: interrupted\n")


VANDAL = """
import sys

def vandal(x: int) -> int:
    for name in [name for name in sys._getframe(1).f_globals if not name.startswith("__")]:
        sys._getframe(1).f_globals[name] = None
    return 1 if x > 3 else 0
"""


def test_an_internal_error_is_one_line_and_its_traceback_is_shown_on_request(pessimal, write, monkeypatch):
    command = ("explore", f"{write(VANDAL)}:vandal", "--budget", "10s", "--quiet")
    answer = pessimal(*command)
    assert answer.code == 2
    assert answer.err.startswith("pessimal: internal error, please report it: ")
    assert len(answer.err.splitlines()) == 1
    monkeypatch.setenv("PESSIMAL_DEBUG", "1")
    assert "Traceback (most recent call last):" in pessimal(*command).err
