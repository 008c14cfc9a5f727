"""Marks on terms of the live run: it is told, so that runs without marks never look for any."""

from __future__ import annotations

from pessimal.expr import Term
from pessimal.expr import marked as terms
from pessimal.python import current


def mark(term: Term) -> Term:
    """The term as one that no branch is counted for."""
    current.execution.is_special = True
    return terms.mark(term)
