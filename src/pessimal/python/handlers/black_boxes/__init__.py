"""Black boxes: functions that only calling can compute, kept in conditions as applications of themselves."""

from pessimal.python.handlers.black_boxes import pure
from pessimal.python.handlers.black_boxes.named import NamedBoxes
from pessimal.python.handlers.black_boxes.watch import SampleWatch

__all__ = ["NamedBoxes", "SampleWatch", "pure"]
