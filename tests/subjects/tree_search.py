"""Building an unbalanced search tree and looking a key up: worst when the tree is a list and the key is not in it."""

from __future__ import annotations

from tests.subjects.bst import Node, build


def find(node: Node | None, key: int) -> Node | None:
    """The node that holds a key."""
    while node is not None and node.key != key:
        node = node.left if key < node.key else node.right
    return node


def search(keys: list[int], wanted: int) -> bool:
    """Whether a key is among those that a tree was built of."""
    return find(build(keys), wanted) is not None


def longest(n: int) -> int:
    """The k-th key is compared with all k-1 before it, and the wanted one twice with each."""
    return n * (n - 1) // 2 + 2 * n


def worst_paths(n: int) -> int:
    """Each key but the first may hang on either side, and so might the one that is not found."""
    return int(2**n)
