import numpy as np
import pytest
import z3
from hypothesis import example, given
from hypothesis import strategies as st

from pessimal.synthesis.arrays.solving import solve
from pessimal.synthesis.arrays.system import (
    HIGHEST,
    LOWEST,
    NO_VARIABLE,
    Differences,
    Sums,
    System,
    Unsatisfiable,
    Unsupported,
)
from tests.profiles import examples


def column(*numbers):
    return np.array(numbers, np.int64)


def differences(op, *rows):
    """Rows of left, right and constant."""
    left, right, const = zip(*rows, strict=True)
    return Differences(op, column(*left), column(*right), column(*const))


def system(size, *blocks, low=LOWEST, high=HIGHEST, sums=(), leaves=None):
    ends = (np.broadcast_to(np.asarray(end, np.int64), size).copy() for end in (low, high))
    return System(*ends, size if leaves is None else leaves, list(blocks), list(sums))


def solved(*args, **kwargs):
    return solve(system(*args, **kwargs)).tolist()


def pairs(size):
    """Each number with each smaller one."""
    return np.tril_indices(size, -1)


class TestSmallValues:
    def test_nothing_to_satisfy(self):
        assert solved(0) == []
        assert solved(3) == [0, 0, 0]

    def test_reverse_sorted(self):
        assert solved(5, Differences("<=", *pairs(5), 1)) == [4, 3, 2, 1, 0]

    def test_all_equal(self):
        assert solved(4, differences("==", (0, 1, 0), (1, 2, 0), (3, 2, 0))) == [0, 0, 0, 0]

    def test_a_domain_without_zero_starts_at_the_end_nearest_to_it(self):
        assert solved(3, differences("<=", (0, 1, 1)), low=32, high=126) == [32, 33, 32]
        assert solved(1, low=-9, high=-5) == [-5]

    def test_the_start_gives_way_to_an_upper_bound_only_as_far_as_needed(self):
        chain = differences("<=", (0, 1, 1), (1, 2, 1))
        assert solved(4, chain, low=-9, high=-5) == [-7, -6, -5, -5]
        assert solved(4, chain, differences("<=", (2, NO_VARIABLE, 0))) == [-2, -1, 0, 0]

    def test_equalities_with_constants(self):
        assert solved(3, differences("==", (0, 1, -5), (2, 1, 3))) == [8, 3, 0]

    def test_a_cycle_of_orders_makes_equals(self):
        assert solved(4, differences("<=", (0, 1, 0), (1, 2, 0), (2, 0, 0), (3, 0, 2))) == [2, 2, 2, 0]

    def test_bounds_of_a_difference(self):
        assert solved(2, differences("<=", (0, 1, 3), (1, 0, -5))) == [0, 3]
        assert solved(3, differences("<=", (0, 1, 3), (1, 0, -5), (2, 1, 9), (NO_VARIABLE, 2, 1))) == [5, 10, 1]


class TestUnsatisfiable:
    def core(self, *args, **kwargs):
        with pytest.raises(Unsatisfiable) as caught:
            solve(system(*args, **kwargs))
        return set(caught.value.core)

    def test_a_cycle_with_a_strict_edge(self):
        assert self.core(5, differences("<=", (0, 1, 0), (1, 2, 1), (2, 0, 0), (3, 0, 0), (2, 4, 0))) == {0, 1, 2}

    def test_a_cycle_that_gains_beside_negative_edges(self):
        assert self.core(4, differences("<=", (0, 1, 5), (1, 2, 0), (2, 0, -4), (2, 3, 0))) == {0, 1, 2}

    def test_a_variable_less_than_itself(self):
        assert self.core(2, differences("<=", (1, 1, 1))) == {1}

    def test_bounds_that_cross(self):
        assert self.core(2, differences("<=", (1, NO_VARIABLE, 0), (NO_VARIABLE, 1, 1))) == {1}

    def test_a_chain_too_long_for_its_domain(self):
        with pytest.raises(Unsatisfiable):
            solve(system(4, Differences("<=", *pairs(4), 1), low=0, high=2))

    def test_equalities_that_contradict(self):
        assert self.core(3, differences("==", (0, 1, 1), (1, 2, 1), (0, 2, 1))) <= {0, 1, 2}

    def test_equals_that_must_differ(self):
        assert self.core(3, differences("==", (0, 1, 0), (1, 2, 0)), differences("!=", (0, 2, 0))) == {0}

    def test_false_constants(self):
        assert self.core(1, differences("<=", (NO_VARIABLE, NO_VARIABLE, 1))) == set()
        assert solved(1, differences("<=", (NO_VARIABLE, NO_VARIABLE, 0))) == [0]

    def test_an_odd_ring_of_booleans(self):
        with pytest.raises(Unsatisfiable):
            solve(system(3, differences("!=", (0, 1, 0), (1, 2, 0), (2, 0, 0)), low=0, high=1))


