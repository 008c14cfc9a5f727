"""Whether the concrete runs of a target need the rewritten copy of its code.

In code as it is, a counted value counts wherever Python calls its operators. A function that computes without them
returns a plain value, which no longer counts; the rewrite puts a handler in its place. Rewritten code is slower, so the
code is run as it is where nothing can be lost. To find out, everything that the target can reach is searched: functions
by the names in their source, which are looked up in the loaded modules, and objects by what they hold. A name that
cannot be looked up may lose anything.
"""

from __future__ import annotations

import functools
import itertools
import operator
import re
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from enum import EnumMeta
from functools import cached_property, partial
from importlib import import_module
from types import CodeType, FunctionType, MethodDescriptorType, MethodType, ModuleType, WrapperDescriptorType
from typing import Any, NamedTuple, TypeAlias

from pessimal.python.counting.names import UNKNOWN, Names, closure_of
from pessimal.python.counting.plain import Plain
from pessimal.python.counting.uses import Uses, of_constant
from pessimal.python.definitions import Definitions
from pessimal.python.handlers.registry import is_handled

InScope: TypeAlias = Callable[[str, str | None], bool]

_ALIKE = frozenset(
    (
        *(range, map, filter, sorted, min, max, sum, any, all, pow, print, getattr, hasattr, setattr, complex),
        *(dict, set, frozenset, list.sort, dict.fromkeys, Counter, OrderedDict, defaultdict),
        *(functools.reduce, functools.partial, itertools.dropwhile, itertools.takewhile, itertools.filterfalse),
        *(itertools.starmap, itertools.accumulate, itertools.groupby, re.compile, re.match, re.fullmatch, re.search),
        *(re.findall, re.finditer, re.split, re.sub, re.subn),
    )
)
"""Functions whose handlers are there for symbolic values alone: they treat counted values as the handlers do."""

_ALIKE_OWNERS = (dict, set, frozenset, OrderedDict, re.Pattern)
_CACHE = type(functools.lru_cache(lambda: None))
_ALIKE_KINDS = (EnumMeta, _CACHE, type(re.compile("").match))
"""Classes whose methods, and classes whose objects when called, have handlers for symbolic values alone."""

_OPAQUE = (eval, exec, globals, locals, vars, __import__, import_module, operator.methodcaller, operator.attrgetter)
"""Functions that look something up by a name in a text."""

_ATOMS = frozenset((int, float, complex, bool, type(None)))
_ONLY_SHOWN = frozenset(("__doc__", "__annotations__", "__module__", "__repr__", "__str__", "__format__"))
"""Attributes of a class that are documentation, or are called only to make text of an object: a loss anyway."""

_TOGETHER = ({"in", "bytes"}, {"%", "template"})
"""Constructs that lose a counted number together: ``number in bytes``, and a template that is filled in by ``%``."""


def needs_rewrite(target: Any, arguments: Iterable[Any], in_scope: InScope, *, has_text: bool) -> str | None:
    """What would lose counted values, and where, if the target ran as it is; None if nothing can.

    ``arguments`` are examples, since the target can reach their classes. ``in_scope`` says whether the rewrite covers a
    module, given by its name and file; ``has_text`` whether the input contains text.
    """
    search = _Search(in_scope, has_text)
    for value in (target, *arguments):
        search.use(value, "the target")
    return search.result()


class _Call(NamedTuple):
    """A function that is called, and the parameters that get plain values."""

    function: FunctionType
    plain: frozenset[str]
    is_method: bool


