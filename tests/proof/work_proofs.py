"""Proofs about work, compared with runs of all inputs: run as a script, since counting changes all functions.

    python -m tests.proof.work_proofs START STOP

For each generated program, as JSON: its seed, whether there is a proof, and what is wrong with the claim.
"""

import json
import sys
import tempfile
import warnings
from pathlib import Path

from tests.proof.enumerated import Enumerated, fault, search
from tests.proof.library_programs import program


def judged(seed, folder):
    """Whether a program has a proof, and what is wrong with what was claimed of it."""
    text = program(seed).source
    name = f"library_{seed}"
    Path(folder, f"{name}.py").write_text(text[text.index("def target(") :])
    front_end = Enumerated(program(seed), name, "work", folder)
    sys.modules[name] = None  # as if imported, so that its function is found
    session = search(front_end, paths=60)
    if session.attack is None:
        return False, None
    return session.proof is not None, fault(front_end, session.claimed_maximum, front_end.leaves)


def main():
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(int(sys.argv[1]), int(sys.argv[2])):
            print(json.dumps([seed, *judged(seed, folder)]), flush=True)


if __name__ == "__main__":
    main()
