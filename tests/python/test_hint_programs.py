"""Inputs of every kind reach both results of a program in the rewritten world, where classes are other objects."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).with_name("hint_programs.py")
NAMES = re.findall(r"^def (\w+)\(x:", PROGRAMS.read_text(), re.M)
SCRIPT = """
import json, sys
from pessimal.python.frontend import PythonFrontEnd
from pessimal.python.world import Worlds
from pessimal.runs import Request
from pessimal.search_spec import SearchSpec
from pessimal.target import Reference
from pessimal.trace import Outcome
from tests.python.exploring import Collector, Enough

class Session(Collector):
    def __init__(self, front):
        self.front, self.traces, self.paths = front, [], 40

    def run(self, policy=None, start=None, *, probe_other=False, avoid=None, **options):
        if len(self.traces) >= self.paths:
            raise Enough
        self.traces.append(self.front.run(Request(policy, start, probe_other, avoid=avoid), 60.0))
        return self.traces[-1]

found, worlds = {}, Worlds()  # one copy of the modules for all programs, since rewriting takes most of the time
for name in sys.argv[2:]:
    spec = SearchSpec(Reference.parse(f"{sys.argv[1]}:{name}"), 3, "sweep", growing=True)
    front = PythonFrontEnd(spec, worlds=worlds)
    session = Session(front).explore()
    native = [front.native(trace.leaves, 60.0) for trace in session.traces]
    found[name] = sorted({trace.returned for trace in native if trace.outcome is Outcome.RETURNED})
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def results():
    command = [sys.executable, "-c", SCRIPT, str(PROGRAMS), *NAMES]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", NAMES)
def test_both_results_are_reached(results, name):
    assert results[name] == ["0", "1"]
