"""Lists, dictionaries, sets and the modules collections, itertools, functools, heapq and bisect."""

from __future__ import annotations

import bisect
import functools
import heapq
import itertools
import operator
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque
from typing import Any


def grouped_by_digit(values: list[int]) -> int:
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for value in values:
        groups[value % 10].append(value)
    return 1 if len(groups[7]) == 3 and len(groups) == 2 else 0


def most_common(values: list[int]) -> int:
    if not values:
        return 0
    value, count = Counter(values).most_common(1)[0]
    return 1 if value == 58 and count == 3 else 0


def recently_used(key: int) -> int:
    cache: OrderedDict[int, str] = OrderedDict([(3, "a"), (907, "b"), (5, "c")])
    if key in cache:
        cache.move_to_end(key)
    cache.popitem(last=False)
    return 1 if list(cache) == [3, 5, 907] or list(cache) == [5, 907] else 0


def rotated(steps: int) -> int:
    ring = deque([10, 20, 30, 40, 50])
    if not 0 <= steps < 50:
        return 0
    ring.rotate(steps)
    return 1 if ring[0] == 30 and steps > 40 else 0


def layered_settings(key: int) -> int:
    settings = ChainMap({1: "user"}, {4088: "site"}, {1: "default", 2: "default"})
    return 1 if settings.get(key) == "site" else 0


def grid_cell(row: int, column: int) -> int:
    grid = {(r, c): 100 * r + c for r in range(20, 24) for c in range(30, 34)}
    return 1 if grid.get((row, column)) == 2233 else 0


def missing_numbers(values: list[int]) -> int:
    missing = {40, 41, 42, 43} - set(values)
    return 1 if missing == {42} else 0


def shared_members(values: list[int]) -> int:
    return 1 if len(values) == 3 and set(values) & {6, 66, 666} == set(values) and len(set(values)) == 3 else 0


def window_of(start: int) -> int:
    squares = [number * number for number in range(300)]
    return 1 if 0 <= start < 297 and sum(squares[start : start + 3]) == 120002 else 0


def from_the_end(offset: int) -> int:
    squares = [number * number for number in range(400)]
    try:
        return 1 if offset < 0 and squares[offset] == 333 * 333 else 0
    except IndexError:
        return 0


def ranking(score: int) -> int:
    players = [("ann", 71, 3), ("bob", score, 2), ("cid", 88, 5)]
    ordered = sorted(players, key=lambda player: (-player[1], player[2]))
    return 1 if ordered[0][0] == "bob" and score < 90 else 0


def runs_of_equal(values: list[int]) -> int:
    runs = [(key, len(list(group))) for key, group in itertools.groupby(values)]
    return 1 if runs == [(4, 2), (9, 3)] else 0


def odd_one_out(values: list[int]) -> int:
    if len(values) != 5 or any(value < 0 or value > 1000 for value in values):
        return 0
    return 1 if functools.reduce(operator.xor, values) == 700 and values[0] == values[1] == values[2] else 0


def merged_streams(value: int) -> int:
    merged = list(heapq.merge([10, 400, 900], [value, value + 200]))
    return 1 if merged[2:4] == [650, 850] else 0


def smallest_two(values: list[int]) -> int:
    return 1 if len(values) == 4 and heapq.nsmallest(2, values) == [33, 34] else 0


def kept_sorted(value: int) -> int:
    marks = [12, 50, 75]
    bisect.insort(marks, value)
    return 1 if marks.index(value) == 2 and marks[3] - value == 4 else 0


def strictly_rising(values: list[int]) -> int:
    rising = all(a < b for a, b in itertools.pairwise(values))
    return 1 if rising and len(values) == 5 and values[0] > 500 else 0


def two_sum(values: list[int]) -> int:
    seen: dict[int, int] = {}
    for place, value in enumerate(values):
        if 9000 - value in seen:
            return 1
        seen[value] = place
    return 0


