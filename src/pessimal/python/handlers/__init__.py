"""Constructs that operator overloading cannot see: one small handler each, found when the rewritten code runs."""

from pessimal.python.handlers import containers, conversions, formatting, integers, iteration, maths, regex, templates, text
from pessimal.python.handlers.registry import handles, resolve

TOPICS = (containers, conversions, formatting, integers, iteration, maths, regex, templates, text)
"""The modules whose handlers are registered from the start."""

__all__ = ["TOPICS", "handles", "resolve"]
