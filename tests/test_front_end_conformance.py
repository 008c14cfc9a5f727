"""The conformance check of front-ends: ours and the toy keep the contract, and each way to break it is caught."""

from pathlib import Path

import pytest

from pessimal.frontend import make_front_end
from pessimal.search_spec import SearchSpec
from pessimal.target import Reference
from pessimal.testing import ConformanceError, InProcess, check_front_end
from pessimal.testing.programs import classify
from pessimal.trace import Side

TOYS = Path(__file__).parent / "plugins" / "programs" / "toys.stack"


def opened(target, size, **options):
    return lambda: make_front_end(SearchSpec(Reference.parse(str(target)), size, "fixed", **options))


def sums(xs: list[int]) -> int:
    return sum(x for x in xs if x > 3 or x % 2)


@pytest.mark.parametrize(
    "make",
    [
        opened(f"{TOYS}:sort", 3),
        opened(f"{TOYS}:menu", 2, given={"memory": "list[int:0..9]:N"}),
        lambda: InProcess(classify, 1),
        lambda: InProcess(sums, 3),
    ],
)
def test_they_keep_the_contract(make):
    check_front_end(make)


class Cheap(InProcess):
    def evaluate(self, leaves, seconds, recording=False):
        trace = super().evaluate(leaves, seconds, recording)
        trace.costs["branches"] = 0
        return trace


class Deaf(InProcess):
    def run(self, request, seconds):
        trace = super().run(request, seconds)
        trace.leaves = [leaf + 1 for leaf in trace.leaves]
        return trace


class Optimist(InProcess):
    def run(self, request, seconds):
        trace = super().run(request, seconds)
        trace.others[:] = bytes([Side.FEASIBLE]) * len(trace)
        return trace


class Pessimist(InProcess):
    def run(self, request, seconds):
        trace = super().run(request, seconds)
        trace.others[:] = bytes([Side.INFEASIBLE]) * len(trace)
        return trace


class Confused(InProcess):
    def run(self, request, seconds):
        trace = super().run(request, seconds)
        trace.decisions[0] ^= 1
        return trace


class Rigid(InProcess):
    def resized(self, size):
        return self


def twice(a: int) -> int:
    return 1 if a > 3 else 2 if a < 9 else 3


@pytest.mark.parametrize(
    ("make", "broken"),
    [
        (lambda: Cheap(classify, 1), "costs 4 when run symbolically, but 0"),
        (lambda: Deaf(classify, 1), "must follow the input"),
        (lambda: Optimist(twice, 1), "is said to be feasible, but"),
        (lambda: Pessimist(classify, 1), "is said to be infeasible, but"),
        (lambda: Confused(classify, 1), "but its input makes it"),
        (lambda: Rigid(classify, 1), r"resized\(\)"),
        (lambda: InProcess(lambda: None, 1), "must make a decision"),
        (lambda: object(), "needs the attribute name"),
    ],
)
def test_each_way_to_break_the_contract_is_caught(make, broken):
    with pytest.raises(ConformanceError, match=broken):
        check_front_end(make)
