"""Documents read and written: JSON, settings, tables, HTML, programs."""

from __future__ import annotations

import configparser
import csv
import html.parser
import io
import json
import json.decoder
import pprint
import quopri
import reprlib
import tokenize


def read_json(text: str) -> object:
    """A JSON document read."""
    return json.loads(text)


def write_json(number: int, text: str, flag: bool) -> str:
    """A JSON document written."""
    return json.dumps({"number": number, "text": text, "flag": flag, "none": None})


def scan_string(text: str) -> tuple[str, int]:
    """A JSON text scanned up to its closing quote."""
    return json.decoder.py_scanstring(text, 0)


def read_settings(value: str) -> bool:
    """A setting read from a configuration as a truth value."""
    parser = configparser.ConfigParser()
    parser.read_string("[section]\nkey = value\n")
    parser["section"]["key"] = value
    return parser.getboolean("section", "key")


def read_section(name: str) -> list[str]:
    """The sections of a configuration with one heading."""
    parser = configparser.RawConfigParser()
    parser.read_string(f"[{name}]\n")
    return parser.sections()


def read_row(text: str) -> list[list[str]]:
    """Lines of comma-separated values read."""
    return list(csv.reader([text]))


def guess_dialect(text: str) -> str:
    """The delimiter that the Sniffer sees."""
    return csv.Sniffer().sniff(text, delimiters=",;").delimiter


def short_repr(numbers: list[int]) -> str:
    """A list shown with an ellipsis after the first two."""
    shortened = reprlib.Repr()
    shortened.maxlist = 2
    return shortened.repr(numbers)


def pretty(numbers: list[int], text: str) -> str:
    """A structure laid out in narrow lines."""
    return pprint.pformat({"numbers": numbers, "text": text}, width=20)


def token_names(source: str) -> list[str]:
    """The kinds of a program text's tokens."""
    return [tokenize.tok_name[token.type] for token in tokenize.generate_tokens(io.StringIO(source).readline)]


def quoted_printable(data: bytes) -> bytes:
    """Bytes encoded as quoted-printable text."""
    return quopri.encodestring(data)


def tags_of(text: str) -> list[str]:
    """The tags of a piece of HTML."""
    found: list[str] = []

    class Reader(html.parser.HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            found.append(tag)

    reader = Reader()
    reader.feed(text)
    reader.close()
    return found
