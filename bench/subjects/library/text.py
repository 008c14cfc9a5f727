"""Text: methods of str, formatting, regular expressions, and the library's modules for text."""
# ruff: noqa: UP031, UP032

from __future__ import annotations

import difflib
import fnmatch
import html
import json
import keyword
import posixpath
import re
import shlex
import string
import textwrap
import unicodedata
import urllib.parse


def re_groups(text: str) -> int:
    found = re.fullmatch(r"([a-z]+)@(\d{2})", text)
    if found is None:
        return 0
    name, number = found.groups()
    return 1 if len(name) == 2 and int(number) == 42 else 0


def re_named(text: str) -> int:
    found = re.match(r"(?P<key>\w+)\s*=\s*(?P<value>-?\d+)$", text)
    if not found:
        return 0
    return 1 if found["key"] == "x" and int(found["value"]) < -10 else 0


def re_sub(text: str) -> int:
    return 1 if re.sub(r"\s+", " ", text) == "a b" and len(text) > 4 else 0


def re_search(text: str) -> int:
    found = re.search(r"id=(\d+);", text)
    return 1 if found and int(found.group(1)) == 37 else 0


def re_split(text: str) -> int:
    return 1 if re.split(r"[;,] ?", text) == ["a", "b", "c"] else 0


def re_findall(text: str) -> int:
    numbers = [int(digits) for digits in re.findall(r"\d+", text)]
    return 1 if len(numbers) == 3 and sum(numbers) == 30 else 0


def re_function(text: str) -> int:
    doubled = re.sub(r"\d", lambda found: str(int(found[0]) * 2), text)
    return 1 if doubled == "a8b6" else 0


def padded_number(number: int) -> int:
    return 1 if f"{number:05d}" == "00421" else 0


def grouped_thousands(number: int) -> int:
    return 1 if f"{number:,}" == "1,234,567" else 0


def percent_hex(number: int) -> int:
    return 1 if "%02x/%o" % (number, number) == "1f/37" else 0


def aligned_columns(left: int, right: int) -> int:
    return 1 if "{:>5}|{:<4}|".format(left, right) == "  310|27  |" else 0


def nested_width(number: int, width: int) -> int:
    if not 0 < width < 12:
        return 0
    return 1 if f"{number:*^{width}}" == "**77***" else 0


def float_text(value: float) -> int:
    return 1 if f"{value:.2f}" == "19.99" else 0


def integer_in_base(text: str) -> int:
    try:
        return 1 if int(text, 16) == 0xBEEF else 0
    except ValueError:
        return 0


def binary_digits(number: int) -> int:
    if not 0 <= number < 2**12:
        return 0
    return 1 if bin(number).count("1") == 11 and number % 2 == 0 else 0


def wrapped_lines(text: str) -> int:
    return 1 if textwrap.wrap(text, 4) == ["ab", "cde"] else 0


def translated(text: str) -> int:
    return 1 if text.translate(str.maketrans("abc", "xyz", "-")) == "zyx" and "-" in text else 0


def host_and_port(text: str) -> int:
    host, _, port = text.rpartition(":")
    return 1 if host == "db" and port.zfill(5) == "00443" else 0


def title_case(text: str) -> int:
    return 1 if len(text) > 4 and text.title() == text and text.swapcase() == "bO lI" else 0


def case_folded(text: str) -> int:
    return 1 if text.casefold() == "strasse" and "ß" in text else 0


def split_lines(text: str) -> int:
    return 1 if [line.strip() for line in text.splitlines()] == ["a", "", "b"] else 0


def expanded_tabs(text: str) -> int:
    return 1 if "\t" in text and text.expandtabs(4) == "a   bc  d" else 0


def without_affixes(text: str) -> int:
    stem = text.removeprefix("un").removesuffix("ed")
    return 1 if stem == "ti" and len(text) == 6 else 0


def identifier(text: str) -> int:
    return 1 if text.isidentifier() and keyword.iskeyword(text) and len(text) == 6 else 0


def palindrome(text: str) -> int:
    letters = [letter.lower() for letter in text if letter.isalpha()]
    return 1 if len(letters) == 6 and letters == letters[::-1] and letters[0] == "r" else 0


def anagram(text: str) -> int:
    return 1 if sorted(text) == sorted("listen") and text[0] == "t" else 0


def close_spelling(text: str) -> int:
    ratio = difflib.SequenceMatcher(None, "kitten", text).ratio()
    return 1 if 0.8 < ratio < 1 else 0