class TestDisequalities:
    def test_booleans_forced_by_constants(self):
        assert solved(3, differences("!=", (0, NO_VARIABLE, 0), (NO_VARIABLE, 2, 1)), low=0, high=1) == [1, 0, 0]

    def test_booleans_by_turns(self):
        ring = differences("!=", (0, 1, 0), (1, 2, 0), (2, 3, 0), (3, 0, 0))
        assert solved(5, ring, low=0, high=1) == [0, 1, 0, 1, 0]
        assert solved(5, ring, differences("==", (3, NO_VARIABLE, 0)), low=0, high=1) == [1, 0, 1, 0, 0]

    def test_a_run_of_forbidden_values_is_left_behind_at_once(self):
        forbidden = Differences("!=", np.zeros(1000, int), np.full(1000, NO_VARIABLE), -np.arange(1000))
        assert solved(1, forbidden) == [1000]
        assert solved(1, forbidden, high=999) == [-1]

    def test_all_different(self):
        assert solved(6, Differences("!=", *pairs(6)), low=32, high=126) == [32, 33, 34, 35, 36, 37]

    def test_at_most_and_different_is_less(self):
        assert solved(2, differences("<=", (1, 0, 0)), differences("!=", (0, 1, 0))) == [1, 0]

    def test_a_choice_that_fails_proves_nothing(self):
        with pytest.raises(Unsupported):
            solve(system(5, Differences("!=", *pairs(5)), low=0, high=3))


class TestSums:
    def test_a_part_that_occurs_nowhere_else_is_computed(self):
        # t = a + b with 3 <= t - a
        sums = [Sums(column(2), column(0), column(1))]
        assert solved(3, differences("<=", (0, 2, 3)), sums=sums, leaves=2) == [0, 3, 3]

    def test_its_bounds_hold(self):
        sums = [Sums(column(2), column(0), column(1), 1)]
        bounds = {"low": [0, 0, LOWEST], "high": [9, 4, HIGHEST]}
        assert solved(3, differences("<=", (NO_VARIABLE, 2, 12)), sums=sums, leaves=2, **bounds) == [7, 4, 12]
        with pytest.raises(Unsatisfiable):
            solve(system(3, differences("<=", (NO_VARIABLE, 2, 15)), sums=sums, leaves=2, **bounds))

    def test_sums_that_nobody_compares_leave_the_inputs_alone(self):
        sums = [Sums(column(3, 4), column(0, 3), column(1, 2), column(2, 3))]
        assert solved(5, sums=sums, low=[1, 1, 1, LOWEST, LOWEST], leaves=3) == [1, 1, 1, 4, 8]

    def test_a_fixed_part_makes_an_equality(self):
        sums = [Sums(column(2), column(0), column(1), 1)]
        blocks = [differences("==", (0, NO_VARIABLE, -5)), differences("<=", (1, 2, 0), (NO_VARIABLE, 1, 2))]
        assert solved(3, *blocks, sums=sums, leaves=2) == [5, 2, 8]

    def test_parts_that_occur_elsewhere_are_pushed_up(self):
        # x0 + 3 <= x1 and x1 + x1 < x2
        sums = [Sums(column(3), column(1), column(1))]
        assert solved(4, differences("<=", (0, 1, 3), (3, 2, 1)), sums=sums, leaves=3) == [0, 3, 7, 6]

    def test_a_sum_that_must_be_large_is_left_to_a_linear_program(self):
        sums = [Sums(column(2), column(0), column(1)), Sums(column(3), column(0), column(0))]
        conditions = differences("<=", (NO_VARIABLE, 2, 7), (1, 0, 0), (3, NO_VARIABLE, -9))
        values = solved(4, conditions, sums=sums, low=[0, 0, LOWEST, LOWEST], leaves=2)
        assert values[0] + values[1] == values[2] >= 7
        assert values[1] <= values[0] <= 4

    def test_doubling_beyond_exact_numbers_is_given_up(self):
        targets = np.arange(1, 80)
        with pytest.raises(Unsupported):
            solve(system(80, sums=[Sums(targets, targets - 1, targets - 1)], low=1, leaves=1))


