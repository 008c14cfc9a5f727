"""Distances of concrete runs: the target on plain values, in code whose tests tell how near their other outcome was."""
