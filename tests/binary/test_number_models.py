"""The models of functions that read numbers, beside the real ones."""

import random

import pytest

pytest.importorskip("unicorn")

from tests.binary.building import library
from tests.binary.searching import SECONDS, front_end, searched

TEXTS = (
    *(
        "0",
        "-0",
        "7",
        "+7.5",
        ".5",
        "5.",
        ".",
        "-",
        "",
        " \t\n12",
        "1e3",
        "1e",
        "1e+",
        "1e-5x",
        "1E22",
        "9007199254740993",
    ),
    *(
        "1e309",
        "1e-320",
        "0x1p3",
        "0x",
        "1x",
        "inf",
        "-INFINITY",
        "nan(1)",
        "infx",
        "0.1",
        "1.7976931348623157e308",
        "00",
    ),
)


def _leaves(text):
    return list(text.encode().ljust(12, b"\0")[:12])


def test_numbers_are_those_of_the_real_function():
    rng = random.Random(1)
    drawn = ["".join(rng.choice("0123456789.eE+- xn") for _ in range(rng.randrange(1, 12))) for _ in range(40)]
    made = front_end(f"{library('numbers')}:parse", 12, cost="instructions")
    for text in (*TEXTS, *drawn):
        assert made.differs_natively(_leaves(text), SECONDS) is None, text


def test_symbolic_runs_agree_with_concrete_ones():
    made = front_end(f"{library('numbers')}:parse", 12, cost="instructions")
    for text in TEXTS:
        followed, plain = made.evaluate(_leaves(text), SECONDS, recording=True), made.evaluate(_leaves(text), SECONDS)
        assert (followed.returned, followed.costs["instructions"]) == (plain.returned, plain.costs["instructions"]), (
            text
        )


def test_the_characters_of_a_number_are_decided():
    _, messages = searched(front_end(f"{library('numbers')}:is_seven", 2), "generational", paths=60)
    texts = {bytes(message.finding.leaves) for message in messages if type(message).__name__ == "PathFound"}
    kinds = [str.isdigit, lambda text: text[0] in "+-", lambda text: text[0] == "." and text[1].isdigit()]
    assert all(any(kind(text.decode("latin-1")) for text in texts) for kind in kinds)
