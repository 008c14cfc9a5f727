"""The inputs of one target at one size: every parameter has its specification, every leaf its position."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import Parameter, Signature
from typing import Any

from pessimal.errors import InputError
from pessimal.expr import Leaf
from pessimal.inputs.describing import Describing
from pessimal.inputs.hints import UnsupportedHintError, from_hint
from pessimal.inputs.maker import Maker, Native
from pessimal.inputs.reading import Infer
from pessimal.inputs.render import render_call
from pessimal.inputs.scalars import Float, Int
from pessimal.inputs.signatures import VARIADIC, arrange, resolved_signature
from pessimal.inputs.sized_numbers import ranges_at, sized
from pessimal.inputs.spec import Allocator, Decoder, Spec
from pessimal.inputs.text import parse


class Inputs:
    """Decodes a flat vector of leaves into the arguments of a call, alike for solver, search and replay."""

    def __init__(
        self,
        parameters: Iterable[Parameter],
        specs: Mapping[str, Spec],
        size: int,
        growing: bool = False,
        assumed: Mapping[str, str] | None = None,
        inferred: Mapping[str, str] | None = None,
    ) -> None:
        _check_size(size)
        allocator = Allocator(size, growing)
        self.parameters = tuple(parameters)
        self.specs = dict(specs)
        self.size = size
        self.growing = growing
        self.assumed = dict(assumed or {})
        self.inferred = dict(inferred or {})
        self._decoders: dict[str, Decoder] = {name: spec.allocate(allocator, name) for name, spec in self.specs.items()}
        self._all_by_position = _all_by_position(self.parameters, self.specs)
        self.domains = allocator.domains
        self.uses_size = allocator.uses_size
        self._has_special = any(domain.special for domain in self.domains)

    def __reduce__(self) -> tuple[object, ...]:
        return Inputs, (self.parameters, self.specs, self.size, self.growing, self.assumed, self.inferred)

    @classmethod
    def of(
        cls,
        target: Callable[..., Any] | Signature,
        size: int,
        given: Mapping[str, Spec | str] | None = None,
        *,
        name: str | None = None,
        growing: bool = False,
        sized_numbers: bool = False,
        infer: Infer | None = None,
        call: Callable[..., Any] | None = None,
    ) -> Inputs:
        """The inputs of a callable or signature: as given where given, else as its hints say.

        A growing input has lengths up to the size instead of just that. With ``sized_numbers`` a number without a range
        lies between minus the size and the size; ``assumed`` has these ranges. A parameter with a default is left out
        of the call when it has no hint, or none that inputs can be made from. ``infer`` guesses the others of this kind
        from the code of ``call``, or of the target itself, and ``inferred`` has what it said.
        """
        name = name or str(getattr(target, "__name__", "the target"))
        signature = target if isinstance(target, Signature) else _signature(target, name)
        parameters = list(signature.parameters.values())
        explicit = _explicit(given or {}, parameters, name)
        specs: dict[str, Spec] = {}
        assumed: dict[str, Int | Float] = {}
        guesses = _Guesses(infer, target if call is None else call)
        for parameter in parameters:
            spec = explicit.get(parameter.name) or _from_parameter(parameter, name, guesses)
            if spec is not None:
                specs[parameter.name] = sized(spec, parameter.name, assumed) if sized_numbers else spec
        bare = [parameter.replace(annotation=Parameter.empty) for parameter in parameters]
        return cls(bare, specs, size, growing, ranges_at(size, assumed), guesses.used)

    def decode(self, maker: Maker) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Positional and keyword arguments for one call, in fresh containers."""
        if self._all_by_position:
            return tuple([decode(maker) for decode in self._decoders.values()]), {}
        return self.arrange(self.values(maker))

    def values(self, maker: Maker) -> dict[str, Any]:
        """The value of every parameter that is not left out, in fresh containers."""
        return {name: decode(maker) for name, decode in self._decoders.items()}

    def arrange(self, values: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Positional and keyword arguments that hand the values to their parameters."""
        return arrange(self.parameters, values)

    def initial(self) -> list[Leaf]:
        """The leaves that search starts from."""
        return [domain.initial for domain in self.domains]

    def sample(self, rng: random.Random) -> list[Leaf]:
        """Random leaves."""
        return [domain.sample(rng) for domain in self.domains]

    def finite(self, leaves: Sequence[Leaf]) -> Sequence[Leaf]:
        """The leaves with those infinities and NaNs replaced that a symbolic run cannot start from."""
        if not self._has_special:
            return leaves
        return [domain.finite(leaf) for domain, leaf in zip(self.domains, leaves, strict=True)]

    def arguments(self, leaves: Sequence[Leaf]) -> dict[str, Any]:
        """The native value of every parameter that is not left out."""
        return self.values(Native(leaves))

    def described(self, leaves: Sequence[Leaf]) -> dict[str, Any]:
        """The values as :meth:`arguments` has them, but with records as constructor calls to write down."""
        return self.values(Describing(leaves))

    def describe_call(self, name: str, leaves: Sequence[Leaf]) -> str:
        """The call as Python text that can be pasted, such as ``f([3, 2, 1], k=3)``."""
        return render_call(name, *self.arrange(self.described(leaves)))


def _all_by_position(parameters: Sequence[Parameter], specs: Mapping[str, Spec]) -> bool:
    """Whether a call needs nothing but the values in order, as most do."""
    first = parameters[: len(specs)]
    kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return [item.name for item in first] == list(specs) and all(item.kind in kinds for item in first)


def _check_size(size: object) -> None:
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
        raise InputError(f"the size {size!r} is not a whole number of elements: give an int such as 10")


def _signature(target: Callable[..., Any], name: str) -> Signature:
    try:
        return resolved_signature(target)
    except (ValueError, TypeError):
        raise InputError(
            f"{name} has no signature that can be read: wrap it in a Python function with type hints"
        ) from None


def _explicit(given: Mapping[str, Spec | str], parameters: Sequence[Parameter], owner: str) -> dict[str, Spec]:
    names = [parameter.name for parameter in parameters]
    for name in given:
        if name not in names:
            known = f"its parameters are {', '.join(names)}" if names else "it takes none"
            raise InputError(f"{owner} has no parameter {name!r}: {known}")
    return {name: _spec(name, spec) for name, spec in given.items()}


def _spec(name: str, spec: object) -> Spec:
    if isinstance(spec, Spec):
        return spec
    if isinstance(spec, str):
        return parse(spec)
    raise InputError(f"{spec!r} given for {name!r} is not a specification: give List(Int(0, 9), 'N') or 'list[int]:N'")


class _Guesses:
    """What is guessed of parameters without hints, asked for when the first one needs it."""

    def __init__(self, infer: Infer | None, call: Any) -> None:
        self.infer = infer
        self.module = sys.modules.get(getattr(call, "__module__", None) or "")
        self._call = call
        self._known: Mapping[str, Spec] | None = None
        self.used: dict[str, str] = {}

    def of(self, parameter: str) -> Spec | None:
        """The guess for a parameter."""
        if self._known is None:
            self._known = {} if self.infer is None else self.infer(self._call)
        spec = self._known.get(parameter)
        if spec is not None:
            self.used[parameter] = str(spec)
        return spec


def _from_parameter(parameter: Parameter, owner: str, guesses: _Guesses) -> Spec | None:
    """The specification that a parameter's hint means; None if the parameter is left out of the call."""
    optional = parameter.default is not Parameter.empty or parameter.kind in VARIADIC
    if parameter.kind in VARIADIC or (optional and parameter.annotation is Parameter.empty):
        return None
    what = f"parameter {parameter.name!r} of {owner}"
    if parameter.annotation is Parameter.empty:
        guess = guesses.of(parameter.name)
        if guess is None:
            raise InputError(f"{what} has no type hint: annotate it or add --input '{parameter.name}=list[int]:N'")
        return guess
    try:
        return from_hint(parameter.annotation, module=guesses.module, infer=guesses.infer)
    except UnsupportedHintError as error:
        guess = None if optional else guesses.of(parameter.name)
        if optional or guess is not None:
            return guess
        raise InputError(f"{what}: {error}: add --input '{parameter.name}=list[int]:N' or the like") from None
    except InputError as error:
        raise InputError(f"{what}: {error}") from None
