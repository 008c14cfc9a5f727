"""Front-ends of the functions in subjects.c."""

from pathlib import Path

import pytest

from pessimal.frontend import make_front_end
from pessimal.search_spec import SearchSpec
from pessimal.target import Reference

SUBJECTS = Path(__file__).parent / "subjects.c"


@pytest.fixture(scope="session")
def front_end():
    """Makes front-ends of functions in subjects.c, or in a text of their own."""

    def make(function, size=4, file=SUBJECTS, **options):
        return make_front_end(SearchSpec(Reference.parse(f"{file}:{function}"), size, "auto", **options))

    return make
