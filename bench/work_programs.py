"""Programs whose counting is timed: pure-Python code of the standard library at work, and a few classic loops."""

from __future__ import annotations

import ast
import calendar
import colorsys
import configparser
import copy
import csv
import difflib
import dis
import email
import fnmatch
import fractions
import graphlib
import heapq
import html.parser
import inspect
import ipaddress
import json
import pickle
import pickletools
import plistlib
import pprint
import random
import shlex
import statistics
import string
import textwrap
import tokenize
import urllib.parse
from collections.abc import Callable
from io import BytesIO, StringIO
from typing import Any

from examples.sorting import insertion_sort

TEXT = inspect.getsource(textwrap)
WORDS = TEXT.split()
NUMBERS = random.Random(0).choices(range(1000), k=400)
TREE = ast.parse(TEXT)
CODE = compile(TEXT, "text", "exec")
PICKLED = pickle.dumps([NUMBERS, WORDS[:200], {"a": (1, 2.5)}])
MAIL = "\n".join(f"X-Header-{i}: value {i}" for i in range(60)) + "\n\nbody\n"
CONFIG = "\n".join(f"[section {i}]\nkey = value\nother = %(key)s" for i in range(40))
PAGE = "<p class='a'>text &amp; <b>more</b><br/></p>" * 60


def fibonacci(n: int) -> int:
    """Recursion with next to nothing in a call."""
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def sieve(n: int) -> list[int]:
    """Nested loops and a comprehension."""
    is_prime = [True] * (n + 1)
    for i in range(2, int(n**0.5) + 1):
        if is_prime[i]:
            for j in range(i * i, n + 1, i):
                is_prime[j] = False
    return [i for i in range(2, n + 1) if is_prime[i]]


def distance(one: list[str], other: list[str]) -> int:
    """A table, row by row."""
    row = list(range(len(other) + 1))
    for i, left in enumerate(one):
        previous, row[0] = row[0], i + 1
        for j, right in enumerate(other):
            previous, row[j + 1] = row[j + 1], min(row[j] + 1, row[j + 1] + 1, previous + (left != right))
    return row[-1]


def queens(n: int, row: int = 0, columns: int = 0, rising: int = 0, falling: int = 0) -> int:
    """Backtracking."""
    if row == n:
        return 1
    found = 0
    for column in range(n):
        if not (columns >> column & 1 or rising >> (row + column) & 1 or falling >> (row - column + n) & 1):
            found += queens(
                n, row + 1, columns | 1 << column, rising | 1 << (row + column), falling | 1 << (row - column + n)
            )
    return found


def words(text: list[str]) -> dict[str, int]:
    """A loop over a dict."""
    counts: dict[str, int] = {}
    for word in text:
        counts[word] = counts.get(word, 0) + 1
    return counts


def _parsed() -> None:
    parser = html.parser.HTMLParser()
    parser.feed(PAGE)
    parser.close()


def _configured() -> None:
    parser = configparser.ConfigParser()
    parser.read_string(CONFIG)
    for section in parser:
        dict(parser[section])


def _sorted_graph() -> tuple[Any, ...]:
    return tuple(graphlib.TopologicalSorter({i: [i // 2, i // 3] for i in range(1, 200)} | {1: []}).static_order())


PROGRAMS: dict[str, Callable[[], Any]] = {
    "insertion sort": lambda: insertion_sort(NUMBERS[:200]),
    "fibonacci": lambda: fibonacci(17),
    "sieve": lambda: sieve(20_000),
    "edit distance": lambda: distance(WORDS[:120], WORDS[60:180]),
    "queens": lambda: queens(6),
    "words": lambda: words(WORDS * 5),
    "textwrap.fill": lambda: textwrap.fill(TEXT, 60),
    "textwrap.dedent": lambda: textwrap.dedent(TEXT),
    "difflib.ndiff": lambda: list(difflib.ndiff(WORDS[:80], WORDS[40:120])),
    "difflib.ratio": lambda: difflib.SequenceMatcher(None, TEXT[:400], TEXT[200:600]).ratio(),
    "statistics.pstdev": lambda: statistics.pstdev(NUMBERS),
    "statistics.quantiles": lambda: statistics.quantiles(NUMBERS, n=20),
    "fractions": lambda: sum(fractions.Fraction(1, n) for n in range(1, 200)),
    "json encoder": lambda: json.JSONEncoder(indent=1).encode([{"key": NUMBERS}, WORDS[:100]]),
    "pickletools": lambda: list(pickletools.genops(PICKLED)),
    "pickletools.optimize": lambda: pickletools.optimize(PICKLED),
    "deepcopy": lambda: copy.deepcopy([list(NUMBERS[:100]), {str(n): [n] for n in range(100)}]),
    "html.parser": _parsed,
    "configparser": _configured,
    "email": lambda: email.message_from_string(MAIL).items(),
    "shlex.split": lambda: shlex.split("one 'two three' four\\ five \"six\" " * 20),
    "fnmatch.translate": lambda: [fnmatch.translate(f"*.[a-z]{i}?") for i in range(60)],
    "urllib.parse.quote": lambda: [urllib.parse.quote(f"ä ö ü {i}") for i in range(60)],
    "urllib.parse.urlsplit": lambda: [urllib.parse.urljoin("http://a/b/c/d;p?q", f"../{i}/g?y#s") for i in range(60)],
    "ipaddress": lambda: [ipaddress.ip_address(f"2001:db8::{i:x}") for i in range(100)],
    "calendar": lambda: calendar.TextCalendar().formatyear(2024),
    "colorsys": lambda: [colorsys.hls_to_rgb(i / 300, 0.4, 0.7) for i in range(300)],
    "csv.Sniffer": lambda: csv.Sniffer().sniff("a;b;c\n1;2;3\n4;5;6\n" * 5),
    "heapq.merge": lambda: list(heapq.merge(range(0, 600, 2), range(1, 600, 2))),
    "graphlib": _sorted_graph,
    "string.Template": lambda: [string.Template("$who likes ${what}").substitute(who=i, what="it") for i in range(100)],
    "tokenize": lambda: list(tokenize.tokenize(BytesIO(TEXT.encode()).readline)),
    "ast.unparse": lambda: ast.unparse(TREE),
    "dis": lambda: dis.dis(CODE, depth=1, file=StringIO()),
    "pprint": lambda: pprint.pformat([NUMBERS[:80], WORDS[:80]]),
    "plistlib": lambda: plistlib.dumps({str(n): [n, str(n)] for n in range(60)}),
    "random.sample": lambda: [random.Random(1).sample(range(1000), 50) for _ in range(5)],
    "random.shuffle": lambda: random.Random(1).shuffle(list(NUMBERS)),
}
"""By name: something to do that takes a millisecond or more, most of it in Python code."""
