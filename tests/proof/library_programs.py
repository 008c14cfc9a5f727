"""Random small programs that pass symbolic values to compiled functions of the library, and mix ints with floats.

A program is made of templates alone. ``<i>`` in a template is a hole for an expression of a kind: i int, r float, b
truth value, s text, y bytes. ``<B>`` on a line of its own is a hole for statements. Every input has a small domain, so
that a proof can be compared with runs of all inputs: a few integers, some of them huge, or a few neighbouring floats.
"""

# ruff: noqa: E501  (a template is one line)

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from pessimal.inputs import Bool, Choice, Float, Int, Spec, Str
from pessimal.inputs.spec import Allocator, Decoder
from tests.python.programs import Program

PRELUDE = """\
import array
import base64
import binascii
import bisect
import cmath
import collections
import ctypes
import datetime
import functools
import hashlib
import heapq
import hmac
import itertools
import json
import marshal
import math
import operator
import pickle
import random
import re
import statistics
import string
import struct
import time
import unicodedata
import zlib
from collections import Counter, deque
from decimal import Decimal
from fractions import Fraction

"""
TOO_LARGE = (1 << 1024) - (1 << 970)
INTEGERS = [
    *((0, 3), (-2, 2), (-1, 1), (4, 8), (250, 258), (-130, -126)),
    *((2**31 - 2, 2**31 + 1), (2**53 - 2, 2**53 + 3), (-(2**53) - 3, -(2**53) + 1), (2**63 - 2, 2**63 + 1)),
    *((2**64 - 2, 2**64 + 1), (10**400 - 1, 10**400 + 1), (-(10**400), 2 - 10**400)),
    *((TOO_LARGE - 2, TOO_LARGE + 1), (-TOO_LARGE - 1, -TOO_LARGE + 2), (10**15, 10**15 + 3)),
]
FLOATS = [
    *((-5e-324, 5e-324), (0.0, 5e-324), (-0.0, 0.0), (1.0, 1.0000000000000004), (0.5, 0.5)),
    *((2.0**53 - 2, 2.0**53 + 4), (1.7976931348623153e308, 1.7976931348623157e308), (-1e16, -1e16 + 4)),
    *((2.4999999999999996, 2.5000000000000004), (-1.0000000000000002, -0.9999999999999999)),
]
ODD = (0.0, -0.0, math.nan, math.inf, -math.inf, 10**400, 2**53 + 1, 1, True, 0.1)


@dataclass(frozen=True, slots=True)
class Octet(Spec):
    """One byte in a range."""

    low: int
    high: int

    def allocate(self, allocator: Allocator, name: str) -> Decoder:
        """One leaf of kind byte."""
        leaf = allocator.leaf("byte", name, self.low, self.high)
        return lambda maker: maker.data((leaf,))

    def __str__(self) -> str:
        return "bytes:1"


