"""Binaries on the command line."""

import pytest

pytest.importorskip("unicorn")

from pessimal.binary import needs
from pessimal.errors import UsageError
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
    assert [path.name[:7] for path in (tmp_path / "out" / "failures").glob("*[!t]")] == ["SIGABRT"]


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
