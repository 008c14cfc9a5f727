"""The tools that bench-wild and bench-attacks compare, each in a process of its own, and the judge of their answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

from bench.cells import commit
from bench.peers import ROOT, environment

PATIENCE = 200.0
TOGETHER = min(2, len(os.sched_getaffinity(0)))
"""How many tools that use one core run at a time."""

Question = dict[str, Any]
"""The target, its inputs, the size, the seconds and the seed."""
Answer = dict[str, Any]
"""The leaves or arguments that a tool found, its runs and seconds, and how they are judged: lines and work."""


class Tools:
    """Runs tools on targets of an environment, and keeps what they found in a file."""

    def __init__(self, packages: str, kept: Path, *, fresh: bool) -> None:
        self._site = str(next(Path(environment(packages)).parent.parent.glob("lib/python*/site-packages")))
        self._file = kept
        self._writing = Lock()
        lines = kept.read_text().splitlines() if kept.exists() and not fresh else []
        self._kept: dict[str, Answer] = {item["key"]: item["answer"] for item in map(json.loads, lines)}

    def run_ahead(self, calls: Iterable[Callable[[], Answer]]) -> None:
        """Run what uses one core each two at a time; a portfolio has all cores and runs alone afterwards."""
        with ThreadPoolExecutor(TOGETHER) as threads:
            for _ in threads.map(lambda call: call(), calls):
                pass

    def rival(self, name: str, asked: Question) -> Answer:
        """What a rival finds, judged."""
        return self._found(name, asked, lambda: self._run_rival(name, asked))

    def pessimal(self, strategy: str, asked: Question) -> Answer:
        """What ``stress`` finds with a strategy, judged."""
        return self._found(f"pessimal {strategy} {commit()}", asked, lambda: self._stress(strategy, asked))

    def judged(self, asked: Question, answer: Answer) -> Answer:
        """The lines and the work of an input; none if there is none."""
        found = {key: answer[key] for key in ("leaves", "arguments") if answer.get(key) is not None}
        judged = self._output(["-m", "bench.wild_judge", json.dumps({**asked, **found})])[0] if found else None
        return judged or {"lines": 0, "work": 0}

    def _found(self, tool: str, asked: Question, run: Callable[[], Answer]) -> Answer:
        key = json.dumps([tool, asked], sort_keys=True)
        if key not in self._kept:
            answer = run()
            self._keep(key, answer | self.judged(asked, answer))
        return self._kept[key]

    def _keep(self, key: str, answer: Answer) -> None:
        with self._writing:
            self._kept[key] = answer
            self._file.parent.mkdir(exist_ok=True)
            with self._file.open("a") as file:
                file.write(json.dumps({"key": key, "answer": answer}) + "\n")

    def _run_rival(self, name: str, asked: Question) -> Answer:
        start = monotonic()
        question = json.dumps({**asked, "end": start + asked["seconds"]})
        found, errors = self._output(["-m", f"bench.wild_{name}", question])
        return {"runs": 0, **(found or {"error": errors}), "seconds": monotonic() - start}

    def _stress(self, strategy: str, asked: Question) -> Answer:
        command = ["-c", "from pessimal.cli import main; main()", "stress", asked["target"], "--json"]
        command += [f"--cost={asked.get('cost', 'work')}"]
        command += [f"--budget={asked['seconds']}s", f"--seed={asked['seed']}", "--stop-after=none"]
        command += [f"--size={asked['size']}", f"--strategy={strategy}"]
        command += [f"--workers={asked['workers']}"] if "workers" in asked else []
        command += [f"--input={name}={text}" for name, text in asked["inputs"].items()]
        start = monotonic()
        found, errors = self._output(command)
        seconds = monotonic() - start
        if found is None:
            return {"runs": 0, "seconds": seconds, "error": errors}
        failures = [item for item in found["failures"] if item["outcome"] == "timed out" and item["input"]]
        hangs = [failure["input"] for failure in failures]
        arguments = hangs[0] if hangs else found["input"]
        error = {"error": "no input"} if arguments is None else {}
        answer = {"arguments": arguments, "cost": found["cost"]["value"] or 0, "runs": found["paths"]}
        answer["proof"] = found["proof"]
        return {**answer, "seconds": seconds, "hangs": bool(hangs), **error}

    def _output(self, command: list[str]) -> tuple[Answer | None, str]:
        """The JSON that a Python process prints, on its last line or as a whole, and what it says otherwise."""
        places = os.pathsep.join((str(ROOT), str(ROOT / "src"), self._site))
        try:
            done = subprocess.run(
                [sys.executable, *command],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": places},
                capture_output=True,
                text=True,
                errors="replace",  # targets print what they like
                timeout=PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None, "does not end"
        try:
            return json.loads(done.stdout if command[0] == "-c" else done.stdout.splitlines()[-1]), ""
        except (ValueError, IndexError):
            return None, (done.stderr or done.stdout).strip()[-200:] or "says nothing"
