"""The algorithms on landscapes whose minimum is known, and how many evaluations they need to reach it."""

from contextlib import suppress
from random import Random

import pytest

from pessimal.inputs import Domain
from pessimal.search.goals import probing
from pessimal.search.goals.algorithms import ALGORITHMS, algorithm
from pessimal.search.goals.landscape import Reached

WHOLE = [Domain.of("int", "x", -10_000, 10_000), Domain.of("int", "y", -10_000, 10_000)]
REAL = [Domain.of("float", "x", -1e6, 1e6)]


class Known:
    """A landscape with a known minimum, for so many evaluations."""

    def __init__(self, domains, value, most):
        self.domains, self._value, self._left = domains, value, most
        self.rng = Random(1)
        self.best, self.count = None, 0

    def fitness(self, inputs):
        values = [self._value(*leaves) for leaves in inputs]
        for leaves, value in zip(inputs, values, strict=True):
            assert all(leaf in domain for leaf, domain in zip(leaves, self.domains, strict=True))
            self.count += self.best is None or self.best[0] > 0
            if self.best is None or value < self.best[0]:
                self.best = value, leaves
        self._left -= len(inputs)
        if self._left <= 0 or self.best[0] == 0:
            raise Reached
        return values

    def minimise(self, name, start):
        with suppress(Reached):
            algorithm(name).descend(self, start)
        return self


def bowl(x, y):
    return abs(x - 1234) + abs(y + 77)


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("avm", 200), ("avm-geometric", 300), ("avm-lattice", 400), ("avm-exploratory", 2 * (1234 + 77) + 50),
        ("hill", 1000), ("probe", 6000), ("anneal", 20_000), ("genetic", 20_000),
    ],
)  # fmt: skip
def test_the_minimum_of_a_bowl_is_reached(name, most):
    found = Known(WHOLE, bowl, most).minimise(name, [0, 0])
    assert found.best == (0, [1234, -77])


def test_random_inputs_do_not_follow_the_values():
    start = [1233, -77]
    assert Known(WHOLE, bowl, 2000).minimise("avm", start).count <= 10
    assert Known(WHOLE, bowl, 2000).minimise("random", start).best[0] > 0


@pytest.mark.parametrize("name", ["avm", "avm-geometric", "avm-lattice", "probe"])
def test_a_float_is_found_to_the_last_bit_that_counts(name):
    found = Known(REAL, lambda x: max(0.0, abs(x - 314.159265) - 1e-6), 3000).minimise(name, [0.0])
    assert found.best[0] == 0


def test_bits_are_found_by_steps_of_powers_of_two():
    """No step of one brings a number nearer to one with other bits; ``probe`` turns single bits over."""
    wanted = 0b1011001110001111

    def differing(x, y):
        return bin((x ^ wanted) & 0xFFFF).count("1") + abs(y)

    wide = [Domain.of("int", "x", 0, 65535), WHOLE[1]]
    assert Known(wide, differing, 5000).minimise("probe", [0, 0]).best == (0, [wanted, 0])


def test_a_round_of_probes_is_bounded_for_large_inputs():
    """Thousands of elements in hundreds of texts: a round must not copy all of them for each place of each text."""
    domains = []
    for text in range(200):
        domains.append(Domain.of("choice", f"len(s{text})", 0, 50))
        domains += [Domain.of("char", f"s{text}[{at}]", 32, 126) for at in range(50)]
    landscape = Known(domains, lambda *leaves: 1, 10)
    leaves = [50 if domain.kind == "choice" else 65 for domain in domains]
    made = probing.edits(leaves, landscape)
    assert len(made) == len(probing.edits(leaves, landscape)) == probing.MOST_COPIED // len(leaves)
    assert all(len(item) == len(leaves) and item != leaves for item in made)
    assert len(probing.moves(leaves, landscape)) < 200


def test_all_algorithms_are_tried_here():
    tried = {"avm", "avm-geometric", "avm-lattice", "avm-exploratory", "hill", "probe", "anneal", "genetic", "random"}
    assert set(ALGORITHMS) == tried
