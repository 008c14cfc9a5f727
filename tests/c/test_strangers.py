"""Forms of C that functions of others have: each was once covered in part only, or not at all."""

import subprocess

import pytest

import pessimal
from pessimal.errors import TargetError
from pessimal.target_spec import Limits

FUNCTIONS = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define LARGER(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
int largest(int a, int b, int c) { return LARGER(a, LARGER(b, c)) == 7; }

int address(const char *s) {
    unsigned a, b, c, d; char more;
    if (sscanf(s, "%3u.%3u.%3u.%3u%c", &a, &b, &c, &d, &more) != 4) return 0;
    if (a > 255 || b > 255 || c > 255 || d > 255) return -1;
    if (a == 127) return 2;
    return 1;
}

struct item { int v; struct item *prev, *next; };
int length(struct item *first) {
    int n = 0;
    for (struct item *at = first; at && n < 4; at = at->next) n++;
    return n == 4 ? 5 : n;
}

int same(const int *a, const int *b, size_t n) {
    for (size_t i = 0; i < n; i++) if (a[i] != b[i]) return 0;
    return 1;
}

struct stream { void *(*allocate)(size_t); int *state; };
int begin(struct stream *s, int version_size) {
    if (version_size != (int)sizeof(struct stream)) return -1;
    if (s->allocate == (void *)0) return -2;
    s->state = s->allocate(16);
    if (s->state == NULL) return -3;
    s->state[3] = 1;
    return 0;
}

struct base { int kind; };
struct derived { struct base base; int more[8]; };
int last(struct base *it) {
    struct derived *whole = (struct derived *)it;
    return whole->more[7] > 0 ? 1 : 2;
}

struct engine;
struct car { struct engine *engine; int wheels; };
int ready(struct car *c, struct engine *spare) {
    if (!c->engine) return spare ? 2 : 3;
    return c->wheels == 77;
}

struct wide { struct wide *a, *b, *c; char name[40]; struct leaf { int at[60]; } *leaf; };
int named(struct wide *w) { return w->name[3] == 'x' && w->a && w->a->name[0] == 'y'; }

int slow(unsigned n) {
    unsigned long turns = 0;
    if (n > 300000) n = 300000;
    for (unsigned i = 0; i < n; i++) turns++;
    return turns == 300000;
}

int unpacked(const unsigned char data[2000], unsigned row) {
    const unsigned char *ends = data + 1900;
    unsigned first = row == 0 ? 0 : ends[row - 1], last = ends[row];
    if (last < first || last > 80) return -1;
    for (unsigned i = first; i < last; i++) if (i > first && data[i] <= data[i - 1]) return -1;
    if (row == 3) for (unsigned i = last; i < 80; i++) if (data[i] != 0) return -1;
    return 0;
}
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    file = tmp_path_factory.mktemp("strangers") / "forms.c"
    file.write_text(FUNCTIONS)
    return file


@pytest.mark.parametrize(
    ("function", "branches"),
    [
        ("largest", 4),  # what __typeof__ has inside is never evaluated
        ("address", 12),
        ("length", 6),
        ("begin", 6),
        ("last", 2),
        ("ready", 4),  # nobody defines the type of a parameter and a member
        ("named", 6),  # a tree of such structs has thousands of leaves
        ("slow", 4),  # ends after more steps than other runs may take
    ],
)
def test_all_branches_are_taken(source, function, branches):
    result = pessimal.cover(f"{source}:{function}", budget=None, runs=60_000)
    assert (result.branches.covered, result.branches.total) == (branches, branches)
    assert result.failures == []


def test_pointers_of_one_type_before_a_count_have_the_same_length(source):
    result = pessimal.cover(f"{source}:same", budget=None, runs=2_000)
    assert (result.branches.covered, result.failures) == (4, [])


def test_one_number_that_counts_is_found_beside_two_thousand_bytes(source):
    result = pessimal.cover(f"{source}:unpacked", budget=None, runs=30_000)
    assert result.branches.covered == result.branches.total == 18


def test_pointers_to_types_that_nobody_defines_are_in_written_tests(source, tmp_path):
    tests, program = tmp_path / "tests.c", tmp_path / "tests"
    pessimal.cover(f"{source}:ready", budget=None, runs=2_000, tests=tests)
    subprocess.run(["cc", "-w", tests, "-o", program, "-lm"], check=True)
    assert subprocess.run([program], capture_output=True, text=True, check=False).stdout.endswith(" 0 failed\n")


def test_written_tests_have_the_memory_of_the_search(tmp_path):
    source, tests, program = (tmp_path / name for name in ("huge.c", "tests.c", "tests"))
    source.write_text(
        "#include <stdlib.h>\nint f(unsigned n) { char *p = malloc(n); if (p == NULL) return 1; free(p); return 0; }\n"
    )
    limits = Limits(memory=1 << 30)
    result = pessimal.cover(f"{source}:f", budget=None, runs=2_000, tests=tests, limits=limits)
    assert result.branches.covered == 2
    subprocess.run(["cc", "-w", tests, "-o", program, "-lm"], check=True)
    assert subprocess.run([program], capture_output=True, text=True, check=False).stdout == "2 tests, 0 failed\n"


def test_headers_of_the_project_are_found(tmp_path):
    (tmp_path / "Makefile").touch()
    for place, text in (
        ("include/deep/limit.h", "#define LIMIT 4321\n"),
        ("other/size.h", '#include "deep/limit.h"\n'),
    ):
        (tmp_path / place).parent.mkdir(parents=True)
        (tmp_path / place).write_text(text)
    source = tmp_path / "src" / "f.c"
    source.parent.mkdir()
    source.write_text("#include <size.h>\nint f(int x) { return x == LIMIT ? 1 : 0; }\n")
    result = pessimal.cover(f"{source}:f", budget=None, runs=20_000)
    assert result.branches.covered == 2


def test_a_header_that_is_nowhere_is_named_with_its_cure(tmp_path):
    source = tmp_path / "f.c"
    source.write_text('#include "config.h"\nint f(int x) { return x ? 1 : 0; }\n')
    with pytest.raises(TargetError, match=r"f\.c:1:10: config\.h: No such file.*-IDIR"):
        pessimal.cover(f"{source}:f", budget=None, runs=1)


def test_compiling_keeps_to_the_budget(tmp_path, monkeypatch):
    source = tmp_path / "f.c"
    source.write_text("int f(int x) { return x == 77001 ? 1 : 0; }\n")
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 1000\n")
    slow.chmod(0o755)
    monkeypatch.setattr("pessimal.c.toolchain.compiler", lambda: str(slow))
    with pytest.raises(TargetError, match="compiling did not end within the budget"):
        pessimal.cover(f"{source}:f", budget=1.0)
