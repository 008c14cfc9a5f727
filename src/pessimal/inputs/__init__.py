"""The specification of a target's inputs, from type hints or explicit: ``List(Int(0, 9), "N")``."""

from pessimal.inputs.binding import Inputs
from pessimal.inputs.built import Function, Record
from pessimal.inputs.codec import Opaque, from_json, safe_repr, to_json
from pessimal.inputs.containers import Dict, List, Repeated, Set, Tuple, Union
from pessimal.inputs.domain import Domain
from pessimal.inputs.encode import encode
from pessimal.inputs.hints import from_hint
from pessimal.inputs.maker import Maker, Native
from pessimal.inputs.render import render, render_call
from pessimal.inputs.scalars import Bool, Bytes, Choice, Const, Float, Int, Str
from pessimal.inputs.signatures import arrange
from pessimal.inputs.spec import Allocator, Decoder, Spec
from pessimal.inputs.text import parse, parse_inputs

__all__ = [
    "Allocator",
    "Bool",
    "Bytes",
    "Choice",
    "Const",
    "Decoder",
    "Dict",
    "Domain",
    "Float",
    "Function",
    "Inputs",
    "Int",
    "List",
    "Maker",
    "Native",
    "Opaque",
    "Record",
    "Repeated",
    "Set",
    "Spec",
    "Str",
    "Tuple",
    "Union",
    "arrange",
    "encode",
    "from_hint",
    "from_json",
    "parse",
    "parse_inputs",
    "render",
    "render_call",
    "safe_repr",
    "to_json",
]
