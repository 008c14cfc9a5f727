"""The observed tree: every path that has been run, what it cost, and which outcomes are still open.

Strategies that learn share one tree, so that no path has to be explored twice. A node is a branch reached by one
sequence of decisions. The tree is stored as columns: lists with one entry per node, or one entry per outcome of each
node. The entries of a node's outcomes, its slots, start at ``first[node]``.
"""

from __future__ import annotations

from array import array
from base64 import b64decode, b64encode
from collections.abc import Sequence
from math import inf
from typing import Any

from pessimal.expr import Compare, Expr, Leaf
from pessimal.trace import COMPLETED, PATH_ENDS, Outcome, Side, Site, Trace

OPEN, INFEASIBLE, ABANDONED, ENDED = -1, -2, -3, -4
"""What an outcome leads to, if not to a node.

It has not been tried; it is infeasible; it will not be tried, or not be followed further, although it may be feasible;
or a path ends there.
"""


class Kinds:
    """Numbers the kinds of branches.

    A kind is a site together with its comparison operator, because one site may make two comparisons in turn; with
    ``is_coarse`` it is the site alone.
    """

    def __init__(self, names: Sequence[str] = (), *, is_coarse: bool = False) -> None:
        self.names = list(names)
        self._is_coarse = is_coarse
        self._numbers = {name: number for number, name in enumerate(names)}
        self._known: dict[tuple[Site, str], int] = {}

    def number(self, site: Site, condition: Expr | None) -> int:
        """The number of a branch's kind; a kind not seen before gets the next number."""
        key = site, condition.op if isinstance(condition, Compare) and not self._is_coarse else ""
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = self.number_of(f"{site.id} {key[1]}")
        return number

    def outcome_number(self, kind: int, outcome: int) -> int:
        """The number of the yes-or-no question whether a branch with more than two outcomes takes this one."""
        return self.number_of(f"{self.names[kind]}#{outcome}")

    def number_of(self, name: str) -> int:
        """The number of a kind by its name; a new name gets the next number."""
        number = self._numbers.setdefault(name, len(self.names))
        if number == len(self.names):
            self.names.append(name)
        return number


