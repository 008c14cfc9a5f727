"""synthesis as a strategy: exact worst cases at sizes never seen, generators that hold, small sizes that mislead."""

import doctest
import json
import signal
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import pessimal
from bench.xstressor_subjects import SUBJECTS
from pessimal.errors import UsageError
from pessimal.inputs import Inputs, encode
from pessimal.python.concrete import Concrete
from pessimal.python.costs import find
from pessimal.search.synthesis import Synthesis
from pessimal.strategy import Stepwise
from pessimal.testing import InProcess, check_strategy
from pessimal.trace import Outcome
from tests.commands import PAUSE, finish, slowly, start, wait_for
from tests.profiles import thorough
from tests.search.watching import Watched, watched
from tests.subjects import (
    block_compare,
    bool_matrices,
    boyer_moore,
    bubble_sort,
    dijkstra_matrix,
    heappush,
    insertion_sort,
    list_insert,
    merge,
    misleading,
    quicksort,
    shapes,
    tree_search,
)

SORT = insertion_sort.insertion_sort
PAPER = {subject.name: subject for subject in SUBJECTS}
QUICK = {"train": [2, 3, 4, 5, 6, 7, 8], "train_paths": 60}


def searched(target, size, **options):
    """The session after a search in this process, and what the strategy told."""
    session = watched(target, size, Synthesis(**options), None)
    assert session.counters.found_by == "synthesis"
    assert session.stopped == "nothing left to try"
    return session, json.loads(json.dumps(session.strategy.report(), allow_nan=False))


def worst_case(code):
    """The function that a generator is, once its examples were tried."""
    names = {}
    exec(code, names)
    test = doctest.DocTestParser().get_doctest(names["worst_case"].__doc__, names, "generator", None, 0)
    assert test.examples
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
    return names["worst_case"]


def cost_of(target, size, arguments, inputs=None, cost="branches"):
    """What a call costs on the unmodified target."""
    spec, measure = Inputs.of(target, size, inputs), find(cost)
    trace = Concrete(target, spec.decode, measure, timeout=TimeoutError).run(encode(spec, arguments))
    assert trace.outcome is Outcome.RETURNED
    return trace.costs[measure.name]


# Worst cases with a closed form, by model or by generator, at sizes far from those of the examples.

SHAPES = {
    getattr(shapes, name): getattr(shapes, f"longest_{name}")
    for name in ("is_wave", "is_palindrome", "ordered_pairs", "gallop", "recursive_sort", "ties", "valley")
}
KNOWN = {
    SORT: insertion_sort.longest,
    boyer_moore.search: boyer_moore.longest,
    heappush.push_all: heappush.longest,
    shapes.gallop: shapes.longest_gallop,
}
MORE = {
    quicksort.quicksort: quicksort.longest,
    bubble_sort.bubble_sort: bubble_sort.longest,
    tree_search.search: tree_search.longest,
    **{shape: longest for shape, longest in SHAPES.items() if shape not in (shapes.is_wave, shapes.gallop)},
}  # is_wave has a rule for each parity


@pytest.mark.parametrize("target", [*KNOWN, *thorough(MORE)], ids=lambda target: target.__name__)
def test_the_worst_case_and_its_generator(target):
    longest = {**KNOWN, **MORE}[target]
    session, report = searched(target, 50)
    assert session.best.cost == longest(50)
    assert session.counters.runs <= 3
    made = worst_case(report["generator"])
    assert [cost_of(target, n, made(n)) for n in (21, 34, 67)] == [longest(n) for n in (21, 34, 67)]
    assert all(report["examples"][str(n)] == longest(n) for n in range(1, 8))


FEW = [shapes.is_wave, shapes.valley]


@pytest.mark.parametrize(
    "target", [*FEW, *thorough(shape for shape in SHAPES if shape not in FEW)], ids=lambda target: target.__name__
)
def test_even_and_odd_sizes_of_shapes(target):
    for size in (30, 41) if target is shapes.is_wave else (41,):  # even ones have a test above
        assert searched(target, size, generator=False)[0].best.cost == SHAPES[target](size)


@dataclass
class Case:
    """A target with inputs, preconditions or a cost of its own."""

    target: object
    longest: object
    size: int
    others: tuple = (18, 25, 33)
    given: dict = field(default_factory=dict)


def of_paper(name):
    return {"inputs": dict(PAPER[name].inputs), "require": PAPER[name].require, "cost": PAPER[name].cost}


