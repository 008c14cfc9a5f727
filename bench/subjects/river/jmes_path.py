"""Queries of JSON, as the package jmespath reads them."""

import jmespath


def parse(text: str) -> object:
    return jmespath.compile(text)
