"""The range of a number that was given none: from -N to N, so that every target has a finite question at each size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pessimal.inputs.built import Record
from pessimal.inputs.containers import Tuple, Union
from pessimal.inputs.extent import SIZE_NAME
from pessimal.inputs.scalars import Float, Int
from pessimal.inputs.spec import Spec

_LOW, _HIGH = f"-{SIZE_NAME}", SIZE_NAME


def sized(spec: Spec, name: str, assumed: dict[str, Int | Float]) -> Spec:
    """The specification with a range for each number that has none, which is added to ``assumed`` by its name.

    The parts of tuples and records are taken for parameters. The elements of lists, dicts and sets, of which there are
    more at a larger size, stay as they are.
    """
    match spec:
        case Int(None, None):
            assumed[name] = Int(_LOW, _HIGH)
            return assumed[name]
        case Float(None, None):
            assumed[name] = Float(_LOW, _HIGH)
            return assumed[name]
        case Union():
            return Union(tuple(sized(part, name, assumed) for part in spec.alternatives))
        case Tuple():
            return Tuple(tuple(sized(part, f"{name}[{i}]", assumed) for i, part in enumerate(spec.elements)))
        case Record():
            fields = {field: sized(part, f"{name}.{field}", assumed) for field, part in spec.fields.items()}
            args = tuple(sized(part, f"{name}[{i}]", assumed) for i, part in enumerate(spec.args))
            return replace(spec, fields=fields, args=args)
    return spec


def ranges_at(size: int, assumed: Mapping[str, Int | Float]) -> dict[str, str]:
    """The assumed ranges at a size, as ``--input`` has them: ``{"n": "int:-10..10"}``."""
    return {name: str(replace(spec, low=-size, high=size)) for name, spec in assumed.items()}
