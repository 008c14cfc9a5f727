"""Worst cases at sizes that nobody can execute: how the worst path condition grows, written down and solved once."""
