"""NestedText, as the package nestedtext reads it."""

import nestedtext


def parse(text: str) -> object:
    return nestedtext.loads(text, top="any")
