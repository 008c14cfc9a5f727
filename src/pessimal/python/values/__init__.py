"""Symbolic values: what the target computes with instead of numbers and text."""

from pessimal.python.values.number import SymBool, SymFloat, SymInt
from pessimal.python.values.text import SymBytes, SymStr

SYMBOLIC = (SymInt, SymBool, SymFloat, SymStr, SymBytes)
"""All kinds of symbolic value, to tell them from concrete ones."""

__all__ = ["SYMBOLIC", "SymBool", "SymBytes", "SymFloat", "SymInt", "SymStr"]
