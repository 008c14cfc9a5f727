"""Tests of a C function written as C, which compile and run by themselves, or as JSON."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pessimal.c import literals
from pessimal.c.ctype import Enum, Number, Pointer, Signature
from pessimal.c.missing import StandIns
from pessimal.c.stubs import returns_text
from pessimal.errors import UsageError
from pessimal.inputs import to_json

SUFFIXES = (".c", ".json")
_HEAD = """\
/* Written by: {command}
   Compile and run: cc {compile} && ./tests */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define main pessimal_main_of_the_target
#include "{source}"
#undef main
"""
_FOOT = """
/* A process that aborts exits instead, so that it writes down what it covered if it was compiled with --coverage. */
static void pessimal_aborted(int number) {
    exit(128 + number);
}

/* Each test runs in a process of its own, so that none sees what another one changed. */
static int pessimal_ends_with(int (*test)(void), int wanted) {
    int status;
    pid_t child = fork();
    if (child == 0) {
        struct rlimit memory = {%dul, RLIM_INFINITY}; /* what malloc returns NULL for depends on it */
        if (memory.rlim_cur) setrlimit(RLIMIT_AS, &memory);
        signal(SIGABRT, pessimal_aborted);
        exit(test() ? 0 : 97);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0) return 0;
    if (wanted == -SIGABRT) return WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGABRT;
    if (wanted < 0) return WIFSIGNALED(status) && WTERMSIG(status) == -wanted;
    return WIFEXITED(status) && WEXITSTATUS(status) == wanted;
}

int main(void) {
    static const struct {
        const char *call;
        int (*test)(void);
        int wanted;
    } tests[] = {
%s
    };
    int failed = 0;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (!pessimal_ends_with(tests[i].test, tests[i].wanted)) {
            printf("FAILED: %%s\\n", tests[i].call);
            failed++;
        }
    printf("%%zu tests, %%d failed\\n", sizeof tests / sizeof *tests, failed);
    return failed != 0;
}
"""


@dataclass(frozen=True, slots=True)
class CTestCase:
    """A call, how it ends, and what it returns, as C."""

    call: str
    arguments: dict[str, Any]
    outcome: str
    returned: str | None
    exit_status: int = 0
    """What the process ends with: 0 if the call returns, what it passed to exit, or minus the number of a signal."""


def check(path: Path) -> None:
    """Refuse a name that says neither C nor JSON, before anything is run."""
    if path.suffix not in SUFFIXES:
        raise UsageError(f"--tests {path} must end with .c or .json for a target in C", slug="tests")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"--tests {path}: there is no directory {path.parent}: make it first", slug="tests")


def write(
    path: Path,
    cases: Sequence[tuple[Signature, CTestCase]],
    *,
    source: Path,
    flags: Sequence[str],
    missing: StandIns,
    command: str,
    memory: int,
) -> dict[str, Any]:
    """Write the tests of functions of one file, with what it misses; what the result says about them."""
    if path.suffix == ".json":
        text = json.dumps([_as_json(case) for _, case in cases], indent=1) + "\n"
    else:
        text = _as_c(path, cases, source, flags, missing, command, memory)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--tests {path} cannot be written: {error.strerror}", slug="tests") from None
    return {"file": str(path), "tests": len(cases)}


def _as_json(case: CTestCase) -> dict[str, Any]:
    arguments = {name: to_json(value) for name, value in case.arguments.items()}
    return {"call": case.call, "arguments": arguments, "outcome": case.outcome, "returned": case.returned}


def _as_c(
    path: Path,
    cases: Sequence[tuple[Signature, CTestCase]],
    source: Path,
    flags: Sequence[str],
    missing: StandIns,
    command: str,
    memory: int,
) -> str:
    words = " ".join(map(shlex.quote, ["-w", str(path), *flags, "-o", "tests", "-lm"]))
    parts = [_HEAD.format(command=command, compile=words, source=source.absolute())]
    if standing := missing.definitions():
        parts += [
            "\n/* What nobody defines: functions return 0, variables are 0. */\n",
            *(f"{item}\n" for item in standing),
        ]
    bodies = [_body(signature, case) for signature, case in cases]
    parts += [f"\n{definition}\n" for definition in literals.callbacks_used("".join(bodies))]
    parts += [f"\nstatic int test_{number}(void) {{\n{body}\n}}\n" for number, body in enumerate(bodies, 1)]
    rows = [
        f"        {{{literals.string(case.call)}, test_{number}, {case.exit_status}}},"
        for number, (_, case) in enumerate(cases, 1)
    ]
    has_sanitizer = any(word.startswith("-fsanitize") for word in flags)
    return "".join([*parts, _FOOT % (0 if has_sanitizer else memory, "\n".join(rows))])


def _body(signature: Signature, case: CTestCase) -> str:
    """The call, and the comparison of what it returns where that can be compared."""
    wanted, kind = case.returned, signature.returns
    if case.exit_status or wanted is None:
        return f"    {case.call};\n    return 1;"
    if isinstance(kind, Number) and kind.is_float:
        if wanted.startswith("0x"):
            return f"    {case.call};\n    return 1;"
        comparison = f"isnan({case.call})" if wanted == "NAN" else f"{case.call} == ({kind.name}){wanted}"
    elif isinstance(kind, Number | Enum):
        shown = literals.integer(int(wanted), kind) if isinstance(kind, Number) else wanted
        comparison = f"{case.call} == {shown}"
    elif isinstance(kind, Pointer) and wanted == "NULL":
        comparison = f"{case.call} == NULL"
    elif isinstance(kind, Pointer) and returns_text(signature) and wanted.startswith('"'):
        comparison = f"strcmp((const char *){case.call}, {wanted}) == 0"
    else:
        return f"    {case.call};\n    return 1;"
    return f"    return {comparison};"
