"""The parsers of bench-river: two that settings were tuned on, and others that were drawn; each in two versions.

The drawn ones come from ``bench/subjects/river.json``, which :mod:`bench.river_draw` wrote. Searches start from texts
that are made by a seed, so that nobody has tuned anything on them.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from pessimal.learn.cache import cache_directory

SIZE = 12
"""How many characters a text has."""
CHANGED = 3
"""How many characters of a sample are replaced in a text to start from."""
DRAWN = Path(__file__).parent / "subjects" / "river.json"
FOLDER = cache_directory() / "bench-river"
"""Outside of this project, so that modules have the same path in all versions, as installed ones have."""


@dataclass(frozen=True)
class Subject:
    """A parser: its package, its older and its newer version, the module that calls it, and samples of its texts."""

    package: str
    versions: tuple[str, str]
    module: str
    samples: tuple[str, ...]

    @property
    def target(self) -> str:
        """The function to search."""
        return f"bench/subjects/river/{self.module}.py:parse"

    def start(self, seed: int) -> str:
        """A text to start from: a sample with some characters replaced by others of all samples."""
        rng = random.Random(f"{self.package}:{seed}")
        text = list(rng.choice(self.samples).ljust(SIZE)[:SIZE])
        for position in rng.sample(range(SIZE), CHANGED):
            text[position] = rng.choice("".join(self.samples))
        return "".join(text)

    def installed(self, version: str) -> Path:
        """The directory of one version, installed when it is missing."""
        folder = FOLDER / f"{self.package}-{version}"
        if not folder.is_dir():
            wanted = f"{self.package}=={version}"
            command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, wanted]
            subprocess.run(command, check=True)
        return folder


TUNED = {
    "hjson": Subject("hjson", ("2.0.2", "3.1.0"), "json_text", ('[0,{"x":{}}]', "{'a':\"b\\nc\"}", "{a: -1.5e+2}")),
    "http-sfv": Subject(
        "http-sfv", ("0.9.3", "0.9.9"), "http_field", ("n=-3.25;p=?0", 'x=("a" tok);y', "b=:aGk=:,c=7")
    ),
}
CANDIDATES = {
    "dirtyjson": ("dirty_json", ('{"k":[1,""]}', "[0.5,/**/{}]", "{a:'x',b:1}")),
    "json5": ("json5_text", ("{a:[0x1F,1]}", "['\\u0041',]", '{"b":-.5e1}')),
    "toml": ("toml_text", ("a = [1, 2.5]", '[t]\nk="v" ', "d=1979-05-27")),
    "tomli": ("tomli_text", ("a = [1, 2.5]", '[t]\nk="v" ', "d=1979-05-27")),
    "python-mimeparse": ("mime_type", ("text/*;q=0.5", "a/b;c=d;q=1 ", "*;q=.2;x=yz ")),
    "LinkHeader": ("link_header_text", ("<a>;rel=next", '</b>; q="x" ', "<c>,<d>;e=f ")),
    "uritools": ("uri_text", ("http://a:80/", "//[::1]:7/x?", "s://u@h#frag")),
    "cssselect": ("css_selector", ("a.b > c#d:e ", "p[x='1'],* q", ":not(u)::v w")),
    "jmespath": ("jmes_path", ("a[?b>`1`].c ", "x.*.y[0:2:1]", "f(@)||{k: v}")),
    "jsonpointer": ("json_pointer", ("/a/b~1c/~0/0", "//x/-/10/y ", "/~01/zz/a/b ")),
    "uritemplate": ("uri_template_text", ("x{?a,b}/{+a}", "{/a*}{#a:3} ", "{;a}&{a}{.a}")),
    "demjson3": ("dem_json", ('{"k":[1,""]}', "[0x1F,1.5e2]", "{a:'x',/**/}")),
    "json-repair": ("repaired_json", ('{"k":[1,"" ', "[0.5,true,nu", "{a:'x',b:1}}")),
    "multipart": ("multipart_header", ('a/b; c="d"; ', 'x; y=z; n="\\', "form; f=a;g=b")),
    "h11": ("http_request", ("Host: a\r\nB:c", "Host: x:80   ", "Host:a\r\nC: 1")),
    "python-dotenv": ("dot_env", ("A='b c'\nD=1 ", 'export X="y"', "K=${A:-b}#c\n")),
    "nestedtext": ("nested_text", ("k: v\n- a\n  b", "- x\n-\n  > y", "{a: [b, c]} ")),
    "tomlkit": ("tomlkit_text", ("a = [1, 2.5]", '[t]\nk="v" ', "d=1979-05-27")),
    "sexpdata": ("s_expression", ("(a b . (1 2))", '\'(x "y" #t)', "(f `(,c) 3.5)")),
    "uri-template": ("uri_template_parts", ("x{?a,b}/{+a}", "{/a*}{#a:3} ", "{;a}&{a}{.a}")),
    "partial-json-parser": ("partial_json", ('{"k":[1,"" ', "[0.5,true,nu", '{"a":{"b":-1')),
    "semantic-version": ("semantic_version_text", (">=1.2.3 <2.x", "~1.2 || ^3.1", "1.0.0 - 2.3 ")),
}
"""Parsers of texts that programs exchange, by package: the module that calls it, and samples."""


def subjects() -> dict[str, Subject]:
    """All parsers by package: the tuned ones, then the drawn ones."""
    drawn = json.loads(DRAWN.read_text())["versions"] if DRAWN.exists() else {}
    return TUNED | {name: Subject(name, (older, newer), *CANDIDATES[name]) for name, (older, newer) in drawn.items()}
