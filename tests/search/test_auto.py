"""auto: turns on one tree, proofs and best inputs for all, members by name, with and without the learning library."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import pessimal
from pessimal.errors import NotSymbolicError, UnknownNameError, UsageError
from pessimal.search.auto import MEMBERS, Auto
from pessimal.search.climb import Climb
from pessimal.search.fixed import Fixed
from pessimal.testing import InProcess, check_strategy
from pessimal.trace import Outcome
from pessimal.tree import Tree
from tests.commands import PATIENCE, PESSIMAL
from tests.search.watching import halves, watched
from tests.subjects import bst, dijkstra, misleading, tsp
from tests.subjects.insertion_sort import insertion_sort

DIJKSTRA = dijkstra.shortest_path_dijkstar
SUBJECT = Path(__file__).parents[1] / "subjects" / "insertion_sort.py"


def test_it_keeps_the_contract():
    check_strategy(Auto)


@pytest.mark.parametrize(
    ("target", "size", "worst"), [(insertion_sort, 4, 6), (DIJKSTRA, 6, 5), (tsp.tour, 3, 4), (bst.build, 5, 10)]
)
def test_small_trees_end_with_a_proof(target, size, worst):
    session = watched(target, size, Auto(), 5000)
    assert (session.best.cost, session.proof) == (worst, "tree exhausted")
    assert session.stopped == "nothing left to try"


def test_what_one_member_is_good_at_is_found_for_all():
    strategy = Auto()
    session = watched(insertion_sort, 40, strategy, 600)
    assert session.best.cost == 780
    assert session.counters.found_by in MEMBERS
    report = strategy.report()
    assert report["members"] == list(MEMBERS)
    assert report["left_out"] == []
    assert report["nodes"] > 0
    json.dumps(report)


@pytest.mark.parametrize(("cost", "is_taken"), [(5, False), (6, True), (7, True)])
def test_it_passes_on_what_any_member_reports_for_the_text_and_a_generator_as_bad_as_the_best(
    monkeypatch, cost, is_taken
):
    lines = {"lines": [["model", "unseen"]], "member_lines": [["mismatch", "by its nature"]]}
    monkeypatch.setattr(Climb, "report", lambda self: {"generator": "def ...", "generator_cost": cost}, raising=False)
    monkeypatch.setattr(Fixed, "report", lambda self: {"generator": None, **lines}, raising=False)
    strategy = Auto(members="fixed,exhaustive,climb")
    watched(insertion_sort, 4, strategy, 500)
    report = strategy.report()
    assert report["lines"] == [["mismatch", "fixed: by its nature"]]
    assert list(report["details"]) == ["fixed", "climb"]
    assert report.get("generator") == ("def ..." if is_taken else None)
    assert report.get("generator_cost") == (cost if is_taken else None)


def test_it_tells_who_took_part_and_how_it_ended():
    strategy = Auto(members="exhaustive, wise")
    session = watched(insertion_sort, 4, strategy, 500)
    report = strategy.report()
    assert report["members"] == ["exhaustive", "wise"]
    assert report["ended"] == ["exhaustive"]  # its proof ends it for all
    assert set(report["work"]) == {"exhaustive", "wise"}
    assert "training" in report["details"]["wise"]
    assert session.counters.found_by == "exhaustive"


@pytest.mark.parametrize("name", ["exhaustive", "wise", "history", "climb", "qlearn"])
def test_each_member_can_be_alone(name):
    session = watched(insertion_sort, 5, Auto(members=[name]), 200)
    assert session.best.cost == 10
    assert session.counters.found_by == name


def test_members_see_what_others_found():
    """Rules find the worst path; the network, which was never there, has it in its tree."""
    strategy = Auto(members="wise,qlearn")
    session = watched(insertion_sort, 8, strategy, 150)
    assert session.best.cost == 28
    assert strategy.report()["ended"] == ["wise"]
    assert max(Tree.from_json(strategy.state()["tree"]).best[:2]) == 28


def test_rejected_inputs_are_nobodys_best():
    """The longest paths are rejected: a climb that took such an input for the best could not go on from it."""

    class Picky(InProcess):
        def run(self, request, seconds):
            return self._judged(super().run(request, seconds))

        def evaluate(self, leaves, seconds, recording=False):
            return self._judged(super().evaluate(leaves, seconds, recording))

        def _judged(self, trace):
            if trace.costs.get("branches", trace.length) > 17:
                trace.outcome = Outcome.REJECTED
            return trace

    strategy = Auto(members="exhaustive,wise,climb")
    session = watched(insertion_sort, 7, strategy, 3000, front=Picky)
    assert session.counters.rejected > 0
    assert strategy.state()["best"][1] == session.best.cost <= 17
    assert strategy.state()["members"]["climb"]["best_cost"] <= 17


def test_values_made_concrete_end_for_the_network_too():
    def picks(x: int, y: int) -> str:
        """A value is made concrete."""
        return "abc"[x % 3] if y > 0 else ""

    strategy = Auto(members="qlearn")
    session = watched(picks, 1, strategy, 500)
    assert strategy.report()["ended"] == ["qlearn"]
    assert (session.stopped, session.proof) == ("nothing left to try", None)


def test_the_same_seed_does_the_same():
    first, second = (watched(bst.build, 12, Auto(), 400) for _ in range(2))
    assert first.paths == second.paths
    assert first.best == second.best
    assert first.counters.found_by == second.counters.found_by
    assert first.counters.found_run == second.counters.found_run


def test_the_same_seed_does_the_same_in_another_process():
    first, second = (pessimal.stress(DIJKSTRA, size=12, strategy="auto", paths=300, seed=5) for _ in range(2))
    assert first.witness.input == second.witness.input
    assert (first.effort.found_run, first.effort.found_by) == (second.effort.found_run, second.effort.found_by)


@pytest.mark.parametrize("after", [1, 20, 150, 399, 1200])
def test_a_search_goes_on_where_it_was(after):
    """In the turn of the first, before others have begun, and later; fuzz goes on with other draws."""
    whole, joined = halves(
        bst.build, 10, lambda: Auto(members=[name for name in MEMBERS if name != "fuzz"]), after, 1500
    )
    assert joined.best == whole.best
    assert joined.paths == whole.paths
    ends = [session.strategy.state() for session in (joined, whole)]
    assert json.dumps(ends[0]["members"]) == json.dumps(ends[1]["members"])


def test_a_portfolio_that_learns_goes_on_where_it_was():
    def make():
        return Auto(members="exhaustive,qlearn")

    done = make()
    session = watched(bst.build, 9, done, 800)
    assert set(done.state()["members"]) == {"exhaustive", "qlearn"}
    first, joined = halves(bst.build, 9, make, 780, 800)
    assert joined.paths == first.paths == session.paths


# Members


@pytest.mark.parametrize("name", ["sweep", "auto"])
def test_members_that_cannot_take_turns(name):
    with pytest.raises(UsageError, match=f"{name} cannot be a member: it needs steps"):
        Auto(members=["climb", name])


@pytest.mark.parametrize("members", ["", "climb,", "clim", "wise,nobody"])
def test_members_that_nobody_knows(members):
    with pytest.raises(UnknownNameError, match="unknown strategy"):
        Auto(members=members)


@pytest.mark.parametrize("members", [3, [3], None, {"climb": 1}, [["climb"]]])
def test_members_that_are_no_names(members):
    with pytest.raises(UsageError, match="members must be a list of strategies such as climb,wise, but is"):
        Auto(members=members)


def test_a_portfolio_of_nobody():
    with pytest.raises(UsageError, match="auto needs at least one member"):
        Auto(members=[])


def test_members_reach_the_worker():
    options = {"members": "climb,wise"}
    result = pessimal.stress(insertion_sort, size=9, strategy="auto", cost="branches", options=options, paths=400)
    assert result.cost["value"] == 36
    assert result.effort.found_by in ("climb", "wise")
    assert 0 < result.effort.found_run <= 400


# synthesis as a member


def test_large_sizes_begin_with_synthesis():
    strategy = Auto()
    session = watched(insertion_sort, 120, strategy, 5)
    assert (session.best.cost, session.counters.found_by) == (7140, "synthesis")
    report = strategy.report()["details"]["synthesis"]
    assert report["model"]["expected"] == 7140
    json.dumps(strategy.report(), allow_nan=False)


def test_what_misleads_synthesis_does_not_mislead_the_others():
    strategy = Auto(members="synthesis,climb")
    session = watched(misleading.guarded_sort, 100, strategy, 1000)
    report = strategy.report()["details"]["synthesis"]
    assert report["mismatch"] is True and "predicted" in report["refused"][-1]
    assert session.counters.found_by == "climb"
    assert strategy.report()["ended"] == ["synthesis"]


def test_the_hot_loop_is_for_synthesis():
    with pytest.raises(UsageError, match=r"no branch of the target is at nope\.py:3"):
        watched(insertion_sort, 100, Auto(members="synthesis", site="nope.py:3"), 50)
    session = watched(insertion_sort, 100, Auto(members="synthesis,climb", site="insertion_sort.py:14"), 50)
    model = session.strategy.report()["details"]["synthesis"]["model"]
    assert model["of"] == "the conditions at insertion_sort.py:14"


@pytest.mark.parametrize("after", [1, 2])
def test_a_portfolio_with_synthesis_goes_on_where_it_was(after):
    def make():
        return Auto(members="synthesis,climb")

    whole, joined = halves(bst.build, 100, make, after, 40)
    assert joined.best == whole.best
    found = [session.strategy.report()["details"]["synthesis"]["generator"] for session in (whole, joined)]
    assert found[0] == found[1] is not None


# The learning library

BLOCKED = "import sys\nsys.modules['{name}'] = None  # then nobody finds it\n"


def python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False)


@pytest.mark.parametrize(
    ("missing", "left_out"),
    [("jax", ["qlearn"]), ("optax", ["qlearn"]), ("numpy", ["synthesis", "qlearn"]), ("scipy", ["synthesis"])],
)
def test_without_the_library_the_portfolio_does_without(missing, left_out):
    done = python(
        BLOCKED.format(name=missing)
        + "from pessimal.search.auto import Auto\n"
        + "from pessimal.testing import check_strategy\n"
        + "check_strategy(Auto)\n"
        + "report = Auto().report()\n"
        + "print(report['left_out'], *report['members'])\n"
        + "print(report['lines'])\n"
        + f"try:\n    Auto(members={left_out[-1]!r})\n"
        + "except Exception as error:\n    print(type(error).__name__, error)\n"
    )
    first, lines, second = done.stdout.splitlines()
    assert first == " ".join([str(left_out), *(name for name in MEMBERS if name not in left_out)]), done.stderr
    extras = {"qlearn": "learn", "synthesis": "synthesis"}
    assert lines == str([["left out", f"{name}: pip install 'pessimal[{extras[name]}]'"] for name in left_out])
    extra = extras[left_out[-1]]
    expected = f"UsageError {left_out[-1]} needs {missing}, which is not installed: pip install 'pessimal[{extra}]'"
    assert second == expected, done.stderr


def test_the_portfolio_is_imported_without_the_library():
    done = python("import sys, pessimal.search.auto\nprint({'jax', 'optax', 'numpy'} & set(sys.modules))\n")
    assert done.stdout == "set()\n", done.stderr


def test_without_the_library_qlearn_fails_with_one_line(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(BLOCKED.format(name="jax"))
    done = subprocess.run(
        [PESSIMAL, "stress", f"{SUBJECT}:insertion_sort", "--size", "4", "--strategy", "qlearn", "-q"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert "qlearn needs jax, which is not installed: pip install 'pessimal[learn]'" in line


LOADED = "print(sorted({name.partition('.')[0] for name in sys.modules} & {'jax', 'numpy', 'optax', 'jaxlib'}))"


def test_nobody_imports_the_library_who_does_not_learn():
    arguments = ["stress", f"{SUBJECT}:insertion_sort", "--size", "4", "--strategy", "climb", "--paths", "5", "-q"]
    assert python(f"import sys, pessimal\n{LOADED}").stdout == "[]\n"
    done = python(
        f"import sys\nfrom pessimal.cli import main\ntry:\n    main({arguments!r})\n"
        f"except SystemExit as end:\n    assert not end.code\n{LOADED}"
    )
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


def test_a_climb_in_a_worker_does_not_import_the_library(write):
    """The target itself looks, since it runs in the worker; it costs a branch if the library is there."""
    name = write(
        """
        import sys

        def look(x: int) -> int:
            if x > 0:
                pass
            assert "jax" not in sys.modules and "numpy" not in sys.modules
            return x
        """
    )
    result = pessimal.stress(f"{name}:look", strategy="climb", paths=5)
    assert result.witness.exception is None


ONCE = """
import sys

if hasattr(sys, "imported_once"):
    raise ImportError("not again")
sys.imported_once = True


def count(n: int) -> int:
    total = 0
    while n > 0:
        n, total = n - 1, total + 1
    return total
"""


def test_where_no_symbolic_copy_can_be_made_the_others_go_on(write):
    """The copy is a second import, which this module does not allow."""
    result = pessimal.stress(f"{write(ONCE)}:count", size=9, paths=300, warn=lambda text: None)
    assert result.input == {"n": 9} and result.witness.replayed
    assert {"fixed", "exhaustive"} <= set(result.report["left_out"]) and "fuzz" not in result.report["left_out"]
    assert sum("cannot be run symbolically" in text for _, text in result.report["lines"]) == 1


def test_a_strategy_that_needs_symbolic_runs_says_why_there_are_none(write):
    with pytest.raises(NotSymbolicError, match=r"cannot be run symbolically: .*not again"):
        pessimal.stress(f"{write(ONCE)}:count", size=9, strategy="exhaustive", warn=lambda text: None)
