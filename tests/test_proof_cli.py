"""Proofs on the command line: certificates that are written and checked, bounds, and every way to get them wrong."""

import json
import os
import signal
import sys
from pathlib import Path

import pytest

from tests.commands import finish, kept, slowly, start, wait_for
from tests.test_cli import SLOW, refused

SORT, ROADS = "insertion_sort:insertion_sort", "dijkstra:shortest_path_dijkstar"


BRANCHES = ("--cost", "branches")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The test's own directory, which becomes the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def written(pessimal, subject, here):
    """Writes the certificate of a subject."""

    def write(short=SORT, size=4):
        options = ["--size", size, "--strategy", "exhaustive", "--certificate", "proof", "--json"]
        assert pessimal("stress", *BRANCHES, subject(short), *options).json["proof"] == "tree exhausted"
        return here / "proof"

    return write


@pytest.mark.parametrize(
    ("short", "size", "words"),
    [
        (SORT, 4, "proved: 6 is the maximum; 24 paths and 0 infeasible directions are the whole tree"),
        (ROADS, 6, "proved: 5 is the maximum; 5 paths and 4 infeasible directions are the whole tree"),
    ],
)
def test_a_true_certificate_is_proved(pessimal, subject, written, short, size, words):
    answer = pessimal("check", *BRANCHES, subject(short), written(short, size), "--size", size)
    assert answer.code == 0
    assert answer.out == f"{words}, each of them checked\n"
    assert answer.err == ""


def test_a_verdict_is_told_in_json(pessimal, subject, written):
    verdict = pessimal("check", *BRANCHES, subject(SORT), written(), "--size", 4, "--json").json
    assert verdict == {
        "holds": True,
        "reason": "tree exhausted",
        "maximum": 6,
        "paths": 24,
        "infeasible": 0,
        "sampled": None,
        "interrupted": False,
    }


def test_a_sample_proves_nothing_but_finds_no_fault(pessimal, subject, written):
    answer = pessimal("check", *BRANCHES, subject(SORT), written(), "--size", 4, "--sample", 3)
    assert answer.code == 0
    assert answer.out.startswith("no error found: if 6 is the maximum, 24 paths")


def test_what_is_not_proved_fails_the_command_with_its_reason(pessimal, subject, written):
    proof = written()
    lines = proof.read_text().splitlines()
    proof.write_text("\n".join([*lines[:-2], lines[-1]]))
    answer = pessimal("check", *BRANCHES, subject(SORT), proof, "--size", 4)
    assert answer.code == 1
    assert answer.out.startswith("not proved: 1 outcomes are left open, the first is ")
    assert answer.err == ""


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda file: file.unlink(), ["cannot be read", "No such file"]),
        (lambda file: (file.unlink(), file.mkdir()), ["cannot be read", "directory"]),
        (lambda file: file.write_bytes(os.urandom(4096)), ["proof"]),
        (lambda file: file.write_bytes(b"\xff\xfe" * 50), ["cannot be read"]),
        (lambda file: file.write_text(""), ["no claim at its end"]),
        (lambda file: file.write_text("{}\n" * 9), ["no claim at its end"]),
        (lambda file: file.write_text(file.read_text()[:-40]), ["no claim at its end"]),
        (lambda file: file.write_text(file.read_text()[40:]), ["a line that is not a path"]),
        (lambda file: file.write_text(file.read_text().replace('"format":2', '"format":3')), ["format 3"]),
    ],
)
def test_a_file_that_is_no_certificate_is_refused(pessimal, subject, written, change, words):
    proof = written()
    change(proof)
    assert refused(pessimal("check", *BRANCHES, subject(SORT), proof, "--size", 4), *words, "[certificate]")


