"""Media types of HTTP, as the package python-mimeparse reads them."""

import mimeparse


def parse(text: str) -> object:
    return mimeparse.parse_media_range(text)
