"""Random small programs of everyday Python: containers with symbolic keys, text methods, patterns, numbers, classes.

A program is made of templates alone. ``<i>`` in a template is a hole for an expression of a kind: i int, b bool, s str,
l list of ints, y bytes, r float, d dict, g dict with text keys, e set, w list of texts, q deque. ``<B>`` on a line of
its own is a hole for statements. Text, numbers and loops stay small, so that every input can be run natively.
"""

# ruff: noqa: E501  (a template is one line)

from __future__ import annotations

import random
import re
from collections.abc import Callable

from pessimal.inputs import Bool, Choice, Int, List, Spec, Str
from tests.python.programs import Program

PRELUDE = """\
import bisect
import heapq
import json
import math
import operator
import re
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from functools import cached_property, lru_cache, partial, reduce, total_ordering
from itertools import chain, combinations, groupby, islice, pairwise, product, takewhile, zip_longest
from string import Template, ascii_lowercase, digits

Point = namedtuple("Point", "x y")


class Color(Enum):
    RED = 0
    BLUE = 2


class Level(IntEnum):
    LOW = 1
    HIGH = 3


@dataclass(order=True)
class Coin:
    value: int
    name: str = "a"
    tags: list = field(default_factory=list, compare=False)


@dataclass(frozen=True)
class Key:
    row: int
    column: int = 0


@total_ordering
class Length:
    def __init__(self, size):
        self._size = size

    @property
    def size(self):
        return self._size

    @size.setter
    def size(self, value):
        if value < 0:
            raise ValueError("negative")
        self._size = value

    def __eq__(self, other):
        return self._size == other._size

    def __lt__(self, other):
        return self._size < other._size

    def __add__(self, other):
        return Length(self._size + (other._size if isinstance(other, Length) else other))

    def __radd__(self, other):
        return Length(other + self._size)

    def __hash__(self):
        return hash(self._size)

    def __repr__(self):
        return f"Length({self._size})"

    def __call__(self, step=1):
        self._size += step
        return self._size

    def __iter__(self):
        yield from range(min(self._size, 3))

    def __getattr__(self, name):
        return len(name)


class Table(dict):
    def __missing__(self, key):
        return -7


@lru_cache(maxsize=None)
def cached(n, step=1):
    if n <= 0:
        return step
    return cached(n - 2, step + 1) + (n == 3)


@contextmanager
def noting(log, value):
    log.append(value)
    try:
        yield value
    finally:
        log.append(-1)


def averager():
    total = count = 0
    while True:
        got = yield total * 10 + count
        total += got
        count += 1


def variadic(*args, key=1, **rest):
    return len(args) * 10 + key + sum(rest.values())


"""

INPUTS: dict[str, tuple[int, str, Callable[[], Spec]]] = {
    "a": (16, "i", lambda: Int(-3, 12)),
    "b": (4, "i", lambda: Int(0, 3)),
    "c": (3, "i", lambda: Int(-1, 1)),
    "p": (2, "b", lambda: Bool()),
    "s": (9, "s", lambda: Str(2, "a", "c")),
    "k": (12, "s", lambda: Str("N", "a", "b")),
    "u": (4, "s", lambda: Str(1, "0", "3")),
    "n": (9, "s", lambda: Str(2, "8", ":")),
    "m": (11, "s", lambda: Str(1, "8", "B")),
    "h": (3, "s", lambda: Str(1, 31, 33)),
    "v": (3, "s", lambda: Str(1, 0xDE, 0xE0)),
    "o": (6, "s", lambda: Choice(("", " a", "B1", "a,b", "-2", "ab1"))),
    "xs": (27, "l", lambda: List(Int(0, 2), "N")),
    "zs": (9, "l", lambda: List(Int(-1, 1), 2)),
}
"""How many values an input has, of which kind it is, and its specification."""
DOMAIN = 48
"""How many inputs a program has, about, at most."""

ATOMS = {
    "i": ["0", "1", "2", "3", "-1", "7"],
    "b": ["True", "False"],
    "s": ["'a'", "'b'", "'ab'", "'1'", "''", "' '", "'A'", "'12'", "'é'"],
    "l": ["[1, 0]", "[2]", "[]", "[0, 1, 2]", "[3, 1, 2]"],
    "y": ["b'a'", "b'ab'", "b''", "b'1'"],
    "r": ["0.5", "1.0", "-1.5", "0.0", "2.25"],
    "d": ["{}", "{0: 1}", "{1: 2, 2: 0}"],
    "g": ["{'a': 1}", "{'b': 2, '1': 3}"],
    "e": ["set()", "{1}", "{0, 2}"],
    "w": ["['a', 'b']", "[]", "['ab']"],
    "q": ["deque([1, 2])", "deque([0], 2)"],
}
LOCALS = {
    "i": "i",
    "j": "i",
    "t": "s",
    "f": "b",
    "ys": "l",
    "z": "y",
    "r": "r",
    "d": "d",
    "g": "g",
    "e": "e",
    "w": "w",
    "q": "q",
}
STARTS = {
    "i": ["<i>", "len(<s>)"],
    "s": ["<s>", "<s>", "str(<i>)"],
    "b": ["<i> > 1", "<s> < 'b'"],
    "l": ["[<i>, 1]", "[2, <i>]", "list(<l>)"],
    "y": ["(<s>).encode()", "bytes([<i> & 255])", "b'ab'"],
    "r": ["<i> / 4", "<i> * 0.5", "1.5"],
    "d": ["{<i>: 1, 2: <i>}", "{0: 1, 1: 2}", "{}", "{<i>: <i>}"],
    "g": ["{<s>: 1}", "{'a': <i>}", "{}"],
    "e": ["{<i>, 1}", "{0, 2}", "set()", "set(<l>)"],
    "w": ["[<s>, 'b']", "['a']", "[<s>, <s>]"],
    "q": ["deque([<i>, 1])", "deque([2, <i>], 3)"],
}
LIMITED = {"i": "(%s) %% 31", "s": "(%s)[:4]", "l": "list(%s)[:4]", "y": "(%s)[:4]", "w": "list(%s)[:3]"}