class Tree:
    """What is known of one target at one size.

    ``kind``, ``parent``, ``parent_outcome`` (the outcome of the parent that leads here) and ``best_input`` (the index
    in ``inputs`` of the costliest input through here) have one entry per node; ``child``, ``best``, ``total`` and
    ``count`` (of the paths through an outcome: their largest cost, the sum of their costs, their number) have one per
    slot. ``is_complete`` turns false once something was left out that may be feasible.
    """

    def __init__(self, kinds: Kinds) -> None:
        self.kinds = kinds
        self.kind: list[int] = []
        self.first: list[int] = []
        self.parent: list[int] = []
        self.parent_outcome: list[int] = []
        self.best_input: list[int] = []
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
        """Whether nothing is left to explore, though something may have been left out."""
        return bool(self.inputs) and (not self.kind or self.is_closed[0])

    @property
    def is_exhausted(self) -> bool:
        """Whether nothing is left to explore, and nothing was left out."""
        return self.is_complete and self.is_done

    def slots(self, node: int) -> range:
        """The slots of a node's outcomes, in order."""
        end = self.first[node + 1] if node + 1 < len(self.first) else len(self.child)
        return range(self.first[node], end)

    def open_outcomes(self, node: int) -> list[int]:
        """The outcomes of a node that lead to something unexplored."""
        return [outcome for outcome, slot in enumerate(self.slots(node)) if self._is_open(slot)]

    def _is_open(self, slot: int) -> bool:
        child = self.child[slot]
        return child == OPEN or (child >= 0 and not self.is_closed[child])

    def add(self, trace: Trace, cost: float, prefix: bytes = b"") -> list[int]:
        """Add the path of a run that was asked to begin with these decisions; return its nodes, the root first."""
        self.inputs.append(trace.leaves)
        if trace.outcome not in COMPLETED:
            cost = -inf
        values = {event.position for event in trace.concretisations if event.values}
        is_infeasible = trace.outcome is Outcome.INFEASIBLE  # then the last decision was requested but not made
        if not is_infeasible and (trace.outcome not in PATH_ENDS or trace.truncated or trace.refused):
            self.is_complete = False
        nodes: list[int] = []
        node, slot = -1, -1
        decisions = zip(trace.sites, trace.conditions, trace.decisions, trace.others, strict=True)
        for position, (site, condition, taken, other) in enumerate(decisions):
            switch = trace.switches.get(position)
            node = self._node_after(
                node, slot, self.kinds.number(site, condition), 2 if switch is None else len(switch.sides)
            )
            if node < 0:
                self.is_complete = False  # the same decisions led elsewhere: a concretised value differs
                break
            nodes.append(node)
            first = self.first[node]
            slot = first + taken
            sides = (other, other) if switch is None else switch.sides
            for outcome, side in enumerate(sides):
                if outcome != taken:
                    self._note_side(first + outcome, side, is_value=position in values, is_new=position >= len(prefix))
        else:
            if slot >= 0 and not is_infeasible:
                self._note_end(slot, ENDED if trace.outcome in PATH_ENDS else ABANDONED)
        for position, node in enumerate(nodes[:-1] if is_infeasible else nodes):
            slot = self.first[node] + trace.decisions[position]
            self.count[slot] += 1
            self.total[slot] += cost if cost > -inf else 0.0
            if cost > self.best[slot]:
                self.best[slot] = cost
                self.best_input[node] = len(self.inputs) - 1
        self._close(nodes)
        self._abandon_unreached(prefix)
        return nodes

    def _node_after(self, parent: int, slot: int, kind: int, arity: int) -> int:
        """The node that a slot leads to, created if it is new; -1 if another kind of branch was seen there."""
        known = (0 if self.kind else OPEN) if parent < 0 else self.child[slot]
        if known >= 0:
            return known if self.kind[known] == kind and len(self.slots(known)) == arity else -1
        if known in (INFEASIBLE, ENDED):
            self.is_complete = False  # it led nowhere before
        node = len(self.kind)
        self.kind.append(kind)
        self.first.append(len(self.child))
        self.parent.append(parent)
        self.parent_outcome.append(slot - self.first[parent] if parent >= 0 else 0)
        self.best_input.append(len(self.inputs) - 1)
        self.child += (OPEN,) * arity
        self.best += (-inf,) * arity
        self.total += (0.0,) * arity
        self.count += (0,) * arity
        self.is_closed.append(False)
        if parent >= 0:
            self.child[slot] = node
        return node

    def _note_side(self, slot: int, side: int, *, is_value: bool, is_new: bool) -> None:
        """Note what a run found out about an outcome that it did not take."""
        if self.child[slot] != OPEN:
            return
        if side == Side.INFEASIBLE:
            self.child[slot] = INFEASIBLE
        elif is_value and is_new:
            self.child[slot] = ABANDONED  # there are other values, which no outcome leads to
            self.is_complete = False

    def _note_end(self, slot: int, end: int) -> None:
        """Note that a path ended after an outcome; if it went on there before, the tree is not complete."""
        if self.child[slot] == OPEN:
            self.child[slot] = end
        elif self.child[slot] != end:
            self.is_complete = False

    def _abandon_unreached(self, prefix: bytes) -> None:
        """If a run was asked for an open outcome and did not get there, do not ask for that outcome again."""
        nodes: list[int] = []
        node = 0 if self.kind else -1
        for outcome in prefix:
            if node < 0:
                return
            nodes.append(node)
            node = self.child[self.first[node] + outcome]
        if nodes and node == OPEN:
            self.child[self.first[nodes[-1]] + prefix[len(nodes) - 1]] = ABANDONED
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
        """The tree that :meth:`to_json` wrote, its kinds renumbered to match the given ones."""
        tree = cls(kinds or Kinds())
        tree.inputs, tree.is_complete = data["inputs"], data["complete"]
        for name, code in _COLUMNS.items():
            setattr(tree, name, _unpack(code, data[name]))
        numbers = [tree.kinds.number_of(name) for name in data["kinds"]]
        tree.kind = [numbers[kind] for kind in tree.kind]
        tree.is_closed = [bool(item) for item in tree.is_closed]
        return tree


_COLUMNS = {
    "kind": "i",
    "first": "i",
    "parent": "i",
    "parent_outcome": "B",
    "best_input": "i",
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
