"""How a target is called: the arguments of a function, or the words of a command with its input."""

from __future__ import annotations

import ast
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter, Signature
from typing import Any

from pessimal.errors import InputError
from pessimal.inputs import Bytes, Inputs, Int, Spec

LENGTH = "len"
STDIN, FILE = "stdin", "file"
MOST_ZEROS = 1 << 20
_ADVICE = "write for example --call 'parse(data, len)'"


@dataclass(frozen=True, slots=True)
class Buffer:
    """Bytes of the input, by their leaves; ``is_text`` puts a zero behind them."""

    leaves: tuple[int, ...]
    is_text: bool = False


@dataclass(frozen=True, slots=True)
class Integer:
    """A number of the input, by its leaf."""

    leaf: int


@dataclass(frozen=True, slots=True)
class Fixed:
    """Bytes that are the same in every run: a text, or room for results, as it was written."""

    content: bytes
    written: str


Argument = Buffer | Integer | Fixed | int


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """The arguments of a function, in order: parameters by name, lengths, and constants."""

    function: str
    arguments: tuple[str | int | Fixed, ...]

    @classmethod
    def parse(cls, function: str, text: str | None, given: Mapping[str, Spec | str]) -> FunctionCall:
        """Read ``parse(data, len)``; without a text, every input of bytes is passed with its length."""
        if text is None:
            found: list[str | int | Fixed] = []
            for name, spec in (given or {"data": "bytes:N"}).items():
                found += [name, LENGTH] if str(spec).startswith("bytes") else [name]
            return cls(function, tuple(found))
        try:
            node = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError):
            raise InputError(f"{text!r} is not a call: {_ADVICE}") from None
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
            raise InputError(f"{text!r} is not a call: {_ADVICE}")
        if node.func.id != function:
            raise InputError(f"{text!r} calls {node.func.id}, but the target is {function}: {_ADVICE}")
        if len(node.args) > 6:
            raise InputError(f"{text!r} has more than six arguments, which cannot be passed: choose another function")
        return cls(function, tuple(_argument(arg, text) for arg in node.args))

    @property
    def signature(self) -> Signature:
        """The parameters that inputs are specified for."""
        names = dict.fromkeys(item for item in self.arguments if isinstance(item, str) and item != LENGTH)
        return _signature(names)

    def arrange(self, values: Mapping[str, Any]) -> list[Argument]:
        """The arguments with the inputs in them; bytes are a text unless their length is passed, too."""
        has_length = LENGTH in self.arguments
        found: list[Argument] = []
        last = 0
        for item in self.arguments:
            if isinstance(item, int | Fixed):
                found.append(item)
            elif item == LENGTH:
                found.append(last)
            else:
                value = values[item]
                if isinstance(value, Buffer):
                    last = len(value.leaves)
                    value = Buffer(value.leaves, not has_length)
                found.append(value)
        return found

    def describe(self, arguments: Mapping[str, Any]) -> str:
        """The call with values, as a user would write it."""
        shown, last = [], 0
        for item in self.arguments:
            if isinstance(item, Fixed):
                shown.append(item.written)
                continue
            value = last if item == LENGTH else item if isinstance(item, int) else arguments[item]
            last = len(value) if isinstance(value, bytes) else last
            shown.append(_literal(value))
        return f"{self.function}({', '.join(shown)})"

    def command(self, library: str, arguments: Mapping[str, Any]) -> str:
        """A command that makes the call natively, without Pessimal."""
        shown, last = [], 0
        for item in self.arguments:
            if isinstance(item, Fixed):
                shown.append(f"create_string_buffer({item.content!r}, {len(item.content)})")
                continue
            value = last if item == LENGTH else item if isinstance(item, int) else arguments[item]
            last = len(value) if isinstance(value, bytes) else last
            shown.append(repr(value) if isinstance(value, bytes) else f"c_int64({value})")
        code = f"from ctypes import *; print(CDLL({library!r}).{self.function}({', '.join(shown)}))"
        return f"python3 -c {shlex.quote(code)}"


def _argument(node: ast.expr, text: str) -> str | int | Fixed:
    match node:
        case ast.Name(id="NULL"):
            return 0
        case ast.Name(id=name):
            return name
        case ast.Constant(value=int(value)):
            return value
        case ast.Constant(value=str(content)):
            return Fixed(os.fsencode(content) + b"\0", ast.unparse(node))
        case ast.Call(func=ast.Name(id="zeros"), args=[ast.Constant(value=int(count))]) if 0 < count <= MOST_ZEROS:
            return Fixed(bytes(count), ast.unparse(node))
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name()]):
            return LENGTH
    raise InputError(f"{ast.unparse(node)!r} in {text!r} is no input, len, int, text or zeros(N): {_ADVICE}")


def _literal(value: object) -> str:
    return repr(value)[1:].replace("'", '"', 1)[:-1] + '"' if isinstance(value, bytes) else str(value)


@dataclass(frozen=True, slots=True)
class Command:
    """The words of a command after the program's name; the word ``file`` is the path of the input."""

    words: tuple[str, ...]
    source: str

    @classmethod
    def parse(cls, text: str | None, given: Mapping[str, Spec | str]) -> Command:
        """Read ``-v file``; without a text, the input is a file if it is called so, and stdin otherwise."""
        words = tuple(shlex.split(text)) if text is not None else (FILE,) if FILE in given else ()
        return cls(words, FILE if FILE in words else STDIN)

    @property
    def signature(self) -> Signature:
        """The one input: the content of the file, or of stdin."""
        return _signature([self.source])

    def arguments(self, path: str) -> list[str]:
        """The words with the path of the input in them."""
        return [path if word == FILE else word for word in self.words]

    def describe(self, program: str, arguments: Mapping[str, Any]) -> str:
        """The command with its input, as a shell would run it."""
        content: bytes = arguments[self.source]
        escaped = "".join(chr(byte) if _is_plain(byte) else f"\\{byte:03o}" for byte in content).replace("%", "%%")
        shown = " ".join(shlex.quote("FILE" if word == FILE else word) for word in self.words)
        if self.source == FILE:
            return f"printf '{escaped}' > FILE; {program} {shown}"
        return f"printf '{escaped}' | {program} {shown}".rstrip()


def _is_plain(byte: int) -> bool:
    return 32 <= byte < 127 and byte not in b"'\\"


def _signature(names: Any) -> Signature:
    return Signature([Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, annotation=bytes) for name in names])


def check_specs(inputs: Inputs) -> None:
    """Refuse inputs that are neither bytes nor integers."""
    for name, spec in inputs.specs.items():
        if not isinstance(spec, Bytes | Int):
            raise InputError(f"the input {name} of a binary must be bytes or int, not {spec}: write '{name}=bytes:N'")


class Shapes:
    """Makes buffers and integers of leaves: the side of this front-end of an input specification."""

    def __init__(self, choose: Callable[[int], int]) -> None:
        self.choose = choose

    def data(self, leaves: Sequence[int]) -> Buffer:
        """Bytes."""
        return Buffer(tuple(leaves))

    def integer(self, leaf: int) -> Integer:
        """A number."""
        return Integer(leaf)
