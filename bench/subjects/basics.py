"""One construct of the language or of its library per function, with an outcome 1 that only a chosen input reaches."""
# ruff: noqa: UP031, UP032

from __future__ import annotations

import bisect
import collections
import functools
import heapq
import itertools
import json
import math
import operator
import re


def i_arith(x: int) -> int:
    return 1 if 5 * x - 11 == 3 * x + 2035 else 0


def i_isinstance(x: int) -> int:
    if not isinstance(x, (int, float)):
        return 0
    return 1 if x == 4021 else 0


def i_type_is(x: int) -> int:
    if type(x) is not int:
        return 0
    return 1 if x - 1 == 4020 else 0


def i_is_true(x: int) -> int:
    same = x == 4021
    return 1 if same is True else 0


def i_range(x: int) -> int:
    if not 0 <= x <= 15:
        return 0
    total = 0
    for step in range(x):
        total += step
    return 1 if total == 66 else 0


def i_range_elem(x: int) -> int:
    if not 1000 < x < 500000:
        return 0
    for candidate in range(x, x + 4):
        if candidate == 60613:
            return 1
    return 0


def i_list_index(x: int) -> int:
    primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53]
    if x < 0 or x >= len(primes):
        return 0
    return 1 if primes[x] == 43 else 0


def i_list_index_symelem(x: int) -> int:
    row = [0, 1, x, 3]
    return 1 if row[-2] == 4021 else 0


def i_list_store(x: int) -> int:
    seats = [False] * 12
    if 0 <= x < 12:
        seats[x] = True
    return 1 if seats[5] else 0


def i_dict_get(x: int) -> int:
    names = {80: "http", 4443: "odd", 22: "ssh"}
    return 1 if names.get(x, "none") == "odd" else 0


def i_dict_sub(x: int) -> int:
    names = {80: "http", 4443: "odd", 22: "ssh"}
    try:
        name = names[x]
    except KeyError:
        return 0
    return 1 if name == "odd" else 0


def i_dict_in(x: int) -> int:
    blocked = {4443: "odd", 6000: "display"}
    if x in blocked:
        return 1
    return 0


def i_dict_store(x: int) -> int:
    seen = {1: "one"}
    seen[x] = "new"
    return 1 if seen.get(4021) == "new" else 0


def i_set_in(x: int) -> int:
    return 1 if x in {17, 4021, 90001} else 0


def i_set_dedupe(x: int) -> int:
    unique = {4021, 9, x}
    return 1 if len(unique) == 2 and x != 9 else 0


def i_list_in(x: int) -> int:
    allowed = [4021, 5032]
    return 0 if x not in allowed else 1


def i_hash(x: int) -> int:
    bucket = hash(x) % 1024
    return 1 if bucket == 919 else 0


def i_sorted(x: int) -> int:
    ordered = sorted([640, 320, x, 480])
    return 1 if ordered[2] == 511 else 0


def i_list_sort_key(x: int) -> int:
    people = [("ann", 31), ("bob", x), ("cid", 27)]
    people.sort(key=lambda person: -person[1])
    return 1 if [name for name, _ in people] == ["ann", "bob", "cid"] else 0


def i_min(x: int) -> int:
    return 1 if min(900, x, 1200) == 873 else 0


def i_max(x: int) -> int:
    return 1 if max(x, -5, 40) == 4021 else 0


def i_heapq(x: int) -> int:
    queue = [x, 60, 45, 90]
    heapq.heapify(queue)
    heapq.heappop(queue)
    return 1 if queue[0] == 51 else 0


def i_bisect(x: int) -> int:
    grades = [500, 600, 700, 800]
    return 1 if bisect.bisect(grades, x) == 3 else 0


def i_sum(x: int) -> int:
    return 1 if sum([x, x, 8]) == 8050 else 0


def i_abs(x: int) -> int:
    return 1 if abs(x + 21) == 4021 else 0


def i_divmod(x: int) -> int:
    minutes, seconds = divmod(x, 60)
    return 1 if minutes == 67 and seconds == 1 else 0


