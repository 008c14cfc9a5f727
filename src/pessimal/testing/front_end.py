"""The conformance check of front-ends, on a target that their author gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from pessimal.conformance import expect
from pessimal.expr import Leaf, holds, show
from pessimal.frontend import FrontEnd
from pessimal.runs import Follow, Request
from pessimal.testing.runs import SECONDS
from pessimal.trace import COMPLETED, PATH_ENDS, Outcome, Side, Trace

ATTRIBUTES = ("name", "size", "inputs", "initial", "domains", "path_determined", "counts_branches", "statistics")
METHODS = tuple(name for name, member in vars(FrontEnd).items() if callable(member) and not name.startswith("_"))
SAMPLES = 20
FLIPS = 50


def check_front_end(make: Callable[[], FrontEnd]) -> None:
    """Check that a front-end keeps the contract of :class:`pessimal.frontend.FrontEnd`.

    ``make`` creates it for a target that decides something about its input, is deterministic, and costs what its path
    says.
    """
    front_end = make()
    _check_shape(front_end)
    front_end.prepare()
    _check_inputs(front_end)
    first = _check_run(front_end, front_end.initial)
    expect(len(first) > 0, "the target must make a decision, or there is nothing to check")
    _check_repetition(make, front_end, first)
    known = [first, *_check_flips(front_end, first)]
    _check_samples(front_end, known)
    _check_resized(front_end)


def _check_shape(front_end: FrontEnd) -> None:
    for name in ATTRIBUTES:
        expect(hasattr(front_end, name), f"a front-end needs the attribute {name}")
    for name in METHODS:
        expect(callable(getattr(front_end, name, None)), f"a front-end needs a method {name}()")


def _check_inputs(front_end: FrontEnd) -> None:
    initial, domains = front_end.initial, front_end.domains
    expect(len(initial) == len(domains), f"initial has {len(initial)} leaves, but there are {len(domains)} domains")
    _check_in_domains(front_end, initial)
    expect(front_end.admits(initial), "after prepare(), initial must satisfy the preconditions")
    expect(bool(front_end.describe_call(initial)), "describe_call() must return the text of a call")


def _check_in_domains(front_end: FrontEnd, leaves: Sequence[Leaf]) -> None:
    for value, domain in zip(leaves, front_end.domains, strict=True):
        expect(value in domain, f"the leaf {domain.name} is {value!r}, which is outside its domain")


def _check_run(front_end: FrontEnd, leaves: Sequence[Leaf]) -> Trace:
    """A symbolic run that starts from an input follows it, and a concrete run of the input does the same."""
    trace = front_end.run(Request(start=leaves, probe_other=True), SECONDS)
    expect(trace.leaves == list(leaves), "a run without a policy must follow the input that it starts from")
    _check_path(front_end, trace)
    return trace


def _check_path(front_end: FrontEnd, trace: Trace) -> None:
    """The input of a trace lies in its domains, satisfies the path condition, and takes this path when it is run."""
    _check_in_domains(front_end, trace.leaves)
    for condition, held in trace.path_condition:
        is_so = holds(condition, trace.leaves)
        expect(is_so is held, f"the path says that {show(condition)} is {held}, but its input makes it {is_so}")
    concrete = front_end.evaluate(trace.leaves, SECONDS, recording=True)
    call = front_end.describe_call(trace.leaves)
    for ran in (concrete, front_end.native(trace.leaves, SECONDS)):
        expect(
            ran.outcome == trace.outcome, f"{call} {trace.outcome} when run symbolically, but {ran.outcome} otherwise"
        )
    if trace.outcome in COMPLETED:
        costs = front_end.cost(trace, SECONDS), front_end.cost(concrete, SECONDS)
        expect(
            costs[0] == costs[1], f"{call} costs {costs[0]} when run symbolically, but {costs[1]} when run concretely"
        )
        expect(_branches(trace) == _branches(concrete), f"{call} takes another path when it is run concretely")


def _branches(trace: Trace) -> list[tuple[str, int]]:
    """The branches of the program with their outcomes."""
    return [(branch.site.id, branch.taken) for branch in trace.branches]


def _check_repetition(make: Callable[[], FrontEnd], front_end: FrontEnd, trace: Trace) -> None:
    """The decisions of a path lead there again from any front-end of the same target."""
    other = make()
    other.prepare()
    for each in (front_end, other):
        again = each.run(Request(Follow(trace.decisions)), SECONDS)
        expect(again.decisions == trace.decisions, "following the decisions of a path must lead to the same path")
        expect(again.outcome == trace.outcome, "the same path must have the same outcome")


def _check_flips(front_end: FrontEnd, trace: Trace) -> list[Trace]:
    """Every outcome that is said to be feasible can be taken."""
    flips = [(p, outcome) for p in range(len(trace)) for outcome in trace.untaken(p)][:FLIPS]
    found = []
    for position, outcome in flips:
        decisions = [*trace.decisions[:position], outcome]
        request = Request(Follow(decisions), probe_other=True, stop_when_infeasible=True)
        flipped = front_end.run(request, SECONDS)
        expect(
            flipped.outcome in PATH_ENDS and list(flipped.decisions[: position + 1]) == decisions,
            f"outcome {outcome} at {trace.sites[position]} is said to be feasible, but a run does not take it",
        )
        _check_path(front_end, flipped)
        found.append(flipped)
    return found


def _check_samples(front_end: FrontEnd, known: Sequence[Trace]) -> None:
    """Random inputs agree in both kinds of runs, and none takes an outcome that is said to be infeasible."""
    rng = Random(0)
    for _ in range(SAMPLES):
        leaves = [domain.sample(rng) for domain in front_end.domains]
        if not front_end.admits(leaves):
            continue
        trace = _check_run(front_end, leaves)
        if trace.outcome is not Outcome.REJECTED:
            for other in known:
                _check_infeasible(trace, other)


def _check_infeasible(trace: Trace, known: Trace) -> None:
    pairs = enumerate(zip(trace.decisions, known.decisions, strict=False))
    position = next((p for p, (one, two) in pairs if one != two), None)
    if position is not None:
        claim = known.side(position, trace.decisions[position])
        place = known.sites[position]
        expect(claim is not Side.INFEASIBLE, f"an outcome at {place} is said to be infeasible, but an input takes it")


def _check_resized(front_end: FrontEnd) -> None:
    other = front_end.resized(front_end.size + 1)
    expect(other.size == front_end.size + 1, "resized() must return a front-end of the given size")
    _check_inputs(other)
    _check_run(other, other.initial)
