"""Random small programs over small domains: every construct that a front-end must follow, wildly combined.

The text of a program depends on its seed alone. All loops and recursions are bounded, numbers stay small, and every
variable is bound from the start, so that a program ends on every input, by returning or with an ordinary exception.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from pessimal.inputs import Bool, Choice, Int, List, Spec, Str

LETTERS = "abc"

PRELUDE = """\
import bisect
import heapq
import math
from collections import Counter, deque, namedtuple
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate

Point = namedtuple("Point", "x y")


@dataclass(order=True, frozen=True)
class Coin:
    value: int
    name: str = "a"


class Card:
    def __init__(self, rank, suit=0):
        self.rank = rank
        self.suit = suit

    def __lt__(self, other):
        return self.rank < other.rank

    def __eq__(self, other):
        return (self.rank, self.suit) == (other.rank, other.suit)

    def __hash__(self):
        return hash(self.rank)

    def __bool__(self):
        return self.rank > 1

    def __len__(self):
        return self.rank & 3

    def __getitem__(self, index):
        if index > self.rank:
            raise IndexError(index)
        return index * 2

    def __contains__(self, item):
        return item == self.rank


def fall(n, step):
    if n <= 0 or step > 4:
        return step
    return fall(n - 1, step + 1) if n % 2 else fall(n // 2, step + 2)


def climb(n, top):
    while n < top:
        yield n
        n += 1 + (n & 1)


def digits(text):
    total = 0
    for char in text:
        if "0" <= char <= "9":
            total = total * 10 + ord(char) - 48
    return total


"""


@dataclass(frozen=True)
class Program:
    """A module's text with its function ``target``, what it takes, and whether counted runs see all of it."""

    source: str
    inputs: dict[str, Spec]
    seen: bool
    growing: bool = False


INPUTS: dict[str, Callable[[], Spec]] = {
    "a": lambda: Int(0, 3),
    "b": lambda: Int(-1, 2),
    "p": lambda: Bool(),
    "s": lambda: Str(2, ord("a"), ord("c")),
    "u": lambda: Str(1, ord("0"), ord("2")),
    "xs": lambda: List(Int(0, 2), 2),
    "c": lambda: Choice((0, 2, 5)),
    "k": lambda: Choice(("ab", "c", None)),
}
KINDS = {"a": "int", "b": "int", "p": "bool", "s": "str", "u": "str", "xs": "list", "c": "int"}
STARTS = {
    "int": {
        "a": "a",
        "b": "b",
        "p": "int(p)",
        "s": "ord(s[0]) - 97",
        "u": "ord(u) - 48",
        "xs": "xs[0]",
        "c": "c",
        "k": "len(k or '')",
    },
    "bool": {
        "a": "a > 1",
        "b": "b == 0",
        "p": "p",
        "s": "s < 'b'",
        "u": "u != '1'",
        "xs": "xs[0] > xs[1]",
        "c": "c > 1",
        "k": "k is None",
    },
    "str": {
        "a": "chr(97 + a)",
        "b": "chr(98 + b)",
        "p": "'ab' if p else 'b'",
        "s": "s",
        "u": "u",
        "xs": "chr(97 + xs[0])",
        "c": "chr(97 + c)",
        "k": "k or 'b'",
    },
    "list": {
        "a": "[a, 1]",
        "b": "[0, b]",
        "p": "[int(p), 1]",
        "s": "[ord(y) - 97 for y in s]",
        "u": "[ord(u) - 48, 1]",
        "xs": "xs[:]",
        "c": "[c, 0]",
        "k": "[len(k or '')]",
    },
}
"""What a variable of a kind is at first, made of an input."""
COSTS = {"a": 4, "b": 4, "p": 2, "s": 9, "u": 3, "xs": 9, "c": 3, "k": 3}
DOMAIN = 40
"""How many inputs a program has, about, at most."""


def program(seed: int) -> Program:
    """The program of a seed."""
    return _Writer(random.Random(seed)).write()


class _Writer:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.names: dict[str, list[str]] = {"int": [], "bool": [], "str": [], "list": []}
        self.locals: dict[str, str] = {}
        self.lines: list[str] = []
        self.fresh = 0
        self.seen = rng.random() < 0.6

    def write(self) -> Program:
        chosen = self._inputs()
        for name in chosen:
            if name in KINDS:
                self.names[KINDS[name]].append(name)
        self._line(0, f"def target({', '.join(chosen)}):")
        self._line(1, "d = {0: 1, 2: 3}; e = {1, 2}; h = [3, 1]")
        self.locals = {"i": "int", "t": "str", "f": "bool", "ys": "list"}
        for name, kind in self.locals.items():
            self._line(1, f"{name} = {STARTS[kind][self.rng.choice(chosen)]}")
        for name, kind in self.locals.items():
            self.names[kind].append(name)
        self._block(1, self.rng.randint(2, 5), 2)
        self._line(1, f"return {self._result()}")
        return Program(PRELUDE + "\n".join(self.lines) + "\n", {name: INPUTS[name]() for name in chosen}, self.seen)

    def _inputs(self) -> list[str]:
        chosen: list[str] = []
        size = 1
        for name in self.rng.sample(list(INPUTS), len(INPUTS)):
            if size * COSTS[name] <= DOMAIN:
                chosen.append(name)
                size *= COSTS[name]
        return chosen[: self.rng.randint(1, 3)]

    def _result(self) -> str:
        kinds = [self._int, self._bool, self._str, self._list]
        return f"({self.rng.choice(kinds)(2)}, i, t, f, ys)"

    def _line(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def _name(self) -> str:
        self.fresh += 1
        return f"v{self.fresh}"

    # Statements

    def _block(self, indent: int, count: int, depth: int) -> None:
        for _ in range(count):
            self._statement(indent, depth)

    def _statement(self, indent: int, depth: int) -> None:
        simple = [self._assign, self._assign, self._augment, self._store, self._leave]
        nested = [self._if, self._if, self._while, self._for, self._try, self._match, self._closure]
        self.rng.choice(simple if depth == 0 else simple + nested)(indent, depth)

    def _assign(self, indent: int, depth: int) -> None:
        name, kind = self.rng.choice(list(self.locals.items()))
        self._line(indent, f"{name} = {self._expression(kind)}")

    def _expression(self, kind: str, depth: int = 2) -> str:
        if kind == "list":
            return f"list({self._list(depth)})[:4]"
        if kind == "str":
            return f"({self._str(depth)})[:4]"
        return self._int(depth) if kind == "int" else self._bool(depth)

    def _augment(self, indent: int, depth: int) -> None:
        op = self.rng.choice(["+", "-", "*", "//", "%", "&", "|", "^"])
        self._line(indent, f"i {op}= {self._int(1)}")

    def _store(self, indent: int, depth: int) -> None:
        templates = [
            "d[{i}] = {i}",
            "d[{s}] = {i}",
            "d.setdefault({i}, []) if {b} else d.pop({i}, None)",
            "e.add({i})",
            "e.discard({i})",
            "e ^= {{{i}, {i}}}",
            "ys[{i}] = {i}",
            "ys[{i}], ys[0] = ys[0], {i}",
            "ys = ys[:3]; ys.append({i})",
            "ys.insert({i}, {i}); ys = ys[:4]",
            "del ys[{i}]",
            "ys.remove({i})",
            "i = ys.pop({i})",
            "i = d.pop({i})",
            "ys.sort()",
            "ys.sort(key=lambda y: -y)",
            "ys.reverse()",
            "heapq.heappush(h, {i}); i = heapq.heappop(h)",
            "i, *ys = {l}",
            "i, f = {i}, {b}",
            "d |= {{{i}: {b}}}",
            "assert {b}, {i}",
            "i = (w := {i}) + w",
            "f = (w := {i}) > 1 and w < {i}",
            "i = len(d) * 10 + len(e)",
            "ys = sorted(e)[:4]",
            "ys = list(d.values())[:3] + [{i}]",
        ]
        self._line(indent, self._fill(self.rng.choice(templates), 1))

    def _leave(self, indent: int, depth: int) -> None:
        choices = ["return {i}", "return {s}", "return {b}", "raise ValueError({i})", "raise KeyError({s})"]
        self._line(indent, f"if {self._bool(1)}:")
        self._line(indent + 1, self._fill(self.rng.choice(choices), 1))

    def _if(self, indent: int, depth: int) -> None:
        test = self.rng.choice([self._bool, self._bool, self._bool, self._int, self._str, self._list])
        self._line(indent, f"if {test(2)}:")
        self._block(indent + 1, 1, depth - 1)
        if self.rng.random() < 0.3:
            self._line(indent, f"elif {self._bool(2)}:")
            self._block(indent + 1, 1, depth - 1)
        if self.rng.random() < 0.5:
            self._line(indent, "else:")
            self._block(indent + 1, 1, depth - 1)

    def _while(self, indent: int, depth: int) -> None:
        counter = self._name()
        self._line(indent, f"{counter} = 0")
        self._line(indent, f"while {counter} < 3 and {self._bool(1)}:")
        self._line(indent + 1, f"{counter} += 1")
        self._body(indent + 1, depth)

    def _for(self, indent: int, depth: int) -> None:
        name = self._name()
        over, kind = self.rng.choice(
            [
                ("range({i} & 3)", "int"),
                ("range(2)", "int"),
                ("tuple({l})[:3]", "int"),
                ("({s})[:3]", "str"),
                ("climb({i}, 3)", "int"),
                ("sorted({l})[:3]", "int"),
                ("map(abs, {l}[:3])", "int"),
                ("({b}, {b})", "bool"),
                ("list(d)[:3]", "any"),
                ("reversed({l}[:3])", "int"),
            ]
        )
        template = self.rng.choice(["for {n} in {o}:", "for {n} in {o}:", "for _, {n} in enumerate({o}):"])
        self._line(indent, template.format(n=name, o=self._fill(over, 1)))
        if kind != "any":
            self.names[kind].append(name)
        self._body(indent + 1, depth)
        if kind != "any":
            self.names[kind].remove(name)
        if self.rng.random() < 0.2:
            self._line(indent, "else:")
            self._block(indent + 1, 1, 0)

    def _body(self, indent: int, depth: int) -> None:
        self._block(indent, 1, depth - 1)
        if self.rng.random() < 0.3:
            self._line(indent, f"if {self._bool(1)}:")
            self._line(indent + 1, self.rng.choice(["break", "continue"]))

    def _try(self, indent: int, depth: int) -> None:
        self._line(indent, "try:")
        self._block(indent + 1, self.rng.randint(1, 2), depth - 1)
        kinds = [
            "ZeroDivisionError",
            "IndexError",
            "KeyError",
            "ValueError",
            "(IndexError, KeyError)",
            "ArithmeticError",
        ]
        for kind in self.rng.sample(kinds, self.rng.randint(1, 2)):
            self._line(indent, f"except {kind}:")
            self._block(indent + 1, 1, 0)
        if self.rng.random() < 0.3:
            self._line(indent, "finally:")
            self._assign(indent + 1, 0)

    def _match(self, indent: int, depth: int) -> None:
        kind = self.rng.choice(["int", "str", "tuple", "list"])
        subject = {
            "int": self._int(1),
            "str": self._str(1),
            "tuple": f"({self._int(1)}, {self._bool(1)})",
            "list": self._list(1),
        }[kind]
        patterns = {
            "int": ["0", "1 | 2", "int(x) if x > 1", "-1"],
            "str": ["'a'", "'ab' | 'b'", "str(x) if 'a' in x", "''"],
            "tuple": ["(0, True)", "(1, x) if x", "(x, False)", "(2 | 3, _)"],
            "list": ["[]", "[x]", "[0, x]", "[x, *_] if x > 0", "[1, 2]"],
        }[kind]
        self._line(indent, f"match {subject}:")
        for pattern in self.rng.sample(patterns, 2):
            self._line(indent + 1, f"case {pattern}:")
            self._block(indent + 2, 1, depth - 1)
        if self.rng.random() < 0.5:
            self._line(indent + 1, "case _:")
            self._block(indent + 2, 1, 0)

    def _closure(self, indent: int, depth: int) -> None:
        name = self._name()
        self._line(indent, f"def {name}(y, z=1):")
        self._line(indent + 1, "nonlocal i") if self.rng.random() < 0.4 else None
        own = len(self.lines)
        self.names["int"] += ["y", "z"]
        if "nonlocal" in self.lines[own - 1]:
            self._line(indent + 1, f"i = {self._int(1)}")
        self._line(indent + 1, f"return {self._int(2)}")
        del self.names["int"][-2:]
        self._line(
            indent,
            self._fill(
                self.rng.choice(["i = {c}({i})", "i = {c}(z={i}, y=1)", "ys = [{c}(y) for y in {l}][:4]"]), 1, c=name
            ),
        )

    # Expressions

    def _fill(self, template: str, depth: int, **given: str) -> str:
        """The template with a random expression for every hole: {i}, {b}, {s}, {l}."""
        makers = {"{i}": self._int, "{b}": self._bool, "{s}": self._str, "{l}": self._list}
        text = template
        for name, value in given.items():
            text = text.replace("{" + name + "}", value)
        for hole, make in makers.items():
            while hole in text:
                text = text.replace(hole, "\0", 1).replace("\0", make(depth - 1).replace("{", "\1").replace("}", "\2"))
        return text.replace("{{", "{").replace("}}", "}").replace("\1", "{").replace("\2", "}")

    def _pick(self, kind: str, constants: list[str], templates: list[str], depth: int) -> str:
        if depth <= 0 or self.rng.random() < 0.15:
            names = self.names[kind]
            return self.rng.choice(names) if names and self.rng.random() < 0.9 else self.rng.choice(constants)
        allowed = [template for template in templates if not (self.seen and template in UNSEEN)]
        return "(" + self._fill(self.rng.choice(allowed), depth) + ")"

    def _int(self, depth: int) -> str:
        return self._pick("int", ["0", "1", "2", "3", "-1"], INTEGERS, depth)

    def _bool(self, depth: int) -> str:
        if depth <= 0:
            depth = self.rng.choice([0, 1])
        return self._pick("bool", ["True", "False"], TRUTHS, depth)

    def _str(self, depth: int) -> str:
        return self._pick("str", ["'a'", "'b'", "'ab'", "'1'", "''"], TEXTS, depth)

    def _list(self, depth: int) -> str:
        return self._pick("list", ["[1, 0]", "[2]", "[]", "[0, 1, 2]"], LISTS, depth)


INTEGERS = [
    "{i} + {i}",
    "{i} - {i}",
    "{i} * {i}",
    "{i} * 3 - {i}",
    "{i} // {i}",
    "{i} % {i}",
    "{i} // 2",
    "{i} % 3",
    "{i} % -2",
    "7 // {i}",
    "{i} ** 2",
    "{i} ** ({i} & 3)",
    "2 ** ({i} & 3)",
    "{i} & {i}",
    "{i} & 1",
    "{i} & 2",
    "{i} | {i}",
    "{i} ^ 1",
    "{i} << ({i} & 3)",
    "{i} << 1",
    "1 << ({i} % 4)",
    "{i} >> 1",
    "{i} >> ({i} & 3)",
    "-{i}",
    "~{i}",
    "+{i}",
    "abs({i})",
    "min({i}, {i})",
    "max({i}, {i}, 1)",
    "min({l})",
    "max({l}, default={i})",
    "max({l}, key=lambda y: y % 2, default=0)",
    "sum({l})",
    "sum({l}, {i})",
    "len({s})",
    "len({l})",
    "divmod({i}, {i})[0]",
    "divmod({i}, 2)[1]",
    "pow({i}, 2, 5)",
    "int({b})",
    "int({s} or '0')",
    "int({i})",
    "ord(({s})[:1] or 'a')",
    "ord(({s})[0])",
    "ord(({s})[{i}]) - 97",
    "{l}[{i}]",
    "{l}[-1]",
    "d[{i}]",
    "d.get({i}, {i})",
    "{{0: 5, 1: 6}}[{i}]",
    "{{True: 1, False: 2}}[{b}]",
    "{{'a': 1, 'ab': 2}}.get({s}, 0)",
    "{{{i}: 1, {i}: 2}}[{i}]",
    "len({{{i}, {i}}})",
    "[4, 5][{b}]",
    "(3, 4)[{i}]",
    "range(3)[{i}]",
    "{i} if {b} else {i}",
    "{i} or {i}",
    "{i} and {i}",
    "sum(1 for y in {l} if y > {i})",
    "sum(y > 0 for y in {l})",
    "{b} + {b}",
    "{b} + 1",
    "{b} * {i}",
    "{i} - {b}",
    "-{b}",
    "{b} << 1",
    "{b} // {i}",
    "fall({i} & 7, 0)",
    "digits({s})",
    "({s}).find('b')",
    "({s}).count({s})",
    "({s}).index('a')",
    "{l}.index({i})",
    "{l}.count({i})",
    "round({i})",
    "Card({i}).rank",
    "len(Card({i}))",
    "Card({i})[{i}]",
    "max(Card({i}), Card({i})).rank",
    "min([Card({i}), Card({i})]).rank",
    "len({{Card({i}), Card({i})}})",
    "reduce(lambda y, z: y * 2 + z, {l}, 0)",
    "next((y for y in {l} if y), 9)",
    "next(climb({i}, 2))",
    "(lambda y, z=2: y + z)({i})",
    "({i}).bit_length()",
    "hash({i})",
    "len(str({i}))",
    "len(set({l}))",
    "len([*{l}, *{l}])",
    "({i}, {i})[{b}]",
    "heapq.nsmallest(1, [{i}, {i}])[0]",
    "sum(y * z for y, z in zip({l}, {l}))",
    "max(({i}, {i}), ({i}, {i}))[1]",
    "sorted([({i}, {i}), ({i}, {i})])[0][1]",
    "{{({i}, {i}): 1}}.get(({i}, 0), 2)",
    "len({{({i}, 1), ({i}, 1)}})",
    "bytes([{i} & 3, 1])[0]",
    "sum(map(ord, {s}))",
    "int({s}, 2)",
    "min({l}, key=lambda y: (y % 2, -y), default=0)",
    "bisect.bisect_left(sorted({l}), {i})",
    "math.gcd({i}, {i})",
    "math.isqrt({i})",
    "max(accumulate({l}), default=-1)",
    "Counter({l})[{i}]",
    "Counter({s})['a']",
    "deque({l}, 2)[{i}]",
    "Point({i}, {i}).y",
    "max(Coin({i}), Coin({i}, {s})).value",
    "len({{Coin({i}), Coin({i})}})",
    "round({i}, -1)",
    "(lambda *ys, **zs: len(ys) + zs['z'])(*{l}, z={i})",
    "int((lambda y: f'{{y}}')({i}))",
    "{i} if ({b} and {i} > 0) or {i} == 2 else {i}",
    "[y for y in (y for y in {l} if y != {i})][0]",
    "{l}[{i}:][0]",
    "({i} % 3) // ({i} + {i})",
    "{i} % ({i} - {i})",
    "abs({i} - {i}) * ({i} ^ {i})",
]

TRUTHS = [
    "{i} < {i}",
    "{i} <= {i}",
    "{i} == {i}",
    "{i} != {i}",
    "{i} > {i}",
    "{i} >= {i}",
    "{i} < 2",
    "{i} == 1",
    "0 < {i} < 3",
    "{i} <= {i} != {i}",
    "0 < {i} in {l}",
    "{b} and {b}",
    "{b} or {b}",
    "not {b}",
    "not {i}",
    "{b} & {b}",
    "{b} | {b}",
    "{b} ^ {b}",
    "{b} == {b}",
    "{b} != {b}",
    "{b} < {b}",
    "{b} >= {b}",
    "{b} == {i}",
    "{b} if {b} else {b}",
    "{b} is True",
    "{b} is not False",
    "{b} is False",
    "{i} in {l}",
    "{i} not in {l}",
    "{i} in ({i}, {i})",
    "{i} in d",
    "{i} not in d",
    "{i} in {{0, 2}}",
    "{i} in {{{i}, {i}}}",
    "{i} in e",
    "{i} in range(3)",
    "{i} in Card({i})",
    "{b} in {l}",
    "{b} in (True, {b})",
    "{s} in {s}",
    "{s} in 'abc'",
    "{s} not in {s}",
    "{s} in ('a', 'ab')",
    "{s} in [{s}, {s}]",
    "{s} in {{'a': 1}}",
    "{s} in d",
    "{s} == {s}",
    "{s} != {s}",
    "{s} < {s}",
    "{s} >= 'b'",
    "'a' <= {s} < 'c'",
    "({s}).startswith({s})",
    "({s}).endswith(('a', {s}))",
    "({s}).isdigit()",
    "({s}).isalpha()",
    "bool({i})",
    "bool({s})",
    "bool({b})",
    "any(y > 1 for y in {l})",
    "all(y != {i} for y in {l})",
    "any({l})",
    "all({l})",
    "any([{b}, {b}])",
    "all(char > 'a' for char in {s})",
    "({i}, {i}) < ({i}, {i})",
    "({i}, {b}) == ({i}, {b})",
    "({i}, {s}) >= ({i}, {s})",
    "[{i}, {i}] == {l}",
    "{l} < {l}",
    "{l} == {l}",
    "{l} != [1, 0]",
    "{{0: {i}}} == {{0: {i}}}",
    "{{{i}}} == {{{i}}}",
    "{{{i}, 1}} <= {{0, 1, {i}}}",
    "isinstance({i}, int)",
    "isinstance({b}, int)",
    "isinstance({s}, str)",
    "type({i}) is int",
    "Card({i}) < Card({i})",
    "Card({i}, 1) == Card({i}, {i})",
    "bool(Card({i}))",
    "not Card({i})",
    "sorted({l}) == {l}",
    "{i} < 1.5",
    "(lambda y: y > 1)({i})",
    "set({l}) == {{0, 1}}",
    "(({i} > 1) | ({i} // ({i} + 1) > 0))",
    "(({i} % ({i} + 2) == 1) & ({i} < 2)) != ({i} == {i})",
    "Point({i}, {i}) == Point({i}, {i})",
    "Coin({i}, {s}) < Coin({i}, 'b')",
    "Counter({l}) == Counter({l})",
    "deque({l}) == deque({l})",
    "{i} < {i} < {i} < 3",
    "not ({b} and not {b})",
    "({i}, ({i}, {i})) < ({i}, (1, {i}))",
    "{{'k': {i}}} == {{'k': {i}}}",
    "{i} in {{0: 1, {i}: 2}}",
    "({i}, {i}) in {{(0, 1), (1, 1)}}",
    "({i}, {i}) in [({i}, 1), (2, 2)]",
    "{s}[::-1] == {s}",
    "ord(({s})[0]) == {i} + 96",
    "chr(96 + {i}) == ({s})[-1]",
    "chr(96 + {i}) in {s}",
    "isinstance({b}, bool) and {b}",
    "1 <= ({i} * {i} - {i}) % 5 <= 2",
    "{i} << 2 == {i} * 4",
    "({i} & {i}) == ({i} | {i})",
    "({i} ^ {i}) > ({i} & 1)",
    "{i} >> 1 == {i} // 2",
]

TEXTS = [
    "{s} + {s}",
    "({s})[{i}]",
    "({s})[{i}:]",
    "({s})[:{i}]",
    "({s})[::-1]",
    "({s})[1:]",
    "({s}) * ({i} & 3)",
    "2 * {s}",
    "chr(97 + {i})",
    "chr({i})",
    "str({i})",
    "str({b})",
    "str({s})",
    "repr({i})",
    "(lambda y: f'{{y}}')({i})",
    "(lambda y: f'<{{y}}>')({s})",
    "(lambda y: f'{{y:>2}}')({i})",
    "(lambda y: f'{{y!r}}')({b})",
    "'%d' % {i}",
    "'%s-%s' % ({i}, {s})",
    "'{{}}'.format({i})",
    "({s}).upper()",
    "({s}).replace('a', {s})",
    "({s}).strip('a')",
    "''.join(sorted({s}))",
    "'-'.join([{s}, {s}])",
    "''.join(char for char in {s} if char != 'b')",
    "''.join(map(str, {l}))",
    "({s}).join(['a', {s}])",
    "min({s}, {s})",
    "max({s} + 'a')",
    "{s} if {b} else {s}",
    "{s} or {s}",
    "['a', 'b', 'ab'][{i}]",
    "{{0: 'a', 1: 'b'}}.get({i}, {s})",
    "'abc'[{i}]",
    "'abc'[{i}:{i}]",
    "({s}).split('b')[0]",
    "({s}).partition('a')[2]",
    "({s}).zfill(3)",
    "({s}).center(3, {s})",
    "sorted([{s}, {s}])[0]",
]

LISTS = [
    "[{i}, {i}]",
    "[{i}]",
    "sorted({l})",
    "sorted({l}, reverse={b})",
    "sorted({l}, key=lambda y: -y)",
    "{l}[1:]",
    "{l}[:{i}]",
    "{l}[{i}:]",
    "{l}[::-1]",
    "[y + 1 for y in {l}]",
    "[y for y in {l} if y > {i}]",
    "[y * z for y in {l} for z in (1, {i})][:4]",
    "list(range({i} & 3))",
    "list(range(0, {i} & 3, 2))",
    "({l} + {l})[:4]",
    "[*{l}, {i}][:4]",
    "list(map(lambda y: y % 2, {l}))",
    "list(filter(None, {l}))",
    "list(filter(lambda y: y > 0, {l}))",
    "[ord(char) - 96 for char in {s}]",
    "[int(y > 1) for y in {l}]",
    "[{i}] * ({i} & 3)",
    "list(climb({i}, 3))",
    "list(dict.fromkeys({l}))",
    "sorted(set({l}))",
    "sorted({{y: 1 for y in {l}}})",
    "[y for y, z in zip({l}, {l}) if y == z]",
    "[y for y, _ in sorted(zip({l}, {l}))]",
    "{l} if {b} else {l}",
    "{l} or [{i}]",
    "[len({s}), {i}]",
    "list(reversed({l}))",
    "[v.rank for v in sorted([Card({i}), Card({i})])]",
    "[k for k, _ in enumerate({s})]",
]

# A plain bool on the left computes by itself with a counted value, which it takes for an int: as bool has no
# subclasses, the counted one is not asked first. What comes out is plain, and may be 1 where it should be True.
UNSEEN = frozenset(
    (
        "{b} + {b}",
        "{b} + 1",
        "{b} * {i}",
        "-{b}",
        "{b} << 1",
        "{b} // {i}",
        "{b} & {b}",
        "{b} | {b}",
        "{b} ^ {b}",
        "{b} == {b}",
        "{b} != {b}",
        "{b} < {b}",
        "{b} >= {b}",
        "{b} == {i}",
        "{b} in {l}",
        "{b} in (True, {b})",
        "({i}, {b}) == ({i}, {b})",
        "(({i} > 1) | ({i} // ({i} + 1) > 0))",
        "(({i} % ({i} + 2) == 1) & ({i} < 2)) != ({i} == {i})",
        "{{True: 1, False: 2}}[{b}]",
        # Symbolic text is symbolic position by position, so that a part of it may be plain; counted text is not.
        "{s} + {s}",
        "({s})[{i}]",
        "({s})[{i}:]",
        "({s})[:{i}]",
        "({s})[1:]",
        "({s}) * ({i} & 3)",
        "'-'.join([{s}, {s}])",
        "({s}).join(['a', {s}])",
        "max({s} + 'a')",
        # Objects are told apart by their equality in symbolic runs, by the hash of their parts in counted ones.
        "len({{Card({i}), Card({i})}})",
        "len({{Coin({i}), Coin({i})}})",
    )
)
