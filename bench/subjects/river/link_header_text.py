"""The Link header of HTTP, as the package LinkHeader reads it."""

import link_header


def parse(text: str) -> object:
    return link_header.parse(text)