class _Search:
    """Searches everything that the target can reach, until something is found that loses counted values."""

    def __init__(self, in_scope: InScope, has_text: bool) -> None:
        self._in_scope = in_scope
        self._has_text = has_text
        self._definitions = Definitions()
        self._values: list[tuple[Any, str]] = []
        self._calls: list[_Call] = []
        self._known: dict[int, Any] = {}  # kept, since an id is only unique while the object lives
        self._read: set[tuple[FunctionType, frozenset[str]]] = set()
        self._constructs: set[str] = set()
        self._lost: str | None = None

    def use(self, value: Any, where: str) -> None:
        """Note that the target can reach a value."""
        if type(value) not in _ATOMS and id(value) not in self._known:
            self._known[id(value)] = value
            self._values.append((value, where))

    def result(self) -> str | None:
        """The first loss found."""
        while self._lost is None and (self._values or self._calls):
            if self._values:
                self._look_at(*self._values.pop())
            else:
                self._follow(self._calls.pop())
        return self._lost

    def _look_at(self, value: Any, where: str) -> None:
        if value is UNKNOWN or isinstance(value, ModuleType) or any(value is option for option in _OPAQUE):
            self._lost = f"a name that cannot be looked up in {where}"
        elif is_handled(value) and not _is_alike(value):
            self._lost = f"{getattr(value, '__qualname__', 'a function')} in {where}"
        elif isinstance(value, FunctionType):
            self._calls.append(_Call(value, frozenset(), False))
        elif isinstance(value, type):
            self._look_at_class(value)
        elif isinstance(value, str | bytes):
            self._note(of_constant(value), where)
        else:
            self._look_into(value, where)

    def _look_at_class(self, cls: type) -> None:
        is_text = issubclass(cls, str | bytes)
        for base in filter(self._has_source, cls.__mro__):
            for member in [member for name, member in vars(base).items() if name not in _ONLY_SHOWN]:
                methods = _methods(member)
                self._calls += [_Call(method, frozenset(), not is_text) for method in methods]
                self._use_all(() if methods else (member,), base.__qualname__)

    def _has_source(self, cls: type) -> bool:
        return self._in_scope(cls.__module__, getattr(sys.modules.get(cls.__module__), "__file__", None))

    def _look_into(self, value: Any, where: str) -> None:
        """Use what an object holds; the attributes of objects whose classes are not rewritten do not matter."""
        if any(map(self._has_source, type(value).__mro__)):
            self._look_at_class(type(value))
            self._use_all(getattr(value, "__dict__", {}).values(), where)
        if isinstance(value, dict):
            self._use_all((*value, *value.values()), where)
        elif isinstance(value, list | tuple | set | frozenset | deque):
            self._use_all(value, where)
        elif isinstance(value, partial):
            self._use_all((value.func, *value.args, *value.keywords.values()), where)
        elif isinstance(value, MethodType):
            self.use(value.__self__, where)
            self._calls += [_Call(method, frozenset(), True) for method in _methods(value.__func__)]
        elif isinstance(value, staticmethod | _CACHE):
            self.use(value.__wrapped__, where)

    def _use_all(self, values: Iterable[Any], where: str) -> None:
        for value in values:
            self.use(value, where)

    def _follow(self, call: _Call) -> None:
        """Read a function that is called; one that is not rewritten matters only for the functions in its closure."""
        function: Any = call.function
        code: CodeType = function.__code__
        if (function, call.plain) in self._read:
            return
        self._read.add((function, call.plain))
        where = code.co_qualname
        self._use_all((function.__defaults__ or (), function.__kwdefaults__ or {}, vars(function)), where)
        if not self._in_scope(function.__globals__.get("__name__", ""), code.co_filename):
            self._use_all(closure_of(function).values(), where)
            return
        definitions = self._definitions.of(code, function.__globals__)
        if not definitions:
            self._lost = f"code without its source in {where}"
        rebound = self._definitions.rebound(code, function.__globals__)
        for definition in definitions:
            names = Names(function)
            uses = Uses(definition, names, Plain(definition, names, call.plain, rebound), is_method=call.is_method)
            self._use_all(uses.values, where)
            self._note(uses.constructs, where)
            for other, plain in uses.calls:
                self._call(other, plain, where)

    def _call(self, function: FunctionType, plain: frozenset[str], where: str) -> None:
        if is_handled(function):
            self.use(function, where)
        else:
            self._calls.append(_Call(function, plain, False))

    def _note(self, constructs: set[str], where: str) -> None:
        """Note constructs in the code, and whether they lose something."""
        self._constructs |= constructs
        alone = constructs - {"bytes", "%", "template"} - (set() if self._has_text else {"in"})
        if alone:
            self._lost = f"{min(alone)} in {where}"
        elif any(pair <= self._constructs for pair in _TOGETHER):
            self._lost = f"a number in bytes or in a template in {where}"


def _methods(member: Any) -> list[FunctionType]:
    """The functions of a class's attribute that take an object, or the class, first."""
    if isinstance(member, property):
        found: list[Any] = [member.fget, member.fset, member.fdel]
    elif isinstance(member, cached_property):
        found = [member.func]
    else:
        found = [member.__func__ if isinstance(member, classmethod) else member]
    return [function for function in found if isinstance(function, FunctionType)]


def _is_alike(value: Any) -> bool:
    owner = value.__objclass__ if isinstance(value, MethodDescriptorType | WrapperDescriptorType) else None
    return owner in _ALIKE_OWNERS or isinstance(value, _ALIKE_KINDS) or value in _ALIKE
