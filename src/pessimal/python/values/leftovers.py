"""What a run leaves in tables that outlive it, such as a cache of the module: its symbolic keys are taken out again.

In the next run the same variables stand for another input. A key that was left would equal it, whatever it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from sys import getrefcount
from typing import Any

from pessimal.python.values.keyed import SYMBOLIC_OF, is_keyed, is_symbolic, switch_class

_HELD_HERE = 3
"""The references to a table that nothing else holds: by the list of tables, by the loop, by the question."""


def take_out(tables: Iterable[Any]) -> None:
    """Take the symbolic keys out of tables that got some in a run; what is left is plain again."""
    plain_of = {symbolic: plain for plain, symbolic in SYMBOLIC_OF.items()}
    for table in tables:
        if getrefcount(table) > _HELD_HERE and is_keyed(table):
            _restore(table, plain_of[type(table)])


def _restore(table: Any, plain: type) -> None:
    if isinstance(table, dict):
        pairs = [pair for pair in dict.items(table) if not is_symbolic(pair[0])]
        switch_class(table, plain)
        table.clear()
        for key, value in pairs:
            table[key] = value
    else:
        members = [member for member in table.order if not is_symbolic(member)]
        switch_class(table, plain)
        table.clear()
        table.update(members)
