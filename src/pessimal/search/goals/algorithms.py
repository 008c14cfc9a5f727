"""Algorithms that minimise a function of the input: each a class with one method, registered by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp

from pessimal.errors import UnknownNameError
from pessimal.expr import Leaf
from pessimal.inputs import Domain
from pessimal.search.goals.landscape import Algorithm, Input, Landscape, Reached, crossed, moved, mutated, sample
from pessimal.search.goals.probing import Probing

__all__ = ["ALGORITHMS", "Algorithm", "Input", "Landscape", "Reached", "algorithm", "crossed", "mutated", "sample"]
AT_ONCE = 5
"""How many pattern moves are tried at once."""


class RandomInputs:
    """Random inputs."""

    name = "random"
    batch = 64

    def descend(self, landscape: Landscape, start: Input) -> None:
        """Draw inputs, a batch at a time."""
        while True:
            landscape.fitness([sample(landscape) for _ in range(self.batch)])


class HillClimbing:
    """Steepest descent over steps of each leaf, of many leaves some; a new random start where no step is better."""

    name = "hill"
    most_leaves = 256
    steps = (1, -1, 16, -16)

    def descend(self, landscape: Landscape, start: Input) -> None:
        """Take the best step as long as there is one."""
        current = list(start)
        (best,) = landscape.fitness([current])
        while True:
            domains = list(enumerate(landscape.domains))
            if len(domains) > self.most_leaves:
                domains = landscape.rng.sample(domains, self.most_leaves)
            near = [moved(current, at, step, domain) for at, domain in domains for step in self.steps]
            near = [item for item in near if item != current] or [sample(landscape)]
            values = landscape.fitness(near)
            least = min(values)
            if least < best:
                current, best = near[values.index(least)], least
            else:
                current = sample(landscape)
                (best,) = landscape.fitness([current])


class AlternatingVariable:
    """One leaf at a time: a step in each direction, then longer ones in the better direction."""

    name = "avm"

    def descend(self, landscape: Landscape, start: Input) -> None:
        """Go through the leaves until none helps, then start again from a random input."""
        current = list(start)
        (best,) = landscape.fitness([current])
        while True:
            before = best
            for at in range(len(current)):
                current, best = self._improve(landscape, current, best, at)
            if best >= before:
                current = sample(landscape)
                (best,) = landscape.fitness([current])

    def _improve(self, landscape: Landscape, current: Input, best: float, at: int) -> tuple[Input, float]:
        """Move one leaf as long as that helps."""
        domain = landscape.domains[at]
        for unit in units(domain, current[at]):
            while True:
                up, down = moved(current, at, unit, domain), moved(current, at, -unit, domain)
                values = landscape.fitness([up, down])
                if min(values) >= best:
                    break
                direction = 1 if values[0] <= values[1] else -1
                current, best = (up, values[0]) if direction > 0 else (down, values[1])
                current, best = self.follow(landscape, current, best, at, direction * unit)
        return current, best

    def follow(self, landscape: Landscape, current: Input, best: float, at: int, step: float) -> tuple[Input, float]:
        """Pattern moves: steps that double as long as they help; some are tried at once, since batches are cheap."""
        domain = landscape.domains[at]
        while True:
            further: list[Input] = []
            for _ in range(AT_ONCE):
                step *= 2
                further.append(moved(further[-1] if further else current, at, step, domain))
            for point, value in zip(further, landscape.fitness(further), strict=True):
                if value >= best:
                    return current, best
                current, best = point, value


class ExploratoryVariable(AlternatingVariable):
    """Steps of one size only."""

    name = "avm-exploratory"

    def follow(self, landscape: Landscape, current: Input, best: float, at: int, step: float) -> tuple[Input, float]:
        """No longer steps."""
        return current, best


class GeometricVariable(AlternatingVariable):
    """Pattern moves that go beyond the minimum, and then halve the bracket around it."""

    name = "avm-geometric"

    def follow(self, landscape: Landscape, current: Input, best: float, at: int, step: float) -> tuple[Input, float]:
        """Double steps until they overshoot, then halve what lies between."""
        found, value = super().follow(landscape, current, best, at, step)
        span = abs(float(found[at]) - float(current[at])) or abs(step)
        while span > abs(step):
            span /= 2
            domain = landscape.domains[at]
            near = [moved(found, at, span, domain), moved(found, at, -span, domain)]
            values = landscape.fitness(near)
            if min(values) < value:
                value = min(values)
                found = near[values.index(value)]
        return found, value


class LatticeVariable(AlternatingVariable):
    """Pattern moves that go beyond the minimum, and then narrow it down by Fibonacci numbers."""

    name = "avm-lattice"

    def follow(self, landscape: Landscape, current: Input, best: float, at: int, step: float) -> tuple[Input, float]:
        """Double steps until they overshoot, then steps of Fibonacci numbers, from the largest that fits."""
        found, value = super().follow(landscape, current, best, at, step)
        numbers = [1, 2]
        while numbers[-1] * abs(step) < abs(float(found[at]) - float(current[at])):
            numbers.append(numbers[-1] + numbers[-2])
        domain = landscape.domains[at]
        for number in reversed(numbers):
            near = [moved(found, at, number * step, domain), moved(found, at, -number * step, domain)]
            values = landscape.fitness(near)
            if min(values) < value:
                value = min(values)
                found = near[values.index(value)]
        return found, value


class Annealing:
    """Random steps; a worse one is taken too, the less probably the worse it is and the longer the search lasts.

    How bad a step is counts in units of the changes of the last steps, since distances and costs have any scale.
    """

    name = "anneal"
    cooling, least_temperature, memory = 0.985, 0.01, 0.9

    def descend(self, landscape: Landscape, start: Input) -> None:
        """Cool down, then warm up again from the best input so far."""
        current, temperature, scale = list(start), 1.0, 0.0
        (value,) = landscape.fitness([current])
        best = value, current
        while True:
            other = mutated(current, landscape)
            (next_value,) = landscape.fitness([other])
            worse = next_value - value
            scale = self.memory * scale + (1 - self.memory) * min(float(abs(worse)), 1e300)
            if worse <= 0 or landscape.rng.random() < exp(-min(worse / max(temperature * scale, 1e-12), 700.0)):
                current, value = other, next_value
            best = min(best, (value, current), key=lambda pair: pair[0])
            temperature *= self.cooling
            if temperature < self.least_temperature:
                temperature, (value, current) = 1.0, best


class Genetic:
    """A population; the better of some are crossed and mutated, and the best stay."""

    name = "genetic"
    population, tournament, elite = 40, 4, 4

    def descend(self, landscape: Landscape, start: Input) -> None:
        """Go from generation to generation."""
        people = [list(start), *(sample(landscape) for _ in range(self.population - 1))]
        values = landscape.fitness(people)
        while True:
            order = sorted(range(len(people)), key=values.__getitem__)
            children = [self._child(people, values, landscape) for _ in range(self.population - self.elite)]
            kept = order[: self.elite]
            born = landscape.fitness(children)
            people = [*(people[i] for i in kept), *children]
            values = [*(values[i] for i in kept), *born]

    def _child(self, people: Sequence[Input], values: Sequence[float], landscape: Landscape) -> Input:
        rng = landscape.rng
        pair = [min(rng.choices(range(len(people)), k=self.tournament), key=values.__getitem__) for _ in range(2)]
        return mutated(crossed(people[pair[0]], people[pair[1]], rng), landscape)


def units(domain: Domain, value: Leaf) -> Sequence[float]:
    """The sizes of steps for a leaf: 1, and for floats smaller ones, and the order of the value itself."""
    if domain.kind != "float":
        return (1,)
    magnitude = abs(float(value))
    scale = magnitude if 1.0 < magnitude < 1e300 else 1.0
    return (scale, 1.0, 0.1, 1e-3, 1e-6, scale * 1e-9)


_MADE: Sequence[Callable[[], Algorithm]] = (
    RandomInputs, HillClimbing, ExploratoryVariable, AlternatingVariable, GeometricVariable, LatticeVariable, Annealing,
    Genetic, Probing,
)  # fmt: skip
ALGORITHMS: dict[str, Callable[[], Algorithm]] = {make().name: make for make in _MADE}


def algorithm(name: str) -> Algorithm:
    """The algorithm with a name."""
    if name not in ALGORITHMS:
        raise UnknownNameError(f"unknown algorithm {name!r}. Known are: {', '.join(ALGORITHMS)}")
    return ALGORITHMS[name]()
