"""Tables of characters: they are made once, also where the run that needs one has hardly any time."""

import time

from pessimal.pool.alarm import Deadline, DeadlineExceeded
from pessimal.python.tables import table


def test_a_table_is_made_in_spite_of_a_deadline_and_only_once():
    made = []

    @table
    def slow(name: str) -> str:
        time.sleep(0.1)
        made.append(name)
        return name.upper()

    with Deadline(0.05):
        assert [slow("a"), slow("a")] == ["A", "A"]
    assert made == ["a"]


def test_the_deadline_goes_on_afterwards():
    @table
    def slow() -> int:
        time.sleep(0.05)
        return 1

    interrupted = False
    try:
        with Deadline(0.02):
            slow()
            while True:
                pass
    except DeadlineExceeded:
        interrupted = True
    assert interrupted
