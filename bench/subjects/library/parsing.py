"""Small parsers: numerals, dates, addresses, quoting, expressions."""

from __future__ import annotations

ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def roman_numeral(text: str) -> int:
    total = 0
    for symbol, following in zip(text, text[1:] + " ", strict=False):
        if symbol not in ROMAN:
            return 0
        value = ROMAN[symbol]
        total += -value if ROMAN.get(following, 0) > value else value
    return 1 if total == 49 else 0


def luhn_checksum(number: str) -> int:
    if len(number) != 8 or not number.isdecimal() or not number.startswith("45"):
        return 0
    total = 0
    for place, digit in enumerate(reversed(number)):
        value = int(digit)
        if place % 2:
            value = value * 2 - 9 if value > 4 else value * 2
        total += value
    return 1 if total % 10 == 0 and total > 0 else 0


def run_length_decode(text: str) -> int:
    parts = []
    count = ""
    for symbol in text:
        if symbol.isdigit():
            count += symbol
            if len(count) > 2:
                return 0
        else:
            parts.append(symbol * int(count or "1"))
            count = ""
    return 1 if "".join(parts) == "aaabbc" and text != "aaabbc" else 0


def run_length_encode(text: str) -> int:
    encoded = []
    place = 0
    while place < len(text):
        end = place
        while end < len(text) and text[end] == text[place]:
            end += 1
        encoded.append(f"{text[place]}{end - place}")
        place = end
    return 1 if "".join(encoded) == "x3y1x2" else 0


def iso_date(text: str) -> int:
    parts = text.split("-")
    if [len(part) for part in parts] != [4, 2, 2] or not all(part.isdigit() for part in parts):
        return 0
    year, month, day = (int(part) for part in parts)
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 if leap and month == 2 and day == 29 else 0


def brackets(text: str) -> int:
    closing = {")": "(", "]": "[", "}": "{"}
    stack: list[str] = []
    deepest = 0
    for symbol in text:
        if symbol in closing.values():
            stack.append(symbol)
            deepest = max(deepest, len(stack))
        elif symbol in closing and (not stack or stack.pop() != closing[symbol]):
            return 0
    return 1 if not stack and deepest == 3 else 0


def version_order(text: str) -> int:
    try:
        version = tuple(int(part) for part in text.split("."))
    except ValueError:
        return 0
    return 1 if (1, 9, 5) < version < (1, 11) and len(version) == 3 else 0


def ipv4_broadcast(text: str) -> int:
    octets = text.split(".")
    if len(octets) != 4:
        return 0
    value = 0
    for octet in octets:
        if not octet.isdigit() or int(octet) > 255 or (len(octet) > 1 and octet[0] == "0"):
            return 0
        value = value << 8 | int(octet)
    return 1 if value >> 24 == 10 and value & 0xFF == 0xFF else 0


NUMBER_STATES = {
    ("start", "sign"): "signed",
    ("start", "digit"): "whole",
    ("signed", "digit"): "whole",
    ("whole", "digit"): "whole",
    ("whole", "dot"): "dotted",
    ("dotted", "digit"): "part",
    ("part", "digit"): "part",
    ("part", "e"): "power",
    ("whole", "e"): "power",
    ("power", "digit"): "done",
}


def number_machine(text: str) -> int:
    state = "start"
    for symbol in text:
        if symbol.isdigit():
            kind = "digit"
        else:
            kind = {"-": "sign", ".": "dot", "e": "e"}.get(symbol, "other")
        following = NUMBER_STATES.get((state, kind))
        if following is None:
            return 0
        state = following
    return 1 if state == "done" and text[0] == "-" and "." in text else 0


def query_string(text: str) -> int:
    fields = {}
    for pair in text.split("&"):
        key, equals, value = pair.partition("=")
        if equals:
            fields[key] = value
    return 1 if fields.get("id") == "7" and fields.get("q") else 0


