"""Targets: from ``package.module:function`` or ``file.py:function`` to something that can be called.

Importing runs the user's code, so whatever goes wrong there is reported in one line that says where.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.machinery import PathFinder, SourceFileLoader
from inspect import Parameter, Signature
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from pessimal.errors import TargetError
from pessimal.expr import Leaf
from pessimal.importing import MakeLoader, describe, import_file, import_longest, import_name, same_file
from pessimal.inputs.binding import Inputs
from pessimal.inputs.codec import safe_repr
from pessimal.inputs.method import MethodCall
from pessimal.inputs.signatures import resolved_signature, underlying
from pessimal.registry import FRONT_ENDS

PYTHON, BINARY = "python", "binary"
_FILE = re.compile(r"(?P<file>.*?\.py)(?:::?(?P<qualname>.*))?\Z", re.DOTALL)
_OTHER_FILE = re.compile(r"(?P<file>(?:.*/)?[^/:]+?\.(?P<kind>\w+)):(?P<qualname>[^:]+)\Z", re.DOTALL)
_LIBRARY = re.compile(r"\.so(\.\d+)*\Z")
_NAMES_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Reference:
    """Where a target is: a file or a module, and a qualified name inside it.

    The qualified name is empty where a dotted name does not say which of its parts is the module.
    """

    file: str | None
    module: str | None
    qualname: str

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Read ``package.module:function``, ``package.module.function``, ``file.py::Class::method``."""
        text = text.strip()
        in_file = _FILE.match(text)
        if in_file:
            return cls(in_file["file"], None, _qualname(in_file["qualname"] or "", text))
        other = _OTHER_FILE.match(text)
        if other and other["kind"] in FRONT_ENDS.names():
            return cls(other["file"], None, other["qualname"])
        module, colon, qualname = text.partition(":")
        if _LIBRARY.search(module) or ("/" in module and Path(module).is_file()):
            return cls(module, None, qualname)
        if not _is_dotted(module):
            raise TargetError(f"{text!r} is not a target: write package.module:function or file.py:function")
        if colon:
            return cls(None, module, _qualname(qualname.removeprefix(":"), text))
        if "." not in module:
            raise TargetError(f"{text!r} does not name a function: write {module}:function or {module}.py:function")
        return cls(None, module, "")

    @property
    def kind(self) -> str:
        """What kind of target it is, which chooses its front-end: ``python``, the suffix of its file, or ``binary``."""
        suffix = Path(self.file or "").suffix
        if self.file is None or suffix == ".py":
            return PYTHON
        kind = suffix.removeprefix(".")
        return kind if kind in FRONT_ENDS.names() else BINARY

    @classmethod
    def of(cls, call: Callable[..., Any]) -> Reference | None:
        """The reference that leads another process to the same callable; None for what only exists here."""
        qualname = getattr(call, "__qualname__", None)
        module = sys.modules.get(getattr(call, "__module__", None) or "")
        if not isinstance(qualname, str) or module is None or not _leads_to(module, qualname, call):
            return None
        file = getattr(module, "__file__", None)
        if _is_importable(module, file):
            return cls(None, module.__name__, qualname)
        return cls(str(Path(file).resolve()), None, qualname) if file and Path(file).is_file() else None

    def __str__(self) -> str:
        return f"{self.file or self.module}:{self.qualname}" if self.qualname else str(self.file or self.module)


def _qualname(text: str, whole: str) -> str:
    qualname = text.replace("::", ".")
    if not qualname:
        raise TargetError(f"{whole!r} does not name a function: write {whole.rstrip(':')}:function")
    if not _is_dotted(qualname):
        raise TargetError(f"{text!r} in {whole!r} is not a valid name: write file.py:function or file.py:Class.method")
    return qualname


def _is_dotted(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))


def _leads_to(module: ModuleType, qualname: str, call: Callable[..., Any]) -> bool:
    found: Any = module
    for name in qualname.split("."):
        found = getattr(found, name, None)
    return found is call or (inspect.ismethod(call) and bool(found == call))


def _is_importable(module: ModuleType, file: str | None) -> bool:
    """Whether a fresh process that imports the module's name gets this very module."""
    name = module.__name__
    if name == "__main__" or file is None:
        return name in sys.builtin_module_names
    parent = sys.modules.get(name.rpartition(".")[0])
    spec = PathFinder.find_spec(name, getattr(parent, "__path__", None))
    return spec is not None and spec.origin is not None and same_file(spec.origin, file)


