"""Which local names of a function hold nothing but ints, read off its source: what is proved of them needs no run."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

Function = ast.FunctionDef | ast.AsyncFunctionDef

_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift)
_MAKERS = frozenset(("len", "ord", "int", "hash", "id"))
"""Built-in functions that return ints."""
_CHANGING = frozenset(("update", "setdefault", "pop", "popitem", "clear", "__setitem__", "__ior__"))


class Ints:
    """The int-valued names of a module: its constants, and dicts of which all values are ints."""

    def __init__(self, tree: ast.Module) -> None:
        self._shadowed = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and _is_stored(node)}
        self._shadowed |= {node.name for node in ast.walk(tree) if isinstance(node, Function | ast.ClassDef)}
        self._returned = {node.name: node.returns for node in tree.body if isinstance(node, ast.FunctionDef)}
        bound = [(name, value) for node in tree.body for name, value in bindings(node)]
        counts = Counter(name for name, _ in _all_bindings(tree))
        self._returned = {name: hint for name, hint in self._returned.items() if counts[name] == 1}
        once = {name: value for name, value in bound if counts[name] == 1 and value is not None}
        self.constants: set[str] = set()
        self.tables: set[str] = set()
        self.constants |= {name for name, value in once.items() if self.is_int(value, self.constants)}
        touched = set(_changed(tree))
        self.tables |= {name for name, value in once.items() if name not in touched and self._is_table(value)}

    def _is_table(self, value: ast.expr) -> bool:
        if not isinstance(value, ast.Dict):
            return False
        return all(key is not None for key in value.keys) and all(self.is_int(item, set()) for item in value.values)

    def of(self, function: Function) -> frozenset[str]:
        """The names that hold nothing but ints in a function; parameters do if their hint says so."""
        hinted, others = hinted_parameters(function, "int")
        bound = list(_all_bindings(function))
        declared = [node for node in ast.walk(function) if isinstance(node, ast.Global | ast.Nonlocal)]
        free = {name for node in declared for name in node.names}
        names = ({name for name, _ in bound} | hinted) - others - free
        constants = self.constants - others
        while True:  # all are taken to be ints until one is given something else
            known = names | constants
            wrong = {name for name, value in bound if value is None or not self.is_int(value, known)}
            if not names & wrong:
                return frozenset(known)
            names -= wrong

    def is_int(self, value: ast.expr, names: set[str]) -> bool:
        """Whether an expression has an int for its value, given the names that have."""
        match value:
            case ast.Constant():
                return type(value.value) is int
            case ast.Name():
                return value.id in names
            case ast.BinOp():
                both = self.is_int(value.left, names) and self.is_int(value.right, names)
                return both and isinstance(value.op, _ARITHMETIC)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert()):
                return self.is_int(value.operand, names)
            case ast.IfExp():
                return self.is_int(value.body, names) and self.is_int(value.orelse, names)
            case ast.Subscript(value=ast.Name(id=table)):
                return table in self.tables
            case ast.Call(func=ast.Name(id=function)):
                return function in _MAKERS - self._shadowed or _is_name(self._returned.get(function), "int")
            case ast.Subscript(value=ast.Call(func=ast.Name(id=function)), slice=ast.Constant(value=int(place))):
                return _is_name(_member(self._returned.get(function), place), "int")
        return False


def constant_names(function: Function) -> dict[str, list[str | int]]:
    """The local names of a function that hold nothing but texts or ints that it spells out, with these."""
    parameters = {item.arg for item in ast.walk(function.args) if isinstance(item, ast.arg)}
    declared = {name for node in ast.walk(function) for name in getattr(node, "names", ()) if isinstance(name, str)}
    found: dict[str, list[str | int]] = {}
    others: set[str] = parameters | declared
    for node in ast.walk(function):
        is_loop = isinstance(node, ast.For | ast.AsyncFor | ast.comprehension)  # one number stands for many there
        for name, value in bindings(node):
            constant = getattr(value, "value", None) if isinstance(value, ast.Constant) and not is_loop else None
            if isinstance(constant, str | int) and type(constant) is not bool:
                found.setdefault(name, []).append(constant)
            else:
                others.add(name)
    return {name: values for name, values in found.items() if name not in others}


def _member(hint: ast.expr | None, place: int) -> ast.expr | None:
    """What the hint of a tuple says of one of its members."""
    match hint:
        case ast.Subscript(value=ast.Name(id="tuple" | "Tuple"), slice=ast.Tuple(elts=members)):
            return members[place] if place < len(members) else None
    return None


def hinted_parameters(function: Function, hint: str) -> tuple[set[str], set[str]]:
    """The parameters that hints say to be of a type, and all others; one with the default None may be that, too."""
    arguments = function.args
    by_place = [*arguments.posonlyargs, *arguments.args]
    parameters = [*by_place, *arguments.kwonlyargs]
    pairs = [*zip(reversed(by_place), reversed(arguments.defaults), strict=False)]
    pairs += [(item, value) for item, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if value]
    optional = {item.arg for item, value in pairs if isinstance(value, ast.Constant) and value.value is None}
    hinted = {item.arg for item in parameters if _is_name(item.annotation, hint)} - optional
    others = {item.arg for item in (*parameters, arguments.vararg, arguments.kwarg) if item is not None} - hinted
    return hinted, others


@lru_cache(maxsize=10_000)
def assigned(node: ast.AST) -> frozenset[str]:
    """The names that anything inside a node binds."""
    return frozenset(name for name, _ in _all_bindings(node))


def _all_bindings(tree: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    for node in ast.walk(tree):
        yield from bindings(node)


def bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that a node itself binds, each with its value where that is known."""
    match node:
        case ast.Assign():
            for target in node.targets:
                yield from _bound(target, node.value)
        case ast.AnnAssign() if node.value is not None:
            yield from _bound(node.target, node.value)
        case ast.AugAssign():
            yield from _bound(node.target, _augmented(node))
        case ast.NamedExpr():
            yield from _bound(node.target, node.value)
        case ast.For() | ast.AsyncFor() | ast.comprehension():
            yield from _bound(node.target, _counted(node.iter))
        case ast.withitem() if node.optional_vars is not None:
            yield from _bound(node.optional_vars, None)
        case ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar() if node.name is not None:
            yield node.name, None
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name, None
        case ast.Import() | ast.ImportFrom():
            yield from ((alias.asname or alias.name.partition(".")[0], None) for alias in node.names)
        case ast.Delete():
            yield from (pair for target in node.targets for pair in _bound(target, None))


