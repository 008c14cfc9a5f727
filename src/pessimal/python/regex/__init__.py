"""Regular expressions on symbolic text: whether one matches is one condition, and where is found by choices."""

from pessimal.python.regex.objects import SymMatch
from pessimal.python.regex.operations import findall, finditer, fullmatch, match, search, split, subn

__all__ = ["SymMatch", "findall", "finditer", "fullmatch", "match", "search", "split", "subn"]
