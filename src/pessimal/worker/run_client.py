"""A process that runs one target on request, seen from outside: one that dies or hangs is replaced."""

from __future__ import annotations

import json
import select
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from pessimal.errors import TargetError, UsageError

PATIENCE = 300.0
"""After so many seconds without an answer the process is replaced; its runs have a limit of their own."""


class RunClient:
    """Asks :mod:`pessimal.worker.run_server`; ``first`` is what it answers to being started."""

    def __init__(
        self, target: str, size: int, inputs: Mapping[str, str], first: str, allow_side_effects: bool = False
    ) -> None:
        asked = {"target": target, "size": size, "inputs": dict(inputs), "first": first}
        self._asked = json.dumps({**asked, "allow_side_effects": allow_side_effects})
        self.first = self._start()

    def _start(self) -> Any:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pessimal.worker.run_server", self._asked],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        answer = self._answer()
        if answer is None:
            self.close()
            raise TargetError("the target ends the process that runs it: run it by itself to see why")
        if "error" in answer:
            self.close()
            raise UsageError.from_json(answer["error"])
        return answer

    def ask(self, request: Mapping[str, Any]) -> Any:
        """The answer to a request; None if the process died of it or hung."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            answer = self._answer()
        except BrokenPipeError:
            answer = None
        if answer is None:
            self.close()
            self._start()
        return answer

    def _answer(self) -> Any:
        """The next line; None if there is none."""
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], PATIENCE)
        line = self._process.stdout.readline() if ready else b""
        return json.loads(line) if line.endswith(b"\n") else None

    def close(self) -> None:
        """End the process; may be called again."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
