"""Small programs over containers with symbolic keys, members and places; each returns 1 on a rare input."""

import collections
import functools
from types import MappingProxyType


def get(x: int) -> int:
    return 1 if {3: "a", 7777: "b"}.get(x) == "b" else 0


def subscript(x: int) -> int:
    try:
        return 1 if {3: "a", 7777: "b"}[x] == "b" else 0
    except KeyError:
        return 0


def store_then_look_up(x: int) -> int:
    d = {}
    d[x] = 1
    return 1 if 7777 in d else 0


def stored_twice(x: int, y: int) -> int:
    d = {x: 1}
    d[y] = 2
    return 1 if len(d) == 1 and d[x] == 2 else 0


def deleted(x: int) -> int:
    d = {5: 1, 7777: 2}
    try:
        del d[x]
    except KeyError:
        return 0
    return 1 if 5 in d else 0


def popped(x: int) -> int:
    return 1 if {5: 1, 7777: 2}.pop(x, 0) == 2 else 0


def set_default(x: int) -> int:
    d = {7777: 1}
    return 1 if d.setdefault(x, 5) == 1 else 0


def display(x: int) -> int:
    return 1 if len({x: 1, 7777: 2, 5: 3}) == 2 and x != 5 else 0


def comprehension(x: int) -> int:
    return 1 if len({k % 100: k for k in (x, 7777)}) == 1 and x > 10_000 else 0


def merged(x: int) -> int:
    return 1 if len({7777: 1} | {x: 2}) == 1 else 0


def updated_by_a_mapping(x: int) -> int:
    table = {x: 1}
    table.update(MappingProxyType({7777: 2}))
    table.update(MappingProxyType({"seven": 3}))
    return 1 if len(table) == 2 else 0


def unpacked(x: int) -> int:
    return 1 if {x: 1, 7777: 2} == {7777: 2} else 0


def compared(x: int) -> int:
    return 1 if {x: 1} == {7777: 1} else 0


def tuple_key(x: int, y: int) -> int:
    return 1 if {(1, 2): 0, (70, 7): 1}.get((x, y)) == 1 else 0


def gone_through(x: int) -> int:
    total = 0
    for key, value in {x: 5, 10: 6}.items():
        total += key * value
    return 1 if total == 65 else 0


def table(s: str) -> int:
    total = 0
    for c in s:
        total += {"I": 1, "V": 5, "X": 10}.get(c, 0)
    return 1 if total == 16 else 0


def default(x: int) -> int:
    groups = collections.defaultdict(list)
    groups[x].append(1)
    groups[7777].append(2)
    return 1 if groups[7777] == [1, 2] else 0


def counter(x: int) -> int:
    return 1 if collections.Counter([x, 7777, 5])[7777] == 2 else 0


def most_common(x: int) -> int:
    return 1 if collections.Counter([x, 5, 7777]).most_common(1)[0] == (7777, 2) else 0


def ordered(x: int) -> int:
    d = collections.OrderedDict([(5, 1), (7777, 2), (9, 3)])
    try:
        d.move_to_end(x)
    except KeyError:
        return 0
    return 1 if list(d.values()) == [1, 3, 2] else 0


def member(x: int) -> int:
    return 1 if x in {5, 7777} and x > 5 else 0


def duplicates(x: int) -> int:
    return 1 if len({x, 7777}) == 1 else 0


def added(x: int) -> int:
    seen = {5, 9}
    seen.add(x)
    return 1 if seen == {5, 9, 7777} else 0


def removed(x: int) -> int:
    seen = {5, 7777}
    try:
        seen.remove(x)
    except KeyError:
        return 0
    return 1 if seen == {5} else 0


def discarded(x: int) -> int:
    seen = {5, 7777}
    seen.discard(x)
    return 1 if 7777 not in seen else 0


def set_operations(x: int) -> int:
    return 1 if {x, 2} & {7, 8} and {x} - {7} and {x} | {8} == {8} and {x} ^ {8, 9} == {9} else 0


