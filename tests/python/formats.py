"""Small programs that make text of numbers or numbers of text; outcome True needs an engine that stays symbolic."""

from pessimal.python.handlers.formatting import formatted, joined
from pessimal.python.handlers.templates import percent


def text(x: int):
    return 1 if str(x) == "7777" else 0


def text_negative(x: int):
    return 1 if repr(x) == "-305" else 0


def f_string(x: int):
    return 1 if joined("v", formatted(x, -1, ""), "!") == "v7777!" else 0


def f_string_converted(s: str):
    return 1 if joined(formatted(s, ord("r"), ">6"), formatted(s, ord("s"), "")) == " 'abc'abc" else 0


def percent_number(x: int):
    return 1 if percent("v%d", x) == "v7777" else 0


def percent_zeros(x: int):
    return 1 if percent("%05d|%s", (x, "a")) == "00042|a" else 0


def percent_named(x: int):
    return 1 if percent("%(key)-4x|", {"key": x}) == "ff  |" else 0


def percent_bytes(b: bytes):
    return 1 if percent(b"<%s>", b) == b"<abc>" else 0


def percent_character(x: int):
    return 1 if 0 <= x < 1000 and percent("%c", x) == "q" else 0


def template(x: int):
    return 1 if "v{}{a[0]:>3}".format(x, a=[7]) == "v7777  7" else 0  # noqa: UP032


def template_nested(x: int):
    return 1 if "{0:{1}}|{0!r}".format(x, ">4") == "  42|42" else 0


def template_mapped(x: int):
    return 1 if "{x:03}".format_map({"x": x}) == "042" else 0


def aligned(x: int):
    return 1 if format(x, ">6") == "  1234" else 0


def grouped(x: int):
    return 1 if format(x, ",") == "1,234" else 0


def hexadecimal(x: int):
    return 1 if hex(x) == "0x1f" else 0


def octal(x: int):
    return 1 if oct(x) == "-0o17" else 0


def binary(x: int):
    return 1 if format(x, "04b") == "0101" or bin(x) == "0b11" else 0


def large_letters(x: int):
    return 1 if format(x, "#X") == "0XBEEF" else 0


def palindrome(x: int):
    return 1 if x > 100 and str(x)[::-1] == str(x) else 0


def digit_sum(x: int):
    return 1 if 0 < x < 10000 and sum(int(d) for d in str(x)) == 30 else 0


def digit_count(x: int):
    return 1 if len(str(x)) == 4 else 0


def there_and_back(x: int):
    return 1 if 0 < x < 100000 and int(str(x)) == 1234 else 0


def truth_text(x: int):
    return 1 if str(x == 3) == "True" else 0


def truth_format(flag: bool):
    return 1 if format(flag, "3") == "  1" else 0


def text_field(s: str):
    return 1 if format(s, "*^5.2") == "*ab**" else 0


def in_list(x: int):
    return 1 if str([x, None, "a"]) == "[77, None, 'a']" else 0


def in_tuple(x: int):
    return 1 if repr((x,)) == "(-5,)" else 0


def quoted(s: str):
    return 1 if repr(s[1:2]) == "'\\n'" else 0


def quoted_double(s: str):
    return 1 if repr(s[:1]) == '"\'"' else 0


def quoted_bytes(b: bytes):
    return 1 if repr(b[:1]) == "b'\\xff'" else 0


def escaped(s: str):
    return 1 if ascii(s[:1]) == "'\\xe9'" else 0


def in_message(x: int):
    try:
        raise KeyError(x) if x == 1 else ValueError(joined("bad ", formatted(x, -1, "")))
    except ValueError as error:
        return 1 if str(error) == "bad 77" else 0
    except KeyError:
        return False


class Money:
    def __init__(self, amount):
        self.amount = amount

    def __str__(self):
        return joined("$", formatted(self.amount, -1, ""))

    def __format__(self, spec):
        return joined("$", formatted(self.amount, -1, spec))

    def __repr__(self):
        return joined("Money(", formatted(self.amount, ord("r"), ""), ")")


def of_object(x: int):
    return 1 if str(Money(x)) == "$77" else 0


def of_object_in_list(x: int):
    return 1 if str([Money(x)]) == "[Money(77)]" else 0


def of_object_formatted(x: int):
    return 1 if joined(formatted(Money(x), -1, ">4")) == "$  77" else 0


def parsed(s: str):
    try:
        return 1 if int(s) == -42 else 0
    except ValueError:
        return False


def parsed_in_base(s: str):
    try:
        return 1 if int(s, 16) == 0xBEE else 0
    except ValueError:
        return False


def parsed_with_prefix(s: str):
    try:
        return 1 if int(s, base=0) == 5 else 0
    except ValueError:
        return False


def parsed_bytes(b: bytes):
    try:
        return 1 if int(b) == 375 else 0
    except ValueError:
        return False


# What the tests of single cases run.


def one_digit_float(s: str):
    try:
        return 1 if float(s) == 2.0 else 0
    except ValueError:
        return False


def uncaught(s: str):
    return int(s)


def message(s: str):
    KEPT.clear()
    try:
        int(s)
    except ValueError as error:
        KEPT.append(str(error))


# What the properties run: the result is kept, made with the specification of the moment.

SPEC = [""]
KEPT = []


def keep_format_int(x: int):
    KEPT.append(format(x, SPEC[0]))


def keep_format_bool(flag: bool):
    KEPT.append(format(flag, SPEC[0]))


def keep_format_text(s: str):
    KEPT.append(format(s, SPEC[0]))


def keep_percent(x: int):
    KEPT.append(percent(SPEC[0], x))


def keep_percent_text(s: str):
    KEPT.append(percent(SPEC[0], (s,)))


def keep_reprs(s: str):
    KEPT.append((repr(s), ascii(s), str([s, {s: s}.get(s)])))


def keep_bytes_repr(b: bytes):
    KEPT.append(repr(b))


def keep_int(s: str):
    KEPT.append(int(s, SPEC[0]))


def keep_int_of_bytes(b: bytes):
    KEPT.append(int(b, SPEC[0]))


def keep_float(s: str):
    KEPT.append(float(s))
