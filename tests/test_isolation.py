"""Targets that misbehave: the result tells the outcome and the input, and the search goes on."""

import os
from pathlib import Path

import pytest

import pessimal as api
from pessimal.pool import confinement, task_runner
from tests.commands import wait_for

LUCKY = 7
HANGS = ["--run-timeout", "0.5s"]
"""For targets that either end at once or never: half a second is long enough for the former."""

confined = pytest.mark.skipif(not confinement.layers(), reason="this system does not confine")

FURTHER = """
import itertools
import random
import re
import time
from collections import deque

CALLS = []

def backtracks(x: int) -> int:
    if x == 7:
        re.match(r"(a+)+$", "a" * 60 + "b")
    return x

def never_listens(x: int) -> int:
    if x == 7:
        deque(itertools.repeat(0), maxlen=0)
    return x

def always_raises(x: int) -> int:
    raise ValueError("always")

def always_exits(x: int) -> int:
    raise SystemExit(4)

def always_dies(x: int) -> int:
    import os
    os._exit(4)

def always_loops(x: int) -> int:
    while True:
        pass

def dies_twice(x: int) -> int:
    import os
    if x > 100:
        os._exit(1)
    if x == 7:
        os._exit(2)
    return x

def dies_late(xs: list[int]) -> int:
    import os
    count = 0
    for x in xs:
        if x > 0:
            count += 1
    if count == len(xs):
        os._exit(3)
    return count

def survives_the_deadline(x: int) -> int:
    if x == 7:
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass
    return x

def returns_chance(x: int) -> float:
    return random.random() if x == 7 else 0.0

def returns_time(x: int) -> int:
    return time.perf_counter_ns()

def branches_by_chance(x: int) -> int:
    return sum(1 << i for i in range(64) if random.random() < 0.5 and (x > 0 or i >= 0))  # never the same twice

def branches_by_history(x: int) -> int:
    CALLS.append(x)
    return sum(1 for i in range(len(CALLS)) if x > i)

def raises_by_history(x: int) -> int:
    CALLS.append(x)
    if len(CALLS) % 2:
        raise ValueError(len(CALLS))
    return 0
"""


@pytest.fixture
def further(write):
    file = write(FURTHER)
    return lambda function: f"{file}:{function}"


def explored(pessimal, target, *options):
    """The paths of a target that misbehaves on 7: the one with 7, or the failure with 7, and the other one."""
    result = pessimal("explore", target, *options, "--json").json
    lucky = [item for item in (*result["paths"], *result["failures"]) if item["input"] == {"x": LUCKY}]
    (other,) = [path for path in result["paths"] if path["input"] != {"x": LUCKY}]
    assert len(lucky) == 1
    assert (other["outcome"], other["replayed"], other["difference"]) == ("returned", True, None)
    return result, lucky[0]


@pytest.mark.parametrize(
    ("function", "exception"),
    [
        ("raises", "ValueError: seven"),
        ("raises_own", "Misfortune: 7"),
        ("asserts", "AssertionError: seven"),
        ("divides", "ZeroDivisionError"),
        ("recurses_for_ever", "RecursionError"),
        ("exits", "SystemExit: 3"),
        ("interrupts", "KeyboardInterrupt"),
        ("eats_memory", "MemoryError"),
        ("reads_input", "EOFError"),
    ],
)
def test_an_exception_is_an_outcome_with_its_input(pessimal, subject, function, exception):
    result, lucky = explored(pessimal, subject(f"misc:{function}"))
    assert lucky["outcome"] == "raised"
    assert lucky["exception"].startswith(exception)
    assert lucky["replayed"] is True
    assert result["failures"] == []


@pytest.mark.parametrize(
    ("function", "cause"),
    [("exits_at_once", "exit status 3"), ("segfaults", "SIGSEGV"), ("kills_itself", "SIGKILL")],
)
def test_a_run_that_kills_its_process_is_a_failure_with_its_input(pessimal, subject, function, cause):
    result, lucky = explored(pessimal, subject(f"misc:{function}"))
    assert result["failures"] == [lucky]
    assert lucky["outcome"] == "crashed"
    assert cause in lucky["exception"]
    assert lucky["replayed"] is True
    assert result["exhausted"] is False