class TestLargeNumbers:
    @pytest.mark.parametrize("const", [1 << 60, 1 << 70])
    def test_constants_too_large_are_given_up(self, const):
        with pytest.raises(Unsupported):
            solve(system(2, Differences("<=", column(0), column(1), const)))

    def test_a_path_too_long_is_given_up(self):
        with pytest.raises(Unsupported):
            solve(system(9, Differences("<=", np.arange(8), np.arange(1, 9), 1 << 58)))

    def test_far_bounds_do_not_disturb(self):
        assert solved(2, differences("<=", (0, 1, 1)), low=-(1 << 61), high=(1 << 61) - 1) == [0, 1]


class TestLargeSystems:
    def test_insertion_sort_in_any_order_of_conditions(self):
        size = 600
        left, right = pairs(size)
        shuffled = np.random.default_rng(0).permutation(len(left))
        values = solved(size, Differences("<=", left[shuffled], right[shuffled], 1))
        assert values == list(range(size - 1, -1, -1))

    def test_merging_is_one_long_chain(self):
        size = 50_000
        first = np.arange(size)
        blocks = [
            Differences("<=", first[:-1], first[1:]),
            Differences("<=", first[:-1] + size, first[1:] + size),
            Differences("<=", first, first + size),
            Differences("<=", first[:-1] + size, first[1:], 1),
        ]
        assert solved(2 * size, *blocks) == [*range(size), *range(size)]

    def test_one_wide_level(self):
        left, right = (index.ravel() for index in np.indices((1500, 1500)))
        assert solved(3000, Differences("<=", left, right + 1500, 1)) == [0] * 1500 + [1] * 1500

    def test_versions_of_one_element(self):
        size = 20_000
        steps = np.random.default_rng(0).integers(-9, 9, size - 1)
        values = solve(system(size, Differences("==", np.arange(1, size), np.arange(size - 1), -steps)))
        assert np.array_equal(np.diff(values), steps)
        assert values.min() == 0

    def test_steps_with_a_smallest_and_a_largest_height(self):
        size = 20_000
        steps = np.arange(size - 1)
        up, down = Differences("<=", steps, steps + 1, 1), Differences("<=", steps + 1, steps, -3)
        assert solved(size, up, down)[-1] == size - 1
        ends = column(0), column(size - 1)
        assert solved(size, up, down, Differences("<=", *ends, 2 * size))[-1] == 2 * size
        with pytest.raises(Unsatisfiable):
            solve(system(size, up, down, Differences("<=", *ends, 3 * size)))

    def test_boolean_matrices(self):
        size = 40
        cells = size * size
        rows = np.repeat(np.arange(cells), size)
        columns = np.tile(np.arange(cells), size) + cells
        nothing = np.full(len(rows), NO_VARIABLE)
        blocks = [Differences("!=", rows, nothing), Differences("<=", nothing, columns, np.ones(len(rows), int))]
        assert solved(2 * cells, *blocks, low=0, high=1) == [1] * (2 * cells)

    def test_equal_and_different_characters(self):
        left, right = np.random.default_rng(0).integers(0, 300, (2, 20_000))
        equal = left % 3 == right % 3
        blocks = [Differences("==", left[equal], right[equal]), Differences("!=", left[~equal], right[~equal])]
        values = solved(300, *blocks, low=32, high=126)
        assert set(values) == {32, 33, 34}

    @pytest.mark.parametrize("high", [HIGHEST, 60])
    def test_dijkstra_with_every_relaxation(self, high):
        size = 60
        case = dijkstra(size, high)
        values = solve(case)
        assert case.violated(values) == 0
        assert values.max() == size - 2

    def test_dijkstra_with_too_small_weights(self):
        with pytest.raises(Unsatisfiable):
            solve(dijkstra(60, 40))


