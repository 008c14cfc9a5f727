"""Branches that the conditions before them exclude are found in the source, and no others."""

import textwrap

import pytest

from pessimal.python.cover.contradictions import excluded_outcomes


def excluded(source):
    text = textwrap.dedent(source)
    return {(line, outcome) for line, outcome, _ in excluded_outcomes(text, range(1, 100))}


def test_what_is_neither_larger_nor_equal_is_smaller():
    source = """\
        LARGEST = 10
        TABLE = {"a": 1, "b": 2}
        def f(text):
            previous = LARGEST + 1
            for letter in text:
                value = TABLE[letter] if letter else len(text)
                if value > previous:
                    raise ValueError
                if value == previous:
                    continue
                elif value < previous:
                    previous = value
        """
    assert excluded(source) == {(11, False)}


def test_a_remainder_has_few_values():
    source = """\
        def f(x):
            i = int(x * 3)
            i = i % 3
            if i == 0:
                return "a"
            if i == 1:
                return "b"
            if i == 2:
                return "c"
            return "never"
        """
    assert excluded(source) == {(8, False)}


def test_an_enclosing_condition_counts():
    source = """\
        def f(x: int):
            if x > 10:
                if x > 5:
                    return 1
            while x < 3:
                if x == 7:
                    return 2
                x += 1
        """
    assert excluded(source) == {(3, False), (6, True)}


TWICE = """
    if x > 10:
        return 1
    {between}
    if x <= 10:
        return 2
"""


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):" + TWICE.format(between="pass"),  # it may be nan
        "def f(x: int):" + TWICE.format(between="x = g(x)"),
        "def f(x: int):" + TWICE.format(between="for x in g(): pass"),
        "def f(x: int):" + TWICE.format(between="with g() as x: pass"),
        "x = 3\ndef f(x):" + TWICE.format(between="pass"),
        "x = 3\ndef g():\n    global x\n    x = None\ndef f():" + TWICE.format(between="pass"),
        "T = {1: 1}\nT[2] = 'a'\ndef f(k):\n    x = T[k]" + TWICE.format(between="pass"),
        "T = {1: 1, 2: 'a'}\ndef f(k):\n    x = T[k]" + TWICE.format(between="pass"),
        "def f(x: int):\n    def g():\n        nonlocal x\n        x = None" + TWICE.format(between="g()"),
        "def f(x: int):\n    while x < 5:\n        x += 1\n        if x < 5:\n            return 1\n",
        "def f(x: int):\n    while x < 5:\n        break\n    if x < 5:\n        return 1\n",
        "def f(x: int):\n    if x > 1:\n        pass\n    if x > 1:\n        return 1\n",
        "def f(x: int):\n    if x > 1 and g():\n        return 1\n    if x > 1:\n        return 2\n",
    ],
)
def test_nothing_else_is_excluded(source):
    assert excluded(source) == set()


def test_other_lines_are_not_looked_at():
    source = "def f(x: int):\n    if x > 10:\n        if x > 5:\n            return 1\n"
    assert excluded_outcomes(source, [2]) == []
    assert [tuple(item) for item in excluded_outcomes(source, [3])] == [(3, False, 4)]


def test_a_source_that_is_not_python():
    assert excluded_outcomes("def f(:", [1]) == []


def test_constants_may_be_members_of_tables():
    source = """\
        TABLE = {"a": 1}
        FIRST = TABLE["a"]
        OTHER = UNKNOWN[0]
        def f(x):
            i = len(x) + TABLE["a"]
            if i > 3:
                return 1
            if i > 3:
                return 2
            return 0
        """
    assert excluded(source) == {(8, True)}


READER = """\
def parted(text: str) -> list[str]:
    return text.split()

class Reader:
    def __init__(self, text: str) -> None:
        self.tokens = parted(text)
        self.position = 0

    def peek(self) -> str:
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.position += 1
        return token

    def step(self) -> int:
        return len(self.take())

    def read(self) -> int:
        value = 0
        while self.peek() in ("*", "/"):
            {first}
            operator = self.take()
            operand = self.step()
            if operator == "*":
                value *= operand
            elif operator == "/":
                value //= operand
            else:
                raise ValueError(operator)
        return value
"""


def read_by(first="pass", **changes):
    source = READER.format(first=first)
    for old, new in changes.items():
        source = source.replace(old, new)
    return source


def test_what_was_looked_at_is_what_is_taken():
    assert excluded(read_by()) == {(28, False)}
    assert excluded(read_by('if self.peek() == "*": value = 1')) == {(28, False)}
    assert excluded(read_by("if self.take(): pass")) == {(23, False)}  # what is taken next may be anything
    assert excluded(read_by(**{'in ("*", "/")': 'not in ("*", "/")'})) == {(26, True), (28, True)}