@pytest.mark.parametrize(
    ("call", "cause"),
    [("os._exit(3)", "exit status 3"), ("os.kill(os.getpid(), 9)", "SIGKILL"), ("os.abort()", "SIGABRT")],
)
def test_an_import_that_kills_its_process_is_reported_with_its_line(pessimal, write, call, cause):
    write(f"import os\n\ndef leave():\n    {call}\n", "neighbour.py")
    name = write("from neighbour import leave\n\nleave()\n\ndef f(x: int) -> int:\n    return x\n")
    answer = pessimal("stress", f"{name}:f", "--paths", 1)
    death = f"killed its process ({cause}) in {Path('neighbour.py').resolve()}, line 4"
    assert answer.code == 2
    assert answer.err == f"pessimal: importing or preparing the target {death} [target]\n"


@pytest.mark.parametrize("function", ["loops", "loops_without_asking", "sleeps"])
def test_a_run_that_does_not_end_is_a_failure_with_its_input(pessimal, subject, function):
    result, lucky = explored(pessimal, subject(f"misc:{function}"), *HANGS)
    assert result["failures"] == [lucky]
    assert lucky["outcome"] == "timed out"
    assert lucky["replayed"] is True
    assert result["exhausted"] is False


@pytest.mark.parametrize("function", ["backtracks", "never_listens", "survives_the_deadline"])
def test_a_run_that_minds_no_signal_is_a_failure_with_its_input(pessimal, further, function, monkeypatch):
    monkeypatch.setattr(task_runner, "GRACE", 0.5)
    result, lucky = explored(pessimal, further(function), *HANGS)
    assert result["failures"] == [lucky]
    assert lucky["outcome"] == "timed out"


def test_a_run_that_takes_too_much_memory_is_told_with_its_input(pessimal, subject):
    _, lucky = explored(pessimal, subject("misc:grows"), "--memory", 256)
    assert "emory" in lucky["exception"]
    assert lucky["outcome"] in ("raised", "crashed")


@pytest.mark.parametrize(
    ("function", "outcome", "words"),
    [
        ("always_raises", "raised", "ValueError: always"),
        ("always_exits", "raised", "SystemExit: 4"),
        ("always_dies", "crashed", "exit status 4"),
        ("always_loops", "timed out", ""),
    ],
)
@pytest.mark.parametrize("strategy", ["exhaustive", "random", "climb"])
def test_a_target_that_always_fails_still_has_a_result(pessimal, further, strategy, function, outcome, words):
    result = pessimal("stress", further(function), "--strategy", strategy, "--paths", 2, *HANGS, "--json").json
    assert result["outcome"] == outcome
    assert words in (result["exception"] or "")
    assert result["input"] == {"x": 0}
    assert result["replayed"] is True
    assert (result["cost"]["value"] is None) == (outcome != "raised")


def test_several_deaths_in_one_search_are_all_told(pessimal, further):
    result = pessimal("explore", further("dies_twice"), "--json").json
    causes = {failure["exception"]: failure["input"]["x"] for failure in result["failures"]}
    assert len(causes) == 2
    assert causes["killed its process (exit status 2)"] == LUCKY
    assert causes["killed its process (exit status 1)"] > 100
    assert [path["outcome"] for path in result["paths"]] == ["returned"]


def test_all_paths_but_the_one_that_dies_are_found(pessimal, further):
    result = pessimal("explore", further("dies_late"), "--size", 4, "--json").json
    (failure,) = result["failures"]
    assert all(x > 0 for x in failure["input"]["xs"])
    found = [tuple(x > 0 for x in path["input"]["xs"]) for path in result["paths"]]
    assert len(found) == len(set(found)) == 15
    assert result["explored"] == 16


def test_stress_reports_the_worst_that_lives_and_the_failures_beside_it(pessimal, further):
    command = ["stress", further("dies_late"), "--cost", "branches", "--size", 3, "--strategy", "exhaustive", "--json"]
    result = pessimal(*command).json
    assert result["cost"]["value"] == 3
    assert result["outcome"] == "returned"
    assert result["proof"] is None
    assert [failure["outcome"] for failure in result["failures"]] == ["crashed"]


def test_an_endless_loop_over_an_unbounded_argument_is_survived(pessimal, subject):
    command = ["explore", subject("misc:counts_up"), "--paths", 3, *HANGS, "--memory", 256, "--json"]
    result = pessimal(*command).json
    assert result["stopped"] == "3 paths"
    assert {"0"} < {path["returned"] for path in result["paths"]}
    assert all(path["returned"] == str(max(0, path["input"]["x"])) for path in result["paths"])