@pytest.mark.parametrize(
    ("short", "options", "words"),
    [
        (SORT, ["--size", "5"], ["size 4", "size 5", "[certificate]"]),
        (SORT, [], ["size 4", "size 10", "[certificate]"]),
        (ROADS, ["--size", "4"], ["insertion_sort", "shortest_path_dijkstar", "[certificate]"]),
        (SORT, ["--size", "4", "--cost", "lines"], ["branches", "lines", "[certificate]"]),
        (SORT, ["--size", "4", "--sample", "0"], ["--sample", "1 or more"]),
        (SORT, ["--size", "4", "--sample", "x"], ["--sample", "'x'"]),
        (SORT, ["--size", "x"], ["--size", "'x'"]),
        (SORT, ["--size", "4", "--cost", "nope"], ["nope"]),
        (SORT, ["--size", "4", "--input", "xs"], ["xs=list[int]:N"]),
        (SORT, ["--size", "4", "--require", "xs"], ["--require"]),
        ("insertion_sort:none", ["--size", "4"], ["none"]),
    ],
)
def test_a_check_of_something_else_is_refused(pessimal, subject, written, short, options, words):
    assert refused(pessimal("check", *BRANCHES, subject(short), written(), *options), *words)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--certificate", "nowhere/proof"], ["nowhere/proof cannot be written: No such file or directory"]),
        (["--certificate", "."], ["cannot be written: Is a directory"]),
        (["--certificate", "proof", "--strategy", "climb"], ["climb does not write one", "exhaustive or sweep"]),
        (["--certificate", "proof", "--strategy", "random"], ["random does not write one"]),
        (["--certificate", "proof", "--strategy", "nope"], ["unknown strategy"]),
        (["--certificate", "proof", "--sizes", "3,4"], ["one size"]),
        (["--certificate", "proof", "--require", "len(xs) > 1"], ["preconditions"]),
        (["--certificate", "proof", "--pyse-compatible"], ["PySE"]),
    ],
)
def test_a_certificate_that_cannot_be_is_refused_before_the_search(pessimal, subject, here, options, words):
    strategy = [] if "--strategy" in options else ["--strategy", "exhaustive"]
    assert refused(pessimal("stress", *BRANCHES, subject(SORT), *strategy, *options), *words)
    assert not (here / "proof").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_certificate_that_may_not_be_written_is_refused(pessimal, subject, here):
    (here / "proof").touch(0o400)
    options = ["--size", 4, "--strategy", "exhaustive", "--certificate", "proof"]
    assert refused(pessimal("stress", *BRANCHES, subject(SORT), *options), "Permission denied", "[certificate]")


@pytest.mark.parametrize("command", [["check"], ["stress", "--strategy", "history", "--set"]])
def test_a_device_without_end_is_not_read(pessimal, subject, command):
    file = "/dev/zero" if command == ["check"] else "load=/dev/zero"
    name, *options = command
    assert refused(pessimal(name, subject(SORT), *options, file), "/dev/zero", "cannot be read: it is a device")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_device_that_is_no_file_is_refused(pessimal, subject):
    options = ["--size", 4, "--strategy", "exhaustive", "--certificate", "/dev/full"]
    assert refused(
        pessimal("stress", *BRANCHES, subject(SORT), *options), "/dev/full cannot be written", "[certificate]"
    )


def test_a_certificate_that_finds_no_room_ends_the_search_in_one_line(pessimal, write, tmp_path):
    write("import resource\n\nresource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))\n" + SLOW, "full.py")
    options = ["--size", "4", "--strategy", "exhaustive", "--certificate", "proof", "--allow-side-effects"]
    assert refused(pessimal("stress", "full.py:steps", *options), "proof cannot be written: File too large")


@pytest.mark.parametrize("options", [("--paths", 5), ("--bound", 3), ("--strategy", "fixed")])
def test_a_search_without_a_proof_says_that_its_certificate_is_none(pessimal, subject, here, options):
    strategy = () if "--strategy" in options else ("--strategy", "exhaustive")
    answer = pessimal(
        "stress", *BRANCHES, subject(SORT), "--size", 4, *strategy, *options, "--certificate", "proof", "--json"
    )
    assert answer.json["proof"] != "tree exhausted"
    assert "proof proves nothing: the search ended without a proof (" in answer.err
    assert refused(pessimal("check", *BRANCHES, subject(SORT), "proof", "--size", 4), "the search did not finish")


def test_paths_of_one_size_can_be_certified_and_of_many_cannot(pessimal, subject, here):
    assert refused(pessimal("explore", subject(SORT), "--certificate", "proof"), "one size")
    assert pessimal("explore", subject(SORT), "--size", 4, "--certificate", "proof", "--json").json["exhausted"]
    assert pessimal("check", *BRANCHES, subject(SORT), "proof", "--size", 4).code == 0


STEPS = [
    "stress",
    *BRANCHES,
    "slow.py:steps",
    "--size",
    4,
    "--strategy",
    "exhaustive",
    "--budget",
    "10m",
    "--out",
    "out",
]
SEARCH = [*STEPS, "--certificate", "proof"]


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_the_certificate_of_an_interrupted_search_goes_on_with_it(write, tmp_path, pessimal, end):
    write(SLOW, "slow.py")
    with slowly():
        process = start(*SEARCH)
        wait_for(lambda: kept(tmp_path / "out") > 0, process)
        process.send_signal(end)
        _, said = finish(process)
    if end == signal.SIGINT:
        assert process.returncode == 130
        assert "proves nothing: the search ended without a proof (interrupted)" in said
    assert refused(pessimal("check", *BRANCHES, "slow.py:steps", "proof", "--size", 4), "no claim at its end")
    resumed = pessimal(*SEARCH, "--json")
    assert "resuming after" in resumed.err
    assert resumed.json["proof"] == "tree exhausted"
    answer = pessimal("check", *BRANCHES, "slow.py:steps", "proof", "--size", 4)
    assert answer.code == 0, answer
    assert answer.out.startswith("proved: 8 is the maximum; 81 paths and 40 infeasible directions")


