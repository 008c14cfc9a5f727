"""An interrupted command writes tests of what it has found."""

import json
import os
import signal
import subprocess
import sys

from tests.commands import finish, start, wait_for

PROGRAM = """
import time

class Half:
    def __new__(cls, number: int):
        return object.__new__(cls)

    def __init__(self, number: int) -> None:
        if number > 3:
            raise ValueError("too large")
        self.number = number

    def __repr__(self) -> str:
        return f"Half({self.number})"

    @property
    def double(self) -> int:
        return 2 * self.number

def first(number: int) -> str:
    return "small" if number < 10 else "large"

def never(number: int) -> str:
    if hash(str(number)) == 1:
        return "found"
    return "lost"
"""


def test_an_interrupted_command_writes_what_it_has_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "halves.py").write_text(PROGRAM)
    process = start("cover", "halves.py", "--budget", "200s", "--tests", "test_halves.py", "--json")
    said = []
    wait_for(lambda: said.append(process.stderr.read(1)) or "branches" in "".join(said), process)
    process.send_signal(signal.SIGINT)
    out, err = finish(process)
    result = json.loads(out)
    assert process.returncode == 130 and "Traceback" not in err
    assert result["interrupted"] and result["branches"]["covered"] < result["branches"]["total"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_halves.py"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    assert subprocess.run(command, capture_output=True, env=environment).returncode == 0
