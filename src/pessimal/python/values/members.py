"""Sets with symbolic members, on the same footing as the dicts of :mod:`pessimal.python.values.keyed`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pessimal.expr import disjunction
from pessimal.python import current
from pessimal.python.deciding import decide
from pessimal.python.values.keyed import (
    MISSING,
    SYMBOLIC_OF,
    Keyed,
    admit,
    alike,
    concrete,
    find,
    holds,
    is_symbolic,
    on_table,
    switch_class,
)

_SETS = (set, frozenset)


def add(members: Any, item: Any) -> None:
    """``members.add(item)``: nothing changes if one of the members equals it."""
    if find(members, item) is MISSING:
        new = admit(members, item)
        if isinstance(members, SymSet):
            members.order.append(new)
        on_table(set.add, members, new)


def discard(members: Any, item: Any) -> None:
    """``members.discard(item)``."""
    member = find(members, item)
    if member is not MISSING:
        _drop(members, member)


def remove(members: Any, item: Any) -> None:
    """``members.remove(item)``."""
    member = find(members, item)
    if member is MISSING:
        raise KeyError(item)
    _drop(members, member)


def _drop(members: Any, member: Any) -> None:
    on_table(set.discard, members, member)
    if isinstance(members, SymSet):
        members.order[:] = [other for other in members.order if other is not member]


def make_set(items: Iterable[Any] = ()) -> Any:
    """``set(items)``."""
    items = list(items)
    if not any(map(is_symbolic, items)):
        return Set(items)
    members = Set()
    for item in items:
        add(members, item)
    return members


def make_frozenset(items: Iterable[Any] = ()) -> Any:
    """``frozenset(items)``: a plain one where no member is symbolic."""
    members = make_set(items)
    if not isinstance(members, SymSet):
        return Frozen(members)
    frozen: Any = frozenset.__new__(SymFrozen, members)  # from a set, so that nothing is hashed again
    frozen.order = members.order
    return frozen


def unordered(members: Iterable[Any]) -> Iterable[Any]:
    """The members for a use that does not depend on their order, so that none needs to become concrete."""
    return list(members.order) if isinstance(members, SymSet | SymFrozen) else members


def _like(members: Any, items: Iterable[Any]) -> Any:
    return make_frozenset(items) if isinstance(members, frozenset) else make_set(items)


def _distinct(items: Iterable[Any]) -> Any:
    """A collection to look items up in."""
    return items if isinstance(items, _SETS) else make_set(items)


def union(members: Any, *others: Iterable[Any]) -> Any:
    """``members.union(...)``."""
    return _like(members, [*unordered(members), *(item for other in others for item in unordered(other))])


def intersection(members: Any, *others: Iterable[Any]) -> Any:
    """``members.intersection(...)``."""
    tables = [_distinct(other) for other in others]
    return _like(members, [item for item in unordered(members) if all(decide(holds(table, item)) for table in tables)])


def difference(members: Any, *others: Iterable[Any]) -> Any:
    """``members.difference(...)``."""
    tables = [_distinct(other) for other in others]
    return _like(
        members, [item for item in unordered(members) if not any(decide(holds(table, item)) for table in tables)]
    )


def symmetric_difference(members: Any, other: Iterable[Any]) -> Any:
    """``members.symmetric_difference(other)``."""
    table = _distinct(other)
    return union(difference(members, table), difference(table, members))


def issubset(members: Any, other: Iterable[Any]) -> bool:
    """``members.issubset(other)``."""
    table = _distinct(other)
    return all(decide(holds(table, item)) for item in unordered(members))


def issuperset(members: Any, other: Iterable[Any]) -> bool:
    """``members.issuperset(other)``."""
    return all(decide(holds(members, item)) for item in unordered(_distinct(other)))


def isdisjoint(members: Any, other: Iterable[Any]) -> bool:
    """``members.isdisjoint(other)``."""
    return not any(decide(holds(members, item)) for item in unordered(other))


def update(members: Any, *others: Iterable[Any]) -> None:
    """``members.update(...)``."""
    for other in others:
        for item in list(unordered(other)):
            add(members, item)


def _keep(members: Any, kept: Any) -> None:
    for item in [item for item in unordered(members) if not any(item is other for other in kept)]:
        _drop(members, item)


def intersection_update(members: Any, *others: Iterable[Any]) -> None:
    """``members.intersection_update(...)``."""
    _keep(members, unordered(intersection(members, *others)))


def difference_update(members: Any, *others: Iterable[Any]) -> None:
    """``members.difference_update(...)``."""
    _keep(members, unordered(difference(members, *others)))


def symmetric_difference_update(members: Any, other: Iterable[Any]) -> None:
    """``members.symmetric_difference_update(other)``."""
    table = _distinct(other)
    added = list(unordered(difference(table, members)))
    difference_update(members, table)
    update(members, added)


def contains(members: Iterable[Any], item: Any) -> bool:
    """Whether a collection that is looked up by hash, such as a view of keys, has an item."""
    return decide(disjunction([alike(item, member) for member in members]))


class _Members(Keyed):
    """What symbolic sets and frozensets have in common."""

    __slots__ = ()
    order: list[Any]

    union, intersection, difference = union, intersection, difference
    symmetric_difference, issubset, issuperset, isdisjoint = symmetric_difference, issubset, issuperset, isdisjoint

    def __contains__(self, item: Any) -> bool:
        return decide(holds(self, item))

    def copy(self) -> Any:
        """A copy with the same members."""
        return _like(self, self.order)

    def __or__(self, other: Any) -> Any:
        return union(self, other) if isinstance(other, _SETS) else NotImplemented

    def __and__(self, other: Any) -> Any:
        return intersection(self, other) if isinstance(other, _SETS) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        return difference(self, other) if isinstance(other, _SETS) else NotImplemented

    def __xor__(self, other: Any) -> Any:
        return symmetric_difference(self, other) if isinstance(other, _SETS) else NotImplemented

    def __ror__(self, other: Any) -> Any:
        return union(other, self.order) if isinstance(other, _SETS) else NotImplemented

    def __rand__(self, other: Any) -> Any:
        return intersection(other, self.order) if isinstance(other, _SETS) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return difference(other, self.order) if isinstance(other, _SETS) else NotImplemented

    def __rxor__(self, other: Any) -> Any:
        return symmetric_difference(other, self.order) if isinstance(other, _SETS) else NotImplemented

    def __eq__(self: Any, other: Any) -> Any:
        if not isinstance(other, _SETS):
            return NotImplemented
        return len(self) == len(other) and issubset(self, other)

    def __ne__(self, other: Any) -> Any:
        answer = self.__eq__(other)
        return answer if answer is NotImplemented else not answer

    def __le__(self, other: Any) -> Any:
        return issubset(self, other) if isinstance(other, _SETS) else NotImplemented

    def __lt__(self: Any, other: Any) -> Any:
        if not isinstance(other, _SETS):
            return NotImplemented
        return len(self) < len(other) and issubset(self, other)

    def __ge__(self, other: Any) -> Any:
        return issuperset(self, other) if isinstance(other, _SETS) else NotImplemented

    def __gt__(self: Any, other: Any) -> Any:
        if not isinstance(other, _SETS):
            return NotImplemented
        return len(self) > len(other) and issuperset(self, other)


class Set(set[Any]):
    """A set of rewritten code; once it has symbolic members, ``order`` holds all of them in the order they came."""

    __slots__ = ("order",)
    __class__ = property(lambda self: set)

    def __ior__(self, other: Any) -> Any:  # type: ignore[misc]
        return _in_place(self, update, set.__ior__, other)

    def __iand__(self, other: Any) -> Any:  # type: ignore[misc]
        return _in_place(self, intersection_update, set.__iand__, other)

    def __isub__(self, other: Any) -> Any:  # type: ignore[misc]
        return _in_place(self, difference_update, set.__isub__, other)

    def __ixor__(self, other: Any) -> Any:  # type: ignore[misc]
        return _in_place(self, symmetric_difference_update, set.__ixor__, other)

    def __repr__(self) -> str:
        return repr(set(self))


def _in_place(members: Set, ours: Callable[..., None], native: Callable[..., Any], other: Any) -> Any:
    """An operation that changes a set; natively the members of a symbolic one would be taken over unseen."""
    if not isinstance(other, SymSet | SymFrozen):
        return native(members, other)
    ours(members, other)
    return members


class SymSet(_Members, Set):
    """A set with symbolic members."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]
    add, discard, remove, update = add, discard, remove, update
    intersection_update, difference_update = intersection_update, difference_update
    symmetric_difference_update = symmetric_difference_update

    def _settle(self) -> Set:
        """Make the members concrete: in which order a set gives them depends on their hashes."""
        items = [concrete(item, "order of a set") for item in self.order]
        switch_class(self, Set)
        self.clear()
        set.update(self, items)
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter(self._settle())

    def pop(self) -> Any:
        """Some member."""
        return self._settle().pop()

    def clear(self) -> None:
        """Forget all members."""
        self.order = []
        set.clear(self)

    def __repr__(self) -> str:
        return repr(self._settle())

    def __ior__(self, other: Any) -> Any:
        update(self, other)
        return self

    def __iand__(self, other: Any) -> Any:
        intersection_update(self, other)
        return self

    def __isub__(self, other: Any) -> Any:
        difference_update(self, other)
        return self

    def __ixor__(self, other: Any) -> Any:
        symmetric_difference_update(self, other)
        return self