def percent_decode(text: str) -> int:
    pieces = text.split("%")
    decoded = pieces[0]
    for piece in pieces[1:]:
        try:
            decoded += chr(int(piece[:2], 16)) + piece[2:]
        except ValueError:
            decoded += "%" + piece
    return 1 if decoded == "a/b" and "%" in text else 0


def quoted_words(line: str) -> int:
    words: list[str] = []
    word = ""
    quoted = False
    for symbol in line:
        if symbol == '"':
            quoted = not quoted
        elif symbol == " " and not quoted:
            if word:
                words.append(word)
            word = ""
        else:
            word += symbol
    if word:
        words.append(word)
    return 1 if not quoted and words == ["a", "b c"] else 0


def normal_path(path: str) -> int:
    kept: list[str] = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == ".." and kept:
            kept.pop()
        else:
            kept.append(part)
    return 1 if "/".join(kept) == "a/c" and ".." in path else 0


def wildcard(text: str) -> int:
    def matches(name: str, pattern: str) -> bool:
        if not pattern:
            return not name
        if pattern[0] == "*":
            return matches(name, pattern[1:]) or (name != "" and matches(name[1:], pattern))
        return name != "" and pattern[0] in ("?", name[0]) and matches(name[1:], pattern[1:])

    return 1 if matches(text, "a*b?c") else 0


def calculator(text: str) -> int:
    tokens = [*text, ""]

    def number() -> int:
        digit = tokens.pop(0)
        if not ("0" <= digit <= "9"):
            raise SyntaxError(digit)
        return int(digit)

    def product() -> int:
        value = number()
        while tokens[0] == "*":
            tokens.pop(0)
            value *= number()
        return value

    def total() -> int:
        value = product()
        while tokens[0] in ("+", "-"):
            value = value + product() if tokens.pop(0) == "+" else value - product()
        return value

    try:
        value = total()
    except (SyntaxError, IndexError):
        return 0
    return 1 if tokens == [""] and value == 47 else 0


def config_text(text: str) -> int:
    section = None
    options: dict[tuple[str | None, str], str] = {}
    for line in text.split("\n"):
        line = line.strip()
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
        elif "=" in line and not line.startswith("#"):
            key, value = line.split("=", 1)
            options[section, key.rstrip()] = value.lstrip()
    return 1 if options.get(("db", "n")) == "5" else 0


def command_line(text: str) -> int:
    verbose, number, names = False, 0, []
    for word in text.split():
        if word == "-v":
            verbose = True
        elif word.startswith("-n"):
            if not word[2:].isdigit():
                return 0
            number = int(word[2:])
        else:
            names.append(word)
    return 1 if verbose and number == 12 and len(names) == 1 else 0


def csv_line(line: str) -> int:
    fields, field, quoted = [], "", False
    for symbol in line:
        if symbol == '"':
            quoted = not quoted
        elif symbol == "," and not quoted:
            fields.append(field)
            field = ""
        else:
            field += symbol
    fields.append(field)
    return 1 if fields == ["a,b", "c"] else 0


def duration(text: str) -> int:
    units = {"h": 3600, "m": 60, "s": 1}
    seconds = 0
    digits = ""
    for symbol in text:
        if symbol.isdigit():
            digits += symbol
        elif symbol in units and digits:
            seconds += int(digits) * units[symbol]
            digits = ""
        else:
            return 0
    return 1 if seconds == 5405 and not digits else 0


def colour_code(text: str) -> int:
    if len(text) != 7 or text[0] != "#":
        return 0
    try:
        red, green, blue = (int(text[place : place + 2], 16) for place in (1, 3, 5))
    except ValueError:
        return 0
    return 1 if red == 255 and green == 2 * blue and blue > 16 else 0