def program(seed: int, domain: int = DOMAIN) -> Program:
    """The program of a seed, with about so many inputs at most."""
    return _Writer(random.Random(seed), domain).write()


class _Writer:
    def __init__(self, rng: random.Random, domain: int) -> None:
        self.rng = rng
        self.domain = domain
        self.names: dict[str, list[str]] = {kind: [] for kind in ATOMS}
        self.fresh = 0

    def write(self) -> Program:
        chosen = self._inputs()
        for name in chosen:
            self.names[INPUTS[name][1]].append(name)
        lines = [f"def target({', '.join(chosen)}):"]
        for name, kind in LOCALS.items():
            lines.append(f"    {name} = {self._fill(self.rng.choice(STARTS[kind]), 1)}")
        for name, kind in LOCALS.items():
            self.names[kind] += [name, name]
        for _ in range(self.rng.randint(2, 5)):
            lines += self._guarded() if self.rng.random() < 0.7 else self._statement(1, 2)
        lines.append(f"    return {self._result()}")
        inputs = {name: INPUTS[name][2]() for name in chosen}
        return Program(PRELUDE + "\n".join(lines) + "\n", inputs, True, growing=self.rng.random() < 0.7)

    def _inputs(self) -> list[str]:
        chosen: list[str] = []
        size = 1
        for name in self.rng.sample(list(INPUTS), len(INPUTS)):
            if size * INPUTS[name][0] <= self.domain:
                chosen.append(name)
                size *= INPUTS[name][0]
        return chosen[: self.rng.randint(2, 4)]

    def _result(self) -> str:
        shown = self.rng.sample(list(LOCALS), 5)
        return f"({self._make(self.rng.choice('ibslyrdgewq'), 2)}, {', '.join(shown)})"

    def _block(self, indent: int, count: int, depth: int) -> list[str]:
        return [line for _ in range(count) for line in self._statement(indent, depth)]

    def _guarded(self) -> list[str]:
        """A statement that does not end the program if it fails."""
        errors = "(LookupError, ValueError, ArithmeticError, AssertionError)"
        return [
            "    try:",
            *self._statement(2, 2),
            f"    except {errors} as error:",
            "        i += len(type(error).__name__)",
        ]

    def _statement(self, indent: int, depth: int) -> list[str]:
        if self.rng.random() < 0.3:
            name, kind = self.rng.choice(list(LOCALS.items()))
            limit = LIMITED.get(kind, "%s")
            return ["    " * indent + f"{name} = {limit % self._make(kind, 2)}"]
        nested = depth > 0 and self.rng.random() < 0.35
        self.fresh += 1
        template = self.rng.choice(NESTED if nested else STATEMENTS).replace("%n", f"v{self.fresh}")
        lines = []
        for line in template.splitlines():
            inner = indent + (len(line) - len(line.lstrip())) // 4
            if line.strip() == "<B>":
                lines += self._block(inner, self.rng.choice((1, 1, 2)), depth - 1)
            else:
                lines.append("    " * inner + self._fill(line.strip(), 2))
        return lines

    def _fill(self, template: str, depth: int) -> str:
        if template.startswith("f'"):
            template = _called(template)
        return re.sub("<([a-z])>", lambda hole: self._make(hole[1], depth - 1), template)

    def _make(self, kind: str, depth: int) -> str:
        if depth <= 0 or self.rng.random() < 0.1:
            names = self.names[kind]
            return self.rng.choice(names if names and self.rng.random() < 0.85 else ATOMS[kind])
        return f"({self._fill(self.rng.choice(EXPRESSIONS[kind]), depth)})"


def _called(template: str) -> str:
    """An f-string with names in its holes, since not every Python takes quotes within quotes."""
    kinds = re.findall("<([a-z])>", template)
    for i, kind in enumerate(kinds):
        template = template.replace(f"<{kind}>", f"x{i}", 1)
    names = ", ".join(f"x{i}" for i in range(len(kinds)))
    return f"(lambda {names}: {template})({', '.join(f'<{kind}>' for kind in kinds)})"


NESTED = [
    "if <b>:\n    <B>",
    "if <b>:\n    <B>\nelse:\n    <B>",
    "if <i>:\n    <B>\nelif <s>:\n    <B>\nelse:\n    <B>",
    "if <d> or <l>:\n    <B>",
    "if (%n := <i>) > 1 and %n < 6:\n    i = %n\n    <B>",
    "for %n in range(<i> % 4):\n    j += %n\n    <B>",
    "for %n in range(<i> % 3, <i> % 5):\n    j += %n\n    if <b>:\n        break\nelse:\n    <B>",
    "for %n in range(3, <i> % 4, -1):\n    i += %n\n    <B>",
    "for %n in list(<d>)[:3]:\n    j += %n\n    <B>",
    "for %n, i in list((<d>).items())[:3]:\n    j += %n\n    <B>",
    "for %n in (<s>)[:3]:\n    t = %n + t[:2]\n    <B>",
    "for %n in sorted(<e>)[:3]:\n    j += %n\n    <B>",
    "for %n, j in enumerate(<l>[:3], 1):\n    i -= %n\n    <B>",
    "for %n, j in zip(<l>, <l>):\n    i += %n * j\n    <B>",
    "for %n in (<s>).split()[:2]:\n    t = %n\n    <B>",
    "for %n in (<y>)[:3]:\n    j += %n\n    <B>",
    "%n = 0\nwhile %n < 3 and <b>:\n    %n += 1\n    <B>",
    "%n = 3\nwhile ys and %n:\n    %n -= 1\n    i = ys.pop()\n    <B>",
    "try:\n    <B>\n    <B>\nexcept (KeyError, IndexError):\n    i = 11\nexcept ValueError as error:\n    t = 'v'",
    "try:\n    <B>\nexcept ArithmeticError:\n    <B>\nelse:\n    j += 1\nfinally:\n    i += 1",
    "try:\n    <B>\nfinally:\n    ys = ys[:2]",
    "with noting(ys, <i>) as j:\n    <B>",
    "with suppress(KeyError, IndexError):\n    <B>",
    "match <i>:\n    case 0 | 1:\n        <B>\n    case int(x) if x > 3:\n        i = x\n    case _:\n        <B>",
    "match <s>:\n    case 'a' | 'b':\n        <B>\n    case str(x) if x.isdigit():\n        t = x + 'd'\n    case '':\n        t = 'e'",
    "match <l>:\n    case []:\n        i = 9\n    case [x]:\n        i = x\n    case [0, *rest]:\n        ys = rest\n    case [x, y] if x > y:\n        <B>",
    "match <d>:\n    case {0: x}:\n        i = x\n    case {1: 2, **rest}:\n        j = len(rest)\n    case _:\n        <B>",
    "match (<i>, <s>):\n    case (1, 'a'):\n        <B>\n    case (x, 'b' | 'ab'):\n        i = x\n    case (0, y):\n        t = y",
    "match Point(<i>, <i>):\n    case Point(0, y):\n        i = y\n    case Point(x=1 as x, y=y) if y:\n        j = x + y\n    case _:\n        <B>",
    "match Coin(<i>, <s>):\n    case Coin(value=1):\n        i = 4\n    case Coin(value=x, name='a'):\n        i = x\n    case _:\n        <B>",
    "def %n(x, *rest, y=1):\n    nonlocal i\n    i += x\n    <B>\n    return x + y + len(rest)\nj = %n(<i>, *<l>[:2], y=<i>)",
]

