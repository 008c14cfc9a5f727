"""Version numbers, as the package semantic-version reads them."""

import semantic_version


def parse(text: str) -> object:
    return semantic_version.NpmSpec(text)
