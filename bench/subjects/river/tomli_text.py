"""TOML, as the package tomli reads it."""

import tomli


def parse(text: str) -> object:
    return tomli.loads(text)
