"""Human JSON, as the package hjson reads it."""

import hjson


def parse(text: str) -> object:
    return hjson.loads(text)