def i_pow(x: int) -> int:
    return 1 if x**3 == 12167 else 0


def i_bitand(x: int) -> int:
    return 1 if x & 0x3FF == 0x2C4 else 0


def i_bitxor(x: int) -> int:
    return 1 if x ^ 0x0FF0 == 0x1A5B else 0


def i_shift(x: int) -> int:
    return 1 if x >> 4 == 251 else 0


def i_int(x: int) -> int:
    return 1 if int(x) - 4021 == 0 else 0


def i_float(x: int) -> int:
    return 1 if float(x) + 0.5 == 4021.5 else 0


def i_truediv(x: int) -> int:
    return 1 if x / 4 == 1005.25 else 0


def i_round(x: int) -> int:
    return 1 if round(x / 8) == 503 else 0


def i_math_sqrt(x: int) -> int:
    if not 0 <= x <= 100000:
        return 0
    return 1 if math.sqrt(x) == 211.0 else 0


def i_math_floor(x: int) -> int:
    return 1 if math.floor(x / 4) == 1005 else 0


def i_math_gcd(x: int) -> int:
    if not 0 < x < 500:
        return 0
    return 1 if math.gcd(x, 323) == 19 else 0


def i_isqrt(x: int) -> int:
    if x < 0:
        return 0
    return 1 if math.isqrt(x) == 63 else 0


def i_bit_length(x: int) -> int:
    return 1 if x.bit_length() == 23 else 0


def i_str(x: int) -> int:
    return 1 if str(x) == "-4021" else 0


def i_fstring(x: int) -> int:
    return 1 if f"row-{x}.txt" == "row-4021.txt" else 0


def i_percent(x: int) -> int:
    return 1 if "%d%%" % x == "4021%" else 0


def i_format(x: int) -> int:
    return 1 if "{0}:{0}".format(x) == "4021:4021" else 0


def i_list_mul(x: int) -> int:
    if not 0 <= x <= 25:
        return 0
    return 1 if len([1, 2] * x) == 34 else 0


def i_slice(x: int) -> int:
    letters = list("abcdefghijklmnopqrstuvwxyz")
    if not 0 <= x <= 26:
        return 0
    return 1 if len(letters[x:]) == 7 else 0


def i_bool(x: int) -> int:
    return 1 if bool(x + 4021) is False else 0


def i_not(x: int) -> int:
    rest = x - 4021
    return 1 if not rest else 0


def i_or_value(x: int) -> int:
    chosen = (4021 - x) or "default"
    return 1 if chosen == "default" else 0


def i_tuple_eq(x: int) -> int:
    return 1 if ("point", x, x) == ("point", 4021, 4021) else 0


def i_tuple_lt(x: int) -> int:
    return 1 if (3, 4020) < (3, x) <= (3, 4021) else 0


def i_list_methods(x: int) -> int:
    try:
        return 1 if [7, 70, 4021].index(x) == 2 else 0
    except ValueError:
        return 0


def i_list_count(x: int) -> int:
    return 1 if [4021, 7, 4021, 4021].count(x) == 3 else 0


def i_chr(x: int) -> int:
    if not 0 <= x < 600:
        return 0
    return 1 if chr(x) == "ü" else 0


def i_bytes(x: int) -> int:
    if not 0 <= x < 256:
        return 0
    return 1 if bytes([3, x]) == b"\x03\xc8" else 0


def i_json(x: int) -> int:
    return 1 if json.dumps({"id": x}) == '{"id": 4021}' else 0


def i_gen_next(x: int) -> int:
    match_at = next((place for place, value in enumerate((5, 50, 4021)) if value == x), -1)
    return 1 if match_at == 2 else 0


def i_any(x: int) -> int:
    return 1 if any(x + offset == 4021 for offset in (-100, 100)) else 0


def i_all(x: int) -> int:
    return 1 if all(x % divisor == 1 for divisor in (2, 3, 5, 7, 11)) and x > 1 else 0