def _bound(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, ast.expr | None]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple | ast.List):
        values = _members(value, len(target.elts))
        for item, member in zip(target.elts, values, strict=True):
            yield from _bound(item, member)
    elif isinstance(target, ast.Starred):
        yield from _bound(target.value, None)


def _members(value: ast.expr | None, count: int) -> Sequence[ast.expr | None]:
    """What the names of a tuple are bound to: members of a display, or of what a call returns."""
    if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == count:
        return value.elts
    if isinstance(value, ast.Call):
        return [ast.Subscript(value, ast.Constant(index), ast.Load()) for index in range(count)]
    return [None] * count


def _augmented(node: ast.AugAssign) -> ast.expr | None:
    return ast.BinOp(node.target, node.op, node.value) if isinstance(node.target, ast.Name) else None


def _counted(iterated: ast.expr) -> ast.expr | None:
    """An int that stands for all numbers that a loop over a range counts."""
    is_range = isinstance(iterated, ast.Call) and _is_name(iterated.func, "range")
    return ast.Constant(0) if is_range else None


def _changed(tree: ast.Module) -> Iterator[str]:
    """The names whose members something assigns, or that are passed on to where this may happen."""
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
                yield name
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if attribute in _CHANGING:
                yield name
            case ast.Call():
                yield from (item.id for item in node.args if isinstance(item, ast.Name))


def _is_name(node: ast.expr | None, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_stored(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)
