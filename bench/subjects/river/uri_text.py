"""Addresses, as the package uritools splits them."""

import uritools


def parse(text: str) -> object:
    return uritools.urisplit(text).gethost()