def best_stretch(values: list[int]) -> int:
    best = current = 0
    for value in values:
        current = max(0, current + value)
        best = max(best, current)
    return 1 if best == 170 and len(values) == 4 and values[1] < -20 else 0


def binary_search(values: list[int]) -> int:
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < 7000:
            low = middle + 1
        else:
            high = middle
    return 1 if low < len(values) and values[low] == 7000 and low == 4 else 0


def inverted(key: int) -> int:
    codes = {"a": 101, "b": 7102, "c": 103}
    names = {code: name for name, code in codes.items()}
    return 1 if names.get(key, "") > "a" and key > 103 else 0


def transposed(a: int, b: int) -> int:
    matrix = [[1, a], [b, 4]]
    columns = [list(column) for column in zip(*matrix, strict=True)]
    return 1 if columns[0] == [1, 512] and columns[1][0] == -512 else 0


def triangle_sides(values: list[int]) -> int:
    if len(values) != 3 or min(values) <= 0 or max(values) > 500:
        return 0
    return 1 if any(a * a + b * b == c * c for a, b, c in itertools.permutations(values)) and sum(values) == 56 else 0


def knapsack(limit: int) -> int:
    weights = [31, 52, 77]
    for size in range(4):
        for chosen in itertools.combinations(weights, size):
            if sum(chosen) == limit and size == 2:
                return 1
    return 0


def running_totals(values: list[int]) -> int:
    totals = list(itertools.accumulate(values, max))
    return 1 if totals == [5, 5, 80, 80] else 0


def taken_while(values: list[int]) -> int:
    head = list(itertools.takewhile(lambda value: value > 100, values))
    return 1 if len(head) == 2 and head[0] == 2 * head[1] and len(values) > 3 else 0


def islice_chain(value: int) -> int:
    numbers = itertools.chain([1, 2], itertools.repeat(value, 3), itertools.count(10))
    return 1 if sum(itertools.islice(numbers, 1, 7)) == 2933 else 0


def replaced_slice(place: int) -> int:
    values = list(range(100))
    if not 1 <= place <= 98:
        return 0
    values[place : place + 2] = [-1]
    del values[0]
    return 1 if values.index(-1) == 70 else 0


def edited_list(value: int) -> int:
    values = [4, 8, 15]
    values.append(value)
    values.insert(0, 616)
    values.extend([23, 42])
    if value in (4, 8, 15):
        return 0
    values.remove(value)
    values.reverse()
    return 1 if values.pop() == 4 and values[0] == 42 else 0


def shortest_way(start: int) -> int:
    roads = {110: [120, 135], 120: [140], 135: [140, 155], 140: [160], 155: [177], 160: [180], 177: [180], 180: []}
    if start not in roads:
        return 0
    distance = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for there in roads[here]:
            if there not in distance:
                distance[there] = distance[here] + 1
                queue.append(there)
    return 1 if distance.get(180) == 2 and start % 2 else 0


def connected(a: int, b: int) -> int:
    parent = list(range(12))

    def find(item: int) -> int:
        while parent[item] != item:
            item = parent[item]
        return item

    if not (0 <= a < 12 and 0 <= b < 12):
        return 0
    for one, other in ((0, 4), (4, 9), (2, 3)):
        parent[find(one)] = find(other)
    return 1 if find(a) == find(b) and a - b == 5 else 0


def window_maximum(values: list[int]) -> int:
    window: deque[int] = deque()
    peaks = []
    for place, value in enumerate(values):
        while window and values[window[-1]] <= value:
            window.pop()
        window.append(place)
        if window[0] <= place - 3:
            window.popleft()
        if place >= 2:
            peaks.append(values[window[0]])
    return 1 if peaks == [9, 9, 6] else 0


def inventory(item: int) -> int:
    stock: dict[int, int] = {11: 2, 4055: 1}
    stock.setdefault(item, 0)
    stock[item] += 5
    stock.update({11: 3})
    return 1 if stock.pop(4055) == 6 and len(stock) == 1 else 0


