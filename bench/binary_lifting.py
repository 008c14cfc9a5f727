"""Random instructions, lifted and emulated: every term that an instruction leaves compared with the processor's value.

make bench-binary-lifting                                   100,000 instances and more
python -m bench.binary_lifting --instructions 500 --seed 7   fewer, and others
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from bench.table import publish
from tests.binary.instructions import Comparison, compare_all

BATCH = 1000
"""So many instructions are assembled at a time."""


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--instructions", type=int, default=5500)
    options.add_argument("--states", type=int, default=20)
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    whole = Comparison()
    for number, done in enumerate(range(0, given.instructions, BATCH)):
        count = min(BATCH, given.instructions - done)
        with tempfile.TemporaryDirectory() as directory:
            part = compare_all(count, given.states, given.seed * 1000 + number, Path(directory))
        whole.counts += part.counts
        whole.differences += part.differences
    for difference in whole.differences[:50]:
        print(difference, file=sys.stderr)
    kinds = sum(name.startswith("mnemonic ") for name in whole.counts)
    row = {
        "instances compared": whole.counts["compared"],
        "kinds of instructions": kinds,
        "faults": whole.counts["faults"],
        "not lifted": whole.counts["not lifted"],
        "differences": len(whole.differences),
    }
    publish("binary_lifting", "Lifted instructions beside the emulator", [row])
    sys.exit(bool(whole.differences))


if __name__ == "__main__":
    main()
