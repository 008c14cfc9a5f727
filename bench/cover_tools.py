"""The tools that bench-cover compares on a module, each judged by coverage.py, and kept in a file as they end."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from time import monotonic
from typing import Any

from bench import cover_crosshair, cover_pynguin
from bench.cells import commit
from bench.cover_process import Ended, log, run, sites
from bench.peers import ROOT, environment
from bench.table import RESULTS

PLAYING = ("random", "hypothesis", "atheris")
WRITING = ("pynguin", "crosshair")
RIVALS = (*PLAYING, *WRITING)
OURS = "pessimal"
LATE = 10.0
"""How long a tool may take beyond its time before it is killed."""
TEST_SECONDS = 5.0
JUDGED_SECONDS = 400.0
MOMENTS = (5, 15, 30, 60)
PASSED = ("passed", "xfailed")
TESTS = RESULTS / "cover-tests"

Question = dict[str, Any]
"""The module, its file, the seconds and the seed."""
Answer = dict[str, Any]
"""``covered`` and ``total`` branches, ``curve`` by seconds, and of written tests how many there are and pass twice."""


class Tools:
    """Runs tools on modules, and keeps what they covered."""

    def __init__(self, kept: Path, *, fresh: bool) -> None:
        self._file = kept
        self._lock = Lock()
        lines = kept.read_text().splitlines() if kept.exists() and not fresh else []
        self._kept: dict[str, Answer] = {item["key"]: item["answer"] for item in map(json.loads, lines)}

    def found(self, tool: str, asked: Question) -> Answer:
        """What a tool covers of a module, by running it if it was not run before."""

        def ask() -> Answer:
            with TemporaryDirectory() as folder:
                answer = _run(tool, asked, Path(folder))
            covered, total, error = answer["covered"], answer["total"], answer.get("error") or ""
            log(f"{asked['module']} {tool}: {covered} of {total}, {answer['seconds']:.1f}s {error}")
            return answer

        return self.remembered([tool, asked], ask)

    def remembered(self, question: list[Any], ask: Callable[[], Answer]) -> Answer:
        """The answer to a question, whose first word is a tool, by asking if it was not asked before."""
        tool, *others = question
        key = json.dumps([f"{tool} {commit()}" if tool == OURS else tool, *others], sort_keys=True)
        if key not in self._kept:
            self._keep(key, ask())
        return self._kept[key]

    def _keep(self, key: str, answer: Answer) -> None:
        with self._lock:
            self._kept[key] = answer
            self._file.parent.mkdir(exist_ok=True)
            with self._file.open("a") as file:
                file.write(json.dumps({"key": key, "answer": answer}) + "\n")


def _run(tool: str, asked: Question, folder: Path) -> Answer:
    if tool in PLAYING:
        return _play(tool, asked, folder)
    writers = {"pynguin": cover_pynguin.write_tests, "crosshair": cover_crosshair.write_tests, OURS: _cover}
    return _write(tool, writers[tool], asked, folder)


def _play(tool: str, asked: Question, folder: Path) -> Answer:
    """A tool that runs inputs and counts branches itself, by the judge's means."""
    question = json.dumps({**asked, "end": monotonic() + asked["seconds"]})
    command = [environment("cover"), "-m", f"bench.cover_{tool}", question]
    cache = sites("cover") / ".hypothesis"
    variables = {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0", "HYPOTHESIS_STORAGE_DIRECTORY": str(cache)}
    ended = run(command, asked["seconds"] + LATE, folder, variables, writable=[cache])
    lines = [json.loads(line) for line in ended.out.splitlines() if line.startswith("{") and line.endswith("}")]
    if not lines:
        return {**judged(asked, []), "curve": {}, "seconds": ended.seconds, "error": ended.complaint}
    return {**lines[-1], "curve": curve_of(lines, asked), "seconds": ended.seconds}


def curve_of(lines: list[dict[str, Any]], asked: Question) -> dict[str, int]:
    """The branches that were covered at some moments of the time given."""
    return {str(moment): at(lines, moment) for moment in MOMENTS if moment <= asked["seconds"]}


def at(lines: list[dict[str, Any]], moment: float) -> int:
    """The branches that were covered at a moment."""
    return max((line["covered"] for line in lines if line["seconds"] <= moment + 0.5), default=0)


Writer = Callable[[Question, Path], tuple[list[Path], Ended]]


def _write(tool: str, writer: Writer, asked: Question, folder: Path) -> Answer:
    """A tool that writes tests, which are judged and kept."""
    files, ended = writer(asked, folder)
    kept = TESTS / tool / asked["module"]
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    tests = [str(shutil.copy(file, kept)) for file in files]
    first, second = judged(asked, tests, hash_seed=1), judged(asked, tests, hash_seed=2)
    outcomes = [first.pop("outcomes"), second["outcomes"]]
    twice = [name for name in outcomes[0] if all(outcome.get(name) in PASSED for outcome in outcomes)]
    answer = {**first, "tests": len(outcomes[0]), "passed twice": len(twice), "seconds": ended.seconds}
    answer["failing"] = [name for name in outcomes[0] if name not in twice]
    answer["expected failures"] = sum(outcome == "xfailed" for outcome in outcomes[0].values())
    if tool == OURS:
        answer |= _told(ended, asked)
    return answer if tests else {**answer, "error": ended.complaint}


def _cover(asked: Question, folder: Path) -> tuple[list[Path], Ended]:
    """``pessimal cover``, in an environment that finds the subjects."""
    file = folder / "test_pessimal.py"
    command = [sys.executable, "-c", "from pessimal.cli import main; main()", "cover", asked["module"], "--json", "-q"]
    command += ["--no-existing-tests"]  # the rivals have none to learn from
    command += [f"--budget={asked['seconds']}s", f"--seed={asked['seed']}", f"--tests={file}"]
    places = os.pathsep.join((str(ROOT / "src"), str(sites("cover"))))
    ended = run(command, asked["seconds"] + LATE, folder, {"PYTHONPATH": places}, confined=False)
    return [file] if file.exists() else [], ended


def _told(ended: Ended, asked: Question) -> Answer:
    """What ``pessimal cover`` says itself, for the comparison with what is judged."""
    try:
        said = json.loads(ended.out)
    except ValueError:
        return {"error": ended.complaint}
    unreached = said["unreached"]
    told = {"own count": said["branches"], "executions": said["executions"], "failures": len(said["failures"])}
    told["unreached"] = len(unreached)
    told["dropped"] = len((said.get("test_file") or {}).get("dropped", ()))
    told["without reason"] = sum(not item.get("reason") for item in unreached)
    told["out of time"] = sum("in the time given" in (item.get("reason") or "") for item in unreached)
    lines = [{"seconds": seconds, "covered": covered} for seconds, covered in said.get("curve") or ()]
    told["curve"] = curve_of(lines, asked) if lines else {}
    return told


def judged(asked: Question, tests: list[str], hash_seed: int = 1) -> Answer:
    """The branches that some files of tests cover, and how each test ends."""
    question = {"module": asked["module"], "file": asked["file"], "tests": tests, "seconds": TEST_SECONDS}
    places = os.pathsep.join((str(ROOT), *([asked["path"]] if "path" in asked else [])))
    variables = {"PYTHONPATH": places, "PYTHONHASHSEED": str(hash_seed)}
    with TemporaryDirectory() as folder:
        command = [environment("cover"), "-m", "bench.cover_judge", json.dumps(question)]
        ended = run(command, JUDGED_SECONDS, Path(folder), variables)
    try:
        return dict(json.loads(ended.out.splitlines()[-1]))
    except (ValueError, IndexError):
        log(f"the tests of {asked['module']} cannot be judged: {ended.complaint}")
        return {"covered": 0, "total": asked["branches"], "outcomes": {}, "error": f"not judged: {ended.complaint}"}
