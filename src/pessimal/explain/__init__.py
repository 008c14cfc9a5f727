"""Why a search saw less than everything: what was made concrete where, what was refused, what nobody could settle."""

from pessimal.explain.coverage import Coverage, Measure, Place
from pessimal.explain.ledger import MOST_VALUES, Ledger

__all__ = ["MOST_VALUES", "Coverage", "Ledger", "Measure", "Place"]
