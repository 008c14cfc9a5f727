"""Structured fields of HTTP headers, as the package http_sfv reads them."""

import http_sfv


def parse(text: str) -> int:
    value = http_sfv.Dictionary()
    value.parse(text.encode("ascii", "replace"))
    return len(value)
