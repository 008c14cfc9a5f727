"""Inputs for parameters without hints, guessed from stubs, defaults, the code, docstrings and names.

Each source suggests types, and the first one that suggests any is believed; they are asked in the order of trust.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from inspect import Parameter
from types import ModuleType
from typing import Any

from pessimal.inputs import Spec, Union, from_hint
from pessimal.inputs.method import MethodCall
from pessimal.inputs.reading import UnsupportedHintError
from pessimal.inputs.scalars import Const
from pessimal.inputs.signatures import VARIADIC, resolved_signature, underlying
from pessimal.python.inference.prose import from_docstring, from_name
from pessimal.python.inference.stubs import stub_arguments, stub_hints
from pessimal.python.inference.usage import Usage, from_default

NOTHING, STUBS = "nothing", "typeshed"
"""The sources of a parameter of which nothing is known, and of one that a stub describes."""
_MOST = 4
_DEEPEST = 3
"""How many classes deep the inputs of constructors are guessed, one being a parameter of the other."""
_inferring: set[int] = set()
"""The classes whose constructors are being looked at."""


@dataclass(frozen=True, slots=True)
class Guess:
    """The types that a parameter may have, the likeliest first, and what suggested them."""

    hints: tuple[Any, ...]
    source: str


def specs_for(
    function: Callable[..., Any], module: ModuleType | None = None, *, special: bool = False
) -> dict[str, Spec]:
    """Inputs for each parameter of a callable that has no hint; any value where nothing is known."""
    return {name: spec for name, (spec, _) in sourced_specs_for(function, module, special=special).items()}


def sourced_specs_for(
    function: Callable[..., Any], module: ModuleType | None = None, *, special: bool = False
) -> dict[str, tuple[Spec, str]]:
    """Inputs for each parameter of a callable that has no hint, with the source that suggested them."""
    return {name: (_spec(guess, module, special), guess.source) for name, guess in inferred(function, module).items()}


def specs_for_class(
    cls: Callable[..., Any], module: ModuleType | None = None, *, special: bool = False
) -> dict[str, Spec]:
    """Inputs for the constructor of a class that is a guess itself; none for one that leads back to itself."""
    if id(cls) in _inferring or len(_inferring) >= _DEEPEST:
        return {}
    _inferring.add(id(cls))
    try:
        return specs_for(cls, module, special=special)
    finally:
        _inferring.discard(id(cls))


def specs_for_call(call: Callable[..., Any], module: ModuleType | None = None) -> dict[str, Spec]:
    """Inputs for the parameters without hints of a target; those of a method's target are the constructor's too."""
    if not isinstance(call, MethodCall):
        return specs_for(call, module)
    outer = {call.renamed[name]: spec for name, spec in specs_for(call.cls, module).items()}
    return outer | specs_for(getattr(call.cls, call.method), module)


def inferred(function: Callable[..., Any], module: ModuleType | None = None, *, stubs: bool = True) -> dict[str, Guess]:
    """What is guessed of each parameter of a callable that has no hint, on request without the stubs of typeshed.

    A default of None is among the options.
    """
    try:
        parameters = resolved_signature(function).parameters.values()
    except (ValueError, TypeError):
        return _of_stub(function) if stubs and isinstance(function, type) else {}
    is_method = not isinstance(function, type) and "." in getattr(function, "__qualname__", "")
    bare = [item for item in parameters if item.annotation is Parameter.empty and item.kind not in VARIADIC]
    if is_method and bare and bare[0].name in ("self", "cls"):
        bare = bare[1:]
    subject = _Subject(function, module, stubs=stubs)
    return {parameter.name: subject.guess(parameter) for parameter in bare}


def _of_stub(cls: type) -> dict[str, Guess]:
    """What the constructor of a class needs that is written in C."""
    hints = stub_hints(cls)
    needed = stub_arguments(cls)
    return {name: Guess((hints[name],), STUBS) for name in needed} if all(name in hints for name in needed) else {}


def element_hint(function: Callable[..., Any], name: str, module: ModuleType | None = None) -> Any:
    """The type of each argument that a function takes as ``*name``, by stubs, loops or the name; None if unknown."""
    subject = _Subject(function, module)
    usage = subject.usage(name)
    in_loops = None if usage is None or usage.element is int else usage.element
    return subject.stubs.get(name) or in_loops or from_name(name.removesuffix("s"))


def _spec(guess: Guess, module: ModuleType | None, special: bool) -> Spec:
    def infer(cls: Callable[..., Any]) -> Mapping[str, Spec]:
        return specs_for_class(cls, module, special=special)

    specs: list[Spec] = []
    for hint in guess.hints:
        try:
            spec = from_hint(hint, special=special, module=module, infer=infer)
        except (UnsupportedHintError, RecursionError):
            continue
        specs += spec.alternatives if isinstance(spec, Union) else (spec,)
    specs = sorted(dict.fromkeys(specs), key=lambda spec: spec == Const(None)) if _all_hash(specs) else specs
    if not [spec for spec in specs if spec != Const(None)]:
        return from_hint(Any, special=special)
    return specs[0] if len(specs) == 1 else Union(tuple(specs))


def _all_hash(specs: list[Spec]) -> bool:
    try:
        return all(hash(spec) is not None for spec in specs)
    except TypeError:
        return False


class _Subject:
    """A callable whose parameters are guessed; ``depth`` is how many calls of other functions are still followed."""

    def __init__(
        self, function: Callable[..., Any], module: ModuleType | None, depth: int = 1, stubs: bool = True
    ) -> None:
        self._function = function
        self._module = module
        self._depth = depth
        code = underlying(function)
        self._code: Any = inspect.getattr_static(code, "__init__") if isinstance(code, type) else code
        self.stubs = stub_hints(function) if stubs else {}
        self._asks_stubs = stubs
        self._namespace = {**vars(module)} if module else {}
        self._namespace |= getattr(self._code, "__globals__", {})
        self._namespace["self"] = self._owner()  # so that what it calls of its own class is found

    def guess(self, parameter: Parameter) -> Guess:
        """The types of one parameter."""
        weak: Guess | None = None
        for source, hints in self._sources(parameter):
            hints = [hint for hint in hints if hint is not None]
            if not hints:
                continue
            if set(map(_name, hints)) <= {"object", "Any"}:
                weak = Guess(tuple(hints), source)
                continue
            if source == "name" and weak is not None:
                break
            return Guess((*dict.fromkeys(hints[:_MOST]), *self._further(parameter)), source)
        return weak or Guess((Any,), NOTHING)

    def _further(self, parameter: Parameter) -> tuple[Any, ...]:
        return (type(None),) if parameter.default is None else ()

    def _sources(self, parameter: Parameter) -> Iterator[tuple[str, list[Any]]]:
        name, default = parameter.name, parameter.default
        yield STUBS, [self.stubs.get(name)]
        usage = self.usage(name)
        yield "operand", [self._owner()] if name == "other" else []
        if default is not Parameter.empty:
            yield "default", [from_default(default), *(usage.tested if usage and default is not None else ())]
        if usage is not None:
            yield from usage.hints()
            yield "calls", list(self._through_calls(usage))
        yield "docstring", [from_docstring(text, name) for text in self._docstrings()]
        yield "name", [from_name(name)]

    def _owner(self) -> type | None:
        """The class that a method is written in: what its operators are given on the other side."""
        owner = self._namespace.get(getattr(self._code, "__qualname__", "").rpartition(".")[0])
        return owner if isinstance(owner, type) else None

    def _docstrings(self) -> list[str | None]:
        return [getattr(self._function, "__doc__", None), getattr(self._code, "__doc__", None)]

    def usage(self, name: str) -> Usage | None:
        """What the code does with a parameter; None where there is no source."""
        tree = _tree(self._code)
        if tree is None:
            return None
        usage = Usage((name,), self._namespace)
        usage.look(tree)
        kept = set(_kept_as(tree, name)) if isinstance(self._function, type) else set()
        if kept and isinstance(self._function, type):
            methods = Usage(kept, self._namespace)
            for method in _using(self._function, kept):
                body = _tree(underlying(method))
                if body is not None:
                    methods.look(body)
            usage.tested += methods.tested
            usage.computed += methods.computed
            usage.attributes |= methods.attributes
            usage.passed += methods.passed
            usage.element = methods.element if usage.element is int else usage.element
            usage.is_tested_for_truth |= methods.is_tested_for_truth
        return usage

    def _through_calls(self, usage: Usage) -> Iterator[Any]:
        """What the functions of the package want that get the value."""
        package = _package_of(self._code)
        for function, place in usage.passed if self._depth else ():
            if package is None or _package_of(function) != package:
                continue
            try:
                parameters = list(resolved_signature(function).parameters.values())
            except (ValueError, TypeError):
                continue
            found = [p for i, p in enumerate(parameters) if place in (i, p.name) and p.kind not in VARIADIC]
            for parameter in found:
                if parameter.annotation is not Parameter.empty:
                    yield parameter.annotation
                else:
                    guess = _Subject(function, self._module, self._depth - 1, self._asks_stubs).guess(parameter)
                    yield from (hint for hint in guess.hints if guess.source != NOTHING)


def _package_of(function: Any) -> str | None:
    module = getattr(function, "__module__", None)
    return module.partition(".")[0] if isinstance(module, str) else None


def _name(hint: Any) -> str:
    return str(getattr(hint, "__name__", hint))


def _kept_as(tree: ast.AST, name: str) -> Iterator[str]:
    """The attributes of ``self`` that a constructor assigns a parameter to."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id == name:
            yield from (ast.unparse(target) for target in node.targets if isinstance(target, ast.Attribute))


def _using(cls: type, kept: set[str]) -> Iterator[types.FunctionType]:
    """The methods of a class that mention one of some attributes of ``self``."""
    names = {text.rpartition(".")[2] for text in kept}
    for method in vars(cls).values():
        if isinstance(method, types.FunctionType) and not names.isdisjoint(_mentioned(underlying(method))):
            yield method


def _mentioned(function: Any) -> Iterator[str]:
    """The attributes and globals that code mentions, that inside it included."""
    waiting = [getattr(function, "__code__", None)]
    while waiting:
        code = waiting.pop()
        yield from getattr(code, "co_names", ())
        waiting += [item for item in getattr(code, "co_consts", ()) if isinstance(item, types.CodeType)]


@lru_cache(maxsize=1024)
def _tree(code: Any) -> ast.AST | None:
    """The syntax tree of a function; None where its source is not to be had."""
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(code)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