def set_comparison(x: int) -> int:
    return 1 if {x} < {3, 7777} and not {x, 1}.isdisjoint([7777]) and {x, 1}.issuperset({7777}) else 0


def set_comprehension(s: str) -> int:
    return 1 if len({c + "x" for c in s}) == 2 and s[0] != s[1] else 0


def frozen(x: int) -> int:
    return 1 if frozenset([x, 1]) == frozenset({1, 7777}) else 0


def summed(x: int) -> int:
    return 1 if sum({x, 5}) == 7777 else 0


def smallest(x: int) -> int:
    return 1 if min({x, 7777, 9000}) == 7777 and x > 9000 else 0


def keys_view(x: int) -> int:
    return 1 if x in {5: 1, 7777: 2}.keys() and x != 5 else 0  # noqa: SIM118


def place(x: int) -> int:
    return 1 if 0 <= x < 8 and [5, 9, 77, 3, 8, 1, 4, 6][x] == 77 else 0


def place_from_the_end(x: int) -> int:
    try:
        return 1 if ["a", "b", "c"][x] == "b" and x < 0 else 0
    except IndexError:
        return 0


def place_of_text(x: int) -> int:
    try:
        return 1 if "abcq"[x] == "q" and x > 0 else 0
    except IndexError:
        return 0


def place_stored(x: int) -> int:
    row = [0] * 10
    try:
        row[x] = 1
    except IndexError:
        return 0
    return 1 if row[7] == 1 else 0


def place_deleted(x: int) -> int:
    row = [1, 2, 3]
    try:
        del row[x]
    except IndexError:
        return 0
    return 1 if row == [1, 3] else 0


def swapped(x: int, y: int) -> int:
    row = [1, 2, 3]
    if not 0 <= x < 3 or not 0 <= y < 3:
        return 0
    row[x], row[y] = row[y], row[x]
    return 1 if row == [3, 2, 1] else 0


def added_in_place(x: int) -> int:
    counts = {}
    for key in (x, 7777):
        counts[key] = counts.get(key, 0) + 1
    rows = [0, 0, 0]
    rows[x % 3] += 5
    return 1 if counts[7777] == 2 and rows == [0, 5, 0] else 0


def slice_bounds(x: int, y: int) -> int:
    return 1 if [1, 2, 3, 4][x:y] == [2, 3] else 0


def tail(x: int) -> int:
    return 1 if (1, 2, 3, 4)[-x:] == (3, 4) else 0


def repeated(x: int) -> int:
    return 1 if x < 9 and [0] * x == [0, 0, 0] else 0


def ranged(x: int) -> int:
    if x > 12:
        return 0
    return 1 if len([i for i in range(x)]) == 9 else 0  # noqa: C416


def ranged_from(x: int) -> int:
    return 1 if x >= 100 and any(i == 7774 for i in range(x - 3, x)) else 0


def in_range(x: int) -> int:
    return 1 if 7 in range(3, x, 2) and x < 9 else 0


def range_backwards(x: int) -> int:
    return 1 if 0 < x < 9 and list(range(x, 0, -2)) == [5, 3, 1] else 0


def cached(x: int) -> int:
    @functools.lru_cache(None)
    def double(v):
        return v * 2

    return 1 if double(x) == 7776 and double(x + 0) == double(3888) else 0


def mapped(s: str) -> int:
    return 1 if sum(map(ord, s)) == 300 else 0


def by_key(s: str) -> int:
    return 1 if sorted(s, key=ord) == ["a", "b", "c"] and s[0] == "c" else 0


def named(s: str) -> int:
    class Point:
        abc = 1
        xyz = 2

    return 1 if getattr(Point, s, 0) == 2 else 0


def queue(x: int) -> int:
    q = collections.deque([1, 2, 3])
    try:
        return 1 if q[x] == 3 and x > 0 else 0
    except IndexError:
        return 0
