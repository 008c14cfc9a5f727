"""Parsers that others wrote, each called in one way, for bench-river; the versions are on the path of the process."""
