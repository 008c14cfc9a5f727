"""Small programs, one method of text or bytes each: outcome 1 needs an engine that stays symbolic through it."""

import string


def find(s: str):
    return 1 if s.find("zq") == 2 else 0


def rfind(s: str):
    return 1 if s.rfind("q", 0, -1) == 1 else 0


def index(s: str):
    try:
        return 1 if s.index("q") == 2 else 0
    except ValueError:
        return 0


def rindex(s: str):
    try:
        return 1 if s.rindex("zq") == 0 else 0
    except ValueError:
        return 0


def find_from_symbolic_start(s: str, i: int):
    return 1 if s.find("q", i) == 1 and i == 1 else 0


def count(s: str):
    return 1 if s.count("q") == 3 else 0


def count_of_pairs(s: str):
    return 1 if s.count("zq") == 2 else 0


def split(s: str):
    return 1 if s.split(",") == ["a", "b"] else 0


def split_at_white_space(s: str):
    return 1 if s.split() == ["a", "b"] and " " not in s else 0


def split_once(s: str):
    return 1 if s.split(sep="-", maxsplit=1)[-1] == "b-" else 0


def rsplit(s: str):
    return 1 if s.rsplit("-", 1)[0] == "ab" else 0


def rsplit_at_white_space(s: str):
    return 1 if s.rsplit(None, 1) == ["a b", "c"] else 0


def splitlines(s: str):
    return 1 if s.splitlines() == ["a", "b"] else 0


def splitlines_of_two(s: str):
    return 1 if s.splitlines(keepends=True) == ["a\r\n", "b"] else 0


def partition(s: str):
    return 1 if s.partition("=")[2] == "v" else 0


def rpartition(s: str):
    return 1 if s.rpartition("=") == ("a=", "=", "v") else 0


def strip(s: str):
    return 1 if s.strip() == "x" and s != "x" else 0


def strip_characters(s: str):
    return 1 if s.rstrip("xyz") == "q" and s.lstrip("pq") == "z" else 0


def replace(s: str):
    return 1 if s.replace("a", "b") == "bb" and s == "ab" else 0


def replace_with_longer(s: str):
    return 1 if s.replace("q", "zz", 1) == "zzzq" else 0


def replace_nothing(s: str):
    return 1 if s.replace("", "-") == "-q-z-" else 0


def removeprefix(s: str):
    return 1 if s.removeprefix("ab") == "c" else 0


def removesuffix(s: str):
    return 1 if s.removesuffix("bc") == "q" else 0


def startswith(s: str):
    return 1 if s.startswith(("zq", "qz"), 1) and not s.startswith("z", 1) else 0


def endswith(s: str):
    return 1 if s.endswith("zq", 0, 2) else 0


def upper(s: str):
    return 1 if s.upper() == "ABC" and s != "ABC" else 0


def lower(s: str):
    return 1 if s.lower() == "ä" and s != "ä" else 0


def lower_sigma(s: str):
    return 1 if s.lower() == "aς" else 0


def casefold(s: str):
    return 1 if s.casefold() == "ss" else 0


def swapcase(s: str):
    return 1 if s.swapcase() == "aBc" else 0


def title(s: str):
    return 1 if s.title() == "Ab C" and s != "Ab C" else 0


def capitalize(s: str):
    return 1 if s.capitalize() == "Abc" and s != "Abc" else 0


def isdigit(s: str):
    return 1 if s.isdigit() else 0


def isdecimal_no_ascii(s: str):
    return 1 if s.isdecimal() and s > "z" else 0


def isnumeric(s: str):
    return 1 if s.isnumeric() and not s.isdigit() else 0


def isalpha(s: str):
    return 1 if s.isalpha() and not s.isascii() else 0


def isalnum(s: str):
    return 1 if not s.isalnum() else 0


def isspace(s: str):
    return 1 if s.isspace() else 0


def isupper(s: str):
    return 1 if s.isupper() and s[0] == "1" else 0


def islower(s: str):
    return 1 if not s.islower() else 0


def istitle(s: str):
    return 1 if s.istitle() else 0


def isidentifier(s: str):
    return 1 if not s.isidentifier() else 0


def isprintable(s: str):
    return 1 if not s.isprintable() else 0


def zfill(s: str):
    return 1 if s.zfill(5) == "00042" else 0


def zfill_behind_a_sign(s: str):
    return 1 if s.zfill(4) == "-007" else 0


def center(s: str):
    return 1 if s.center(7, "*") == "**abc**" else 0


def ljust_by_symbolic_width(s: str, n: int):
    return 1 if s.ljust(n) == "q    " else 0


def rjust(s: str):
    return 1 if s.rjust(4, s[0]) == "zzqq" else 0


def expandtabs(s: str):
    return 1 if s.expandtabs(4) == "a   b" else 0