class SymFrozen(_Members, frozenset[Any]):
    """A frozenset with symbolic members."""

    __slots__ = ("order",)
    __class__ = property(lambda self: frozenset)

    def _settled(self, reason: str) -> frozenset[Any]:
        return frozenset([concrete(item, reason) for item in self.order])

    def __iter__(self) -> Iterator[Any]:
        return iter(self._settled("order of a set"))

    def __hash__(self) -> int:
        return id(self) if current.execution.identity_hash else hash(self._settled("hash()"))

    def __repr__(self) -> str:
        return repr(self._settled("repr()"))


class Frozen(frozenset[Any]):
    """A frozenset of rewritten code."""

    __slots__ = ()
    __class__ = property(lambda self: frozenset)

    def __repr__(self) -> str:
        return repr(frozenset(list(self)))

    def __hash__(self) -> int:
        return frozenset.__hash__(self)


def _beside(plain: Any, native: Any, name: str) -> None:
    """Let an operator of plain sets see a symbolic set beside them, whose members C code would take by identity."""
    own, ours = getattr(native, name), getattr(_Members, name)

    def method(members: Any, other: Any) -> Any:
        if isinstance(other, SymSet | SymFrozen):
            return ours(members, other)
        result = own(members, other)
        return plain(result) if type(result) is native else result

    setattr(plain, name, method)


