"""Functions of which each makes one test and tells how it came out; then such that decide in several places."""

import re


def less(a, b):
    return "yes" if a < b else "no"


def at_most(a, b):
    return "yes" if a <= b else "no"


def greater(a, b):
    return "yes" if a > b else "no"


def at_least(a, b):
    return "yes" if a >= b else "no"


def equal(a, b):
    return "yes" if a == b else "no"


def unequal(a, b):
    return "yes" if a != b else "no"


def inside(a, b):
    return "yes" if a in b else "no"


def outside(a, b):
    return "yes" if a not in b else "no"


def same(a, b):
    return "yes" if a is b else "no"


def plain(a):
    return "yes" if a else "no"


def negated(a):
    return "no" if not a else "yes"


def typed(a):
    return "yes" if isinstance(a, int) else "no"


def starts(a, b):
    return "yes" if a.startswith(b) else "no"


def ends(a, b):
    return "yes" if a.endswith(b) else "no"


def digits(a):
    return "yes" if a.isdigit() else "no"


def _is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def leap(year):
    if _is_leap(year):
        return 366
    return 365


def between(number):
    if 10 <= number < 20:
        return "teen"
    return "other"


def looked_up(key):
    try:
        return {"one": 1, "two": 2}[key]
    except KeyError:
        return 0


def indexed(items, at):
    try:
        return items[at]
    except IndexError:
        return None


def ratio(a, b):
    try:
        return a / b
    except ZeroDivisionError:
        return None


def parsed(text):
    try:
        return int(text)
    except ValueError:
        return None


def total(items):
    found = 0
    for item in items:
        if item > 3:
            continue
        found += item
    else:
        found += 100
    while found > 150 and items:
        found -= 7
    return found


def named(number):
    match number:
        case 1:
            return "one"
        case 2 | 3:
            return "few"
        case -7:
            return "minus seven"
        case other if other > 1000:
            return "many"
    return "other"


def chosen(items, default):
    return [item or default for item in items if item != 5 and (item is None or -9 < item < 9)]


def checked(number):
    assert number > 3, "too small"
    return (lambda other: "odd" if other % 2 else "even")(number)


class Shape:
    sides = 4

    def __init__(self, width):
        self.__width = width if width else 1

    def is_wide(self):
        return self.__width > 10

    def __eq__(self, other):
        return isinstance(other, Shape) and self.__width == other.__width

    def kind(self):
        return "wide" if self.is_wide() else "narrow"


def shaped(width):
    return Shape(width).kind(), Shape(width) == Shape(3), {Shape.sides: 1}.get(width, "none")


def counted_down(number):
    while (number := number - 1) > 0:
        yield number


def down(number):
    return [item for item in counted_down(number) if item not in (2, 3)]


DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")


def dated(text):
    found = DATE.fullmatch(text)
    if found is not None:
        return "yes"
    return "no"


def worded(text):
    if re.search("ba+d", text):
        return "yes"
    return "no"


def known(key):
    value = {"abc": 1, "xyz": 2}.get(key)
    if value:
        return "yes"
    return "no"