def dijkstra(size, high):
    """Nodes are taken in order, each shortens the way to all later ones, and the next is strictly the nearest."""
    leaves = size * size
    way = np.full(size, leaves)
    count = leaves + 1
    blocks, sums = [differences("==", (leaves, NO_VARIABLE, 0))], []
    for node in range(size - 1):
        later = np.arange(node + 1, size)
        targets = np.arange(count, count + len(later))
        count += len(later)
        sums.append(Sums(targets, np.full(len(later), way[node]), node * size + later))
        if node:
            blocks.append(Differences("<=", targets, way[later], 1))
        way[later] = targets
        blocks.append(Differences("<=", np.full(len(later) - 1, targets[0]), targets[1:], 1))
    low, high_ = np.full(count, LOWEST), np.full(count, HIGHEST)
    low[:leaves], high_[:leaves] = 0, high
    return System(low, high_, leaves, blocks, sums)


OPS = ["<=", "<=", "==", "!="]
SMALL = st.integers(-4, 4)
DOMAINS = st.one_of(
    st.just((0, 1)),
    st.just((LOWEST, HIGHEST)),
    st.builds(lambda low, width: (low, low + width), st.integers(-6, 6), st.integers(0, 8)),
    st.builds(lambda low: (low, HIGHEST), st.integers(-6, 6)),
    st.builds(lambda high: (LOWEST, high), st.integers(-6, 6)),
)


@st.composite
def systems(draw):
    domains = draw(st.lists(DOMAINS, min_size=1, max_size=5))
    leaves, size = len(domains), len(domains) + draw(st.integers(0, 3))
    domains += [(LOWEST, HIGHEST)] * (size - leaves)
    anyone = st.integers(NO_VARIABLE, size - 1)
    rows = st.lists(st.tuples(anyone, anyone, SMALL), min_size=1, max_size=4)
    blocks = draw(st.lists(st.builds(lambda op, some: differences(op, *some), st.sampled_from(OPS), rows), max_size=4))
    sums = [
        Sums(column(target), column(draw(part)), column(draw(part)), draw(SMALL))
        for target in range(leaves, size)
        for part in [st.integers(NO_VARIABLE, target - 1)]
    ]
    low, high = zip(*domains, strict=True)
    return system(size, *blocks, low=low, high=high, sums=sums, leaves=leaves)


def satisfiable(case):
    """What Z3 says of the same conditions."""
    x = [*(z3.Int(f"x{index}") for index in range(case.size)), z3.IntVal(0)]
    solver = z3.Solver()
    for index in range(case.size):
        solver.add(x[index] >= int(case.low[index]), x[index] <= int(case.high[index]))
    for block in case.differences:
        for left, right, const in zip(block.left, block.right, block.const, strict=True):
            total = x[left] - x[right] + int(const)
            solver.add(total <= 0 if block.op == "<=" else total == 0 if block.op == "==" else total != 0)
    for block in case.sums:
        for target, first, second in zip(block.target, block.first, block.second, strict=True):
            solver.add(x[target] == x[first] + x[second] + block.const)
    return solver.check() == z3.sat


@examples(300)
@given(systems())
@example(system(4, differences("!=", (2, 1, 0), (1, 2, 0), (0, 3, -1))))
def test_every_answer_agrees_with_z3(case):
    try:
        values = solve(case)
    except Unsatisfiable:
        assert not satisfiable(case)
    except Unsupported:
        pass
    else:
        assert case.violated(values) == 0
        assert satisfiable(case)


@examples(200)
@given(systems())
def test_orders_and_equalities_are_always_decided_with_the_least_values(case):
    case.differences = [block for block in case.differences if block.op != "!="]
    case.sums = []
    case.low = np.maximum(case.low, 0)
    case.high = np.maximum(case.high, 0)
    if not satisfiable(case):
        with pytest.raises(Unsatisfiable):
            solve(case)
        return
    values = solve(case)
    for index in range(case.size):
        smaller = system(case.size, *case.differences, low=case.low, high=case.high)
        smaller.high[index] = values[index] - 1
        assert not satisfiable(smaller)