def i_match(x: int) -> int:
    match x:
        case 0 | 1:
            return 0
        case 4021 | -4021:
            return 1
        case _:
            return 0


def i_match_cls(x: int) -> int:
    match x:
        case str():
            return 0
        case int(value) if value == 4021:
            return 1
        case _:
            return 0


def i_chain(x: int) -> int:
    return 1 if 4020 < x <= 4021 != x + 1 else 0


def i_sort_by_dist(x: int) -> int:
    stations = sorted([400, 9000, 30000], key=lambda station: abs(station - x))
    return 1 if stations == [9000, 400, 30000] else 0


def i_reduce(x: int) -> int:
    return 1 if functools.reduce(lambda so_far, digit: so_far * 10 + digit, [x, 2, 1]) == 4021 else 0


def i_accumulate(x: int) -> int:
    return 1 if list(itertools.accumulate([10, x, x]))[2] == 8052 else 0


def i_counter(x: int) -> int:
    votes = collections.Counter([4021, x, 8, 8])
    return 1 if votes[4021] == 2 else 0


def i_lru(x: int) -> int:
    @functools.lru_cache(maxsize=8)
    def doubled(value: int) -> int:
        return 2 * value

    return 1 if doubled(x) + doubled(x) == 16084 else 0


def i_deque(x: int) -> int:
    queue = collections.deque([1, 2])
    queue.appendleft(x)
    queue.pop()
    return 1 if queue[0] + queue[1] == 4022 else 0


def i_index_op(x: int) -> int:
    return 1 if operator.index(x) + 1 == 4022 else 0


def i_dataclass(x: int) -> int:
    point_type = collections.namedtuple("Point", ["x", "y"])
    point = point_type(y=1, x=x)
    return 1 if point.x - point.y == 4020 else 0


def i_numpy(x: int) -> int:
    import numpy

    return 1 if numpy.array([x, 10, 11]).sum() == 4042 else 0


def i_numpy_sort(x: int) -> int:
    import numpy

    return 1 if numpy.sort(numpy.array([700, 500, x]))[1] == 601 else 0


def s_eq(s: str) -> int:
    return 1 if s == "open" else 0


def s_startswith(s: str) -> int:
    return 1 if s.startswith("GET ") else 0


def s_find(s: str) -> int:
    return 1 if s.find("->") == 3 else 0


def s_in(s: str) -> int:
    return 1 if "://" in s else 0


def s_in_tuple(s: str) -> int:
    return 1 if s in ("yes", "on", "true") else 0


def s_index(s: str) -> int:
    if len(s) != 4:
        return 0
    return 1 if s[0] == "<" and s[-1] == ">" else 0


def s_slice(s: str) -> int:
    return 1 if s[2:5] == "mid" else 0


def s_split(s: str) -> int:
    return 1 if s.split(":") == ["x", "", "y"] else 0


def s_upper(s: str) -> int:
    return 1 if s.lower() == "yes" and s.upper() != s else 0


def s_isdigit_int(s: str) -> int:
    if not s.isdigit():
        return 0
    return 1 if int(s) == 407 else 0


def s_re(s: str) -> int:
    return 1 if re.match(r"[A-Z]{2}\d{3}$", s) else 0


def s_dict(s: str) -> int:
    colours = {"red": 1, "green": 2, "blue": 3}
    return 1 if colours.get(s, 0) == 3 else 0


def s_dict_char(s: str) -> int:
    points = {"e": 1, "k": 5, "z": 10}
    if len(s) != 4:
        return 0
    return 1 if sum(points.get(letter, 0) for letter in s) == 26 else 0


def s_strip(s: str) -> int:
    return 1 if s.strip("-") == "ok" and len(s) == 6 else 0


def s_len(s: str) -> int:
    return 1 if len(s) == 8 else 0


def s_join(s: str) -> int:
    return 1 if "/".join(["usr", s, "x"]) == "usr/lib/x" else 0


def s_fstring(s: str) -> int:
    return 1 if f"[{s}]={s}" == "[k]=k" else 0


