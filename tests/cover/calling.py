"""A module of others, as far as drawing is concerned: few hints, private helpers, a context manager, files."""

from contextlib import contextmanager
from enum import Enum
from pathlib import Path


class Request:
    def __init__(self, url):
        if not url.startswith("http:"):
            raise ValueError(url)
        self.url = url


def public(text: str) -> int:
    return _helper(Request(f"http:{text}"), [text], text.upper())


def _helper(request, words, shouted):
    return len(request.url) + len(words) + len(shouted)


def typed(request: Request) -> str:
    return request.url


def untyped(request):
    return request.anything


@contextmanager
def managed(kind: int):
    yield kind
    if kind > 2:
        raise LookupError(kind)


def guessed(text, width=3, other_text=""):
    return text.strip() * width + other_text.strip()


def read(path):
    return "empty" if not Path(path).read_text() else "full"


class Printer:
    width = 80
    UNUSED = 1
    _private = 2

    def __init__(self, text):
        self.text = text

    @property
    def first(self):
        return self.text[: self.width] or self._private


class Colour(Enum):
    RED = 1
    BLUE = 2

    def is_warm(self):
        return self is Colour.RED


def chosen(text: str, *rest: int, mode: str = "fast") -> str:
    return f"{mode} {text}"


def total(items):
    return [item or 1 for item in items]


def looked_up(options, hinted: dict[str, int]):
    return options["width"] + hinted["width"]


def piped(value, *functions):
    for function in functions:
        value = function(value)
    return value


def joined(*texts: str, **rest):
    return rest.get("separator", "").join(texts)


if __name__ == "__main__":
    chosen(Request("http:x").url, 3, mode="thorough")
    chosen("shown")
    public(public)
