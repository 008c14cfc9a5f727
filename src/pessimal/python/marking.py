"""Marks on terms whose tests are not counted. The run is notified, so that one without marks never looks for any."""

from __future__ import annotations

from pessimal.expr import Term
from pessimal.expr import marked as terms
from pessimal.python import current


def mark(term: Term) -> Term:
    """The term, marked: a test of it is not counted as a branch."""
    current.execution.has_uncounted_tests = True
    return terms.mark(term)
