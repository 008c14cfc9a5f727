"""Proposals: models of real paths, of all conditions and of the hot loop, and what they give at other sizes."""

import pytest

from pessimal.errors import UsageError
from pessimal.synthesis.proposal import condition_of, proposals
from pessimal.synthesis.terms import NoModel
from pessimal.testing import InProcess
from pessimal.trace import Trace
from tests.search.watching import Watched
from tests.subjects import dijkstra_matrix, insertion_sort, shapes

SORT = insertion_sort.insertion_sort


def trace_of(target, leaves, size):
    return Watched(target, size, None).run(start=leaves)


def sorts(sizes):
    return {n: [trace_of(SORT, insertion_sort.worst(n), n)] for n in sizes}


def two_loops(xs: list[int]) -> int:
    """A short loop, and one that is the hot one."""
    count = 0
    if xs[0] > 7:
        count += 1
    for i in range(1, len(xs)):
        if xs[i] > xs[i - 1]:
            count += 1
    return count


def two_halves(xs: list[int]) -> int:
    """One of two loops."""
    if xs[0] > 7:
        return sum(1 for x in xs if x > 3)
    return sum(1 for x in xs if x < 3)


def climbs(sizes):
    return {n: [trace_of(two_loops, list(range(8, 8 + n)), n)] for n in sizes}


def test_a_model_of_sizes_gives_the_worst_path_of_another():
    first = next(proposals(sorts(range(2, 8)), 50))
    assert (first.view, first.covers_path, first.is_absolute) == ("all conditions", True, False)
    condition = first.condition(50, InProcess(SORT, 50).domains)
    assert condition.branches == condition.conditions == insertion_sort.longest(50)
    leaves = condition.solve()
    assert trace_of(SORT, leaves, 50).length == insertion_sort.longest(50)
    assert "result[j] > x" in first.text()
    assert "for " in first.text()


def test_a_model_is_the_path_condition_at_the_sizes_that_it_was_made_from():
    examples = sorts(range(2, 8))
    first = next(proposals(examples, 50))
    for n, (trace,) in examples.items():
        domains = InProcess(SORT, n).domains
        assert first.condition(n, domains).solve() == condition_of(trace, domains).solve()


def test_terms_are_kept_in_order():
    def graph(n):
        leaves = [cost for row in dijkstra_matrix.worst(n) for cost in row]
        return trace_of(dijkstra_matrix.shortest, leaves, n)

    first = next(proposals({n: [graph(n)] for n in range(3, 9)}, 12))
    leaves = first.condition(12, InProcess(dijkstra_matrix.shortest, 12).domains).solve()
    weight = [leaves[12 * u : 12 * u + 12] for u in range(12)]
    found = dijkstra_matrix.shortest(weight)
    assert found[1:] == sorted(found[1:])
    assert trace_of(dijkstra_matrix.shortest, leaves, 12).length == dijkstra_matrix.longest_shortest(12)
    assert "let +(" in first.text()


def test_all_conditions_come_first_then_those_of_the_hot_loop():
    made = list(proposals(climbs(range(3, 9)), 30))
    views = list(dict.fromkeys(proposal.view for proposal in made))
    assert views[0] == "all conditions"
    assert len(views) == 2 and "the conditions at test_proposal.py" in views[1]
    hot = next(proposal for proposal in made if proposal.view == views[1])
    assert not hot.covers_path
    assert hot.condition(30, InProcess(two_loops, 30).domains).conditions == 29


def test_one_site_has_no_view_of_its_own():
    assert {proposal.view for proposal in proposals(sorts(range(2, 8)), 50)} == {"all conditions"}


def test_a_site_by_any_of_its_names():
    examples = climbs(range(3, 9))
    site = examples[3][0].sites[-1]
    for name in site.names:
        made = list(proposals(examples, 30, name))
        assert {proposal.view for proposal in made} == {f"the conditions at {name}"}
        assert not any(proposal.covers_path for proposal in made)
    places = ("test_proposal.py", "tests/synthesis/test_proposal.py", site.file)
    assert site.names[2:] == tuple(f"{place}:{site.line}" for place in places)


def test_a_site_that_is_not_there():
    examples = climbs(range(3, 9))
    lines = sorted({site.line for site in examples[3][0].sites})
    known = ", ".join(f"test_proposal.py:{line}" for line in lines)
    with pytest.raises(UsageError) as caught:
        next(proposals(examples, 30, "test_proposal.py:1"))
    assert str(caught.value) == f"no branch of the target is at test_proposal.py:1: there are branches at {known}"
    assert caught.value.slug == "site"


def test_a_site_that_only_some_of_the_paths_reach():
    lows = {n: [trace_of(two_halves, [0] * n, n), trace_of(two_halves, [9] * n, n)] for n in range(3, 9)}
    site = lows[3][1].sites[-1]
    assert site not in lows[3][0].sites
    made = next(proposals(lows, 30, site.id))
    assert made.condition(30, InProcess(two_halves, 30).domains).conditions == 30


def test_a_site_of_a_target_without_branches():
    with pytest.raises(UsageError, match="there are branches at none"):
        next(proposals({n: [Trace()] for n in range(1, 5)}, 9, "here.py:1"))


@pytest.mark.parametrize("examples", [{}, {3: []}, sorts([3]), sorts([3, 4])], ids=["none", "empty", "one", "two"])
def test_too_few_sizes_are_refused(examples):
    with pytest.raises(NoModel, match="3 sizes"):
        next(proposals(examples, 30))


def test_paths_without_a_rule_are_refused():
    lists = {3: [5, 1, 9], 4: [2, 2, 8, 1], 5: [9, 1, 8, 2, 7], 6: [1, 2, 3, 9, 8, 0]}
    examples = {n: [trace_of(SORT, xs, n)] for n, xs in lists.items()}
    with pytest.raises(NoModel):
        next(proposals(examples, 30))


def test_only_sizes_of_the_same_rest_where_others_do_not_fit():
    def wave(n):
        return trace_of(shapes.is_wave, [i % 2 if n % 2 == 0 else (i + 1) % 2 for i in range(n)], n)

    examples = {n: [wave(n)] for n in range(2, 13)}
    first = next(proposals(examples, 40))
    assert first.model.modulus == 2
    leaves = first.condition(40, InProcess(shapes.is_wave, 40).domains).solve()
    assert trace_of(shapes.is_wave, leaves, 40).length == 39


def test_nothing_to_satisfy_is_a_model_too():
    made = next(proposals({n: [Trace()] for n in range(1, 6)}, 20))
    condition = made.condition(20, InProcess(SORT, 20).domains)
    assert (condition.conditions, condition.solve()) == (0, [0] * 20)
