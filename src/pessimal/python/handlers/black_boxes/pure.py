"""Compiled functions of the standard library that are black boxes from the start.

They are functions of modules, without state or side effects, that look into the values that they are given, so that
without this their arguments would become concrete. Methods are left out, since their objects may have a state.
"""

from __future__ import annotations

import binascii
import cmath
import hmac
import math
import unicodedata
import zlib
from importlib import import_module
from types import ModuleType
from typing import Any

from pessimal.python.handlers.black_boxes.answers import BOOL, FLOAT, INT, TEXT, TUPLE, Shape
from pessimal.python.handlers.black_boxes.box import Box
from pessimal.python.handlers.black_boxes.calls import calling
from pessimal.python.handlers.registry import handles, is_handled, resolve

_OF_ONE_SHAPE: list[tuple[ModuleType, str, Shape]] = [
    (zlib, "crc32 adler32", (INT,)),
    (binascii, "crc32 crc_hqx", (INT,)),
    (math, "ulp nextafter", (FLOAT,)),
    (math, "frexp", (TUPLE, (FLOAT,), (INT,))),
    (cmath, "phase", (FLOAT,)),
    (cmath, "polar", (TUPLE, (FLOAT,), (FLOAT,))),
    (cmath, "isclose isfinite isinf isnan", (BOOL,)),
    (unicodedata, "combining mirrored", (INT,)),
    (unicodedata, "category", (TEXT, 2)),
    (unicodedata, "is_normalized", (BOOL,)),
]
"""Functions whose results have one shape, whatever numbers or text they get, unless they get the wrong kind."""

_OF_SEVERAL: list[tuple[ModuleType, str]] = [
    (math, "ldexp"),
    (zlib, "compress decompress"),
    (hmac, "digest"),
    (binascii, "a2b_qp a2b_uu b2a_base64 b2a_qp b2a_uu"),
    (unicodedata, "bidirectional decimal decomposition digit east_asian_width lookup name normalize numeric"),
    (import_module("_statistics"), "_normal_dist_inv_cdf"),
]
"""Functions that may raise, or whose results have several types or lengths."""


def _register(module: ModuleType, name: str, always: Shape | None) -> None:
    """Handle a function as a black box, unless it has a symbolic meaning or this version of Python lacks it."""
    function: Any = getattr(module, name, None)
    if function is not None and not is_handled(function):
        box = Box(f"{module.__name__}.{name}", function, always=always, trusted=True)
        handles(function)(calling(box, resolve(function)))


for _module, _names, _shape in _OF_ONE_SHAPE:
    for _name in _names.split():
        _register(_module, _name, _shape)
for _module, _names in _OF_SEVERAL:
    for _name in _names.split():
        _register(_module, _name, None)
