"""TOML, as the package tomlkit reads it."""

import tomlkit


def parse(text: str) -> object:
    return tomlkit.parse(text)
