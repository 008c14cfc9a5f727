"""S-expressions, as the package sexpdata reads them."""

import sexpdata


def parse(text: str) -> object:
    return sexpdata.loads(text)
