"""Strategies: one module each, behind one small protocol, found by name through an entry-point group."""

from pessimal.search.base import SearchOver, Session, Strategy

__all__ = ["SearchOver", "Session", "Strategy"]
