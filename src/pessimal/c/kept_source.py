"""Instrumented files as JSON text, so that the next process need not parse a large file again."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from pessimal.c.sites import CTest, Instrumented, Span, Statement
from pessimal.inputs import from_json, to_json
from pessimal.json_values import rebuilt

_PLAIN = ("tests", "statements", "spans", "functions", "dimensions", "casts", "aliases")


def written(source: Instrumented) -> str:
    """An instrumented file as JSON text."""
    data = asdict(source)
    return json.dumps(
        {
            **{name: data[name] for name in _PLAIN},
            "text": source.text.decode("latin-1"),
            "literals": {name: to_json(list(found)) for name, found in source.literals.items()},
            "words": {name: sorted(found) for name, found in source.words.items()},
            "declared": [[*place, length] for place, length in source.declared.items()],
        }
    )


def read(text: str) -> Instrumented:
    """The instrumented file that :func:`written` wrote."""
    data: dict[str, Any] = json.loads(text)
    return Instrumented(
        text=data["text"].encode("latin-1"),
        tests=rebuilt(tuple[CTest, ...], data["tests"]),
        statements=rebuilt(tuple[Statement, ...], data["statements"]),
        functions=tuple(data["functions"]),
        literals={name: tuple(from_json(found)) for name, found in data["literals"].items()},
        words={name: frozenset(found) for name, found in data["words"].items()},
        spans=rebuilt(tuple[Span, ...], data["spans"]),
        declared={(owner, name): length for owner, name, length in data["declared"]},
        dimensions=data["dimensions"],
        casts=data["casts"],
        aliases=data["aliases"],
    )