STATEMENTS = [
    "d[<i>] = <i>",
    "d[<i>] += <i>",
    "d[<i>] = d.get(<i>, 0) + 1",
    "del d[<i>]",
    "i = d.pop(<i>)",
    "i = d.pop(<i>, 5)",
    "i = d.setdefault(<i>, <i>)",
    "d.update({<i>: 1, 2: <i>})",
    "d.update([(<i>, 3)])",
    "d |= {<i>: <i>}",
    "d = {**d, <i>: 4}",
    "d = d | <d>",
    "d = {x: y for y, x in enumerate(<l>)}",
    "d = {x: d[x] for x in d if x != <i>}",
    "d = dict(zip(<l>, <l>))",
    "d = dict.fromkeys(<l>, <i>)",
    "d = d.copy(); d[<i>] = 8",
    "i, j = d.popitem()",
    "d.clear() if <b> else None",
    "g[<s>] = <i>",
    "g[<s>] += 1",
    "g[<s>] = g.get(<s>, 0) + 1",
    "g.setdefault(<s>, <i>)",
    "del g[<s>]",
    "for x in <w>: g[x] = g.get(x, 0) + 1",
    "g = {x: len(x) for x in <w>}",
    "e.add(<i>)",
    "e.discard(<i>)",
    "e.remove(<i>)",
    "e |= <e>",
    "e &= {<i>, 0, 2}",
    "e -= <e>",
    "e ^= {<i>}",
    "e.update(<l>)",
    "e.difference_update([<i>])",
    "e = e | {<i>}",
    "e = {x % 3 for x in <l>}",
    "i = e.pop() if len(e) == 1 else 3",
    "ys[<i>] = <i>",
    "ys[<i>] += <i>",
    "del ys[<i>]",
    "ys[<i>:<i>] = [<i>]",
    "del ys[<i>:]",
    "ys[<i>], i = <i>, 2",
    "i, ys[i] = <i>, 7",
    "ys[0], ys[<i>] = ys[<i>], ys[0]",
    "i = ys.pop(<i>)",
    "ys.insert(<i>, <i>)",
    "ys.remove(<i>)",
    "ys.append(<i>); ys = ys[-4:]",
    "ys.extend(<l>); ys = ys[-4:]",
    "ys += [<i>]; ys = ys[:4]",
    "ys *= <i> % 3; ys = ys[:4]",
    "ys.sort(key=lambda x: (x % 2, x))",
    "ys.sort(reverse=<b>)",
    "ys.reverse()",
    "ys = [0] * (<i> % 5); ys[<i>] = 1",
    "ys = [<i>] * <i>; ys = ys[:4]",
    "ys = list(range(<i> % 4, <i> % 7))",
    "ys = [x for x in range(<i> % 6) if x != <i>]",
    "m2 = [[0] * 2 for _ in range(2)]; m2[<i>][<i>] = <i>; ys = m2[0] + m2[1]",
    "m2 = [[1, 2], [3, 4]]; m2[<i>][1] += <i>; i = m2[1][1]",
    "q.append(<i>)",
    "q.appendleft(<i>); q = deque(q, 3)",
    "i = q.popleft()",
    "j = q.pop()",
    "q.rotate(<i>)",
    "q[<i>] = <i>",
    "q.extend(<l>); q = deque(q, 3)",
    "heapq.heappush(ys, <i>); i = heapq.heappop(ys)",
    "heapq.heapify(ys); i = heapq.heappushpop(ys, <i>)",
    "bisect.insort(ys, <i>); ys = ys[:4]",
    "%n = defaultdict(int); %n[<i>] += 1; %n[<i>] += 2; d = dict(%n)",
    "%n = defaultdict(list); %n[<i>].append(<i>); %n[<i>].append(1); i = len(%n); ys = %n[<i>]",
    "%n = Counter(<l>); %n[<i>] += 1; d = dict(%n)",
    "%n = Counter(<s>); %n.update(<s>); g = dict(%n)",
    "%n = Counter(<l>) + Counter([<i>]); i = sum(%n.values())",
    "%n = Counter(<l>); %n.subtract([<i>]); d = dict(%n)",
    "%n = Counter(<w>).most_common(1); i = %n[0][1] if %n else 0",
    "%n = OrderedDict([(<i>, 1), (2, <i>)]); %n.move_to_end(2); d = dict(%n)",
    "%n = OrderedDict(); %n[<i>] = 1; %n[<i>] = 2; %n.move_to_end(<i>, last=False); ys = list(%n)",
    "%n = OrderedDict({<i>: 1, 0: 2}); ys = list(%n.popitem(last=<b>))",
    "%n = {(<i>, 0): 1, (1, <i>): 2}; i = %n.get((<i>, <i>), 9)",
    "%n = {(<i>, <s>): 1}; %n[<i>, <s>] = 2; i = len(%n)",
    "%n = {Key(<i>): 1, Key(1, <i>): 2}; i = %n.get(Key(<i>, 0), 7)",
    "%n = Table({<i>: 5}); i = %n[<i>]",
    "%n = {frozenset((<i>, 1)): 1}; i = %n.get(frozenset((1, <i>)), 3)",
    "%n = {None: 1, <i>: 2, <s>: 3}; i = %n.get(<i>, 4) + len(%n)",
    "%n = {}; %n.setdefault(<s>, []).append(<i>); %n.setdefault(<s>, []).append(2); i = len(%n)",
    "w = [<s>, <s>]",
    "w.append(<s>); w = w[-3:]",
    "w.sort()",
    "w[<i>] = <s>",
    "t = w.pop()",
    "t += <s>; t = t[-4:]",
    "t, _, %n = (<s>).partition(<s> or 'b'); t += %n",
    "i, *ys = <l>",
    "*ys, i = [<i>, <i>, 3]",
    "(i, j), t = (<i>, <i>), <s>",
    "i = j = <i>",
    "i += <i>",
    "i -= <i>",
    "i *= <i>; i %= 31",
    "i //= <i>",
    "i %= <i>",
    "i **= 2; i %= 31",
    "i <<= <i> % 4; i %= 31",
    "i >>= 1",
    "i &= <i>",
    "i |= <i> % 16",
    "i ^= <i>",
    "r += <r>",
    "r = round(r, 1)",
    "f = (%n := <i>) > 1 or %n < 0",
    "f ^= <b>",
    "assert <b>, <i>",
    "if <b>: return <i>, <s>",
    "if <b>: raise ValueError(<i>)",
    "if <b>: raise KeyError(<s>)",
    "%n = averager(); next(%n); %n.send(<i>); i = %n.send(<i>)",
    "%n = iter(<l>); i = next(%n, 3); j = sum(%n)",
    "%n = (x * 2 for x in <l> if x != <i>); ys = [*%n][:4]",
    "%n = Length(<i>); %n.size = <i>; i = %n()",
    "%n = Length(<i>) + <i>; i = (1 + %n).size",
    "%n = Coin(<i>, <s>); %n.value += <i>; i = %n.value",
    "%n = replace(Coin(<i>), value=<i>); i, t, _ = astuple(%n)",
    "%n = Point(<i>, <i>)._replace(x=<i>); i, j = %n",
    "%n = lambda x, y=<i>: x + y; i = %n(<i>)",
    "%n = [lambda x, y=y: x * y for y in <l>[:2]]; ys = [x(2) for x in %n]",
    "z = (<s>).encode()[:4]",
    "z = bytes(<l>) if min(<l>, default=0) >= 0 else b''",
    "z += bytes([<i> % 256]); z = z[-4:]",
    "%n = bytearray(z); %n.append(<i> & 255); z = bytes(%n)[:4]",
    "i = int(<s>)",
    "i = int(<s> or '0', 4) % 31",
    "t = json.dumps([<i>, <b>, None])",
    "t = json.dumps({'a': <i>})",
    "ys = json.loads('[1, 2]'); ys[<i>] = 0",
    "i = Color(<i>).value",
    "i = Level(<i>) + 1",
    "i = (date(2024, 2, 27) + timedelta(days=<i> % 5)).day",
    "i = int(Fraction(<i>, 3) * 3)",
    "i = int(Decimal(<i>) / 2)",
]