def clock_time(text: str) -> int:
    hours, colon, minutes = text.partition(":")
    if not (colon and len(hours) == 2 and len(minutes) == 2 and hours.isdigit() and minutes.isdigit()):
        return 0
    if int(hours) > 23 or int(minutes) > 59:
        return 0
    return 1 if 60 * int(hours) + int(minutes) == 1439 else 0


def mail_address(text: str) -> int:
    user, at, host = text.rpartition("@")
    if not at or not user or not user.isalnum():
        return 0
    name, dot, top = host.rpartition(".")
    return 1 if dot and name.isalpha() and top in ("org", "net") else 0


def knight_move(text: str) -> int:
    if len(text) != 4:
        return 0
    squares = []
    for place in (0, 2):
        column, row = ord(text[place]) - ord("a"), ord(text[place + 1]) - ord("1")
        if not (0 <= column < 8 and 0 <= row < 8):
            return 0
        squares.append((column, row))
    (a, b), (c, d) = squares
    return 1 if {abs(a - c), abs(b - d)} == {1, 2} else 0


BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def base64_by_hand(text: str) -> int:
    if len(text) != 4:
        return 0
    bits = 0
    for symbol in text:
        place = BASE64.find(symbol)
        if place < 0:
            return 0
        bits = bits * 64 + place
    return 1 if bits.to_bytes(3, "big") == b"key" else 0


def unescape(text: str) -> int:
    table = {"n": "\n", "t": "\t", "\\": "\\"}
    out, place = [], 0
    while place < len(text):
        if text[place] == "\\" and place + 1 < len(text):
            out.append(table.get(text[place + 1], text[place + 1]))
            place += 2
        else:
            out.append(text[place])
            place += 1
    return 1 if "".join(out) == "a\tb\\" else 0


def morse(text: str) -> int:
    letters = {".-": "A", "...": "S", "---": "O", "-": "T", ".": "E"}
    return 1 if "".join(letters.get(code, "?") for code in text.split()) == "SOT" else 0


def isbn10(text: str) -> int:
    if len(text) != 10:
        return 0
    total = 0
    for weight, symbol in zip(range(10, 0, -1), text, strict=True):
        if symbol == "X" and weight == 1:
            total += 10
        elif symbol in "0123456789":
            total += weight * int(symbol)
        else:
            return 0
    return 1 if total % 11 == 0 and text[9] == "X" else 0


def human_size(text: str) -> int:
    factor = 1
    if text and text[-1].lower() in "kmg":
        factor = 1024 ** ("kmg".index(text[-1].lower()) + 1)
        text = text[:-1]
    if not text.isdigit():
        return 0
    return 1 if int(text) * factor == 3 * 1024**2 else 0


WITNESSES: dict[str, tuple[object, ...]] = {
    "roman_numeral": ("XLIX",),
    "luhn_checksum": ("45000007",),
    "run_length_decode": ("3a2bc",),
    "run_length_encode": ("xxxyxx",),
    "iso_date": ("2024-02-29",),
    "brackets": ("([{}])",),
    "version_order": ("1.10.2",),
    "ipv4_broadcast": ("10.0.0.255",),
    "number_machine": ("-1.5e3",),
    "query_string": ("q=a&id=7",),
    "percent_decode": ("a%2Fb",),
    "quoted_words": ('a "b c"',),
    "normal_path": ("a/b/../c",),
    "wildcard": ("a--bxc",),
    "calculator": ("9*5+2",),
    "config_text": ("[db]\nn=5",),
    "command_line": ("-v -n12 x",),
    "csv_line": ('"a,b",c',),
    "duration": ("1h30m5s",),
    "colour_code": ("#ff8040",),
    "clock_time": ("23:59",),
    "mail_address": ("a@b.org",),
    "knight_move": ("b1c3",),
    "base64_by_hand": ("a2V5",),
    "unescape": ("a\\tb\\\\",),
    "morse": ("... --- -",),
    "isbn10": ("080442957X",),
    "human_size": ("3M",),
}