def translate(s: str):
    return 1 if s.translate(str.maketrans("abc", "xyz")) == "zyx" else 0


def translate_with_growth(s: str):
    return 1 if s.translate({113: "zz", 120: None, 97: 98}) == "zzb" else 0


def translate_by_table_of_dict(s: str):
    return 1 if s.translate(str.maketrans({"a": "x", "b": None, 99: "zz"})) == "xzz" else 0


def translate_by_symbolic_table(s: str, t: str):
    return 1 if s.translate(str.maketrans("ab", t)) == "zq" and s == "ba" else 0


def join(s: str, t: str):
    return 1 if "-".join([s, "q", t]) == "a-q-b" else 0


def join_with_symbolic_separator(s: str):
    return 1 if s.join(["a", "b", "c"]) == "a, b, c" else 0


def join_of_map(s: str):
    return 1 if "".join(map(str.upper, list(s))) == "QZ" else 0


def encode(s: str):
    try:
        return 1 if s.encode() == b"abc" else 0
    except UnicodeEncodeError:
        return 0


def encode_long(s: str):
    try:
        return 1 if s.encode(encoding="utf-8") == "é€".encode() else 0
    except UnicodeEncodeError:
        return 0


def encode_refused(s: str):
    try:
        return 1 if s.encode("ascii") == b"" else 0
    except UnicodeEncodeError as error:
        return 1 if error.start == 1 else 0


def encode_replaced(s: str):
    return 1 if s.encode("latin-1", errors="replace") == b"?\xe9" and s[0] != "?" else 0


def encode_utf16(s: str):
    try:
        return 1 if s.encode("utf-16-le") == "a😀".encode("utf-16-le") else 0
    except UnicodeEncodeError:
        return 0


def decode(b: bytes):
    try:
        return 1 if b.decode() == "é" else 0
    except UnicodeDecodeError:
        return 0


def decode_three(b: bytes):
    return 1 if b[0] == 0xE2 and b.decode(errors="ignore") == "€" else 0


def decode_refused(b: bytes):
    try:
        return 1 if b.decode("ascii") == "" else 0
    except UnicodeDecodeError as error:
        return 1 if error.start == 1 else 0


def hexadecimal(b: bytes):
    return 1 if b.hex("-") == "0a-ff" else 0


def from_hexadecimal(s: str):
    try:
        return 1 if bytes.fromhex(s) == b"\xaf" else 0
    except ValueError:
        return 0


def bytes_of_numbers(x: int, y: int):
    try:
        return 1 if bytes([x, 1, y]) == b"\xff\x01\x02" else 0
    except ValueError:
        return 0


def bytes_of_size(x: int):
    try:
        return 1 if bytes(x) == b"\0\0\0" else 0
    except ValueError:
        return 0


def bytes_of_text(s: str):
    return 1 if bytes(s, "latin-1", "ignore") == b"\xffa" else 0


def bytearray_of_bytes(b: bytes):
    return 1 if bytearray(b) == b"\1" and len(bytearray(b"abc")) == 3 else 0


def upper_of_bytes(b: bytes):
    return 1 if b.upper() == b"A\xe4" and b[0] != 65 else 0


def split_bytes(b: bytes):
    return 1 if b.split(b",") == [b"a", b"b"] else 0


def find_byte(b: bytes):
    return 1 if b.find(113) == 2 else 0


def translate_bytes(b: bytes):
    return 1 if b.translate(bytes.maketrans(b"abc", b"xyz"), b"q") == b"zx" else 0


def isdigit_of_bytes(b: bytes):
    return 1 if b.isdigit() else 0


def number_in_bytes(b: bytes, x: int):
    return 1 if 0 <= x < 256 and x in b and x == 77 else 0


def index_bytes(b: bytes, i: int):
    try:
        return 1 if b[i] == 200 and i == -2 else 0
    except IndexError:
        return 0


def symbolic_index(s: str, i: int):
    try:
        return 1 if s[i] == "q" and i == -2 else 0
    except IndexError:
        return 0


def symbolic_slice(s: str, i: int, j: int):
    return 1 if s[i:j] == "zq" else 0


def symbolic_slice_backwards(s: str, i: int):
    return 1 if s[i::-1] == "zq" else 0


def repetition(s: str, n: int):
    return 1 if s * n == "zqzqzq" else 0


def letter(s: str):
    return 1 if s in string.ascii_letters and s in string.hexdigits and s > "e" else 0


def reversal(s: str):
    return 1 if "".join(reversed(s)) == "zq" else 0


def sorting(s: str):
    return 1 if sorted(s) == ["a", "b", "c"] and s[0] == "c" else 0


def largest(s: str):
    return 1 if max(s) == "z" and min(s) == "y" else 0