CASES = {
    "sorted list": Case(list_insert.insert, list_insert.longest, 60, given=of_paper("sorted list")),
    "merging": Case(merge.merge, merge.longest, 60, given=of_paper("merging")),
    "dijkstra": Case(dijkstra_matrix.shortest, dijkstra_matrix.most_relaxations, 30, given=of_paper("dijkstra")),
    "boolean matrices": Case(bool_matrices.multiply, bool_matrices.longest, 12, (9, 10, 14)),
    "cmp": Case(block_compare.first_difference, block_compare.longest, 40, given=of_paper("cmp")),
}


@pytest.mark.parametrize("name", CASES)
def test_the_papers_programs_by_replay(name):
    case = CASES[name]
    result = pessimal.stress(case.target, size=case.size, strategy="synthesis", **{"cost": "branches", **case.given})
    assert result.cost["value"] == case.longest(case.size)
    assert (result.witness.replayed, result.witness.difference) == (True, None)
    assert result.report["model"]["expected"] == case.longest(case.size)
    made = worst_case(result.generator)
    inputs, cost = case.given.get("inputs"), case.given.get("cost", "branches")
    found = [cost_of(case.target, n, made(n), inputs, cost) for n in case.others]
    assert found == [case.longest(n) for n in case.others]
    for n in case.others:
        for requirement in case.given.get("require", ()):
            assert eval(requirement, made(n))


def test_no_size_is_run_symbolically_but_small_ones():
    session = Watched(SORT, 200, None)
    session.conduct(Synthesis())
    assert session.traces == []
    assert session.best.cost == insertion_sort.longest(200)
    assert session.counters.practised > 0


def test_what_is_told_of_a_model():
    _, report = searched(SORT, 40)
    model = report["model"]
    assert (model["of"], model["modulus"], model["expected"]) == ("all conditions", 1, 780)
    assert set(model["fitted"]) <= set(model["explained"]) <= set(range(1, 9))
    assert model["held_out"] == [9, 10]
    assert "result[j] > x" in model["program"]
    assert report["conditions"] == 780
    assert {"examples", "model", "check", "synthesis", "solving", "replay"} <= set(report["seconds"])
    assert not {"note", "mismatch"} & set(report)


# Small sizes that mislead.


@pytest.mark.parametrize(
    ("target", "longest"),
    [(misleading.hybrid_sort, misleading.longest_hybrid), (misleading.guarded_sort, misleading.longest_guarded)],
    ids=["hybrid", "guarded"],
)
def test_what_misleads_is_refused_and_others_go_on(target, longest):
    session, report = searched(target, 30)
    predicted = insertion_sort.longest(30)
    assert report["mismatch"] is True
    assert "model" not in report and report["generator"] is None
    (reason,) = [reason for reason in report["refused"] if "predicted" in reason][-1:]
    assert f"but {predicted} was predicted: the target behaves differently there than at small sizes" in reason
    assert report["note"] == f"no model holds: {report['refused'][-1]}"
    assert session.best.cost < predicted
    others = pessimal.stress(
        target, size=30, strategy="auto", cost="branches", paths=12_000, budget=None, stop_after="none"
    )
    assert others.report["details"]["synthesis"]["mismatch"] is True
    assert others.generator is None
    assert session.best.cost < others.cost["value"] <= longest(30)


def test_an_input_that_does_not_end_is_no_model():
    class Limited(InProcess):
        def evaluate(self, leaves, seconds, recording=False):
            trace = super().evaluate(leaves, seconds, recording)
            if self.size == 30 and trace.costs["branches"] > 100:
                trace.outcome = Outcome.TIMED_OUT
            return trace

    strategy = Synthesis(**QUICK)
    session = watched(SORT, 30, strategy, None, front=Limited)
    assert session.best.cost == 29
    report = strategy.report()
    assert (report["mismatch"], report["generator"]) == (True, None)
    assert report["refused"][-1] == "its input of size 30 does not run to its end, or violates a precondition"


# Numbers beyond arrays.


def powers(xs: list[int]) -> int:
    """The wanted size has numbers that no array holds."""
    limit = 2 ** len(xs)
    count = 0
    while count < len(xs) and xs[count] > limit:
        count += 1
    return count


def moved(xs: list[int]) -> int:
    """Every size has."""
    count = 0
    while count < len(xs) and xs[count] + 10**30 > 3 * 10**30:
        count += 1
    return count


@pytest.mark.parametrize("target", [powers, moved])
def test_numbers_beyond_arrays_are_left_to_the_generator(target):
    session, report = searched(target, 100)
    assert session.best.cost == 100
    made = worst_case(report["generator"])
    assert cost_of(target, 80, made(80)) == 80


