"""Templates of addresses, as the package uritemplate expands them."""

import uritemplate


def parse(text: str) -> object:
    return uritemplate.expand(text, {"a": "1"})
