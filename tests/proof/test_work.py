"""Proofs about work are true: every input of generated programs is run."""

import json
import subprocess
import sys
from pathlib import Path


def test_no_proof_about_work_is_false():
    done = subprocess.run(
        [sys.executable, "-m", "tests.proof.work_proofs", "0", "14"],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert done.returncode == 0, done.stderr
    judged = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(seed, wrong) for seed, is_proved, wrong in judged if is_proved and wrong] == []
    assert sum(is_proved for _, is_proved, _ in judged) >= 7
