"""Constructs that operator overloading cannot see: one small handler each, found when the rewritten code runs."""

from pessimal.python.handlers import conversions, text
from pessimal.python.handlers.registry import handles, resolve

TOPICS = (conversions, text)
"""The modules whose handlers are registered from the start."""

__all__ = ["TOPICS", "handles", "resolve"]
