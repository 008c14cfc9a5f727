"""Black boxes: functions that only calling can compute, kept in conditions as applications of themselves."""

from pessimal.python.black_boxes import pure
from pessimal.python.black_boxes.named import NamedBoxes

PURE = pure
"""The module that makes boxes of some functions of the standard library as soon as it is imported."""

__all__ = ["PURE", "NamedBoxes"]
