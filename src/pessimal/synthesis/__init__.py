"""Worst cases at sizes beyond symbolic execution: models of how the worst path condition grows, solved at any size."""