def test_a_model_beyond_memory_is_refused(monkeypatch):
    def full(*_args, **_kwargs):
        raise MemoryError

    strategy, session = Synthesis(**QUICK), Watched(SORT, 40, None)
    for _ in strategy.steps(session):
        monkeypatch.setattr("pessimal.synthesis.program.Program.expand", full)
    assert session.best.cost == 780  # by the generator
    report = strategy.report()
    assert "model" not in report
    assert report["refused"][-1] == "its path condition of size 40 is too large for this machine"


# Options.


def test_sizes_need_not_follow_each_other():
    session, report = searched(SORT, 40, train="4,6,7,9,12,13")
    assert session.best.cost == 780
    assert list(report["examples"]) == ["4", "6", "7", "9", "12", "13"]
    assert report["model"]["held_out"] == [12, 13]


def test_one_size_is_not_enough():
    session, report = searched(SORT, 40, train=5, train_paths=20)
    assert session.best.cost == 39
    assert report["note"] == "no model holds: 3 sizes with sequences are needed, found 1"
    assert report["generator"] is None


def test_a_generator_that_takes_too_long_to_find_is_given_up(monkeypatch):
    def find(examples):
        while True:
            pass
        yield

    monkeypatch.setattr("pessimal.synthesis.generators.generator.find", find)
    monkeypatch.setattr("pessimal.search.extrapolation.GENERATOR_SECONDS", 0.01)
    session, report = searched(SORT, 40, **QUICK)
    assert session.best.cost == 780
    assert report["generator"] is None


def test_a_model_that_takes_too_long_to_find_is_given_up_where_others_wait(monkeypatch):
    def proposals(*arguments):
        while True:
            pass
        yield

    monkeypatch.setattr("pessimal.search.extrapolation.proposals", proposals)
    session = Watched(SORT, 40, None)
    session.step_seconds = 0.01
    synthesis = Synthesis(**QUICK)
    session.conduct(synthesis)
    assert "finding a model took more than 0.01 s" in synthesis.report()["refused"]


def test_without_a_generator():
    _, report = searched(SORT, 40, generator="false", **QUICK)
    assert "generator" not in report
    assert "model" in report


@pytest.mark.parametrize("held_out", [0, 1, 2])
def test_sizes_that_are_held_out(held_out):
    session, report = searched(SORT, 40, held_out=held_out, **QUICK)
    assert session.best.cost == 780
    assert report["model"]["held_out"] == QUICK["train"][len(QUICK["train"]) - held_out :]
    assert set(report["model"]["explained"]).isdisjoint(report["model"]["held_out"])


def test_the_hot_loop_alone():
    line = next(n for n, text in enumerate(Path(tree_search.__file__).read_text().splitlines(), 1) if "while" in text)
    _, report = searched(tree_search.search, 30, site=f"tree_search.py:{line}", generator=False, **QUICK)
    assert report["model"]["of"] == f"the conditions at tree_search.py:{line}"


def test_others_may_look_for_examples():
    assert searched(SORT, 40, sources="wise, climb", **QUICK)[0].best.cost == 780


def test_examples_of_the_users(tmp_path):
    file = tmp_path / "examples.json"
    file.write_text(json.dumps([{"size": n, "input": {"xs": insertion_sort.worst(n)}} for n in range(2, 9)]))
    session, report = searched(SORT, 40, inputs=str(file))
    assert session.best.cost == 780
    assert list(report["examples"]) == [str(n) for n in range(2, 9)]
    assert report["model"]["held_out"] == [7, 8]


def test_results_are_examples(tmp_path):
    results = [
        pessimal.stress(SORT, size=n, strategy="fixed", inputs={"xs": f"const:{insertion_sort.worst(n)}"}) for n in (3,)
    ]
    file = tmp_path / "results.json"
    file.write_text(json.dumps(results[0].to_json()))
    _, report = searched(SORT, 12, inputs=str(file))
    assert report["examples"] == {"3": 3}
    assert "3 sizes" in report["note"]


