"""The defaultdict of rewritten code, and the one with symbolic keys."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from pessimal.python.values.keyed import PLAIN_OF, SYMBOLIC_OF, KeyedDict, concrete, merged, merged_after


class Default(defaultdict[Any, Any]):
    """A defaultdict of rewritten code."""

    __slots__ = ()
    __class__ = property(lambda self: defaultdict)
    __or__, __ror__ = merged, merged_after

    def __repr__(self) -> str:
        pairs = [(concrete(key, "repr()"), value) for key, value in dict.items(self)]
        return repr(defaultdict(self.default_factory, pairs))


class SymDefault(KeyedDict, Default):
    """A defaultdict with symbolic keys."""

    __slots__ = ()


SYMBOLIC_OF[Default] = SymDefault
PLAIN_OF[SymDefault] = Default