for _name in ("__or__", "__and__", "__sub__", "__xor__", "__eq__", "__ne__", "__le__", "__lt__", "__ge__", "__gt__"):
    _beside(Set, set, _name)
    _beside(Frozen, frozenset, _name)

VIEWS: dict[str, Callable[..., Any]] = {
    "-": difference,
    "|": union,
    "^": symmetric_difference,
    "&": lambda keys, other: intersection(keys, other) if len(other) >= len(keys) else intersection(other, keys),
}


def of_views(op: str, left: Any, right: Any) -> Any:
    """An operator of dict views, which C code would compute on the members' identities; a set comes out."""
    native = OPERATORS[op]
    if not any(isinstance(side, _KINDS_OF_VIEW) for side in (left, right)):
        return native(left, right)
    if isinstance(left, _SETS) or not any(map(_is_symbolic_side, (left, right))):
        return native(left, set(right) if type(right) is Set else right)  # which members stay hangs on the exact type
    return VIEWS[op](make_set(list(left)), make_set(list(unordered(right))))


_KINDS_OF_VIEW: tuple[type, ...] = (type({}.keys()), type({}.items()))
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "-": operator.sub,
    "|": operator.or_,
    "^": operator.xor,
    "&": operator.and_,
}


def _is_symbolic_side(side: Any) -> bool:
    if isinstance(side, Keyed):
        return True
    return isinstance(side, Iterable) and any(is_symbolic(item) for item in list(side))


SYMBOLIC_OF[Set] = SymSet
