import numpy as np
import pytest

from pessimal.synthesis.arrays.system import (
    HIGHEST,
    LOWEST,
    NO_VARIABLE,
    Differences,
    Sums,
    System,
    Unsupported,
    with_sums,
)


def column(*numbers):
    return np.array(numbers, np.int64)


def unbounded(size, *blocks, sums=()):
    return System(np.full(size, LOWEST), np.full(size, HIGHEST), size, list(blocks), list(sums))


@pytest.mark.parametrize(("op", "broken"), [("<=", 1), ("==", 2), ("!=", 1)])
def test_each_operator_counts_the_rows_that_are_broken(op, broken):
    # 1 - 2 + 1 = 0, 2 - 1 + 1 = 2 and 1 - 0 - 2 = -1
    system = unbounded(2, Differences(op, column(0, 1, 0), column(1, 0, NO_VARIABLE), column(1, 1, -2)))
    assert system.violated(column(1, 2)) == broken


def test_one_constant_stands_for_all_rows():
    system = unbounded(3, Differences("<=", column(0, 1), column(1, 2), 1))
    assert system.violated(column(0, 1, 2)) == 0
    assert system.violated(column(0, 1, 1)) == 1


def test_nothing_is_zero_on_either_side():
    system = unbounded(1, Differences("==", column(NO_VARIABLE, 0), column(0, NO_VARIABLE), column(7, -7)))
    assert system.violated(column(7)) == 0
    assert system.violated(column(6)) == 2


def test_bounds_include_both_ends():
    system = System(column(0, 0, 0, 0), column(3, 3, 3, 3), 4)
    assert system.violated(column(0, 3, -1, 4)) == 2


def test_sums_are_checked():
    system = unbounded(3, sums=[Sums(column(2), column(0), column(1), 5)])
    assert system.violated(column(1, 2, 8)) == 0
    assert system.violated(column(1, 2, 7)) == 1


def test_differences_at_the_far_ends_do_not_overflow():
    system = unbounded(2, Differences("<=", column(0), column(1), 1 << 61))
    assert system.violated(column(HIGHEST, LOWEST)) == 1
    assert system.violated(column(LOWEST, HIGHEST)) == 0


def test_conditions_are_the_rows_of_all_blocks():
    system = unbounded(3, Differences("<=", column(0, 1), column(1, 2)), sums=[Sums(column(2), column(0), column(1))])
    assert system.conditions == 3
    assert system.size == 3


def test_sums_are_computed_in_the_order_of_definition():
    late_first = [Sums(column(3, 2), column(2, 0), column(2, 1), column(1, 0))]
    assert with_sums(late_first, column(1, 2, 0, 0)).tolist() == [1, 2, 3, 7]


def test_sums_beyond_exact_numbers_are_given_up():
    targets = np.arange(1, 80)
    with pytest.raises(Unsupported, match="too large"):
        with_sums([Sums(targets, targets - 1, targets - 1)], np.ones(80, np.int64))


def test_an_unknown_operator_is_refused():
    with pytest.raises(ValueError, match="'<'"):
        Differences("<", column(0), column(1))


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match=r"\[1, 2\]"):
        Differences("<=", column(0), column(1, 2))
    with pytest.raises(ValueError, match=r"\[1, 3\]"):
        Sums(column(0), column(1), column(2), column(1, 2, 3))