INPUTS: dict[str, tuple[str, Callable[[random.Random], Spec]]] = {
    "n": ("i", lambda rng: Int(*rng.choice(INTEGERS))),
    "m": ("i", lambda rng: Int(*rng.choice(INTEGERS[:6] * 2 + INTEGERS))),
    "x": ("r", lambda rng: Float(*rng.choice(FLOATS))),
    "p": ("b", lambda rng: Bool()),
    "s": ("s", lambda rng: Str(2, ord("a"), ord("b"))),
    "u": ("s", lambda rng: Str(1, ord("/"), ord("2"))),
    "d": ("y", lambda rng: Octet(*rng.choice(((0, 2), (96, 98), (254, 255))))),
    "k": ("k", lambda rng: Choice(tuple(rng.sample(ODD, 3)))),
}
ATOMS = {
    "i": ["0", "1", "2", "3", "-1", "7", "255", "2**53", "2**53 + 1", "2**63", "10**400", "-(10**400)"],
    "r": ["0.0", "-0.0", "0.5", "2.5", "1e16", "1e308", "math.inf", "math.nan", "9007199254740993.0"],
    "b": ["True", "False"],
    "s": ["'a'", "'ab'", "''", "'1'", "'é'"],
    "y": ["b'a'", "b''", "b'\\x00\\xff'"],
}
EXPRESSIONS: dict[str, list[str]] = {
    "i": [
        *(
            "<i> + <i>",
            "<i> - <i>",
            "<i> * <i>",
            "-<i>",
            "abs(<i>)",
            "<i> // 3",
            "<i> % 7",
            "<i> & 6",
            "<i> | 1",
            "<i> ^ 3",
            "<i> >> 1",
            "~<i>",
        ),
        *(
            "int(<r>)",
            "round(<r>)",
            "math.floor(<r>)",
            "math.ceil(<r>)",
            "math.trunc(<r>)",
            "int(<b>)",
            "len(<s>)",
            "len(<y>)",
            "int(<s>, 36)",
            "int(<s>)",
        ),
        *(
            "len(marshal.dumps(<i>))",
            "marshal.loads(marshal.dumps(<i>))",
            "len(pickle.dumps(<i>))",
            "len(marshal.dumps(<r>))",
            "len(marshal.dumps(<s>))",
        ),
        *(
            "struct.unpack('<q', struct.pack('<q', <i>))[0]",
            "struct.unpack('>H', struct.pack('>H', <i>))[0]",
            "len(struct.pack('<d', <i>))",
            "struct.unpack('b', <y>)[0]",
        ),
        *(
            "hmac.new(b'key', <y>, 'sha256').digest()[0]",
            "hashlib.md5(<y>).digest()[0]",
            "zlib.crc32(<y>)",
            "zlib.adler32(<y>)",
            "len(zlib.compress(<y>))",
        ),
        *(
            "binascii.crc32(<y>)",
            "binascii.crc_hqx(<y>, 0)",
            "len(binascii.hexlify(<y>))",
            "len(base64.b64encode(<y>))",
            "len(base64.b85encode(<y>))",
            "int.from_bytes(<y>, 'big')",
        ),
        *(
            "len((<i>).to_bytes(9, 'big', signed=True))",
            "(<i>).to_bytes(2, 'little')[0]",
            "(<i>).bit_length()",
            "(<i>).bit_count()",
            "(<i>).__add__(1)",
        ),
        *(
            "bisect.bisect([1, 3, 5], <i>)",
            "bisect.bisect_left([0.5, 2.5, 9e15], <i>)",
            "bisect.bisect([1, 3, 5], <r>)",
            "heapq.nsmallest(1, [<i>, 3, <i>])[0]",
        ),
        *(
            "heapq.heappushpop([2, 4], <i>)",
            "heapq.nlargest(2, [<i>, <i>, 1])[1]",
            "json.loads(json.dumps(<i>))",
            "len(json.dumps(<i>))",
            "len(json.dumps([<r>]))",
        ),
        *(
            "operator.index(<i>)",
            "operator.add(<i>, <i>)",
            "operator.mod(<i>, 5)",
            "operator.itemgetter(0)([<i>])",
            "functools.reduce(operator.mul, [<i>, 2, <i>], 1)",
        ),
        *(
            "list(itertools.accumulate([<i>, <i>, 1]))[2]",
            "max(itertools.chain([<i>], [<i>]))",
            "sum(itertools.repeat(<i>, 2))",
            "next(itertools.count(<i>))",
        ),
        *(
            "Counter([<i>, <i>])[<i>]",
            "deque([<i>, 1, <i>], 2)[0]",
            "[<i>, 1, <i>].index(<i>)",
            "[<i>, 1].count(<r>)",
            "sorted([<i>, <i>, 2])[0]",
            "min(<i>, <i>)",
            "max([<i>, 3], key=abs)",
        ),
        *(
            "math.gcd(<i>, 12)",
            "math.lcm(<i>, 4)",
            "math.isqrt(abs(<i>))",
            "math.comb(abs(<i>) % 5, 2)",
            "math.factorial(abs(<i>) % 6)",
            "math.perm(4, abs(<i>) % 3)",
            "math.prod([<i>, 2])",
        ),
        *(
            "hash(<i>)",
            "hash(<r>)",
            "hash(<s>) % 2 * 0",
            "len(repr(<r>))",
            "len(str(<i>))",
            "len(format(<r>, '.3g'))",
            "len('%d' % <i>)",
            "len('{:x}'.format(<i>))",
            "len(bin(<i>))",
            "len(ascii(<s>))",
        ),
        *(
            "array.array('q', [<i>])[0]",
            "array.array('d', [<i>]).itemsize",
            "ctypes.c_int32(<i>).value",
            "ctypes.c_uint8(<i>).value",
            "ord(<s>[0])",
            "ord(chr(<i>))",
            "bytes([<i>])[0]",
            "bytearray(<y>)[0]",
        ),
        *(
            "int(Decimal(<i>))",
            "int(Fraction(<i>, 3))",
            "random.Random(<i>).randrange(10)",
            "datetime.timedelta(days=<i>).days",
            "datetime.date.fromordinal(<i>).day",
            "time.gmtime(<i>).tm_year",
        ),
        *(
            "len(re.findall('a+', <s>))",
            "len(re.sub('[ab]', '', <s>))",
            "len(<s>.split('a'))",
            "<s>.find('b')",
            "<s>.count('a')",
            "len(<s>.encode())",
            "len(<s> * 2)",
            "len(<s>.title())",
        ),
        *(
            "unicodedata.digit(<s>[0], 0)",
            "pow(<i>, 2, 7)",
            "pow(<i>, 3)",
            "divmod(<i>, 3)[1]",
            "[5, 6, 7][<i>]",
            "(4, 5)[<i> % 2]",
            "range(9)[<i>]",
            "len(range(<i>))",
            "{1: 4, 2: 5}.get(<i>, 0)",
            "id(<i>) * 0",
        ),
        *(
            "statistics.median([<i>, 2, 3])",
            "len(string.capwords(<s>))",
            "sum([<i>, <b>, 1])",
            "<i> if <b> else <i>",
            "len({<i>, <i>, 1})",
            "int(<y>.hex(), 16)",
            "<i> << (<i> & 3)",
            "round(<i>, -1)",
            "(<i>).numerator",
        ),
    ],
    "r": [
        *(
            "float(<i>)",
            "<i> / 2",
            "<i> * 0.5",
            "<r> + <i>",
            "<i> - <r>",
            "<r> * <r>",
            "-<r>",
            "abs(<r>)",
            "<r> / 3",
            "<i> / <i>",
            "<r> // 1",
            "<r> % 1",
            "<i> ** -1",
            "<r> ** 2",
            "<i> / 10**400",
            "2.0 ** <r>",
            "<i> ** 0.5",
        ),
        *(
            "math.sqrt(abs(<r>))",
            "math.fmod(<r>, 3)",
            "math.copysign(1.0, <r>)",
            "math.ldexp(<r>, 2)",
            "math.frexp(<r>)[0]",
            "math.nextafter(<r>, 1.0)",
            "math.ulp(<r>)",
            "math.modf(<r>)[0]",
            "math.remainder(<r>, 2)",
        ),
        *(
            "math.inf - <r>",
            "math.inf * <r>",
            "<r> - <r>",
            "math.hypot(<r>, 1)",
            "math.atan2(<r>, -1.0)",
            "math.log(<i>)",
            "math.log1p(<r>)",
            "math.exp(<r>)",
            "math.fsum([<r>, <r>, -1.0])",
            "math.dist([<r>], [1.0])",
            "math.pow(<r>, 2)",
        ),
        *(
            "struct.unpack('<d', struct.pack('<d', <r>))[0]",
            "struct.unpack('<f', struct.pack('<f', <r>))[0]",
            "float(repr(<r>))",
            "float(str(<i>))",
            "float(<s>)",
            "json.loads(json.dumps(<r>))",
            "float.fromhex((<r>).hex())",
        ),
        *(
            "round(<r>, 1)",
            "min(<r>, <r>)",
            "max(<r>, <i>)",
            "sum([<r>, <i>])",
            "statistics.mean([<r>, <r>])",
            "statistics.fmean([<i>, <i>])",
            "complex(<r>, 1).real",
            "cmath.sqrt(<r>).real",
            "float(Decimal(<r>))",
            "float(Fraction(<i>, 7))",
        ),
        *(
            "sorted([<r>, <r>, 0.5])[1]",
            "<r> if <b> else <r>",
            "time.mktime((2020, 1, 1, 0, 0, 0, 0, 0, 0)) * 0 + <r>",
            "array.array('d', [<r>])[0]",
            "array.array('f', [<r>])[0]",
            "(<r>).real",
            "operator.truediv(<i>, 4)",
            "functools.reduce(max, [<r>, <r>])",
        ),
    ],
    "b": [
        *(
            "<i> > <i>",
            "<i> <= <i>",
            "<i> == <i>",
            "<i> != 1",
            "<r> < <r>",
            "<r> >= <r>",
            "<r> == <r>",
            "<r> != <r>",
            "<i> == <r>",
            "<r> != <i>",
            "<i> < <r>",
            "<r> > <i>",
            "float(<i>) != <i>",
            "<i> / 10**400 >= 1",
            "<r> == 0",
            "0 < <i> <= 5",
        ),
        *(
            "math.isnan(<r>)",
            "math.isinf(<r>)",
            "math.isfinite(<r>)",
            "math.isclose(<r>, <r>)",
            "(<r>).is_integer()",
            "str(<r>) == '-0.0'",
            "repr(<r>) == '0.0'",
            "math.copysign(1, <r>) < 0",
            "<i> < math.inf",
            "<i> == math.nan",
        ),
        *(
            "<s> < <s>",
            "<s> == 'ab'",
            "<y> == b'a'",
            "<y> < b'\\x05'",
            "<s>.isdigit()",
            "<s>.isalpha()",
            "<s>.startswith('a')",
            "'a' in <s>",
            "97 in <y>",
            "re.fullmatch('[ab]+', <s>) is not None",
            "<s> in ('ab', 'ba')",
            "<i> in (1, 2, 3)",
            "<i> in {1, 2, 10**400}",
            "<r> in [0.0, 2.5]",
        ),
        *(
            "bool(<i>)",
            "bool(<r>)",
            "hmac.compare_digest(<y>, b'a')",
            "isinstance(<i>, int)",
            "type(<i>) is int",
            "operator.lt(<i>, <r>)",
            "any([<b>, <b>])",
            "all([<i>, <b>])",
            "not <b>",
            "<b> and <b>",
            "<b> or <b>",
            "<b> ^ <b>",
            "<b> is True",
            "marshal.loads(marshal.dumps(<i>)) == <i>",
        ),
        *(
            "Fraction(<i>) == <r>",
            "Decimal(<i>) < 3",
            "(<i>, <r>) < (<i>, 1)",
            "[<i>, <s>] == [1, 'a']",
            "<i> is not None",
            "callable(<i>)",
            "operator.eq(<s>, 'ab')",
            "<i> == <b>",
            "<b> == <i>",
            "<b> < <r>",
            "max(<i>, <r>) == <r>",
            "bool(<s>)",
            "bool(<y>)",
            "(<i>).__eq__(1) is True",
        ),
    ],
    "s": [
        *(
            "<s> + <s>",
            "str(<i>)",
            "repr(<r>)",
            "<s>.upper()",
            "<s>[::-1]",
            "<s>[<i>:]",
            "chr(<i>)",
            "<s>.replace('a', 'b')",
            "<s>.strip('a')",
            "'%s' % <i>",
            "'{}'.format(<i>)",
            "format(<i>, 'd')",
            "<s>.zfill(3)",
            "''.join(sorted(<s>))",
            "<y>.hex()",
            "<y>.decode('latin-1')",
        ),
        *(
            "json.dumps(<s>)",
            "re.sub('a', 'c', <s>)",
            "<s>.center(3)",
            "<s> * 2",
            "max(<s>, <s>)",
            "<s> if <b> else 'b'",
            "hex(<i>)",
            "str(<b>)",
            "base64.b64encode(<y>).decode()",
            "unicodedata.normalize('NFC', <s>)",
            "'-'.join([<s>, 'a'])",
            "string.capwords(<s>)",
        ),
    ],
    "y": [
        *(
            "<y> + <y>",
            "<s>.encode()",
            "bytes([1, 2])",
            "<y>[::-1]",
            "bytes([<i>])",
            "struct.pack('<q', <i>)",
            "struct.pack('B', <i>)",
            "<y> * 2",
            "(<i>).to_bytes(2, 'big')",
            "zlib.decompress(zlib.compress(<y>))",
            "binascii.hexlify(<y>)",
            "base64.b64encode(<y>)",
        ),
        *(
            "bytes(bytearray(<y>))",
            "memoryview(<y>).tobytes()",
            "marshal.dumps(<y>)[1:]",
            "<y>.upper()",
            "<y>.replace(b'a', b'b')",
            "hashlib.sha1(<y>).digest()[:1]",
            "bytes(<y>)",
            "b'%d' % <i>",
            "<y>.ljust(2)",
            "array.array('B', <y>).tobytes()",
        ),
    ],
}
STATEMENTS = [
    "t += 1",
    "t += <i>",
    "i = <i>",
    "r = <r>",
    "c = <s>",
    "e = <y>",
    "t = 2 if <b> else t",
    "if <b>:\n    t += 1",
    "t += 1 if <b> else 2",
]
NESTED = [
    *("if <b>:\n    <B>\nelse:\n    <B>", "if <b>:\n    <B>\n    <B>", "if <b>:\n    t += 1\nelif <b>:\n    <B>\nelse:\n    <B>"),
    *("try:\n    <B>\nexcept ValueError:\n    t += 1", "try:\n    <B>\nexcept Exception:\n    <B>", "try:\n    i = <i>\nexcept (ValueError, TypeError):\n    return t\n<B>"),
    *("try:\n    r = <r>\nexcept OverflowError:\n    t += 3\nelse:\n    <B>", "try:\n    <B>\nexcept ArithmeticError as error:\n    t += len(type(error).__name__)", "try:\n    e = <y>\nexcept TypeError:\n    return 0\n<B>"),
    *("for j in range(2):\n    if <b>:\n        t += j\n    <B>", "for j in (<i>, <i>):\n    if j > 1:\n        <B>", "for j in sorted([<i>, <i>]):\n    if j == i:\n        break\nelse:\n    <B>", "if <i>:\n    <B>\nelif <r>:\n    t += 1"),
    "for j in range(3):\n    t = <i> + t > 9",
    "if <i> > i:\n    hmac.new(b'key', <y>, 'sha256')\n    <B>\n    <B>",
]  # fmt: skip
LOCALS = {"i": "i", "r": "r", "c": "s", "e": "y"}
DOMAIN = 40


