"""Front-ends of the functions in subjects.c."""

from pathlib import Path

import pytest

from pessimal.frontend import make_front_end
from pessimal.search_spec import SearchSpec
from pessimal.target import Reference

SUBJECTS = Path(__file__).parent / "subjects.c"


@pytest.fixture
def front_end():
    """Makes front-ends of functions in subjects.c, or in a file of their own, and ends their processes."""
    made = []

    def make(function, size=4, file=SUBJECTS, **options):
        target = f"{file}:{function}"
        made.append(make_front_end(SearchSpec(Reference.parse(target), size, "auto", **options)))
        return made[-1]

    yield make
    for item in made:
        item.close()
