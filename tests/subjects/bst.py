"""Building an unbalanced binary search tree: worst when it degenerates into a list."""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial


@dataclass
class Node:
    """A key, with everything smaller on its left."""

    key: int
    left: Node | None = None
    right: Node | None = None


def insert(node: Node, key: int) -> None:
    """Hang a key below the tree where the search for it ends."""
    while True:
        if key < node.key:
            if node.left is None:
                node.left = Node(key)
                return
            node = node.left
        else:
            if node.right is None:
                node.right = Node(key)
                return
            node = node.right


def build(xs: list[int]) -> Node | None:
    """Insert the keys one after the other."""
    if not xs:
        return None
    root = Node(xs[0])
    for x in xs[1:]:
        insert(root, x)
    return root


def longest(n: int) -> int:
    """The k-th key is compared with all k-1 before it."""
    return n * (n - 1) // 2


def paths(n: int) -> int:
    """A tree's k-th key has k places to hang from, none infeasible."""
    return factorial(n)


def worst(n: int) -> list[int]:
    """An input that takes the longest path."""
    return list(range(n))
