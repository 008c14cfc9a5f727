"""How long concrete runs may take: little at first, more when runs are long, and repetitions that are affordable."""

from pessimal.search import run_limit
from pessimal.search.run_limit import RunLimit


def test_the_limit_grows_with_the_longest_run_up_to_what_is_granted():
    limit = RunLimit()
    assert limit.seconds(10.0) == run_limit.LEAST
    assert limit.seconds(0.1) == 0.1
    limit.note(0.2)
    limit.note(0.1)
    assert limit.seconds(10.0) == 2.0
    limit.note(3.0)
    assert limit.seconds(10.0) == 10.0


def test_the_first_run_that_takes_too_long_is_repeated_with_a_share_of_the_time():
    limit = RunLimit()
    assert limit.repetition(0.5, granted=10.0, left=20.0) == 5.0
    assert limit.repetition(0.5, granted=10.0, left=1.0) is None  # that is not longer
    assert limit.repetition(10.0, granted=10.0, left=1000.0) is None


def test_once_one_did_not_end_others_are_repeated_only_if_that_is_a_small_part_of_the_search():
    limit = RunLimit()
    limit.note_repetition(2.0, has_ended=True)
    assert limit.repetition(0.5, granted=10.0, left=20.0) == 5.0
    limit.note_repetition(5.0, has_ended=False)
    assert limit.repetition(0.5, granted=10.0, left=20.0) is None
    limit._start -= 1000.0
    assert limit.repetition(0.5, granted=10.0, left=20.0) == 5.0