def test_examples_that_are_not_the_worst_case_give_a_model_of_themselves(tmp_path):
    file = tmp_path / "examples.json"
    file.write_text(json.dumps([{"size": n, "input": {"xs": list(range(n))}} for n in range(2, 9)]))
    assert searched(SORT, 40, inputs=str(file))[0].best.cost == 39


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"train": "x"}, "train must be a list of sizes such as 3,4, but is 'x'"),
        ({"train": ""}, "train must be a list of sizes such as 3,4, but is ''"),
        ({"train": "3,-4"}, "train must be a list of sizes such as 3,4, but is '3,-4'"),
        ({"train": []}, "train must be a list of sizes such as 3,4"),
        ({"train_paths": 0}, "train_paths must be a whole number of at least 1, but is 0"),
        ({"train_paths": "many"}, "train_paths must be a whole number of at least 1, but is 'many'"),
        ({"held_out": -1}, "held_out must be a whole number of at least 0, but is -1"),
        ({"held_out": 1.5}, "held_out must be a whole number"),
        ({"generator": "maybe"}, "generator must be true or false, but is 'maybe'"),
        ({"sources": 5}, "sources must be a list of strategies such as fixed,climb, but is 5"),
        ({"sources": [5]}, "sources must be a list of strategies such as fixed,climb, but is [5]"),
        ({"inputs": "none.json"}, "none.json cannot be read: No such file or directory"),
        ({"inputs": ""}, ". cannot be read: Is a directory"),
    ],
)
def test_options_that_do_not_fit(options, message):
    with pytest.raises(UsageError) as caught:
        Synthesis(**options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "3", "null", '"x"', "{}", "[3]", "\udcff"),
        *('[{"size": 3}]', '{"size": "3", "input": {}}', '{"size": 3, "input": []}', '{"size": true, "input": {}}'),
        '[{"size": 3, "input": {"xs": {"$bytes": 4}}}]',
    ],
)
def test_a_file_without_examples(tmp_path, text):
    file = tmp_path / "examples.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UsageError, match=r"examples\.json does not contain examples: give a list of ") as caught:
        Synthesis(inputs=str(file))
    assert caught.value.slug == "examples"


@pytest.mark.parametrize(
    ("size", "values"), [(3, {"xs": [1, 2]}), (2, {"xs": [1, "a"]}), (2, {"ys": [1, 2]}), (2, {}), (-3, {"xs": []})]
)
def test_an_example_that_does_not_fit(tmp_path, size, values):
    file = tmp_path / "examples.json"
    file.write_text(json.dumps({"size": size, "input": values}))
    with pytest.raises(UsageError, match=f"an example of size {size} does not fit: ") as caught:
        watched(SORT, 20, Synthesis(inputs=str(file)), None)
    assert caught.value.slug == "examples"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sources": "sweep"}, "sweep cannot search for examples: it needs steps"),
        ({"sources": ""}, "unknown strategy ''"),
        ({"site": "nope.py:3"}, "no branch of the target is at nope.py:3: there are branches at insertion_sort.py:"),
        ({"site": "insertion_sort.py:1"}, "no branch of the target is at insertion_sort.py:1"),
    ],
)
def test_what_turns_out_to_be_wrong_later(options, message):
    with pytest.raises(UsageError) as caught:
        watched(SORT, 20, Synthesis(**QUICK, **options), None)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


# Targets of all kinds.


def straight(xs: list[int]) -> int:
    """No branches."""
    return sum(xs)


def raises(xs: list[int]) -> int:
    """The longest path ends with an exception."""
    for i in range(len(xs) - 1):
        if xs[i] > xs[i + 1]:
            return 0
    raise ValueError("sorted")


def floats(xs: list[float]) -> int:
    """Between any two are others."""
    count = 0
    while count < len(xs) - 1 and xs[count] < xs[count + 1] and xs[count + 1] * 2 != 3.0:
        count += 1
    return count


def text(s: str) -> int:
    """Characters other than the one to start with."""
    return next((i for i, letter in enumerate(s) if letter != "q"), len(s))


def table(d: dict[str, int]) -> int:
    """Values of a dictionary."""
    return next((i for i, value in enumerate(d.values()) if value < 3), len(d))


def single(x: int) -> int:
    """Its size does not matter."""
    return 1 if x > 3 else 0


def nothing() -> int:
    """No input at all."""
    return 0


@pytest.mark.parametrize(
    ("target", "size", "cost"),
    [
        (straight, 20, 0),
        (raises, 20, 19),
        (floats, 10, 18),
        (text, 30, 30),
        (single, 20, 1),
        (nothing, 20, 0),
        (SORT, 7, 21),
    ],
)
def test_targets_of_all_kinds(target, size, cost):
    assert searched(target, size)[0].best.cost == cost


def test_a_dictionary():
    session, report = searched(table, 9, train=[2, 3, 4, 5, 6], train_paths=30)
    assert 0 < session.best.cost <= 9
    assert "model" in report or report["generator"] or report["note"]


@pytest.mark.parametrize("size", [0, 1, 3, 6])
def test_sizes_with_too_few_smaller_ones(size):
    session, report = searched(SORT, size)
    assert session.best.cost == insertion_sort.longest(size)
    assert report["note"] == "sizes below 7 have too few smaller ones to learn from"
    assert report["examples"] == {}


