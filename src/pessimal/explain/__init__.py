"""Why a search may have missed something: what was made concrete where, what was refused, what stayed unknown."""

from pessimal.explain.coverage import Coverage, Measure, Place
from pessimal.explain.ledger import MOST_VALUES, Ledger

__all__ = ["MOST_VALUES", "Coverage", "Ledger", "Measure", "Place"]