def s_ord_loop(s: str) -> int:
    check = 0
    for letter in s:
        check = check + ord(letter) - 48
    return 1 if check == 101 else 0


def s_replace(s: str) -> int:
    return 1 if s.replace("--", "-") == "a-b" and "--" in s else 0


def s_count(s: str) -> int:
    return 1 if s.count("/") == 4 else 0


def s_encode(s: str) -> int:
    return 1 if s.encode("utf-8") == b"key" else 0


def s_set(s: str) -> int:
    if len(s) != 4:
        return 0
    return 1 if len(set(s)) == 2 else 0


def s_lt(s: str) -> int:
    return 1 if "pea" <= s < "pear" else 0


def s_concat(s: str) -> int:
    return 1 if s + "." + s == "ab.ab" else 0


def s_reverse(s: str) -> int:
    return 1 if "".join(reversed(s)) == "stop" else 0


# fmt: off
WITNESSES: dict[str, tuple[object, ...]] = {
    "i_arith": (1023,), "i_isinstance": (4021,), "i_type_is": (4021,), "i_is_true": (4021,), "i_range": (12,),
    "i_range_elem": (60612,), "i_list_index": (13,), "i_list_index_symelem": (4021,), "i_list_store": (5,),
    "i_dict_get": (4443,), "i_dict_sub": (4443,), "i_dict_in": (6000,), "i_dict_store": (4021,), "i_set_in": (90001,),
    "i_set_dedupe": (4021,), "i_list_in": (5032,), "i_hash": (919,), "i_sorted": (511,), "i_list_sort_key": (29,),
    "i_min": (873,), "i_max": (4021,), "i_heapq": (51,), "i_bisect": (750,), "i_sum": (4021,), "i_abs": (4000,),
    "i_divmod": (4021,), "i_pow": (23,), "i_bitand": (0x2C4,), "i_bitxor": (0x1A5B ^ 0x0FF0,), "i_shift": (4016,),
    "i_int": (4021,), "i_float": (4021,), "i_truediv": (4021,), "i_round": (4024,), "i_math_sqrt": (44521,),
    "i_math_floor": (4021,), "i_math_gcd": (19,), "i_isqrt": (4000,), "i_bit_length": (4194304,), "i_str": (-4021,),
    "i_fstring": (4021,), "i_percent": (4021,), "i_format": (4021,), "i_list_mul": (17,), "i_slice": (19,),
    "i_bool": (-4021,), "i_not": (4021,), "i_or_value": (4021,), "i_tuple_eq": (4021,), "i_tuple_lt": (4021,),
    "i_list_methods": (4021,), "i_list_count": (4021,), "i_chr": (252,), "i_bytes": (200,), "i_json": (4021,),
    "i_gen_next": (4021,), "i_any": (3921,), "i_all": (2311,), "i_match": (-4021,), "i_match_cls": (4021,),
    "i_chain": (4021,), "i_sort_by_dist": (9000,), "i_reduce": (40,), "i_accumulate": (4021,), "i_counter": (4021,),
    "i_lru": (4021,), "i_deque": (4021,), "i_index_op": (4021,), "i_dataclass": (4021,), "i_numpy": (4021,),
    "i_numpy_sort": (601,), "s_eq": ("open",), "s_startswith": ("GET /",), "s_find": ("abc->",), "s_in": ("a://",),
    "s_in_tuple": ("on",), "s_index": ("<ab>",), "s_slice": ("..mid",), "s_split": ("x::y",), "s_upper": ("Yes",),
    "s_isdigit_int": ("407",), "s_re": ("AB123",), "s_dict": ("blue",), "s_dict_char": ("zzke",),
    "s_strip": ("--ok--",), "s_len": ("12345678",), "s_join": ("lib",), "s_fstring": ("k",), "s_ord_loop": ("b3`",),
    "s_replace": ("a--b",), "s_count": ("/a/b//",), "s_encode": ("key",), "s_set": ("abab",), "s_lt": ("peaq",),
    "s_concat": ("ab",), "s_reverse": ("pots",),
}
# fmt: on
