"""Conditions that people write: Python expressions and SMT-LIB 2 files, read as expressions over declared variables."""

from pessimal.conditions.condition import Condition, Variable
from pessimal.conditions.python_text import read_python

__all__ = ["Condition", "Variable", "read_python"]
