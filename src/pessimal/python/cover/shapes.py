"""What the source shows of the data that it works on: the keys that it looks for, records that it spells out, the
classes that it tests for, and what it makes the names of attributes of."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

from pessimal.inputs import Spec
from pessimal.inputs.looking import is_a, quietly
from pessimal.python.cover.parameters import ANYTHING, described_hint

MOST_KEYS, MOST_RECORDS, MOST_KINDS, MOST_GROUPS = 100, 50, 24, 12
LONGEST_KEY = 40
_LOOK_UPS = ("get", "pop", "setdefault")
_TESTS = ("isinstance", "issubclass")


def keys_in(trees: Iterable[ast.AST]) -> list[str]:
    """The texts that are looked up: ``x["key"]``, ``x.get("key")``, ``"key" in x``, and keys of dict displays."""
    found: dict[str, None] = {}
    for tree in trees:
        for node in ast.walk(tree):
            found |= {text: None for text in map(_text, _looked_up(node)) if text is not None}
    return list(found)[:MOST_KEYS]


def _looked_up(node: ast.AST) -> Sequence[ast.expr | None]:
    if isinstance(node, ast.Subscript):
        return [node.slice]
    if isinstance(node, ast.Dict):
        return node.keys
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
        return [node.left]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _LOOK_UPS:
        return node.args[:1]
    return ()


def groups_in(trees: Iterable[ast.AST]) -> list[str]:
    """The names of groups that matches are asked for by ``match.group("name")``."""
    found: dict[str, None] = {}
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "group":
            found |= {text: None for text in map(_text, node.args) if text is not None and text.isidentifier()}
    return list(found)[:MOST_GROUPS]


def records_in(trees: Iterable[ast.AST]) -> list[dict[str, Any]]:
    """The dict displays whose keys are texts, with their values as far as these are literals, and None for others."""
    found: list[dict[str, Any]] = []
    for node in (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Dict)):
        keys = [_text(key) for key in node.keys]
        record = {key: _literal(value) for key, value in zip(keys, node.values, strict=True) if key is not None}
        if 0 < len(record) == len(keys) and record not in found:
            found.append(record)
    return found[:MOST_RECORDS]


def kinds_in(tree: ast.AST, namespace: Mapping[str, Any], module: str) -> list[Spec]:
    """What may be given where the code tells classes apart: instances of those that it names in ``isinstance``."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and len(node.args) == 2]
    tested = [call.args[1] for call in calls if isinstance(call.func, ast.Name) and call.func.id in _TESTS]
    classes = dict.fromkeys(kind for node in tested for kind in _classes(node, namespace))
    specs = [described_hint(kind, module) for kind in list(classes)[:MOST_KINDS]]
    return [spec for spec in specs if spec is not ANYTHING]


def _classes(node: ast.expr, namespace: Mapping[str, Any]) -> Iterator[type]:
    """The classes that an expression names, be it alone, in a tuple or between ``|``."""
    if isinstance(node, ast.Tuple):
        yield from (kind for item in node.elts for kind in _classes(item, namespace))
    elif isinstance(node, ast.BinOp):
        yield from (kind for item in (node.left, node.right) for kind in _classes(item, namespace))
    else:
        value = _named(node, namespace)
        yield from (item for item in (value if type(value) is tuple else (value,)) if is_a(item, type))


def _named(node: ast.expr, namespace: Mapping[str, Any]) -> Any:
    """What a name or an attribute of a module or a class means; None for anything else."""
    if isinstance(node, ast.Name):
        return namespace.get(node.id, getattr(builtins, node.id, None))
    if not isinstance(node, ast.Attribute):
        return None
    owner = _named(node.value, namespace)
    return quietly(lambda: getattr(owner, node.attr, None), None) if isinstance(owner, ModuleType | type) else None


def name_parts(texts: Iterable[str], attributes: Iterable[str]) -> list[str]:
    """What stands behind a text of the code in the name of an attribute: ``b`` if it says ``getattr(x, f"do_{y}")``."""
    starts = tuple(text for text in texts if len(text) > 1 and text.endswith("_") and text.isidentifier())
    names = [name for name in attributes if name.startswith(starts)] if starts else []
    parts = [name.removeprefix(start) for name in names for start in starts if name.startswith(start)]
    parts += [part.rpartition("_")[0] for part in parts if "_" in part]
    return list(dict.fromkeys(part for part in parts if part))[:MOST_KEYS]


def _text(node: ast.expr | None) -> str | None:
    value = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) and 0 < len(value) <= LONGEST_KEY else None


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
