"""What modules offer to be called: functions, constructors, methods, properties and attributes, with their inputs."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from inspect import Parameter
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from pessimal.inputs import Spec
from pessimal.inputs.examples import spec_of
from pessimal.inputs.looking import is_a, quietly
from pessimal.inputs.signatures import VARIADIC, resolved_signature, underlying
from pessimal.python.cover.parameters import ANYTHING, described
from pessimal.scenario import Name, Operation

_NEVER_CALLED = frozenset(
    (
        *(
            "__init__",
            "__new__",
            "__del__",
            "__init_subclass__",
            "__class_getitem__",
            "__set_name__",
            "__subclasshook__",
        ),
        *("__getattribute__", "__setattr__", "__delattr__", "__prepare__", "__instancecheck__", "__subclasscheck__"),
        *("__new_member__", "_generate_next_value_"),
    )
)
"""Special methods that Python calls by itself, or that would take the place of all others."""

_MEANS_OTHER_TYPES = frozenset(
    ("isinstance", "issubclass", "TypeError", "AttributeError", "hasattr", "type", "callable")
)


VALUE = "value"
"""The name of what is assigned to an attribute."""


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """One thing that a step can do.

    ``owner`` is the class of the instance that a method, a property or an attribute belongs to. ``specs`` has the
    inputs of the parameters. ``code`` is what is executed, if it is Python code.
    """

    operation: Operation
    name: Name
    owner: type | None = None
    attribute: str = ""
    parameters: tuple[Parameter, ...] = ()
    specs: Mapping[str, Spec] | None = None
    trusted: frozenset[str] = frozenset()
    """The parameters whose types hints or stubs tell; those of the others are guessed."""
    code: CodeType | None = None
    is_context_manager: bool = False
    """Whether a call returns what ``contextlib.contextmanager`` makes of a generator."""
    is_entrance: bool = False
    """Whether it is not covered itself, but may lead to what is."""

    @property
    def is_public(self) -> bool:
        """Whether users are meant to call it."""
        names = (*self.name.qualname.split("."), self.attribute)
        return not any(name.startswith("_") and not name.endswith("__") for name in names)

    @property
    def is_hinted(self) -> bool:
        """Whether hints say what every parameter may be given."""
        return all(parameter.annotation is not Parameter.empty for parameter in self.parameters)

    @property
    def guessed(self) -> tuple[Parameter, ...]:
        """The parameters whose types are guesses."""
        return tuple(item for item in self.parameters if item.name not in self.trusted)

    @property
    def tells_types_apart(self) -> bool:
        """Whether the code looks at the types of what it gets."""
        return self.code is not None and not _MEANS_OTHER_TYPES.isdisjoint(self.code.co_names)

    @property
    def makes(self) -> type | None:
        """The class that a call makes an instance of, where that is known beforehand."""
        return self.owner if self.operation == "call" else None


def members_of(modules: Sequence[ModuleType], only: str | None = None) -> list[Member]:
    """What the modules define themselves; with ``only`` what one qualified name means."""
    found: list[Member] = []
    for module in modules:
        for name, value in sorted(vars(module).items()):
            if _belongs(value, module) and _is_selected(name, only):
                found += _of_value(name, value, module, only)
    return found


def _is_selected(name: str, only: str | None) -> bool:
    return only is None or only.split(".")[0] == name


def _belongs(value: Any, module: ModuleType) -> bool:
    """Whether a module defines something itself, and does not only import it."""
    return quietly(lambda: getattr(value, "__module__", None) == module.__name__ and callable(value), False)


def _of_value(name: str, value: Any, module: ModuleType, only: str | None) -> Iterator[Member]:
    if is_a(value, type):
        yield from _of_class(value, module, only)
    else:
        yield from _callable("call", Name(module.__name__, name), value)


def _of_class(cls: type, module: ModuleType, only: str | None = None) -> Iterator[Member]:
    """The constructor of a class, its methods and its attributes, and what is inside classes inside it."""
    name = Name(module.__name__, cls.__qualname__)
    method = (only or "").partition(".")[2]
    if not inspect.isabstract(cls) and not issubclass(cls, Enum):
        yield from _callable("call", name, cls, owner=cls)
    for attribute, value in sorted(vars(cls).items()):
        if is_a(value, type) and value.__qualname__ == f"{cls.__qualname__}.{attribute}":
            yield from _of_class(value, module)
        elif not method or attribute == method:
            yield from _attributes(cls, name, attribute, value)
    if not method:
        for attribute, spec in _assigned(cls).items():
            yield Member("set", name, cls, attribute, specs={VALUE: spec})


def _attributes(cls: type, name: Name, attribute: str, value: Any) -> list[Member]:
    """What an attribute of a class offers; nothing if it does not let itself be looked at."""
    found: list[Member] = []
    return quietly(lambda: list(_of_attribute(cls, name, attribute, value)), found)


def _of_attribute(cls: type, name: Name, attribute: str, value: Any) -> Iterator[Member]:
    if attribute in _NEVER_CALLED:
        return
    if isinstance(value, staticmethod | classmethod):
        yield from _callable("call", Name(name.module, f"{name.qualname}.{attribute}"), getattr(cls, attribute))
    elif isinstance(value, property):
        yield Member("get", name, cls, attribute, code=_code(value.fget))
        if value.fset is not None:
            yield Member("set", name, cls, attribute, code=_code(value.fset))
    elif isinstance(getattr(value, "func", None), FunctionType) and not callable(value):  # such as a cached property
        yield Member("get", name, cls, attribute, code=_code(value.func))
    elif isinstance(value, FunctionType) or (callable(value) and hasattr(type(value), "__get__")):
        yield from _callable("method", name, value, owner=cls, attribute=attribute)


def _callable(
    operation: Operation, name: Name, value: Callable[..., Any], owner: type | None = None, attribute: str = ""
) -> Iterator[Member]:
    """The member that calls something, if it has a signature."""
    try:
        parameters = list(resolved_signature(value).parameters.values())
        own = parameters[1:] if operation == "method" else parameters
        found = described(value, own)
    except Exception:  # whatever a signature, or a hint of it, does when it is looked at
        return
    is_manager = _is_context_manager(value)
    yield Member(operation, name, owner, attribute, tuple(own), found.specs, found.trusted, _code(value), is_manager)


def constructor_of(cls: type, name: Name) -> Member | None:
    """The member that makes an instance of a class, be it abstract."""
    return next(_callable("call", name, cls, owner=cls), None)


def _is_context_manager(value: Any) -> bool:
    code = getattr(value, "__code__", None)
    is_made = getattr(code, "co_filename", None) == contextmanager.__code__.co_filename
    return is_made and inspect.isgeneratorfunction(getattr(value, "__wrapped__", None))


def _code(value: Any) -> CodeType | None:
    function = underlying(value) if not isinstance(value, type) else _constructor(value)
    code = getattr(function, "__code__", None)
    return code if isinstance(code, CodeType) else None


def _constructor(cls: type) -> Any:
    own = [vars(base).get(name) for base in cls.__mro__ for name in ("__init__", "__new__")]
    return next((function for function in own if isinstance(function, FunctionType)), None)


def _assigned(cls: type) -> dict[str, Spec]:
    """The public attributes that methods assign, and plain ones of the class that they read, with what they hold."""
    try:
        tree = _classes_of(inspect.getfile(cls)).get(cls.__qualname__)
        named = [item for item in resolved_signature(cls).parameters.values() if item.kind not in VARIADIC]
        given = described(cls, named).specs
    except (OSError, TypeError, SyntaxError, ValueError):
        return {}
    if tree is None:
        return {}
    found: dict[str, Spec] = {}
    for node in ast.walk(tree):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            if isinstance(target, ast.Attribute) and _is_self(target.value) and not target.attr.startswith("_"):
                found.setdefault(target.attr, _held(getattr(node, "value", None), given))
    known = {name: value for base in reversed(cls.__mro__) for name, value in vars(base).items()}
    options = {name: spec for name in _read(tree) if (spec := _option(known.get(name))) is not None}
    return {name: spec for name, spec in sorted({**options, **found}.items()) if name in options or name not in known}


def _read(tree: ast.ClassDef) -> set[str]:
    """The public attributes of ``self`` that methods of a class read."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and _is_self(node.value)]
    return {node.attr for node in nodes if isinstance(node.ctx, ast.Load) and not node.attr.startswith("_")}


def _option(value: Any) -> Spec | None:
    """What an attribute of a class may hold whose value there is plain: it is a default that objects may change."""
    return spec_of(value) if type(value) in (bool, int, float, str, bytes) else None


@lru_cache(maxsize=256)
def _classes_of(file: str) -> dict[str, ast.ClassDef]:
    """The classes that a file defines by their qualified names; ``inspect`` would parse it again for each of them."""
    found: dict[str, ast.ClassDef] = {}

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            inner = prefix
            if isinstance(child, ast.ClassDef):
                found[prefix + child.name] = child
                inner = f"{prefix}{child.name}."
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                inner = f"{prefix}{child.name}.<locals>."
            if not isinstance(child, ast.expr):
                visit(child, inner)

    visit(ast.parse(Path(file).read_bytes()), "")
    return found


def _held(value: ast.expr | None, given: Mapping[str, Spec]) -> Spec:
    """What an attribute holds that is assigned a parameter of the constructor, or a literal."""
    if isinstance(value, ast.Name):
        return given.get(value.id, ANYTHING)
    try:
        example = ast.literal_eval(value) if value is not None else None
    except (ValueError, TypeError, SyntaxError):
        return ANYTHING
    return ANYTHING if example is None else spec_of(example) or ANYTHING


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"
