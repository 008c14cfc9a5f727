"""Lifting: for each kind of instruction, what it makes of terms. What is not lifted is made concrete, and counted."""

from pessimal.binary.lifting import arithmetic, bits, control, moves, shifts, vectors  # noqa: F401
from pessimal.binary.lifting.operands import Operands
from pessimal.binary.lifting.rules import Lifted, lifted, names

__all__ = ["Lifted", "Operands", "lifted", "names"]