def program(seed: int, domain: int = DOMAIN) -> Program:
    """The program of a seed, with at most so many inputs."""
    return _Writer(random.Random(seed), domain).write()


class _Writer:
    def __init__(self, rng: random.Random, domain: int) -> None:
        self.rng = rng
        self.domain = domain
        self.names: dict[str, list[str]] = {kind: [] for kind in ATOMS}

    def write(self) -> Program:
        inputs = self._inputs()
        for name in inputs:
            kind = INPUTS[name][0]
            self.names["r" if kind == "k" else kind] += [name, name]
        lines = [f"def target({', '.join(inputs)}):", "    t = 0"]
        for name, kind in LOCALS.items():
            lines.append(f"    {name} = {self._make(kind, 0)}")
        for name, kind in LOCALS.items():
            self.names[kind].append(name)
        for _ in range(self.rng.randint(2, 4)):
            lines += self._statement(1, 2)
        lines.append(f"    return {self.rng.choice(('t', '(t, i)', '(t, r)', '(t, c, e)'))}")
        return Program(PRELUDE + "\n".join(lines) + "\n", inputs, True)

    def _inputs(self) -> dict[str, Spec]:
        chosen: dict[str, Spec] = {}
        size = 1
        for name in self.rng.sample(list(INPUTS), len(INPUTS)):
            spec = INPUTS[name][1](self.rng)
            count = size_of(spec)
            if size * count <= self.domain and len(chosen) < 3:
                chosen[name] = spec
                size *= count
        return chosen

    def _statement(self, indent: int, depth: int) -> list[str]:
        is_nested = depth > 0 and self.rng.random() < 0.6
        lines = []
        for line in self.rng.choice(NESTED if is_nested else STATEMENTS).splitlines():
            inner = indent + (len(line) - len(line.lstrip())) // 4
            if line.strip() == "<B>":
                lines += self._statement(inner, depth - 1)
            else:
                lines.append("    " * inner + self._fill(line.strip(), 3))
        return lines

    def _fill(self, template: str, depth: int) -> str:
        return re.sub("<([a-z])>", lambda hole: self._make(hole[1], depth - 1), template)

    def _make(self, kind: str, depth: int) -> str:
        if depth <= 0 or self.rng.random() < 0.35:
            names = self.names[kind]
            return self.rng.choice(names if names and self.rng.random() < 0.8 else ATOMS[kind])
        return f"({self._fill(self.rng.choice(EXPRESSIONS[kind]), depth)})"


def size_of(spec: Spec) -> int:
    """How many values a specification of a program here has."""
    if isinstance(spec, Int | Octet):
        return int(spec.high) - int(spec.low) + 1  # type: ignore[arg-type]
    if isinstance(spec, Float):
        return len(doubles(spec.low, spec.high))
    if isinstance(spec, Str):
        return 4
    if isinstance(spec, Choice):
        return len(spec.values)
    return 2


def doubles(low: float | None, high: float | None) -> list[float]:
    """All doubles in a range, of which both zeros are two."""
    assert low is not None and high is not None
    found = [low]
    while found[-1] < high:
        found.append(math.nextafter(found[-1], math.inf))
    return [value for item in found for value in ((0.0, -0.0) if item == 0 else (item,))]