def test_a_recursion_as_deep_as_its_argument_is_survived(pessimal, subject):
    command = ["stress", subject("misc:recurses"), "--input", "x=int:..", "--strategy", "fixed", "--json"]
    command += ["--cost", "branches", "--set", "default=false"]
    result = pessimal(*command).json
    assert result["outcome"] == "raised"
    assert result["exception"].startswith("RecursionError")
    assert result["input"]["x"] > 100


@pytest.mark.parametrize(
    ("function", "report"),
    [("swallows", ""), ("floods", ""), ("asks_from_thread", ""), ("leaves_thread", "left threads behind: Thread-1")],
)
def test_a_noisy_target_is_explored_in_silence(pessimal, subject, function, report):
    answer = pessimal("explore", subject(f"misc:{function}"), "--json")
    assert report in answer.err
    assert len(answer.err.splitlines()) == bool(report)
    assert {path["returned"] for path in answer.json["paths"]} == {"0", "1"}
    assert answer.json["exhausted"] is True


def test_what_cannot_be_pickled_is_returned_as_text(pessimal, subject):
    result = pessimal("explore", subject("misc:returns_function"), "--json").json
    assert all("<lambda>" in path["returned"] for path in result["paths"])
    assert len(result["paths"]) == 2
    assert result["nondeterministic"] is None


def test_an_argument_that_the_target_changes_is_reported_as_it_was_given(pessimal, subject):
    result = pessimal("explore", subject("misc:changes_argument"), "--size", 3, "--json").json
    assert len(result["paths"]) == 8
    assert all(len(path["input"]["xs"]) == 3 for path in result["paths"])
    for path in result["paths"]:
        assert path["returned"] == str(sum(x > 0 for x in path["input"]["xs"]))


