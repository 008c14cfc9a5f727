"""Search beside the function: each input is chosen by the executor by how the one before it went."""

import signal
import subprocess

import pytest

from bench.c import TRIANGLE
from pessimal.c.annealing import MOST_LEAVES
from pessimal.c.build import build
from pessimal.c.executor import Status
from pessimal.covering.c_goals import CGoals
from pessimal.inputs import Domain
from pessimal.local_search import LocalSearch

FRAGILE = """
int fragile(int a, unsigned char b) {
    if (b % 8 == 7) return *(int *)0;
    if (a == 1234) return 1;
    return 0;
}
int stuck(int a) {
    while (a > 100) ;
    if (a == -777) return 1;
    return 0;
}
int countdown(unsigned char n, const char *s) {
    int c = 0;
    while (n--) c++;
    while (*s) c += *s++ == 'a';
    return c;
}
int extremes(unsigned long a, long b, double c, signed char d) {
    if (a == 18446744073709551615u) return 1;
    if (b == -9223372036854775807 - 1) return 2;
    if (c == 0.125) return 3;
    return d == -128;
}
"""


@pytest.fixture
def made(front_end, tmp_path):
    """Makes front-ends of the functions above."""

    def make(function, **options):
        file = tmp_path / "functions.c"
        file.write_text(TRIANGLE + FRAGILE)
        return front_end(function, file=file, **options)

    return make


def towards(front_end, goal, most=50_000, **options):
    """A search for one goal from the simplest input."""
    goals = CGoals(front_end)
    levels = goals._fitness.levels(goal)
    options = {"seed": 1, "goal": levels, "wanted": [goal], **options}
    return LocalSearch(front_end.initial, front_end.domains, most=most, **options)


def slot_of(front_end, text, outcome):
    return next(test.slot + outcome for test in front_end.built.tests if test.site.text == text)


def test_every_outcome_is_reached_and_the_input_takes_it(made):
    front_end = made("triangle")
    for goal in CGoals(front_end).goals:
        findings = front_end.search_near(towards(front_end, goal))
        assert findings.found is not None, goal
        rows, statuses, _ = front_end.distances([findings.found], 1000)
        assert (rows[0][goal], statuses[0]) == (0.0, Status.RETURNED)


def test_distances_steer_it_where_chance_does_not_reach(made):
    front_end = made("extremes")
    goal = slot_of(front_end, "a == 18446744073709551615u", 1)
    assert front_end.search_near(towards(front_end, goal, 20_000)).found is not None
    assert front_end.search_near(towards(front_end, goal, 20_000, fresh=1.0)).found is None


def test_the_same_seed_runs_the_same_inputs(made):
    front_end = made("triangle")
    goal = slot_of(front_end, "b == c", 1)
    one, other = (front_end.search_near(towards(front_end, goal, seed=5)) for _ in range(2))
    assert one == other
    assert front_end.search_near(towards(front_end, goal, seed=6)).best != one.best


def test_an_input_that_kills_its_process_costs_only_itself(made):
    front_end = made("fragile")
    findings = front_end.search_near(towards(front_end, slot_of(front_end, "a == 1234", 1)))
    assert findings.found is not None and findings.found[0] == 1234 and findings.found[1] % 8 != 7
    status, code, leaves = findings.failures[0]
    assert (status, code) == (Status.SIGNALLED, signal.SIGSEGV)
    assert leaves[1] % 8 == 7


def test_an_input_that_does_not_end_costs_only_its_steps(made):
    front_end = made("stuck")
    findings = front_end.search_near(towards(front_end, slot_of(front_end, "a == -777", 1)), most_steps=1000)
    assert findings.found == [-777]
    assert {status for status, _, _ in findings.failures} == {Status.OUT_OF_STEPS}
    assert all(leaves[0] > 100 for _, _, leaves in findings.failures)


def test_without_a_goal_the_largest_cost_is_found(made):
    front_end = made("countdown", growing=True)
    search = LocalSearch(
        front_end.initial, front_end.domains, 1, 20_000, sequences=[(1, 2, len(front_end.domains) - 2)]
    )
    best = front_end.search_near(search).best
    assert best[:2] == [255, len(front_end.domains) - 2]


@pytest.mark.parametrize(("text", "leaf", "value"), [
    ("a == 18446744073709551615u", 0, (1 << 64) - 1), ("b == -9223372036854775807 - 1", 1, -(1 << 63)),
    ("c == 0.125", 2, 0.125),
])  # fmt: skip
def test_all_of_a_type_can_be_reached(made, text, leaf, value):
    front_end = made("extremes")
    assert front_end.search_near(towards(front_end, slot_of(front_end, text, 1))).found[leaf] == value


def test_inputs_stay_in_their_domains(made):
    front_end = made("triangle", given={"a": "int:5..9", "b": "int:-3..3"})
    goal = slot_of(front_end, "a == b", 1)
    findings = front_end.search_near(towards(front_end, goal, 2000))
    assert findings.found is None
    assert 5 <= findings.best[0] <= 9 and -3 <= findings.best[1] <= 3


def test_what_only_python_knows_is_not_searched_here(made):
    assert made("triangle", requirements=("a > b",)).search_near(LocalSearch([0, 0, 0], [], 1, 10)) is None
    front_end = made("triangle")
    many = [Domain.of("int")] * (MOST_LEAVES + 1)
    assert front_end.search_near(LocalSearch([0] * len(many), many, 1, 10)) is None


def test_an_executor_whose_parent_has_ended_ends(write):
    file = write(TRIANGLE, "triangle.c")
    command = [str(build(file, "triangle").executor), *"1234567"]
    ended = subprocess.run(command, env={"PESSIMAL_PARENT": "1"}, check=False, timeout=60)
    assert ended.returncode == 0
    assert subprocess.run(command, env={}, check=False, timeout=60).returncode != 0  # there is no such memory
