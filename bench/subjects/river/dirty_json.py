"""JSON with comments and other dirt, as the package dirtyjson reads it."""

import dirtyjson


def parse(text: str) -> object:
    return dirtyjson.loads(text)
