"""Dictionaries in the format of AFL."""

import pytest

from pessimal.dictionary import read_dictionary
from pessimal.errors import UsageError


def test_words(tmp_path):
    file = tmp_path / "words"
    file.write_text('# words\n\nkind="GET"\n"\\x00\\xff"\nlevel@2="a\\"b\\\\"\nagain="GET"\nline = "\\n"\n', "latin-1")
    assert read_dictionary(file) == [b"GET", b"\x00\xff", b'a"b\\', b"\n"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("word", "line 1: 'word' is no word: write"),
        ('a="b"\nkind="', "line 2"),
        ('""', "is no word"),
        ('"\\q"', "unknown escape"),
        ('"\\x1"', "unknown escape"),
        ("# nothing\n", "has no words"),
    ],
)
def test_what_is_no_dictionary(tmp_path, content, message):
    file = tmp_path / "words"
    file.write_text(content)
    with pytest.raises(UsageError, match=message) as error:
        read_dictionary(file)
    assert error.value.slug == "dictionary"


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        read_dictionary(tmp_path / "missing")
