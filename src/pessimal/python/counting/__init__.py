"""Whether counted values keep counting in a target's code as it is, or need the rewritten copy of it."""

from pessimal.python.counting.needs_rewrite import needs_rewrite

__all__ = ["needs_rewrite"]
