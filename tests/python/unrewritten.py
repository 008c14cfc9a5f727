"""A library that is not rewritten: it hands values on, and raises for reasons of its own."""

import hashlib
import marshal


class Signature:
    def __init__(self, data):
        self._data = data

    def digest(self):
        return hashlib.sha256(self._data).digest()


def add_marshalled(row, table):
    row.append(marshal.dumps(row))
    table["size"] = len(row)


def hand_on(function, *values):
    return function(*values)


def convert(function, value):
    """What is raised becomes something else, and what it was is kept back."""
    try:
        return function(value)
    except Exception:
        raise LookupError("no") from None


def holds(text, part):
    return part in text


def small(value):
    if value > 3:
        raise ValueError("too large")
    return value


def element(row, place):
    return row[place]
