"""Selectors of CSS, as the package cssselect reads them."""

import cssselect


def parse(text: str) -> object:
    return cssselect.parse(text)