@dataclass(frozen=True)
class Target:
    """What is under test: a callable, its name for people, and where it comes from."""

    call: Callable[..., Any]
    name: str
    file: str | None
    module: str
    qualname: str
    signature: Signature

    @classmethod
    def of(cls, call: Callable[..., Any], name: str | None = None) -> Target:
        """A target from a callable that is at hand."""
        qualname = str(getattr(call, "__qualname__", type(call).__qualname__))
        name = name or qualname
        return cls(
            call=call,
            name=name,
            file=_source_file(call),
            module=str(getattr(call, "__module__", None) or type(call).__module__),
            qualname=qualname,
            signature=_signature(call, name),
        )

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters that inputs are specified for."""
        return tuple(self.signature.parameters.values())

    def describe_call(self, inputs: Inputs, leaves: Sequence[Leaf]) -> str:
        """The call as Python text that can be pasted; for a method the instance is built in it."""
        if isinstance(self.call, MethodCall):
            return self.call.describe(inputs.described(leaves))
        return inputs.describe_call(self.qualname, leaves)


def load(reference: Reference | str, loader: MakeLoader = SourceFileLoader) -> Target:
    """Import a target in this process with the ordinary import system; raises nothing but TargetError.

    ``loader`` makes what loads a file that cannot be imported under its own name.
    """
    if isinstance(reference, str):
        reference = Reference.parse(reference)
    importlib.invalidate_caches()
    module, qualname = _import(reference, loader)
    name = f"{reference.file or module.__name__}:{qualname}"
    owner, found = _look_up(module, qualname)
    if isinstance(found, ModuleType):
        raise TargetError(f"{name} is a module: write {found.__name__}:function")
    if not callable(found):
        raise TargetError(f"{name} is not callable but {_article(found)}: name a function, method or class")
    call = _method(owner, qualname, found, name)
    return Target(call, name, _source_file(call), module.__name__, qualname, _signature(call, name))


def _article(value: object) -> str:
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _method(owner: Any, qualname: str, found: Any, name: str) -> Callable[..., Any]:
    """What was found, or the call that builds an instance first if it is an instance's method."""
    attribute = qualname.rpartition(".")[2]
    if not isinstance(owner, type) or not _needs_instance(owner, attribute, found):
        return cast("Callable[..., Any]", found)
    if inspect.isabstract(owner):
        missing = ", ".join(sorted(getattr(owner, "__abstractmethods__", ())))
        raise TargetError(f"{name} needs an instance of an abstract class: name a subclass that has {missing}")
    try:
        return MethodCall(owner, attribute)
    except Exception:
        raise _no_signature(name) from None


def _needs_instance(owner: type, attribute: str, found: Any) -> bool:
    static = inspect.getattr_static(owner, attribute, None)
    is_bound = getattr(found, "__self__", None) is not None or isinstance(static, staticmethod | type)
    return hasattr(type(static), "__get__") and not is_bound


def _signature(call: Callable[..., Any], name: str) -> Signature:
    try:
        return resolved_signature(call)
    except Exception:
        raise _no_signature(name) from None


def _no_signature(name: str) -> TargetError:
    return TargetError(
        f"{name} has no signature that can be read: write a Python function with type hints that calls it"
    )


def _source_file(call: Callable[..., Any]) -> str | None:
    subject = getattr(call.cls, call.method) if isinstance(call, MethodCall) else call
    try:
        file = inspect.getsourcefile(underlying(subject))
    except (TypeError, OSError):
        return None
    return str(Path(file).absolute()) if file else None


def _look_up(module: ModuleType, qualname: str) -> tuple[Any, Any]:
    """The object that a qualified name means in a module, and its owner."""
    owner: Any = None
    found: Any = module
    for name in qualname.split("."):
        owner = found
        try:
            found = getattr(owner, name)
        except AttributeError:
            raise _missing(owner, name) from None
        except Exception as error:
            raise TargetError(
                f"reading {name} of {_shown(owner)} raises {describe(error)}: correct that first"
            ) from None
    return owner, found


def _shown(owner: Any) -> str:
    return str(getattr(owner, "__file__", None) or getattr(owner, "__qualname__", None) or safe_repr(owner, 80))


def _missing(owner: Any, name: str) -> TargetError:
    names = _callables(owner)
    close = get_close_matches(name, names, n=3)
    if close:
        cure = f"did you mean {' or '.join(close)}?"
    else:
        cure = f"choose one of {', '.join(names[:_NAMES_SHOWN])}" if names else "it defines nothing to call"
    return TargetError(f"{_shown(owner)} has no {name!r}: {cure}")


def _callables(owner: Any) -> list[str]:
    """The public names in a module or class that can be called, those that it defines itself first."""
    held = {name: value for name, value in getattr(owner, "__dict__", {}).items() if not name.startswith("_")}
    home = owner.__name__ if isinstance(owner, ModuleType) else getattr(owner, "__module__", None)
    names = [name for name in held if callable(getattr(owner, name, None))]
    return sorted(names, key=lambda name: getattr(held[name], "__module__", None) != home)


def _import(reference: Reference, loader: MakeLoader) -> tuple[ModuleType, str]:
    """The module of a reference, and the qualified name to look up in it."""
    if reference.file is not None:
        return import_file(reference.file, loader), reference.qualname
    if reference.qualname:
        return import_name(str(reference.module)), reference.qualname
    return import_longest(str(reference.module))
