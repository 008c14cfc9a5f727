"""A hash table with chains and a weak hash, in two strengths: worst when all keys fall into one bucket.

Both hashes spread small keys well. ``linear`` is a congruence of the key's low bits. ``fibonacci`` takes the upper 6 of
the low 32 bits of a product, as hash tables in C do. What the engine makes of them: it explores either with no
direction left unknown, and walks the worst path of 50 keys in seconds for ``linear``, while for ``fibonacci`` 10 keys
take as long and 20 a minute: each key is one more product that Z3 has to keep apart from the others. Tried as well: a
sum of digits (``(key + key // 64 + key // 4096) % 64``), other products (``key * 40503 // 1024 % 64``, ``key * 37 % 101
% 64``, ``(key * 40503 & 65535) >> 10``), which are between the two, and shifts with exclusive ors (``key ^= key >> 16;
key ^= key >> 8``), where Z3 leaves directions unknown.
"""

from __future__ import annotations

from collections.abc import Callable

BUCKETS = 64
WORD = 1 << 32
FACTOR = 2654435761
"""Odd, and near 2**32 divided by the golden ratio."""

Hash = Callable[[int], int]


def linear(key: int) -> int:
    """A bucket by the low bits."""
    return (key * 37 + 11) % BUCKETS


def fibonacci(key: int) -> int:
    """A bucket by the upper bits of a product, in 32 bits."""
    return (key * FACTOR & 0xFFFFFFFF) >> 26


def fill(keys: list[int], bucket: Hash) -> int:
    """Insert the keys one after the other, and tell how many different ones there are."""
    table: list[list[int]] = [[] for _ in range(BUCKETS)]
    for key in keys:
        insert(table[bucket(key)], key)
    return sum(len(chain) for chain in table)


def insert(chain: list[int], key: int) -> None:
    """Add a key to its chain, unless a walk along the chain meets it."""
    for other in chain:
        if other == key:
            return
    chain.append(key)


def fill_linear(keys: list[int]) -> int:
    """The number of different keys, by the weaker hash."""
    return fill(keys, linear)


def fill_fibonacci(keys: list[int]) -> int:
    """The number of different keys, by the stronger hash."""
    return fill(keys, fibonacci)


def longest(n: int) -> int:
    """Every key is compared with all before it."""
    return n * (n - 1) // 2


def worst_linear(n: int) -> list[int]:
    """An input that takes the longest path of ``fill_linear``: keys with the same low bits."""
    return [BUCKETS * i for i in range(n)]


def worst_fibonacci(n: int) -> list[int]:
    """An input that takes the longest path of ``fill_fibonacci``: keys whose products are the small numbers from 0."""
    inverse = pow(FACTOR, -1, WORD)
    return [product * inverse % WORD for product in range(n)]
