"""Constructs and types of C, one function for each: every branch is taken, and the compiler's semantics are kept."""

import re
import subprocess
from pathlib import Path
from random import Random

import pytest

import pessimal
from pessimal.covering.c_search import CSearch
from pessimal.trace import Outcome

FORMS = Path(__file__).parent / "forms.c"
SECONDS = 20.0
NAMES = re.findall(r"^int (\w+)\(", FORMS.read_text(), re.MULTILINE)


@pytest.fixture
def form(front_end):
    return lambda name: front_end(name, size=6, file=FORMS, growing=True)


@pytest.mark.parametrize("name", NAMES)
def test_instrumented_code_returns_what_the_original_returns(form, name):
    target, rng = form(name), Random(name)
    returned = 0
    for _ in range(25):
        leaves = [item.sample(rng, 50) for item in target.domains]
        native, ours = target.native(leaves, SECONDS), target.evaluate(leaves, SECONDS, recording=True)
        assert (native.outcome, native.returned) == (ours.outcome, ours.returned), target.describe_call(leaves)
        returned += ours.outcome is Outcome.RETURNED
    assert returned == 25


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"counter"}))
def test_every_branch_is_taken(form, name):
    search = CSearch(form(name), 0)
    search.search("auto", ends_at=float("inf"), runs=60_000)
    assert search.missing == set()
    assert len(search.goals) >= 2


@pytest.mark.parametrize("name", ["flexible", "by_cast", "by_int", "stream"])
def test_written_tests_have_the_same_objects(name, tmp_path):
    tests = tmp_path / "tests.c"
    result = pessimal.cover(f"{FORMS}:{name}", budget=None, runs=20_000, tests=tests)
    assert result.branches.covered == result.branches.total
    subprocess.run(["cc", "-w", tests, "-o", tmp_path / "tests", "-lm"], check=True)
    assert b"0 failed" in subprocess.run([tmp_path / "tests"], check=True, capture_output=True).stdout


WEB = """
struct web { struct web *a, *b, *c, *d, *e; struct other *o; int v; };
struct other { struct web *w, *x, *y; struct other *z; int kind[20]; };
int f(struct web *w) { if (w->v == 7 && w->b->o->kind[3] == 9) return 1; return 0; }
"""


def test_structs_that_lead_to_many_others_are_cut_off(front_end, tmp_path):
    file = tmp_path / "web.c"
    file.write_text(WEB)
    target = front_end("f", file=file)
    assert 20 < len(target.domains) < 3000
    search = CSearch(target, 0)
    search.search("auto", ends_at=float("inf"), runs=20_000)
    assert search.missing == set()


def test_a_pointer_to_an_unknown_type_is_null_where_that_is_tested_and_zeros_otherwise(front_end, tmp_path):
    file = tmp_path / "unknown.c"
    file.write_text(
        "struct s; int g(struct s *);\nint f(struct s *p, int a) { if (p && g(p)) return 2; return a > 3; }\n"
    )
    target = front_end("f", file=file)
    assert target.describe_call([0, 5]) == "f(NULL, 5)"
    assert target.native([0, 5], SECONDS).returned == "1"
    assert target.describe_call([1, 5]) == "f((void *)(unsigned char[1024]){0}, 5)"


CALLED = """
static int near(int a) { return a == 4711 ? 1 : 0; }
static int far(int a) { return a > 3; }
int f(int a) { if (near(a)) return 1; if (!far(a)) return 2; return 0; }
"""


def test_a_call_that_is_tested_is_as_near_as_the_last_test_inside_of_it(front_end, tmp_path):
    file = tmp_path / "called.c"
    file.write_text(CALLED)
    target = front_end("f", file=file)
    trace = target.evaluate([4700], SECONDS, recording=True)
    assert [(site.text, trace.distances(i)) for i, site in enumerate(trace.sites)] == [
        ("a == 4711", (0.0, 11.0)),
        ("near(a)", (0.0, 11.0)),
        ("far(a)", (1.0, 0.0)),  # no test is made inside of it
    ]
