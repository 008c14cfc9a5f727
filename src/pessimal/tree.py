"""The observed tree: every path that was run, what it cost, and which directions are still open.

Strategies that learn share it, so that what one has seen no other pays for again. A node is one branch reached by one
sequence of decisions. Its columns are lists with one entry for each node, or one for each of its outcomes: those of a
node are in the slots from ``first[node]`` on.
"""

from __future__ import annotations

from array import array
from base64 import b64decode, b64encode
from collections.abc import Sequence
from math import inf
from typing import Any

from pessimal.expr import Compare, Expr, Leaf
from pessimal.trace import Outcome, Side, Site, Trace

OPEN, SHUT, LOST, ENDED = -1, -2, -3, -4
"""What an outcome leads to, if not to a node: it was not tried, it is infeasible, it was lost, a path ends there."""

PAID = frozenset((Outcome.RETURNED, Outcome.RAISED))
"""Outcomes whose cost counts."""

ENDS = PAID | {Outcome.REJECTED}


class Kinds:
    """Numbers for kinds of branches: a site, and what it compares by, since one site may ask two questions in turn.

    With ``is_coarse`` a kind is the site alone.
    """

    def __init__(self, names: Sequence[str] = (), *, is_coarse: bool = False) -> None:
        self.names = list(names)
        self._is_coarse = is_coarse
        self._numbers = {name: number for number, name in enumerate(names)}
        self._known: dict[tuple[Site, str], int] = {}

    def number(self, site: Site, condition: Expr | None) -> int:
        """The number of a branch's kind, a new one if it is new."""
        key = site, condition.op if isinstance(condition, Compare) and not self._is_coarse else ""
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = self.named(f"{site.id} {key[1]}")
        return number

    def outcome(self, kind: int, outcome: int) -> int:
        """The number of the question whether a branch of a kind with several outcomes takes this one."""
        return self.named(f"{self.names[kind]}#{outcome}")

    def named(self, name: str) -> int:
        """The number that goes with a name."""
        number = self._numbers.setdefault(name, len(self.names))
        if number == len(self.names):
            self.names.append(name)
        return number


