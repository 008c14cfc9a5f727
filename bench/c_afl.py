"""AFL++ at the same work as ``cover``: the same inputs made by the same code, and its corpus judged by our distances.

A program reads bytes, makes leaves of them, eight bytes for each, and calls the function. AFL++ changes the bytes. What
its corpus covers is what our instrumented library says of the same leaves, so that both are measured alike.
"""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from pessimal.c.compiling import COMPILING, LINKING, RUNTIME
from pessimal.c.frontend import CFrontEnd
from pessimal.c.missing import SOURCE
from pessimal.covering.c_search import COVERING, MOST_STEPS
from pessimal.expr import Leaf
from pessimal.inputs import Domain

WORD = 8
_HARNESS = """\
#define main executor_main
#include "executor.c"
#undef main
static const int64_t code[] = {%(code)s};
static const struct { int is_real; int64_t low; uint64_t width; } domains[] = {%(domains)s};
void pess_call_%(function)s(char *, void *);
static unsigned char bytes[8 * %(leaves)d + 1];
int main(void) {
    static char returned[65536];
    static union leaf leaves[%(leaves)d + 1];
    if (read(0, bytes, sizeof bytes) < 0) return 0;
    for (int i = 0; i < %(leaves)d; i++) {
        uint64_t word;
        memcpy(&word, bytes + 8 * i, sizeof word);
        leaves[i].number = domains[i].is_real || !domains[i].width ? word : domains[i].low + word %% domains[i].width;
    }
    memory = calloc(1, 1 << 16); /* what is not defined returns 0, as in cover */
    control = (struct control *)memory;
    control->goes_on = 1;
    control->output_at = 4096;
    arguments = calloc(1, %(size)d + 16);
    make(code, code + sizeof code / sizeof *code, arguments, leaves);
    pess_call_%(function)s(arguments, returned);
    return 0;
}
"""


def is_installed() -> bool:
    """Whether AFL++ is there: ``bench/install-c-peers.sh`` installs it."""
    return shutil.which("afl-fuzz") is not None and shutil.which("afl-gcc") is not None


def covered(front_end: CFrontEnd, seconds: float, seed: int) -> dict[str, int]:
    """How many branches of the function AFL++ covers in so many seconds, and how many inputs it ran."""
    with TemporaryDirectory(prefix="pessimal-afl-") as folder:
        place = Path(folder)
        _compile(front_end, place)
        (place / "in").mkdir()
        (place / "in" / "zero").write_bytes(bytes(WORD * max(1, len(front_end.domains))))
        _fuzz(place, seconds, seed)
        files = [item for item in place.glob("out/default/queue/*") if item.is_file()]
        inputs = [leaves_of(item.read_bytes(), front_end.domains) for item in files]
        statistics = place / "out" / "default" / "fuzzer_stats"
        ran = re.search(r"^execs_done\s*: (\d+)", statistics.read_text(), re.MULTILINE) if statistics.exists() else None
    return {"afl++": _taken(front_end, inputs), "afl++ runs": int(ran[1]) if ran else 0}


def leaves_of(data: bytes, domains: Any) -> list[Leaf]:
    """The leaves that the program makes of an input."""
    words = data.ljust(WORD * len(domains), b"\0")
    return [_leaf(words[WORD * at : WORD * (at + 1)], domain) for at, domain in enumerate(domains)]


def _leaf(word: bytes, domain: Domain) -> Leaf:
    if domain.kind == "float":
        return float(struct.unpack("<d", word)[0])
    low, width = _range(domain)
    number = int.from_bytes(word, "little")
    return low + number % width if width < 1 << 64 else low + (number - low) % width


def _range(domain: Domain) -> tuple[int, int]:
    low, high = int(domain.low or 0), int(domain.high or 0)
    return low, high - low + 1


def _compile(front_end: CFrontEnd, place: Path) -> None:
    built = front_end.built
    rows = []
    for domain in front_end.domains:
        low, width = _range(domain) if domain.kind != "float" else (0, 0)
        rows.append(f"{{{int(domain.kind == 'float')}, {low}ll, {width % (1 << 64)}ull}}")
    values = {
        "code": ", ".join(f"{word}ll" for word in front_end.layout.code) or "0",
        "domains": ", ".join(rows) or "{0, 0, 0}",
        "function": built.signature.name,
        "leaves": len(front_end.domains),
        "size": built.arguments_size,
    }
    (place / "harness.c").write_text(_HARNESS % values)
    natives = [*sorted(built.native.parent.glob("native*.i")), built.native.parent / SOURCE]
    words = [*COMPILING, *built.flags.compiling, f"-I{RUNTIME}", place / "harness.c", *natives]
    command = [
        "afl-gcc",
        *words,
        "-o",
        place / "target",
        *built.flags.linking,
        *LINKING,
        "-ldl",
        "-Wl,--unresolved-symbols=ignore-all",
        "-Wl,--allow-multiple-definition",  # of main: ours comes first
    ]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)


def _fuzz(place: Path, seconds: float, seed: int) -> None:
    options = {"AFL_NO_UI": "1", "AFL_SKIP_CPUFREQ": "1", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1"}
    options |= {"AFL_NO_AFFINITY": "1", "AFL_SKIP_CRASHES": "1"}
    command = ["afl-fuzz", "-i", "in", "-o", "out", "-V", str(max(1, round(seconds))), "-s", str(seed), "./target"]
    subprocess.run(
        command, cwd=place, env={**os.environ, **options}, check=False, capture_output=True, timeout=10 * seconds + 60
    )


def _taken(front_end: CFrontEnd, inputs: list[list[Leaf]]) -> int:
    built = front_end.built
    taken = np.zeros(built.slots, dtype=bool)
    for start in range(0, len(inputs), 64):
        rows, statuses, _ = front_end.distances(inputs[start : start + 64], MOST_STEPS)
        taken |= (rows[np.isin(statuses, COVERING)] == 0.0).any(axis=0)
    own = [test for test in built.tests if test.site.function == built.signature.name]
    return sum(int(taken[slot]) for test in own for slot in range(test.slot, test.slot + test.arity))