@pytest.mark.parametrize(
    "first",
    [
        "self.step()",
        "self.take()",
        "self.position += 1",
        "self.tokens[0] = value",
        "value = len(self.tokens.pop())",
        "for i in range(3): self.take()",
        "if value: self.position = 0",
        "while self.take(): pass",
        "with self: pass",
        "del self.tokens[0]",
        "[self.take() for _ in range(3)]",
        "value += self.step()",
    ],
)
def test_what_was_looked_at_before_something_was_done_is_not_what_is_taken(first):
    assert excluded(read_by(first)) == set()


@pytest.mark.parametrize(
    "changes",
    [
        {"class Reader:": "class Reader(Base):"},
        {"class Reader:": "class Below(Reader): ...\nclass Reader:"},
        {"-> list[str]": "-> Tokens"},
        {"def peek(self) -> str": "def peek(self) -> Token"},
        {"        token = self.peek()\n": "        self.position += 1\n        token = self.peek()\n"},
        {"return token": 'return token or "+"'},
        {"self.position = 0": "self.position = text"},
        {"return token": "yield token; return token"},
        {'in ("*", "/")': 'in ("*", "/", "-")'},
        {'in ("*", "/")': 'in "*/"'},
        {"operator = self.take()": "operator = self.take() or value"},
        {"operand = self.step()": "operator = self.take()"},
    ],
    ids=str,
)
def test_readers_that_may_give_something_else_prove_nothing(changes):
    assert excluded(read_by(**changes)) == set()


def test_names_are_told_apart_by_when_they_were_bound():
    source = """\
        def f(text: str, i: int) -> int:
            first = text; text = "b"; text = "c"
            if first == "b":
                return 1
            i = i + 1; i = i * 2
            if i == 7:
                return 2
            if text == "c":
                return 3
            return 4
        """
    assert excluded(source) == {(6, True), (8, False)}


@pytest.mark.parametrize(
    ("parameters", "found"),
    [
        ("text: str, number: int", {(5, True), (9, True)}),
        ("text: str = '', *, number: int = 0", {(5, True), (9, True)}),
        ("text: str = None, number: int = None", set()),
        ("text: str, *, number: int = None", {(5, True)}),
        ("text: Text, number", set()),
    ],
)
def test_a_parameter_may_be_its_default(parameters, found):
    source = f"""\
        def f({parameters}):
            if text:
                return 1
            "only the empty text is left, or None"
            if text != "":
                return 2
            if number:
                return 3
            if number != 0:
                return 4
        """
    assert excluded(source) == found


MACHINE = """\
    def f(events: list[str], step: int) -> int:
        place, state = 0, "start"
        for event in events:
            if state == "start":
                state = "open"
            elif state == "open":
                place, state = 1, "start"
            if place == 0:
                place = 1
            elif place == 1:
                place = 0
        return 0
    """


def test_a_name_has_one_of_the_values_that_are_spelt_out_for_it():
    assert excluded(MACHINE) == {(6, False), (10, False)}
    assert excluded(MACHINE.replace('state = "open"', 'state = "closed"')) == {(6, True), (10, False)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('state = "open"', "state = event"),
        ('state = "open"', 'state += "open"'),
        ("for event in events", "for state in events"),
        ("step: int", "step: int, state: str"),
        ("        place, state", "        global state\n        place, state"),
    ],
)
def test_a_name_that_may_hold_something_else_proves_nothing(old, new):
    moved = "global" in new
    assert excluded(MACHINE.replace(old, new)) <= {(10 + moved, False)}


def test_a_number_of_a_range_may_be_any():
    assert (
        excluded("""\
        def f() -> int:
            for place in range(3):
                if place == 0:
                    return 1
                elif place == 1:
                    return 2
            return 3
        """)
        == set()
    )


@pytest.mark.parametrize(
    ("hint", "found"),
    [("tuple[int, int]", {(6, False)}), ("tuple[float, float]", set()), ("tuple[int]", set()), ("list[int]", set())],
)
def test_hints_of_functions_tell_what_they_return(hint, found):
    assert (
        excluded(f"""\
        def g() -> {hint}: ...
        def f() -> int:
            _, month = g()
            if month <= 3:
                return 1
            elif month > 3:
                return 2
            return 3
        """)
        == found
    )


def test_a_condition_that_contradicts_itself_needs_no_other():
    assert excluded("""\
        def f(number: int) -> int:
            if (number * 2) % 2 == 1:
                return 1
            return 2
        """) == {(2, True)}