def test_a_certificate_that_was_changed_meanwhile_is_not_gone_on_with(write, tmp_path, pessimal):
    write(SLOW, "slow.py")
    with slowly():
        process = start(*SEARCH)
        wait_for(lambda: kept(tmp_path / "out") > 1, process)
        process.kill()
        process.communicate()
    assert refused(pessimal(*STEPS), "another certificate", "[out]")
    assert refused(pessimal(*STEPS, "--certificate", "other"), "another certificate", "[out]")
    (tmp_path / "proof").write_text("")
    answer = pessimal(*SEARCH, "--quiet")
    assert answer.code == 2
    assert "proof was changed since its search was interrupted" in answer.err
    assert "Traceback" not in answer.err


def test_a_check_tells_its_progress_and_can_be_interrupted(write, tmp_path, pessimal):
    write(SLOW, "slow.py")
    assert pessimal(*SEARCH).code == 0
    with slowly():
        process = start("check", *BRANCHES, "slow.py:steps", "proof", "--size", 4)
        line = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        printed, said = finish(process)
    assert line.startswith("pessimal: ")
    assert line.endswith(" of 81 paths checked\n")
    assert process.returncode == 130
    assert printed.startswith("not proved: interrupted after ")
    assert printed.endswith(" of 81 paths\n")
    assert "Traceback" not in said


@pytest.mark.skipif(sys.platform != "linux", reason="the memory limit needs /proc")
def test_a_check_whose_process_dies_proves_nothing(write, pessimal):
    write("import os\n\ndef f(x: int) -> int:\n    return os.kill(os.getpid(), 9) if x > 2 else 1\n", "slow.py")
    given = ["--size", 1, "--input", "x=int:.."]
    options = [*given, "--strategy", "exhaustive", "--certificate", "proof", "--allow-side-effects"]
    assert "proves nothing" in pessimal("stress", *BRANCHES, "slow.py:f", *options).err
    claim = {"target": "slow.py:f", "size": 1, "cost": "branches", "maximum": 1, "format": 2}
    path = {"known_prefix": 0, "taken": "1", "closed": [], "input": [3], "cost": 1}
    Path("proof").write_text("\n".join(map(json.dumps, (path, claim))))
    answer = pessimal("check", *BRANCHES, "slow.py:f", "proof", *given, "--allow-side-effects")
    assert answer.code == 1
    assert answer.out.startswith("not proved: the process ended after 0 of 1 paths")


def test_a_bound_that_is_met_is_a_proof_that_says_who_gave_it(pessimal, subject):
    answer = pessimal("stress", *BRANCHES, subject(SORT), "--size", 10, "--bound", "n*(n-1)/2")
    assert answer.code == 0
    assert "  proof     bound met, as given: n*(n-1)/2 = 45\n" in answer.out
    assert "  stopped   a cost of 45 was enough" in answer.out


@pytest.mark.parametrize("strategy", ["exhaustive", "fixed"])
def test_a_bound_that_is_exceeded_is_told_loudly_and_proves_nothing(pessimal, subject, strategy):
    answer = pessimal("stress", *BRANCHES, subject(SORT), "--size", 4, "--strategy", strategy, "--bound", "n-2")
    assert answer.code == 1
    assert "pessimal: the bound is wrong: n-2 = 2, but an input costs " in answer.err
    assert "  proof     none: best found\n" in answer.out
    assert "  BOUND     WRONG at size 4: it is 2, but an input costs " in answer.out


def test_a_bound_that_is_not_met_proves_nothing(pessimal, subject):
    options = "--size", 4, "--strategy", "climb", "--paths", 50, "--bound", "n**2", "--json"
    result = pessimal("stress", *BRANCHES, subject(SORT), *options).json
    assert result["proof"] is None
    assert result["over_bound"] == []


def test_a_check_that_meets_its_budget_says_how_far_it_came(write, tmp_path, pessimal):
    write(SLOW, "slow.py")
    assert pessimal(*SEARCH, "--quiet").code == 0
    with slowly():
        answer = pessimal("check", *BRANCHES, "slow.py:steps", "proof", "--size", 4, "--budget", "500ms", "-q")
    assert answer.code == 1
    assert answer.out.startswith("not proved: the budget of 0.5s was used up ")
    assert refused(pessimal("check", "slow.py:steps", "proof", "--size", 4, "--budget", "soon"), "soon")
