"""Instrumented files that are kept for the next process are the same when they are read again."""

from pathlib import Path

import pytest

from pessimal.c import kept_source
from pessimal.c.build import sources_of
from pessimal.c.instrument import instrument
from pessimal.c.preprocess import Preprocessed
from pessimal.c.toolchain import Flags

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", ["subjects.c", "forms.c", "robust.c"])
def test_what_is_read_is_what_was_written(name):
    (source,) = sources_of(HERE / name, Flags.parse([]))
    made = instrument(Preprocessed.read(source.raw), 0, 0, ())
    assert kept_source.read(kept_source.written(made)) == made == source.instrumented
    assert made.literals
    assert made.text
