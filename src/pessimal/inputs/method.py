"""A method as a function of plain inputs: the instance is one of its inputs, built by its constructor."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter, Signature
from typing import Any

from pessimal.inputs.render import render_call
from pessimal.inputs.signatures import VARIADIC, arrange, resolved_signature

Arguments = tuple[tuple[Any, ...], dict[str, Any]]


class MethodCall:
    """Builds an instance, then calls its method; takes the parameters of both, all by keyword.

    A constructor's parameter keeps its name, with ``self_`` in front where the method has one of that name.
    Raises ValueError or TypeError where the class or the method has no signature that can be read.
    """

    def __init__(self, cls: type, method: str) -> None:
        self.cls = cls
        self.method = method
        _, *own = resolved_signature(getattr(cls, method)).parameters.values()
        self._own = own
        self._constructor = list(resolved_signature(cls).parameters.values())
        taken = {parameter.name for parameter in own}
        self.renamed = {p.name: f"self_{p.name}" if p.name in taken else p.name for p in self._constructor}
        outer = [parameter.replace(name=self.renamed[parameter.name]) for parameter in self._constructor]
        self.__signature__ = Signature([_by_keyword(parameter) for parameter in (*outer, *own)])
        self.__module__ = cls.__module__
        self.__name__ = method
        self.__qualname__ = f"{cls.__qualname__}.{method}"

    def __call__(self, **values: Any) -> Any:
        """What the method returns on a new instance."""
        (args, kwargs), (own_args, own_kwargs) = self._split(values)
        return getattr(self.cls(*args, **kwargs), self.method)(*own_args, **own_kwargs)

    def describe(self, values: Mapping[str, Any]) -> str:
        """The text ``Class(...).method(...)``."""
        constructor, own = self._split(values)
        return render_call(f"{render_call(self.cls.__qualname__, *constructor)}.{self.method}", *own)

    def _split(self, values: Mapping[str, Any]) -> tuple[Arguments, Arguments]:
        inner = {name: values[given] for name, given in self.renamed.items() if given in values}
        return arrange(self._constructor, inner), arrange(self._own, values)


def _by_keyword(parameter: Parameter) -> Parameter:
    """The parameter as one that is handed over by name; ``*args`` becomes an optional list of that name."""
    if parameter.kind in VARIADIC:
        return Parameter(parameter.name, Parameter.KEYWORD_ONLY, default=())
    return parameter.replace(kind=Parameter.KEYWORD_ONLY)
