"""Every branch that is not reached has a reason, and the strongest one that is known."""

from pessimal.covering.messages import Reason
from pessimal.covering.unreached import unreached
from pessimal.python.cover.goals import EXECUTED

SOURCE = """\
def f(x):
    if x > 1:
        if x > 2:
            return 1
    return 2

def g(x):
    if x:
        return 1

if __name__ == "__main__":
    f(1)
"""


def reasons(tmp_path, known=(), lost=()):
    file = tmp_path / "program.py"
    file.write_text(SOURCE)
    missing = [(str(file), line, to) for line, to in ((2, 3), (3, 4), (8, 9), (11, 12))]
    given = [Reason(str(file), *item) for item in known]
    taken = [(str(file), line, EXECUTED) for line in (2, 5)]
    found = unreached(missing, given, taken, dict(zip(missing, lost, strict=False)))
    return [item.reason for item in found]


def test_what_was_run_and_the_source_say_something_of_every_branch(tmp_path):
    assert reasons(tmp_path) == [
        "its condition came out the same way in all runs, and no change of a value turned it",
        "behind line 2, which never led to it",
        "g was never entered",
        "taken only when the file is run as a script",
    ]


def test_what_symbolic_runs_show_says_more_and_a_proof_most(tmp_path):
    shown = (2, "4:1", "infeasible on the 3 paths that were tried", None, 1)
    runs = (2, "", "its condition came out the same way", None, 0, 3)
    proof = (2, "", "unreachable: the conditions before it exclude it", 0.0, 4, 3)
    elsewhere = (2, "", "unreachable", 0.0, 4, 5)
    assert reasons(tmp_path, [runs, shown, elsewhere])[0] == "infeasible on the 3 paths that were tried"
    assert reasons(tmp_path, [runs, shown, proof])[0] == "unreachable: the conditions before it exclude it"


def test_a_branch_of_a_test_that_is_not_written_says_so(tmp_path):
    assert reasons(tmp_path, lost=["it failed"])[0] == "reached, but no written test does so: it failed"
