"""Walking over a text, with errors that name the offending part and show a correct example."""

from __future__ import annotations

import ast
import re
from difflib import get_close_matches
from typing import Any, NoReturn

from pessimal.errors import InputError

EXAMPLES = {
    "int": "t=int:0..10",
    "float": "x=float:0..1",
    "bool": "b=bool",
    "str": "s=str:N:a..z",
    "bytes": "b=bytes:4",
    "list": "xs=list[int:0..9]:N",
    "tuple": "p=tuple[int,bool]",
    "dict": "d=dict[str,int]:N",
    "set": "s=set[int]:N",
    "frozenset": "s=frozenset[int]:N",
    "const": "k=const:3",
    "choice": "c=choice:1,2,'x'",
    "None": "o=int|None",
    "complex": "z=complex",
    "decimal": "d=decimal",
    "fraction": "q=fraction",
    "date": "d=date",
    "time": "t=time",
    "datetime": "t=datetime",
    "timedelta": "t=timedelta",
    "uuid": "u=uuid",
    "path": "p=path",
    "any": "x=any",
}
_WORD = re.compile(r"[A-Za-z_]\w*")
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_STOPS = frozenset(",|]")
_NOT_LITERAL = (ValueError, SyntaxError, TypeError, MemoryError, RecursionError)


class Scanner:
    """A text and a position in it; spaces between tokens mean nothing."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    @property
    def rest(self) -> str:
        """What has not been consumed."""
        return self.text[self.position :]

    def peek(self, token: str) -> bool:
        """Whether a token comes next."""
        while self.rest[:1].isspace():
            self.position += 1
        return self.text.startswith(token, self.position)

    def accept(self, token: str) -> bool:
        """Consume a token if it comes next."""
        found = self.peek(token)
        self.position += len(token) if found else 0
        return found

    def expect(self, token: str, kind: str) -> None:
        """Consume a token that must come next."""
        if not self.accept(token):
            self.fail_expecting(repr(token), kind)

    def finish(self) -> None:
        """Nothing may be left."""
        self.peek("")
        if self.rest:
            self.fail(self.rest, "is unexpected", "list")

    def kind(self) -> str:
        """The name of a kind of input."""
        self.peek("")
        match = _WORD.match(self.text, self.position)
        word = match.group() if match else ""
        if word not in EXAMPLES:
            close = get_close_matches(word, EXAMPLES, n=1) or ["list"]
            self.fail(word or self.rest, f"is not a kind of input (the kinds are {', '.join(EXAMPLES)})", close[0])
        self.position += len(word)
        return word

    def segment(self, extra: str = "") -> str:
        """The text up to the first of ``,`` ``|`` ``]`` and the extra stops, outside quotes and brackets."""
        start, depth = self.position, 0
        while self.position < len(self.text):
            character = self.text[self.position]
            if depth == 0 and (character in _STOPS or character in extra):
                break
            depth += (character in "([{") - (character in ")]}")
            quoted = _QUOTED.match(self.text, self.position)
            self.position = quoted.end() if quoted else self.position + 1
        return self.text[start : self.position].strip()

    def character(self) -> tuple[str, bool]:
        """One character as it stands, or the content of a quoted text; and whether it was quoted."""
        quoted = _QUOTED.match(self.text, self.position)
        part = quoted.group() if quoted else self.rest[:1]
        if not part:
            self.fail_expecting("a length or a character", "str")
        self.position += len(part)
        return (str(self.value(part, "str")), True) if quoted else (part, False)

    def literal(self, kind: str) -> Any:
        """A Python literal."""
        return self.value(self.segment(), kind)

    def value(self, part: str, kind: str) -> Any:
        """The value of a part that must be a Python literal."""
        try:
            return ast.literal_eval(part)
        except _NOT_LITERAL:
            self.fail(part, "is not a Python literal", kind)

    def fail(self, part: str, problem: str, kind: str) -> NoReturn:
        """Raise the error that names the offending part and shows how its kind is written."""
        self._raise(f"{repr(part) if part else 'the end'} {problem}", kind)

    def fail_expecting(self, what: str, kind: str) -> NoReturn:
        """Raise the error that says what is missing before the rest of the text."""
        self._raise(f"{what} is expected {f'before {self.rest!r}' if self.rest else 'at the end'}", kind)

    def _raise(self, problem: str, kind: str) -> NoReturn:
        raise InputError(f"in {self.text!r}: {problem}: write for example {EXAMPLES[kind]}")