EXPRESSIONS = {
    "i": [
        "<i> + <i>", "<i> - <i>", "<i> * <i> % 31", "<i> // <i>", "<i> % <i>", "<i> // 3", "<i> % 4", "-<i>", "~<i>",
        "abs(<i>)", "<i> & <i>", "<i> | <i>", "<i> ^ <i>", "<i> << <i> % 4", "<i> >> <i> % 4", "2 ** (<i> % 5)",
        "<i> ** (<i> % 3) % 31", "pow(<i>, <i> % 4, 7)", "pow(<i>, 2, <i>)", "pow(<i>, -1, 7)", "divmod(<i>, <i>)[1]",
        "sum(divmod(<i>, 3))", "round(<r>)", "int(<r>)", "math.floor(<r>)", "math.ceil(<r>)", "math.trunc(<r>)",
        "math.gcd(<i>, <i>)", "math.lcm(<i>, 4)", "math.isqrt(<i>)", "math.comb(<i>, 2)", "math.factorial(<i> % 5)",
        "math.prod(<l>)", "math.perm(<i>, 2)", "round(<i>, -1)", "(<i>).bit_length()", "(<i>).bit_count()",
        "int.from_bytes(<y>, 'big') % 31", "int(<b>)", "int(<s>)", "int('0' + <s>, 16) % 31", "len(<s>)", "len(<l>)",
        "len(<d>)", "len(<e>)", "len(<y>)", "d[<i>]", "d.get(<i>, <i>)", "d.get(<i>, 0)", "g.get(<s>, 3)", "g[<s>]",
        "{0: 5, 1: 6, 7: 2}[<i>]", "{<i>: 1, <i>: 2}.get(<i>, 4)", "[4, 5, 6][<i>]", "(7, 8)[<i>]", "<l>[<i>]",
        "<l>[-1]", "<l>[<b>]", "range(5)[<i>]", "range(<i> % 4, 9, 2)[<i>]", "len(range(<i>))", "len(range(0, <i>, 2))",
        "ord((<s>)[<i>])", "(<y>)[<i>]", "<q>[<i>]", "min(<i>, <i>)", "max(<l>, default=<i>)",
        "min(<l>, key=lambda x: (x % 3, -x), default=0)", "max(<e>, default=1)",
        "min(<e>, key=lambda x: x % 2, default=1)", "max(<d>, key=d.get, default=0)",
        "max(<w>, key=len, default='').count('a')", "sum(<l>)", "sum(<e>)", "sum(<d>.values())",
        "sum(x > 1 for x in <l>)", "sum(x * y for x, y in zip(<l>, <l>))",
        "reduce(lambda x, y: x * 2 + y, <l>, 0) % 31", "reduce(operator.xor, <l>, <i>)",
        "next((x for x in <l> if x > <i>), 9)", "next(iter(<d>), 8)", "(<s>).find(<s>)", "(<s>).rfind(<s>)",
        "(<s>).index(<s>)", "(<s>).count(<s>)", "(<s>).find(<s>, <i>)", "(<s>).find(<s>, 1, <i>)", "(<y>).find(<y>)",
        "(<y>).count(b'a')", "<l>.index(<i>)", "<l>.count(<i>)", "<q>.count(<i>)", "<q>.index(<i>)",
        "bisect.bisect_left(sorted(<l>), <i>)", "bisect.bisect([1, 3, 5], <i>)", "cached(<i>)", "cached(<i>, step=<i>)",
        "hash(<i>)", "hash((<i>, 1)) == hash((<i>, 1))", "int(hash(<s>) == hash(<s>))", "variadic(*<l>, key=<i>)",
        "variadic(<i>, **{'z': <i>})", "partial(variadic, 1)(<i>, key=2)", "Point(<i>, <i>).y",
        "max(Coin(<i>), Coin(<i>, <s>)).value", "Length(<i>).size", "Length(<i>).other + 1",
        "max(Length(<i>), Length(<i>)).size", "sum(Length(<i>))", "Level(<i>).value", "Level.HIGH - <i>",
        "Color(<i>).value", "Counter(<l>)[<i>]", "Counter(<s>)['a']", "len(Counter(<s>))",
        "Counter(<l>).most_common(1)[0][0]", "Counter(<l>).total()", "len(set(<s>))", "len({*<l>, <i>})",
        "len({<s>, <s>})", "len(set(<w>))", "int(<i> in d)", "int(re.match(r'\\d', <s>) is not None)",
        "len(re.findall('a|b', <s>))", "(re.search('b', <s>) or re.match('', 'x')).start()",
        "(re.search(r'[a-b]+', <s>) or re.match('', '')).end()", "(lambda x, y=2: x * y)(<i>)", "<i> if <b> else <i>",
        "<i> or <i>", "<i> and <i>", "(<b>) + (<b>)", "len(str(<i>))", "len('%s' % <i>)", "len(bin(<i>))",
        "int(str(<i>)[::-1].rstrip('-'))", "sum(map(int, str(abs(<i>))))", "(Fraction(<i>, 2) + 1).numerator",
        "Fraction(<i>, 4).denominator", "operator.add(<i>, <i>)", "operator.itemgetter(<i>)(<l>)",
        "operator.attrgetter('x')(Point(<i>, 0))", "(date(2023, 1, <i>)).weekday()",
        "sum(takewhile(lambda x: x < <i>, <l>))", "sum(len(list(y)) for _, y in groupby(<l>))",
        "len(list(combinations(<l>, 2)))", "sum(islice(<l>, <i> % 3))", "sum(chain(<l>, [<i>]))",
        "sum(abs(x - y) for x, y in pairwise(<l>))", "heapq.nlargest(1, [<i>, <i>])[0]", "ascii_lowercase.index(<s>)",
        "ascii_lowercase.find(<s>)", "'abc'.find((<s>)[:1])", "sorted(<l>)[<i>]", "sorted(<e>)[0]",
        "[x for x in <l> if x][0]", "json.loads('{\"a\": 3}')['a'] + <i>", "int(float(<i>))", "int(<r> * 4)",
        "min(<r>, <i>) > 0", "len(list(product(<l>, [1, 2])))", "<l>.index(<i>, 1)", "memoryview(<y>)[0]",
        "int(<i> == <r>)", "int(math.copysign(1, <i>))", "list(reversed(<l>))[0]", "list(d.values())[<i>]",
        "list(d)[<i>]", "{True: 1, False: 2}[<b>]", "{1: 4, 2: 5}[<b>]",
    ],
    "b": [
        "<i> < <i>", "<i> == <i>", "<i> != 2", "<i> >= 1", "0 < <i> < 5", "<b> and <b>", "<b> or <b>", "not <b>",
        "<b> == <b>", "<i> in <l>", "<i> not in <l>", "<i> in <d>", "<i> not in d", "<i> in <e>", "<i> in {1, 3}",
        "<i> in (0, <i>)", "<i> in range(3)", "<i> in range(<i>)", "<i> in range(0, <i>, 2)", "<i> in d.values()",
        "(<i>, 1) in d.items()", "<i> in d.keys()", "<i> in <q>", "<s> in <s>", "<s> not in <s>", "<s> in <g>",
        "<s> in <w>", "<s> in ('a', '1')", "<s> in {'a', 'b'}", "<y> in <y>", "97 in <y>", "<s> in 'abc'", "<s> == <s>",
        "<s> < <s>", "<s> >= 'b'", "<y> == <y>", "<y> < b'b'", "<l> == <l>", "<l> < <l>", "<d> == <d>",
        "<d> != {1: <i>}", "<e> == <e>", "<e> <= <e>", "<e> < {0, 1, <i>}", "<e> >= {<i>}", "<e>.issubset(<l>)",
        "<e>.isdisjoint({<i>})", "<e>.issuperset([<i>])", "<q> == <q>", "<r> < <r>", "<r> == <i>", "<r> > <i>",
        "<r> == 0.5", "(<r>).is_integer()", "math.isclose(<r>, 1.0)", "math.isnan(<r>)", "(<s>).isdigit()",
        "(<s>).isalpha()", "(<s>).isalnum()", "(<s>).isspace()", "(<s>).isupper()", "(<s>).islower()",
        "(<s>).istitle()", "(<s>).isidentifier()", "(<s>).isdecimal()", "(<s>).isnumeric()", "(<s>).isprintable()",
        "(<s>).isascii()", "(<s>).startswith(<s>)", "(<s>).endswith((<s>, 'b'))", "(<s>).startswith('a', <i>)",
        "(<y>).startswith(b'a')", "(<y>).isdigit()", "(<y>).isalpha()", "(<y>).isupper()", "any(<l>)", "all(<l>)",
        "any(x > <i> for x in <l>)", "all(x in <s> for x in <s>)", "any(map(str.isdigit, <s>))",
        "all(x == y for x, y in zip(<s>, <s>))", "bool(<s>)", "bool(<d>)", "bool(<e>)", "bool(<r>)",
        "isinstance(<i>, int)", "isinstance(<d>, dict)", "isinstance(<e>, (set, list))", "isinstance(<s>, bytes)",
        "type(<d>) is dict", "type(<s>) is str", "type(<e>) is set", "(<i>, <s>) < (<i>, <s>)",
        "(<i>, <b>) == (<i>, True)", "Point(<i>, 1) == (<i>, 1)", "Coin(<i>, <s>) <= Coin(<i>, 'b')",
        "Length(<i>) >= Length(<i>)", "Color(<i>) is Color.RED", "Level(<i>) > Level.LOW", "Color.BLUE in {Color(<i>)}",
        "Counter(<l>) == Counter(<l>)", "Counter(<s>) == Counter(<s>)", "sorted(<s>) == sorted(<s>)",
        "sorted(<l>) == <l>", "set(<s>) <= set('ab')", "set(<l>) == {0, 1}", "<s> == (<s>)[::-1]",
        "bool(re.match(r'a+b?', <s>))", "bool(re.fullmatch(r'[a-c]*', <s>))", "bool(re.search(r'\\d$', <s>))",
        "bool(re.match(r'\\s|\\W', <s>))", "bool(re.fullmatch(r'-?\\d+', <s>))", "bool(re.search(<s>, 'ab'))",
        "re.match('(a)?b', <s>) is None", "bool(re.fullmatch(r'(\\w)\\1', <s>))", "bool(re.search('A', <s>, re.I))",
        "<i> is None", "<s> is not None", "<b> is True", "Fraction(<i>, 2) > 1", "Fraction(<i>, 2) == <i>",
        "Decimal(<i>) < 2", "date(2024, 1, 3) < date(2024, 1, 1 + <i> % 5)",
        "OrderedDict({<i>: 1, 2: 1}) == OrderedDict({2: 1, <i>: 1})", "d.keys() == {<i>}", "d.keys() <= {0, 1, <i>}",
        "bool(d.keys() & {<i>})", "{<i>: <s>} == {1: 'a'}", "frozenset(<l>) == frozenset({<i>, 0})",
        "(<i>, <i>) in {(0, 1), (<i>, 2)}", "{<s>: 1} == <g>", "<i> <= <r> < 3", "<s> <= <s> <= 'c'",
        "bool(<b>) is <b>", "<b> if <b> else <b>", "(lambda *x: any(x))(<b>, <b>)", "[<i>, [<i>]] == [1, [2]]",
        "{'a': [<i>]} == {'a': [2]}", "<i> == <s>", "<s> != <i>", "None in [<i>, None]", "<r> in <l>", "<r> in <d>",
    ],
    "s": [
        "<s> + <s>", "<s> * (<i> % 3)", "(<s>)[<i>]", "(<s>)[<i>:]", "(<s>)[:<i>]", "(<s>)[<i>:<i>]", "(<s>)[::-1]",
        "(<s>)[::2]", "(<s>)[1:<i>]", "str(<i>)", "str(<b>)", "str(<r>)", "repr(<s>)", "repr(<i>)", "str(<l>)",
        "repr((<i>, <s>))", "str(<d>)", "ascii(<s>)", "chr(97 + <i> % 5)", "chr(<i> + 48)", "f'{<i>}'", "f'{<i>:3}'",
        "f'{<i>:03d}'", "f'{<i>:<4}|'", "f'{<i>:+}'", "f'{<i>:x}'", "f'{<i>:b}'", "f'{<s>}-{<i>}'", "f'{<s>:>3}'",
        "f'{<s>:^4}'", "f'{<s>!r}'", "f'{<r>:.1f}'", "f'{<b>}'", "f'{<i>:,}'", "f'{<i>:{<i>}}'", "'%d' % <i>",
        "'%s' % <s>", "'%3d|' % <i>", "'%s:%s' % (<s>, <i>)", "'%02x' % <i>", "'%(k)s' % {'k': <i>}",
        "'{}'.format(<i>)", "'{0}{1}'.format(<s>, <i>)", "'{:>3}'.format(<s>)", "'{x:02}'.format(x=<i>)",
        "format(<i>, 'd')", "format(<s>, '>3')", "format(<r>, '.2f')", "bin(<i>)", "hex(<i>)", "oct(<i>)",
        "(<s>).upper()", "(<s>).lower()", "(<s>).title()", "(<s>).capitalize()", "(<s>).swapcase()", "(<s>).casefold()",
        "(<s>).strip()", "(<s>).lstrip()", "(<s>).rstrip('a')", "(<s>).strip(<s>)", "(<s>).center(3, '*')",
        "(<s>).ljust(<i>)", "(<s>).rjust(3)", "(<s>).zfill(3)", "(<s>).expandtabs(2)", "(<s>).replace(<s>, <s>)",
        "(<s>).replace('a', 'x', <i>)", "(<s>).replace('a', '')", "(<s>).removeprefix('a')", "(<s>).removesuffix(<s>)",
        "(<s>).translate({97: 'z', 98: None})", "(<s>).translate(str.maketrans('ab', 'ba'))", "'-'.join(<w>)",
        "(<s>).join(<w>)", "''.join(sorted(<s>))", "''.join(reversed(<s>))", "''.join(x for x in <s> if x.isalpha())",
        "''.join(map(str, <l>))", "''.join(chr(97 + x % 4) for x in <l>)",
        "''.join(x.upper() if x > 'a' else x for x in <s>)", "' '.join((<s>).split())",
        "','.join(f'{x}={y}' for x, y in <d>.items())", "(<s>).partition('a')[2]", "(<s>).rpartition(<s> or 'b')[0]",
        "(<s>).split('a')[0]", "(<s>).split()[0]", "(<s>).splitlines()[0]", "(<s>).rsplit('b', 1)[-1]", "min(<s>)",
        "max(<s>, default='q')", "min(<w>, key=len)", "max(<w>)", "<w>[<i>]", "<w>[-1]", "['x', 'y'][<i>]",
        "['no', 'yes'][<b>]", "{'a': 'x'}.get(<s>, <s>)", "{0: 'z', 1: 'o'}[<i>]", "{'a': 'x', 'b': 'y'}[<s>]",
        "(<y>).decode()", "(<y>).hex()", "str(<y>, 'ascii')", "(<s>).encode().decode('latin-1')", "<s> if <b> else <s>",
        "<s> or <s>", "<s> and <s>", "str(Fraction(<i>, 2))", "str(Decimal(<i>))", "str(date(2024, 1, 1 + <i> % 20))",
        "Color(<i>).name", "str(Point(<i>, 1))", "repr(Coin(<i>, <s>))", "re.sub('a', 'z', <s>)",
        "re.sub(r'(\\w)(\\w)', r'\\2\\1', <s>)", "re.sub(r'\\d', lambda m: m[0] * 2, <s>)", "re.sub('b*', '-', <s>)",
        "re.split('a', <s>)[0]", "(re.match('(a|b)(.?)', <s>) or re.match('()()', '')).group(2)",
        "(re.search(r'(?P<x_>[ab])', <s>) or re.match('(?P<x_>)', ''))['x_']", "re.escape(<s>)", "str(<s> == <s>)",
        "str(None if <b> else <i>)", "json.dumps(<i>)", "json.dumps(<s>)", "json.dumps(<l>)",
        "Template('$x!').substitute(x=<s>)", "'ab'[<i>]", "'abc'[<i>:]", "'0123456789'[<i>]", "next(iter(<s>), 'n')",
        "'%5.1f' % <r>", "'%c' % (<i> % 5 + 97)", "(<s>).format()", "''.join(dict.fromkeys(<s>))", "'<' + <s> + '>'",
        "type(<i>).__name__", "str(<e>)", "str(set(<s>) & {'a'})",
    ],
    "l": [
        "[<i>, <i>]", "[<i>]", "<l>[<i>:]", "<l>[:<i>]", "<l>[<i>:<i>]", "<l>[::-1]", "<l>[::2]", "<l> + <l>",
        "<l> * (<i> % 3)", "[*<l>, <i>]", "sorted(<l>)", "sorted(<l>, reverse=True)", "sorted(<l>, key=lambda x: -x)",
        "sorted(<l>, key=lambda x: x % 2)", "sorted(<e>)", "sorted(<e>, key=lambda x: x % 2)", "list(<e>)",
        "[x for x in <e>]", "sorted(<d>)", "sorted(<d>, key=d.get)", "list(<d>)", "list(<d>.values())",
        "[x + y for x, y in <d>.items()]", "list(range(<i> % 4))", "list(range(<i> % 3, 5))",
        "list(range(<i>, <i> % 5, -1))[:4]", "list(range(0, 5, <i>))", "[x for x in <l> if x > <i>]",
        "[x * 2 for x in <l>]", "[x for x in range(4) if x % 2 == <i> % 2]", "list(map(abs, <l>))",
        "list(map(int, <s>))", "list(map(len, <w>))", "list(map(lambda x, y: x - y, <l>, <l>))",
        "list(filter(None, <l>))", "list(filter(lambda x: x != <i>, <l>))", "[x * y for x in <l> for y in (1, <i>)]",
        "[x for x, y in zip(<l>, <l>) if x == y]", "[x for x, _ in sorted(zip(<l>, <l>))]", "list(reversed(<l>))",
        "list(set(<l>) & {0, 1})", "list(dict.fromkeys(<l>))", "list(<q>)", "list(<y>)", "[ord(x) % 9 for x in <s>]",
        "[int(x) for x in <s> if x.isdigit()]", "[x for x, y in enumerate(<l>) if y]", "[0] * (<i> % 4)",
        "[[0] * 2 for _ in range(<i> % 3)][0]", "list(chain(<l>, <l>))", "[len(list(y)) for _, y in groupby(<l>)]",
        "[x for x, _ in Counter(<l>).most_common()]", "list(Counter(<s>).values())",
        "[x for x in zip_longest(<l>, [1], fillvalue=0)][0]", "heapq.nsmallest(2, <l>)",
        "list(heapq.merge(sorted(<l>), [1]))", "[max(x) for x in combinations(<l>, 2)]", "list(islice(<l>, <i> % 3))",
        "[*map(int, re.findall(r'\\d', <s>))]", "[m.start() for m in re.finditer('a', <s>)]", "<l> if <b> else <l>",
        "<l> or [<i>]", "json.loads(json.dumps(<l>))", "[x.value for x in sorted([Coin(<i>), Coin(<i>, <s>)])]",
        "[x.size for x in sorted([Length(<i>), Length(<i>)])]", "list(Length(<i>))",
        "[x for x in (y % 3 for y in <l>) if x]", "list(divmod(<i>, 3))", "[int(x) for x in (<i>, <b>, <i>)]",
        "sorted([<i>, <i>, <i>])[:2]", "list(d.keys() & {<i>, 0})", "list(d.keys() - {<i>})",
    ],
    "y": [
        "(<s>).encode()", "(<s>).encode('latin-1')", "bytes([<i> % 256])", "bytes(<l>)", "<y> + <y>", "(<y>)[<i>:]",
        "(<y>)[:<i>]", "(<y>)[::-1]", "(<y>).upper()", "(<y>).strip()", "(<y>).replace(b'a', b'xy')",
        "(<y>) * (<i> % 3)", "b'-'.join([<y>, <y>])", "(<y>).lower()", "(<y>).title()", "(<y>).ljust(3, b'.')",
        "(<y>).partition(b'a')[2]", "b'%d' % <i>", "(<i> % 256).to_bytes(2, 'big')",
        "(<i> % 256).to_bytes(1, 'little')", "bytes(reversed(<y>))", "bytes(x ^ 1 for x in <y>)",
        "(<y>).split(b'a')[0]", "bytes(<i> % 4)", "(<y>).removeprefix(b'a')", "(<y>).translate(None, b'a')",
        "(<y>).zfill(3)", "re.sub(b'a', b'z', <y>)", "bytes.fromhex((<y>).hex())",
    ],
    "r": [
        "<i> / 2", "<i> / 4", "<i> * 0.25", "<r> + <r>", "<r> - <i>", "<r> * 0.5", "<r> * <i>", "<i> / <i>", "abs(<r>)",
        "-<r>", "float(<i>)", "float(<s>)", "round(<r>, 1)", "<r> // 1", "<r> % 1", "<r> // 0.5", "divmod(<r>, 2)[1]",
        "max(<r>, <i>)", "min(<r>, 0.5)", "math.sqrt(<i>)", "math.fabs(<r>)", "math.fmod(<i>, 3)", "math.modf(<r>)[0]",
        "<r> if <b> else <r>", "<r> ** 2", "<i> ** -1", "<i> ** 0.5", "sum([<r>, 0.5])", "sum(<l>) / len(<l>)",
        "math.hypot(<i>, 4)", "math.pow(<i>, 2)", "float('%d.5' % <i>)", "2.0 ** <i>", "math.log2(<i>)",
        "math.copysign(<r>, <i>)", "float(Fraction(<i>, 2))", "math.dist([<i>], [2])", "int(<r>) / 2",
        "math.fsum([<r>, <i>])",
    ],
    "d": [
        "{<i>: <i>}", "{<i>: 1, <i>: 2}", "{0: <i>, <i>: 1}", "{**<d>, <i>: 3}", "<d> | <d>", "{x: x + 1 for x in <l>}",
        "{x: <i> for x in <e>}", "{y: x for x, y in <d>.items()}", "dict(zip(<l>, <l>))", "dict([(<i>, 1), (1, <i>)])",
        "dict.fromkeys(<l>, 0)", "dict(Counter(<l>))", "{x: y for x, y in <d>.items() if y > <i>}", "<d>.copy()",
        "dict(<d>)", "dict(sorted(<d>.items()))", "{x: len(list(y)) for x, y in groupby(<l>)}", "<d> if <b> else <d>",
        "<d> or {<i>: 0}", "dict(enumerate(<l>))", "defaultdict(int, {<i>: 1})", "OrderedDict([(<i>, 0), (1, 1)])",
        "Counter(<l>)", "Counter(<l>) + Counter(<l>)", "Counter(<l>) - Counter([<i>])", "Counter(<l>) & Counter(<l>)",
        "Counter(<l>) | Counter([<i>, 1])", "Counter({<i>: 2})", "{<r>: 1, <i>: 2}", "{<b>: 1, <i>: 2}",
    ],
    "g": [
        "{<s>: <i>}", "{<s>: 1, <s>: 2}", "{x: len(x) for x in <w>}", "{x: (<s>).count(x) for x in <s>}",
        "dict(Counter(<s>))", "{**<g>, <s>: 0}", "<g> | {<s>: 5}", "dict.fromkeys(<s>, <i>)", "dict(zip(<s>, <l>))",
        "{x.upper(): y for x, y in <g>.items()}", "<g> if <b> else <g>", "dict(a=<i>, b=2)",
        "json.loads(json.dumps({'a': <i>}))", "dict(sorted(<g>.items()))", "vars(Length(<i>))",
        "Point(<i>, 2)._asdict()",
    ],
    "e": [
        "{<i>, <i>}", "{<i>}", "set(<l>)", "<e> | <e>", "<e> & <e>", "<e> - {<i>}", "<e> ^ <e>", "{x % 2 for x in <l>}",
        "{x for x in <e> if x != <i>}", "set(<d>)", "set(<d>.values())", "<e>.union(<l>)", "<e>.intersection([<i>, 0])",
        "<e>.difference(<l>)", "<e>.symmetric_difference({<i>})", "<e>.copy()", "frozenset(<l>)",
        "frozenset({<i>}) | <e>", "set(range(<i> % 4))", "{*<e>, <i>}", "d.keys() | {<i>}", "d.keys() & <e>",
        "set(map(abs, <l>))", "{<b>, <i>}", "{<r>, <i>}",
    ],
    "w": [
        "[<s>, <s>]", "(<s>).split('a')", "(<s>).split()", "(<s>).split(<s> or 'a', 1)", "(<s>).rsplit('a', 1)",
        "(<s>).splitlines()", "list(<s>)", "list((<s>).partition('b'))", "sorted(<w>)", "sorted(<w>, key=len)",
        "sorted(<w>, key=str.lower)", "sorted(<s>)", "[x.upper() for x in <w>]", "[x for x in <w> if x]",
        "list(map(str, <l>))", "list(map(str.strip, <w>))", "re.findall('[ab]', <s>)",
        "re.findall(r'(\\d)(a)?', <s>) and ['y']", "re.split('(a)', <s>)", "re.split(r'\\s*', <s>)", "<w>[<i>:]",
        "<w>[::-1]", "list(set(<w>))", "list(dict.fromkeys(<w>))", "list(<g>)", "sorted(<g>)",
        "[f'{x}{y}' for x, y in zip(<s>, <l>)]", "[''.join(x) for x in product(<s>, 'x')][:3]",
        "[x + y for x, y in pairwise(<s>)]", "list(filter(str.isalpha, <w>))", "[<s>] * (<i> % 3)", "sorted(set(<s>))",
        "[x for x, _ in Counter(<s>).most_common(2)]", "<w> if <b> else <w>", "re.findall(r'\\w+', <s>)",
        "sorted(<w>, key=lambda x: (len(x), x))", "list((re.match('(a)?(b)?', <s>)).groups(''))",
    ],
    "q": [
        "deque(<l>)", "deque([<i>, <i>], 2)", "deque(<l>, 2)", "<q>.copy()", "<q> + deque([<i>])",
        "deque(reversed(<q>))", "deque(sorted(<q>))", "<q> if <b> else <q>",
    ],
}  # fmt: skip
