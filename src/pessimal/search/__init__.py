"""Strategies: one module each, behind one small protocol, found by name through an entry-point group."""

from pessimal.strategy import SearchOver, Session, Strategy

__all__ = ["SearchOver", "Session", "Strategy"]
