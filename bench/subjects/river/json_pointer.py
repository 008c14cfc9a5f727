"""Pointers into JSON, as the package jsonpointer reads them."""

import jsonpointer


def parse(text: str) -> object:
    return jsonpointer.JsonPointer(text)
