"""Constructs that operator overloading cannot see: one small handler each, found when the rewritten code runs."""

from pessimal.python.handlers import (
    compiled,
    containers,
    conversions,
    encodings,
    enums,
    formatting,
    integers,
    iteration,
    maths,
    regex,
    shared,
    structs,
    templates,
    text,
)
from pessimal.python.handlers.black_boxes import hashes, pure
from pessimal.python.handlers.registry import handles, resolve

TOPICS = (
    *(compiled, containers, conversions, encodings, enums, formatting, integers, iteration),
    *(maths, regex, shared, structs, templates, text, hashes, pure),
)
"""The modules whose handlers are registered from the start; the last makes black boxes of what has none by then."""

__all__ = ["TOPICS", "handles", "resolve"]
