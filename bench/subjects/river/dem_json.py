"""JSON and much of JavaScript, as the package demjson3 reads it."""

import demjson3


def parse(text: str) -> object:
    return demjson3.decode(text)
