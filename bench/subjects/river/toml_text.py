"""TOML, as the package toml reads it."""

import toml


def parse(text: str) -> object:
    return toml.loads(text)
