"""A search tree that does not balance itself: the order of insertion decides how deep it gets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass
class Node:
    """A key, with smaller keys on the left and larger ones on the right."""

    key: int
    left: Node | None = None
    right: Node | None = None

    def __iter__(self) -> Iterator[int]:
        if self.left is not None:
            yield from self.left
        yield self.key
        if self.right is not None:
            yield from self.right


def insert(node: Node | None, key: int) -> Node:
    """Add a key to a tree and return the tree; a key that is there already stays alone."""
    if node is None:
        return Node(key)
    if key < node.key:
        node.left = insert(node.left, key)
    elif key > node.key:
        node.right = insert(node.right, key)
    return node


def contains(node: Node | None, key: int) -> bool:
    """Tell whether a key is in the tree."""
    while node is not None:
        if key == node.key:
            return True
        node = node.left if key < node.key else node.right
    return False


def distinct_sorted(keys: list[int]) -> list[int]:
    """The keys in order, each once, by way of a tree: quadratic for keys that come in order."""
    root: Node | None = None
    for key in keys:
        root = insert(root, key)
    return [] if root is None else list(root)


def lookup(keys: list[int], key: int) -> bool:
    """Build a tree of the keys and search it for one more."""
    root: Node | None = None
    for present in keys:
        root = insert(root, present)
    return contains(root, key)
