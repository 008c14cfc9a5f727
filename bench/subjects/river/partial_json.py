"""Unfinished JSON, as the package partial_json_parser reads it."""

from partial_json_parser import loads


def parse(text: str) -> object:
    return loads(text)