class Tree:
    """What was seen of one target at one size."""

    def __init__(self, kinds: Kinds) -> None:
        self.kinds = kinds
        self.kind: list[int] = []
        self.first: list[int] = []
        self.parent: list[int] = []
        self.turn: list[int] = []
        self.path: list[int] = []
        self.child: list[int] = []
        self.best: list[float] = []
        self.total: list[float] = []
        self.count: list[int] = []
        self.is_closed: list[bool] = []
        self.inputs: list[list[Leaf]] = []
        self.is_complete = True

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to see, though something may have been left out."""
        return bool(self.inputs) and (not self.kind or self.is_closed[0])

    @property
    def is_exhausted(self) -> bool:
        """Whether there is nothing left to see, and nothing was left out."""
        return self.is_complete and self.is_done

    def slots(self, node: int) -> range:
        """The slots of a node's outcomes, in their order."""
        end = self.first[node + 1] if node + 1 < len(self.first) else len(self.child)
        return range(self.first[node], end)

    def open_outcomes(self, node: int) -> list[int]:
        """The outcomes of a node behind which there is something left to see."""
        return [outcome for outcome, slot in enumerate(self.slots(node)) if self._is_open(slot)]

    def _is_open(self, slot: int) -> bool:
        child = self.child[slot]
        return child == OPEN or (child >= 0 and not self.is_closed[child])

    def add(self, trace: Trace, cost: float, wanted: bytes = b"") -> list[int]:
        """Take in a path that was to follow the wanted decisions; return its nodes from the root on."""
        self.inputs.append(trace.leaves)
        if trace.outcome not in PAID:
            cost = -inf
        values = {event.position for event in trace.concretisations if event.values}
        is_infeasible = trace.outcome is Outcome.INFEASIBLE  # then the last direction was asked for, but not taken
        if not is_infeasible and (trace.outcome not in ENDS or trace.truncated or trace.refused):
            self.is_complete = False
        nodes: list[int] = []
        node, slot = -1, -1
        rows = zip(trace.sites, trace.conditions, trace.decisions, trace.others, strict=True)
        for position, (site, condition, taken, other) in enumerate(rows):
            switch = trace.switches.get(position)
            node = self._step(
                node, slot, self.kinds.number(site, condition), 2 if switch is None else len(switch.sides)
            )
            if node < 0:
                self.is_complete = False  # the same decisions led elsewhere: a value that was made concrete differs
                break
            nodes.append(node)
            first = self.first[node]
            slot = first + taken
            sides = (other, other) if switch is None else switch.sides
            for outcome, side in enumerate(sides):
                if outcome != taken:
                    self._judge(first + outcome, side, is_value=position in values, is_late=position >= len(wanted))
        else:
            if slot >= 0 and not is_infeasible:
                self._end(slot, ENDED if trace.outcome in ENDS else LOST)
        for position, node in enumerate(nodes[:-1] if is_infeasible else nodes):
            slot = self.first[node] + trace.decisions[position]
            self.count[slot] += 1
            self.total[slot] += cost if cost > -inf else 0.0
            if cost > self.best[slot]:
                self.best[slot] = cost
                self.path[node] = len(self.inputs) - 1
        self._close(nodes)
        self._miss(wanted)
        return nodes

    def _step(self, parent: int, slot: int, kind: int, arity: int) -> int:
        """The node after a slot, made if it is new; -1 if another kind of branch was seen there."""
        known = (0 if self.kind else OPEN) if parent < 0 else self.child[slot]
        if known >= 0:
            return known if self.kind[known] == kind and len(self.slots(known)) == arity else -1
        if known in (SHUT, ENDED):
            self.is_complete = False  # it led nowhere before
        node = len(self.kind)
        self.kind.append(kind)
        self.first.append(len(self.child))
        self.parent.append(parent)
        self.turn.append(slot - self.first[parent] if parent >= 0 else 0)
        self.path.append(len(self.inputs) - 1)
        self.child += (OPEN,) * arity
        self.best += (-inf,) * arity
        self.total += (0.0,) * arity
        self.count += (0,) * arity
        self.is_closed.append(False)
        if parent >= 0:
            self.child[slot] = node
        return node

    def _judge(self, slot: int, side: int, *, is_value: bool, is_late: bool) -> None:
        """What a run found out about the direction that it did not take."""
        if self.child[slot] != OPEN:
            return
        if side == Side.INFEASIBLE:
            self.child[slot] = SHUT
        elif is_value and is_late:
            self.child[slot] = LOST  # there are other values, which no direction leads to
            self.is_complete = False

    def _end(self, slot: int, end: int) -> None:
        """A path ended in a direction, as it did whenever it went there before."""
        if self.child[slot] == OPEN:
            self.child[slot] = end
        elif self.child[slot] != end:
            self.is_complete = False

    def _miss(self, wanted: bytes) -> None:
        """Do not want again what could not be had, wherever the path went instead."""
        nodes: list[int] = []
        node = 0 if self.kind else -1
        for want in wanted:
            if node < 0:
                return
            nodes.append(node)
            node = self.child[self.first[node] + want]
        if nodes and node == OPEN:
            self.child[self.first[nodes[-1]] + wanted[len(nodes) - 1]] = LOST
            self.is_complete = False
            self._close(nodes)

    def _close(self, nodes: Sequence[int]) -> None:
        for node in reversed(nodes):
            if any(map(self._is_open, self.slots(node))):
                return
            self.is_closed[node] = True

    def to_json(self) -> dict[str, Any]:
        """The tree as JSON values."""
        return {
            "kinds": self.kinds.names,
            "inputs": self.inputs,
            "complete": self.is_complete,
            **{name: _pack(code, getattr(self, name)) for name, code in _COLUMNS.items()},
        }

    @classmethod
    def from_json(cls, data: dict[str, Any], kinds: Kinds | None = None) -> Tree:
        """The tree that :meth:`to_json` wrote, with its kinds numbered among those that are given."""
        tree = cls(kinds or Kinds())
        tree.inputs, tree.is_complete = data["inputs"], data["complete"]
        for name, code in _COLUMNS.items():
            setattr(tree, name, _unpack(code, data[name]))
        numbers = [tree.kinds.named(name) for name in data["kinds"]]
        tree.kind = [numbers[kind] for kind in tree.kind]
        tree.is_closed = [bool(item) for item in tree.is_closed]
        return tree


_COLUMNS = {
    "kind": "i",
    "first": "i",
    "parent": "i",
    "turn": "B",
    "path": "i",
    "child": "i",
    "best": "d",
    "total": "d",
    "count": "i",
    "is_closed": "b",
}


def _pack(code: str, column: Sequence[Any]) -> str:
    return b64encode(array(code, column).tobytes()).decode()


def _unpack(code: str, text: str) -> list[Any]:
    column = array(code)
    column.frombytes(b64decode(text, validate=True))
    return column.tolist()