def test_side_effects_are_blocked(pessimal, subject, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, lucky = explored(pessimal, subject("misc:writes_file"))
    assert lucky["outcome"] == "raised"
    assert lucky["exception"].startswith("SideEffectBlocked")
    assert "--allow-side-effects" in lucky["exception"]
    assert list(tmp_path.iterdir()) == []


def test_side_effects_happen_when_they_are_allowed(pessimal, subject, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, lucky = explored(pessimal, subject("misc:writes_file"), "--allow-side-effects")
    assert (lucky["outcome"], lucky["returned"]) == ("returned", "7")
    assert (tmp_path / "left-behind.txt").read_text() == "seven\n"


@confined
def test_compiled_code_has_no_side_effects_either(pessimal, write, tmp_path):
    name = write("""
        import ctypes

        LIBC = ctypes.CDLL(None)

        def removes(x: int) -> int:
            return LIBC.unlink(b"precious") + LIBC.system(b"touch made") * 0 if x == 7 else 0
    """)
    (tmp_path / "precious").touch()
    result = pessimal("explore", f"{name}:removes", "--json").json
    assert {path["returned"] for path in result["paths"]} == {"0", "-1"}
    assert {path.name for path in tmp_path.iterdir()} == {"precious", name}
    assert result["confined_by"][-1] == "hook"
    pessimal("explore", f"{name}:removes", "--allow-side-effects")
    assert {path.name for path in tmp_path.iterdir()} == {"made", name}


@confined
def test_what_the_system_denies_is_named_and_proves_nothing(pessimal, write):
    name = write("""
        import os

        def makes_pipe(x: int) -> int:
            return os.mkfifo("pipe") or 0 if x == 7 else 0
    """)
    result, denied = explored(pessimal, f"{name}:makes_pipe")
    assert denied["exception"].startswith("PermissionError")
    assert "--allow-side-effects" in denied["exception"]
    assert result["exhausted"] is False


def test_the_command_says_once_that_only_the_hook_protects(pessimal, subject, monkeypatch):
    monkeypatch.setattr(confinement, "layers", lambda: ())
    answer = pessimal("stress", subject("misc:raises"), "--sizes", "1,2", "--strategy", "fixed", "--json")
    assert answer.err.count("only Python's audit hook") == 1
    assert answer.json["confined_by"] == ["hook"]
    assert pessimal("explore", subject("misc:raises"), "--allow-side-effects").err == ""


def test_a_target_that_changes_its_directory_moves_nobody_else(pessimal, subject, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    explored(pessimal, subject("misc:changes_directory"))
    assert Path.cwd() == tmp_path


@pytest.mark.parametrize(
    "function",
    ["returns_chance", "returns_time", "branches_by_chance", "branches_by_history", "raises_by_history"],
)
def test_a_target_that_is_not_deterministic_is_named_and_not_exhausted(pessimal, further, function):
    result = pessimal("explore", further(function), "--paths", 20, "--json").json
    assert result["nondeterministic"]
    assert result["exhausted"] is False


@pytest.mark.parametrize("function", ["returns_time", "branches_by_chance", "branches_by_history", "raises_by_history"])
def test_a_target_that_is_not_deterministic_is_named_and_proves_nothing(pessimal, further, function):
    command = ["stress", further(function), "--cost", "branches", "--strategy", "exhaustive", "--paths", 20, "--json"]
    result = pessimal(*command).json
    assert result["nondeterministic"]
    assert result["proof"] is None


def test_the_text_warns_of_a_target_that_is_not_deterministic(pessimal, further):
    assert "not deterministic" in pessimal("explore", further("returns_time")).out


class Pausing:
    """A strategy that waits between two runs until it was killed, and then runs the worst path."""

    name = "pausing"

    def __init__(self, directory):
        self.waiting, self.killed = directory / "waiting", directory / "killed"

    def writable(self):
        return [self.waiting.parent]

    def search(self, session):
        session.run()
        self.waiting.touch()
        wait_for(self.killed.exists)
        session.run()
        session.evaluate([LUCKY])


def library_cost():
    """What one input costs that the standard library works on."""
    return api.stress("textwrap:wrap", size=8, inputs={"text": "str:'a '"}, strategy="fixed").cost["value"]


def test_forked_workers_count_the_work_of_modules_that_they_have_from_their_server(request):
    forked = library_cost()
    request.getfixturevalue("spawned_workers")
    assert forked == library_cost() > 20


def test_a_worker_that_is_killed_between_two_runs_does_not_end_the_search(spawned_workers, tmp_path):
    def lucky(x: int) -> int:
        return 2 if x == LUCKY and x > 0 else 0

    killed = []

    def kill(progress):
        if not killed:
            children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
            killed.extend(child for child in children if _works(child))
            wait_for(pausing.waiting.exists)
            for child in killed:
                os.kill(int(child), 9)
            pausing.killed.touch()

    pausing = Pausing(tmp_path)
    result = api.stress(lucky, strategy=pausing, cost="branches", progress=kill, budget=None)
    assert killed
    assert result.cost["value"] == 2
    assert result.failures == []


def _works(child):
    return b"pessimal.pool.worker" in Path(f"/proc/{child}/cmdline").read_bytes()


HARMFUL = """
import builtins
import os
import sys

def patches(x: int) -> int:
    for name in ("len", "isinstance", "type", "str", "range"):
        setattr(builtins, name, None)
    return 1 if x > 3 else 0

def closes(x: int) -> int:
    os.closerange(0, 4096)
    return 1 if x > 3 else 0

def empties(x: int) -> int:
    sys.modules.clear()
    sys.path.clear()
    sys.meta_path.clear()
    return 1 if x > 3 else 0

def hides(x: int) -> int:
    sys.modules["re"] = sys.modules["random"] = sys.modules["pickle"] = None
    sys.setrecursionlimit(120)
    sys.settrace(lambda *arguments: None)
    return 1 if x > 3 else 0

def floods(x: int) -> int:
    for _ in range(200):
        os.write(2, b"x" * 1000)
        print("x" * 1000)
    return 1 if x > 3 else 0
"""


@pytest.mark.parametrize("function", ["patches", "closes", "empties", "hides", "floods"])
def test_what_a_run_does_to_its_process_does_not_disturb_the_search(pessimal, write, function):
    file = write(HARMFUL)
    result = pessimal("stress", f"{file}:{function}", "--strategy", "exhaustive", "--json").json
    assert (result["outcome"], result["replayed"]) == ("returned", True)
    assert result["failures"] == []


def test_sizes_for_which_no_time_is_left_are_named(pessimal, write):
    file = write("import time\n\ndef slow(xs: list[int]) -> int:\n    time.sleep(0.2)\n    return len(xs)\n")
    answer = pessimal("stress", f"{file}:slow", "--sizes", "1,2", "--budget", "10ms", "--json")
    assert [point["size"] for point in answer.json["curve"]] == [1]
    assert "nothing was run at size 2: the budget was used up at smaller sizes" in answer.err
