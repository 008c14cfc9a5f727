"""The growth of the cost over the size: the law that explains a curve of costs best."""

from pessimal.growth.laws import EXACT, FEWEST, Growth, Law, growth

__all__ = ["EXACT", "FEWEST", "Growth", "Law", "growth"]
