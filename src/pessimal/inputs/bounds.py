"""Ranges in the metadata of ``Annotated``: ``range(0, 10)``, ``(0, 9)``, objects with ge, gt, le, lt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from pessimal.errors import InputError
from pessimal.inputs.containers import Union
from pessimal.inputs.scalars import Float, Int
from pessimal.inputs.spec import Spec

Limits = Mapping[str, float]
"""Any of ge, gt, le and lt, with finite numbers."""


def bounded(spec: Spec, metadata: Iterable[Any]) -> Spec:
    """The specification narrowed by all metadata that are ranges; other metadata is ignored."""
    for item in metadata:
        limits = _limits(item)
        if limits:
            spec = _narrowed(spec, limits, item)
    return spec


def _limits(item: Any) -> Limits:
    if isinstance(item, range):
        if item.step != 1 or not item:
            raise InputError(f"{item} is not a range of inputs: give a range that is not empty and has step 1")
        return {"ge": item.start, "lt": item.stop}
    if isinstance(item, tuple) and len(item) == 2:
        found = {"ge": item[0], "le": item[1]}
    else:
        found = {name: getattr(item, name, None) for name in ("ge", "gt", "le", "lt")}
    return {name: limit for name, limit in found.items() if _is_finite_number(limit)}


def _is_finite_number(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


def _narrowed(spec: Spec, limits: Limits, item: Any) -> Spec:
    match spec:
        case Int():
            return Int(*_integer_bounds(spec, limits))
        case Float():
            return Float(*_float_bounds(spec, limits))
        case Union():
            parts = spec.alternatives
            if any(isinstance(part, Int | Float) for part in parts):
                return Union(tuple(_narrowed_number(part, limits, item) for part in parts))
    raise InputError(f"the range {item!r} does not fit {spec}: put it on the int or float that it bounds")


def _narrowed_number(spec: Spec, limits: Limits, item: Any) -> Spec:
    return _narrowed(spec, limits, item) if isinstance(spec, Int | Float) else spec


def _integer_bounds(spec: Int, limits: Limits) -> tuple[int | None, int | None]:
    lows = [spec.low] if isinstance(spec.low, int) else []
    highs = [spec.high] if isinstance(spec.high, int) else []
    lows += [math.ceil(limits["ge"])] if "ge" in limits else []
    lows += [math.floor(limits["gt"]) + 1] if "gt" in limits else []
    highs += [math.floor(limits["le"])] if "le" in limits else []
    highs += [math.ceil(limits["lt"]) - 1] if "lt" in limits else []
    return max(lows, default=None), min(highs, default=None)


def _float_bounds(spec: Float, limits: Limits) -> tuple[float | None, float | None]:
    lows = [spec.low] if isinstance(spec.low, int | float) else []
    highs = [spec.high] if isinstance(spec.high, int | float) else []
    lows += [limits["ge"]] if "ge" in limits else []
    lows += [math.nextafter(limits["gt"], math.inf)] if "gt" in limits else []
    highs += [limits["le"]] if "le" in limits else []
    highs += [math.nextafter(limits["lt"], -math.inf)] if "lt" in limits else []
    return max(lows, default=None), min(highs, default=None)
