"""JSON5, as the package json5 reads it."""

import json5


def parse(text: str) -> object:
    return json5.loads(text)
