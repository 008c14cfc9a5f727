"""The judge of bench-wild: how many lines an input executes, in a process of its own, after a first run."""

from __future__ import annotations

import json
import signal
import sys

from bench.wild_plain import lines, stop
from pessimal.inputs import Inputs, encode, from_json
from pessimal.target import Reference, load


def main() -> None:
    """Judge the input that is given as JSON, by its leaves or by its arguments."""
    given = json.loads(sys.argv[1])
    signal.signal(signal.SIGALRM, stop)
    function = load(Reference.parse(given["target"])).call
    inputs = Inputs.of(function, given["size"], given["inputs"])
    arguments = given.get("arguments")
    leaves = given.get("leaves") or encode(inputs, {name: from_json(value) for name, value in arguments.items()})
    lines(function, inputs, leaves, given["seconds"])
    print(lines(function, inputs, leaves, given["seconds"]))


if __name__ == "__main__":
    main()