def nested_lookup(user: int, group: int) -> int:
    rights: dict[int, dict[str, Any]] = {
        7: {"groups": [100, 3020], "admin": False},
        2019: {"groups": [4, 3020], "admin": True},
    }
    record = rights.get(user)
    return 1 if record and record["admin"] and group in record["groups"] and group > 4 else 0


def compared_by(values: list[int]) -> int:
    def order(a: int, b: int) -> int:
        return (a % 100 > b % 100) - (a % 100 < b % 100)

    if len(values) != 3:
        return 0
    return 1 if sorted(values, key=functools.cmp_to_key(order)) == [301, 102, 203] else 0


def longest_by(a: int) -> int:
    numbers = [1014, a, 1033]
    return 1 if max(numbers, key=lambda value: value % 1000) == a and 0 <= a % 1000 < 40 and a > 0 else 0


def spiral(value: int) -> int:
    matrix = [[1, 2, 3], [8, value, 4], [7, 6, 5]]
    out = []
    while matrix:
        out += matrix.pop(0)
        matrix = [list(row) for row in zip(*matrix, strict=True)][::-1]
    return 1 if out[-1] - out[0] == 6060 else 0


def insertion_order(values: list[int]) -> int:
    unique = list(dict.fromkeys(values))
    return 1 if unique == [8, 80] and len(values) == 4 else 0


def counters_apart(values: list[int]) -> int:
    wanted = Counter({5: 2, 6: 1})
    return 1 if wanted - Counter(values) == Counter({5: 1}) and len(values) == 2 else 0


def polynomial(coefficients: list[int]) -> int:
    value = 0
    for coefficient in reversed(coefficients):
        value = value * 10 + coefficient
    return 1 if value == 321 and len(coefficients) == 3 and all(0 <= c < 10 for c in coefficients) else 0


def life_cell(neighbours: list[bool]) -> int:
    if len(neighbours) != 8:
        return 0
    return 1 if sum(neighbours) == 2 and neighbours[0] and neighbours[7] else 0


# fmt: off
WITNESSES: dict[str, tuple[object, ...]] = {
    "grouped_by_digit": ([7, 17, 27, 1],), "most_common": ([58, 58, 58, 1],), "recently_used": (907,),
    "rotated": (43,), "layered_settings": (4088,), "grid_cell": (22, 33), "missing_numbers": ([40, 41, 43],),
    "shared_members": ([6, 66, 666],), "window_of": (199,), "from_the_end": (-67,), "ranking": (88,),
    "runs_of_equal": ([4, 4, 9, 9, 9],), "odd_one_out": ([5, 5, 5, 700, 5],), "merged_streams": (650,),
    "smallest_two": ([50, 34, 33, 60],), "kept_sorted": (71,), "strictly_rising": ([501, 502, 503, 504, 505],),
    "two_sum": ([4000, 5000],), "best_stretch": ([0, -21, 100, 70],), "binary_search": ([1, 2, 3, 4, 7000],),
    "inverted": (7102,), "transposed": (-512, 512), "triangle_sides": ([7, 25, 24],), "knapsack": (108,),
    "running_totals": ([5, 1, 80, 2],), "taken_while": ([404, 202, 1, 1],), "islice_chain": (970,),
    "replaced_slice": (71,), "edited_list": (616,), "shortest_way": (155,), "connected": (9, 4),
    "window_maximum": ([1, 9, 3, 6, 2],), "inventory": (4055,), "nested_lookup": (2019, 3020),
    "compared_by": ([203, 301, 102],), "longest_by": (34,), "spiral": (6061,), "insertion_order": ([8, 80, 80, 8],),
    "counters_apart": ([5, 6],), "polynomial": ([1, 2, 3],),
    "life_cell": ([True, False, False, False, False, False, False, True],),
}
# fmt: on