def edit_distance(text: str) -> int:
    word = "flaw"
    row = list(range(len(word) + 1))
    for i, letter in enumerate(text, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(word, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (letter != other))
    return 1 if row[-1] == 1 and len(text) == 5 else 0


def common_prefix(text: str) -> int:
    prefix = posixpath.commonprefix(["interest", text])
    return 1 if prefix == "inter" else 0


def html_entities(text: str) -> int:
    return 1 if html.unescape(text) == "a<b" and "&" in text else 0


def html_escape(text: str) -> int:
    return 1 if html.escape(text) == "&lt;b&gt;" else 0


def quoted_url(text: str) -> int:
    return 1 if urllib.parse.quote(text) == "a%20b%26" else 0


def split_url(text: str) -> int:
    try:
        parts = urllib.parse.urlsplit(text)
    except ValueError:
        return 0
    return 1 if parts.scheme == "ftp" and parts.netloc == "h" and parts.path == "/x" else 0


def parsed_query(text: str) -> int:
    return 1 if urllib.parse.parse_qs(text).get("a") == ["1", "2"] else 0


def json_value(text: str) -> int:
    try:
        value = json.loads(text)
    except ValueError:
        return 0
    return 1 if value == {"a": [1]} else 0


def json_escape(text: str) -> int:
    return 1 if json.dumps(text) == '"q\\"\\n"' else 0


def file_pattern(text: str) -> int:
    return 1 if fnmatch.fnmatchcase(text, "[a-c]*.p?") and len(text) == 6 else 0


def shell_words(text: str) -> int:
    try:
        return 1 if shlex.split(text) == ["a", "b c"] else 0
    except ValueError:
        return 0


def file_extension(text: str) -> int:
    folder, name = posixpath.split(text)
    stem, extension = posixpath.splitext(name)
    return 1 if folder == "/v" and stem == "x" and extension == ".gz" else 0


def filled_template(text: str) -> int:
    return 1 if string.Template(text).safe_substitute(a="7") == "x7" and "$" in text else 0


def caesar_cipher(text: str) -> int:
    out = []
    for letter in text:
        if "a" <= letter <= "z":
            letter = chr((ord(letter) - ord("a") + 3) % 26 + ord("a"))
        out.append(letter)
    return 1 if "".join(out) == "hello" else 0


def unaccented(text: str) -> int:
    plain = "".join(sign for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign))
    return 1 if plain == "cafe" and text != plain else 0


def camel_to_snake(text: str) -> int:
    words = []
    for letter in text:
        if letter.isupper():
            words.append(letter.lower())
        elif words:
            words[-1] += letter
        else:
            return 0
    return 1 if "_".join(words) == "my_id_x" else 0


def word_frequencies(text: str) -> int:
    counts: dict[str, int] = {}
    for word in text.lower().split():
        counts[word] = counts.get(word, 0) + 1
    return 1 if counts == {"a": 3, "to": 1} else 0


WITNESSES: dict[str, tuple[object, ...]] = {
    "re_groups": ("ab@42",),
    "re_named": ("x = -11",),
    "re_sub": ("a   b",),
    "re_search": ("id=37;",),
    "re_split": ("a;b, c",),
    "re_findall": ("1 20 9",),
    "re_function": ("a4b3",),
    "padded_number": (421,),
    "grouped_thousands": (1234567,),
    "percent_hex": (31,),
    "aligned_columns": (310, 27),
    "nested_width": (77, 7),
    "float_text": (19.99,),
    "integer_in_base": ("beef",),
    "binary_digits": (0xFFE,),
    "wrapped_lines": ("ab cde",),
    "translated": ("c-ba",),
    "host_and_port": ("db:443",),
    "title_case": ("Bo Li",),
    "case_folded": ("Straße",),
    "split_lines": ("a\n\nb",),
    "expanded_tabs": ("a\tbc\td",),
    "without_affixes": ("untied",),
    "identifier": ("global",),
    "palindrome": ("rec-cer",),
    "anagram": ("tinsel",),
    "close_spelling": ("kittn",),
    "edit_distance": ("flaws",),
    "common_prefix": ("internal",),
    "html_entities": ("a&lt;b",),
    "html_escape": ("<b>",),
    "quoted_url": ("a b&",),
    "split_url": ("ftp://h/x",),
    "parsed_query": ("a=1&a=2",),
    "json_value": ('{"a":[1]}',),
    "json_escape": ('q"\n',),
    "file_pattern": ("abc.py",),
    "shell_words": ("a 'b c'",),
    "file_extension": ("/v/x.gz",),
    "filled_template": ("x$a",),
    "caesar_cipher": ("ebiil",),
    "unaccented": ("café",),
    "camel_to_snake": ("MyIdX",),
    "word_frequencies": ("a to A a",),
}
