"""Binaries on the command line."""

import subprocess

import pytest

pytest.importorskip("unicorn")

from pessimal import api
from pessimal.binary import needs
from pessimal.errors import UsageError
from pessimal.options import search_spec
from pessimal.result import Witness
from tests.binary.building import built, library


def test_explore_names_the_signal(pessimal):
    given = ("--input", "stdin=bytes:4", "--size", "4", "--budget", "600s", "--json", "--quiet")
    result = pessimal("explore", str(built("sage", "-O0")), *given).json
    assert (len(result["paths"]), result["exhausted"]) == (16, True)
    (failure,) = result["failures"]
    assert failure["exception"] == "SIGABRT" and failure["replayed"]
    assert failure["input"] == {"stdin": {"$bytes": b"bad!".hex()}}
    assert failure["call"].startswith("printf 'bad!' | ")


def test_cover_writes_a_corpus(pessimal, tmp_path):
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    (seeds / "one").write_bytes(b"bad?")
    target = f"{library('sage', '-O0', '-g')}:parse"
    given = ("--size", "4", "--seeds", str(seeds), "--out", str(tmp_path / "out"), "--runs", "40", "--json", "--quiet")
    result = pessimal("cover", target, *given).json
    assert result["functions"]["top"] >= 10 and "sage.c" in result["lines"]
    assert [failure["exception"] for failure in result["failures"]] == ["SIGABRT"]
    written = {path.read_bytes() for path in (tmp_path / "out" / "corpus").iterdir()}
    assert b"bad?" in written
    folder = tmp_path / "out" / "failures"
    assert [path.name[:7] for path in folder.glob("*[!t]")] == ["SIGABRT"]
    (text,) = [path.read_text() for path in folder.glob("*.txt")]
    what, command = text.splitlines()
    assert what.startswith("SIGABRT at ")
    assert subprocess.run(command, shell=True, stderr=subprocess.DEVNULL).returncode in (-6, 128 + 6)
    assert b"bad!" not in written


def test_options_that_do_not_fit(pessimal):
    assert "--tests does not apply to binaries" in pessimal("cover", str(built("sage", "-O0")), "--tests", "x.py").err
    assert "--call only applies to binaries" in pessimal("cover", "json", "--call", "f(x)").err
    assert "one at a time" in pessimal("cover", str(built("sage", "-O0")), "json").err


def test_without_the_extra_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setattr(needs, "PACKAGES", ("unicorn", "no_such_package"))
    with pytest.raises(
        UsageError, match=r"binaries need no_such_package, .*: pip install 'pessimal\[binary\]'$"
    ) as error:
        needs.check()
    assert error.value.slug == "missing"


def test_cover_says_how_much_of_each_function_it_has_seen(pessimal, tmp_path):
    target = f"{library('sage', '-O0', '-g')}:parse"
    result = pessimal("cover", target, "--size", "4", "--runs", "40", "--json", "--quiet").json
    assert result["functions"]["top"] == result["totals"]["top"]
    assert not result["unreached_lines"] and result["all_functions"] > len(result["functions"])
    first = pessimal("cover", target, "--size", "4", "--runs", "1", "--json", "--quiet").json
    assert first["functions"]["top"] < first["totals"]["top"] == result["totals"]["top"]


def test_cover_starts_from_words_and_all_seeds(pessimal, tmp_path):
    seeds, words = tmp_path / "seeds", tmp_path / "words"
    seeds.mkdir()
    (seeds / "one").write_bytes(b"")
    (seeds / "two").write_bytes(b"12345678901234")
    words.write_text('kind="bad!"\n"\\x00\\x01"\n')
    given = ("--seeds", str(seeds), "--dictionary", str(words), "--runs", "4", "--json", "--quiet")
    result = pessimal("cover", f"{library('sage', '-O0')}:parse", *given).json
    found = {bytes.fromhex(item["input"]["data"]["$bytes"]) for item in [*result["inputs"], *result["failures"]]}
    assert b"12345678901234" in found and b"bad!" in found
    assert [failure["exception"] for failure in result["failures"]] == ["SIGABRT"]


def test_all_lengths_up_to_one(pessimal):
    target = f"{library('sage', '-O0')}:parse"
    result = pessimal("explore", target, "--up-to", "2", "--json", "--quiet").json
    assert result["exhausted"] and {len(path["input"]["data"]["$bytes"]) // 2 for path in result["paths"]} == {0, 1, 2}
    assert "not both" in pessimal("explore", target, "--size", "2", "--up-to", "3").err


def test_hangs_and_growing_memory_are_failures(pessimal, tmp_path):
    target, out = str(built("odd", "-O1", "-DGROWS", "-DLOOPS")), tmp_path / "out"
    given = ("--size", "1", "--memory", "64", "--run-timeout", "2s", "--runs", "20", "--out", str(out), "--quiet")
    result = pessimal("cover", target, *given, "--json").json
    found = {bytes.fromhex(item["input"]["stdin"]["$bytes"]): item for item in result["failures"]}
    assert found[b"m"]["exception"] == "SIGKILL: it uses more than 64 MiB of memory"
    assert found[b"l"]["outcome"] == "timed out" and len(found) == 2
    assert {path.name.partition("-")[0] for path in (out / "failures").iterdir()} == {"SIGKILL", "TIMEOUT"}


def test_a_program_that_rejects_every_input_is_told_in_a_line(pessimal):
    for command in ("explore", "stress", "cover"):
        done = pessimal(command, str(built("odd", "-O1", "-DFORKS")), "--size", "1", "--budget", "60s", "--quiet")
        assert done.code == 2 and "the program calls clone" in done.err and "internal" not in done.err


def test_a_slow_run_in_the_emulator_is_no_failure_before_it_was_run_natively():
    found = [Witness({}, "f()", "timed out", None, replayed=replayed) for replayed in (True, False)]
    spec, warned = search_spec(str(built("sage", "-O0")), 4, {"strategy": "auto"}), []
    assert api._confirmed(spec, found, warned.append) == found[:1] and "raise --run-timeout" in warned[0]
    assert api._confirmed(search_spec("json:loads", 4, {"strategy": "auto"}), found, warned.append) == found