def falls(xs: list[int]) -> int:
    """How far a list falls."""
    count = 0
    while count < len(xs) - 1 and xs[count] > xs[count + 1]:
        count += 1
    return count


@pytest.mark.parametrize(
    ("requirement", "cost"), [("len(xs) % 2 == 0", 19), ("len(xs) > 15", 1), ("xs[0] == 100 and xs[-1] == 0", 19)]
)
def test_preconditions_that_nothing_satisfies_at_some_sizes(requirement, cost):
    options = {"train_paths": 60}
    result = pessimal.stress(
        falls, size=20, strategy="synthesis", cost="branches", require=[requirement], options=options
    )
    assert result.cost["value"] >= cost
    assert result.witness.difference is None
    assert eval(requirement, dict(result.input))
    json.dumps(result.to_json(), allow_nan=False)


def test_a_size_where_nothing_ends_is_not_told():
    class Hanging(InProcess):
        def resized(self, size):
            return Hanging(falls, size)

        def run(self, request, seconds):
            return self._hung(super().run(request, seconds))

        def evaluate(self, leaves, seconds, recording=False):
            return self._hung(super().evaluate(leaves, seconds, recording))

        def _hung(self, trace):
            if self.size == 3:
                trace.outcome = Outcome.TIMED_OUT
            return trace

    strategy = Synthesis(train_paths=40)
    session = watched(falls, 20, strategy, None, front=Hanging)
    assert session.best.cost == 19
    report = strategy.report()
    assert "3" not in report["examples"]
    json.dumps(report, allow_nan=False)


# The contract.


def test_it_keeps_the_contract():
    check_strategy(Synthesis)
    assert isinstance(Synthesis(), Stepwise)


def test_the_same_seed_gives_the_same_result():
    first, second = (searched(boyer_moore.search, 30) for _ in range(2))
    assert first[0].best == second[0].best
    assert first[0].counters.practised == second[0].counters.practised
    for _, report in (first, second):
        del report["seconds"]
    assert first[1] == second[1]


@pytest.mark.parametrize("after", [1, 50, *thorough([0, 400])])
def test_a_search_goes_on_where_it_was(after):
    strategy = Synthesis(**QUICK)
    steps = strategy.steps(Watched(tree_search.search, 30, None))
    for _, _ in zip(range(after), steps, strict=False):
        pass
    other = Synthesis(**QUICK)
    other.restore(json.loads(json.dumps(strategy.state(), allow_nan=False)))
    session = watched(tree_search.search, 30, other, None)
    assert session.best.cost == tree_search.longest(30)
    assert worst_case(other.report()["generator"])


def test_a_search_that_is_done_stays_done():
    session, report = searched(SORT, 30, **QUICK)
    other = Synthesis(**QUICK)
    other.restore(json.loads(json.dumps(session.strategy.state())))
    fresh = Watched(SORT, 30, None)
    fresh.conduct(other)
    assert (fresh.counters.runs, fresh.counters.practised) == (0, 0)
    assert other.report()["model"] == report["model"]
    assert other.report()["generator"] == report["generator"]


def test_the_budget_ends_it():
    strategy = Synthesis()
    session = Watched(SORT, 30, 1)
    assert session.conduct(strategy) in ("1 paths", "nothing left to try")
    assert session.counters.runs == 1
    json.dumps(strategy.report(), allow_nan=False)


SLOW = f"""
import os, time

def falls(xs: list[int]) -> int:
    {PAUSE}
    with open("calls", "a") as file:
        file.write(".")
    count = 0
    while count < len(xs) - 1 and xs[count] > xs[count + 1]:
        count += 1
    return count
"""
COMMAND = ["stress", "slow.py:falls", "--size", "20", "--strategy", "synthesis", "--budget", "10m"]
COMMAND += ["--cost", "branches", "--allow-side-effects", "--json", "--out", "out"]


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL], ids=["interrupted", "killed"])
def test_a_command_that_is_stopped_goes_on(write, tmp_path, end):
    write(SLOW, "slow.py")
    calls = tmp_path / "calls"
    with slowly():
        process = start(*COMMAND)
        wait_for(lambda: calls.exists() and calls.stat().st_size >= 5, process)
        process.send_signal(end)
        printed, said = finish(process)
    assert "Traceback" not in said
    if end is signal.SIGINT:
        assert process.returncode == 130
        assert json.loads(printed)["interrupted"] is True
    printed, said = finish(start(*COMMAND))
    result = json.loads(printed)
    assert (result["cost"]["value"], result["interrupted"]) == (19, False), said
    assert worst_case(result["report"]["generator"])
