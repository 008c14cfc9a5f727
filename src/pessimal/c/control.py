"""Which outcomes each test depends on, from the control-flow graph that gcc writes down."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from pessimal.c.build import Built
from pessimal.c.compiling import GRAPH

_FUNCTION = re.compile(r"^;; Function (\S+) \(", re.MULTILINE)
_EDGES = re.compile(r"^;; (\d+) succs \{([^}]*)\}", re.MULTILINE)
_BLOCK = re.compile(r"^  <bb (\d+)> :", re.MULTILINE)
_TEST = re.compile(r"pess_(?:signed|unsigned|float|pointer|text) \((\d+),")
_SWITCH = re.compile(r"pess_pick \((\d+),")
_IF = re.compile(r"if \(\S+ ([!=]=) 0\)\s+goto <bb (\d+)>;[^\n]*\s+else\s+goto <bb (\d+)>;")
_CASES = re.compile(r"switch \(\S+\) <(.*)>\s*$", re.MULTILINE)
_CASE = re.compile(r"(default|case (-?\d+)[^:]*): <(L\d+)>")
_LABEL = re.compile(r"^<(L\d+)>", re.MULTILINE)
_TABLE = re.compile(r"pess_l(\d+)\[\d+\]\[3\] = \{(.*)\};")
_ROW = re.compile(r"\{(-?\d+), (-?\d+), (\d+)\}")

Parents = dict[int, frozenset[int]]
"""For the first slot of each test, the slots of the outcomes that it depends on."""


@dataclass(slots=True)
class _Graph:
    """The blocks of one function: where each leads, and the slots of its ways out."""

    successors: dict[int, list[int]] = field(default_factory=dict)
    tests: dict[int, int] = field(default_factory=dict)
    """The block in which each test, by its first slot, is made."""
    ways: dict[tuple[int, int], int] = field(default_factory=dict)
    """The slot of the outcome that leads from one block to another."""


def parents(built: Built) -> Parents:
    """What every test of the function depends on; nothing is known where the compiler wrote no graph down."""
    graph = built.instrumented.parent / GRAPH
    if not graph.is_file():
        return {}
    text = graph.read_text(errors="replace")
    for name, part in _functions(text):
        if name == built.signature.name:
            return _parents_in(_read(part))
    return {}


def _functions(text: str) -> Iterator[tuple[str, str]]:
    starts = list(_FUNCTION.finditer(text))
    ends = [*(match.start() for match in starts[1:]), len(text)]
    for start, end in zip(starts, ends, strict=True):
        yield start[1], text[start.start() : end]


def _read(text: str) -> _Graph:
    graph = _Graph()
    for block, after in _EDGES.findall(text):
        graph.successors[int(block)] = [int(item) for item in after.split()]
    tables = {slot: _ROW.findall(rows) for slot, rows in _TABLE.findall(text)}
    pieces = _BLOCK.split(text)
    bodies = {int(number): body for number, body in zip(pieces[1::2], pieces[2::2], strict=True)}
    labels = {label: block for block, body in bodies.items() for label in _LABEL.findall(body)}
    for block, body in bodies.items():
        for slot in (*_TEST.findall(body), *_SWITCH.findall(body)):
            graph.tests[int(slot)] = block
        _read_ways(graph, block, bodies, labels, tables)
    return graph


def _read_ways(
    graph: _Graph, block: int, bodies: dict[int, str], labels: dict[str, int], tables: dict[str, list[tuple[str, ...]]]
) -> None:
    """Connect the last test of a block with the block's ways out, which may be those of a block after it."""
    body = bodies[block]
    slots = _TEST.findall(body) or _SWITCH.findall(body)
    if not slots:
        return
    slot, at = int(slots[-1]), block
    while len(graph.successors.get(at, [])) == 1 and not _TEST.search(bodies.get(graph.successors[at][0], "")):
        at = graph.successors[at][0]
    end = bodies.get(at, "")
    condition, cases = _IF.search(end), _CASES.search(end)
    if condition:
        operator, then, otherwise = condition.groups()
        is_true = operator == "!="
        graph.ways.setdefault((at, int(then)), slot + is_true)
        graph.ways.setdefault((at, int(otherwise)), slot + (not is_true))
    elif cases and str(slot) in tables:
        rows = tables[str(slot)]
        for case, value, label in _CASE.findall(cases[1]):
            outcome = max(int(row[2]) for row in rows) + 1 if case == "default" else _outcome(int(value), rows)
            if label in labels:
                graph.ways.setdefault((at, labels[label]), slot + outcome)


def _outcome(value: int, rows: list[tuple[str, ...]]) -> int:
    return next((int(row[2]) for row in rows if int(row[0]) <= value <= int(row[1])), 0)


def _parents_in(graph: _Graph) -> Parents:
    """The slots that each test of a function depends on: those whose way leads to it while another way avoids it."""
    after = _postdominators(graph.successors)
    depends: dict[int, set[int]] = defaultdict(set)
    for (block, to), slot in graph.ways.items():
        for other in after.get(to, set()) | {to}:
            if other == block or other not in after.get(block, set()):
                depends[other].add(slot)
    return {slot: frozenset(depends[block]) - {slot, slot + 1} for slot, block in graph.tests.items()}


def _postdominators(successors: dict[int, list[int]]) -> dict[int, set[int]]:
    """For each block the blocks that every way from it to the end passes."""
    blocks = set(successors) | {item for after in successors.values() for item in after}
    found = {block: set(blocks) for block in blocks}
    ends = {block for block in blocks if not successors.get(block)}
    for block in ends:
        found[block] = {block}
    changed = True
    while changed:
        changed = False
        for block in sorted(blocks - ends, reverse=True):
            common = set.intersection(*(found[item] for item in successors[block]))
            if common | {block} != found[block]:
                found[block] = common | {block}
                changed = True
    return {block: items - {block} for block, items in found.items()}
