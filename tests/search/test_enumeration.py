"""Enumerate: every input of a domain once, in a spread order, and a proof only when all were run."""

import json
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.errors import UsageError
from pessimal.inputs import Domain
from pessimal.search.enumeration import Enumerate, number_of_inputs
from pessimal.testing import check_strategy


class Session:
    def __init__(self, domains):
        self.domains = domains
        self.initial = [domain.initial for domain in domains]
        self.tried = []
        self.proof = None

    def evaluate(self, leaves):
        self.tried.append(tuple(leaves))
        return 0.0

    def survey(self, inputs):
        return None

    def claim(self, proof, *, every_input):
        assert every_input
        self.proof = proof


BOUNDED = st.builds(
    lambda kind, low, width: Domain.of(kind, low=low, high=low + width),
    st.sampled_from(["int", "char", "choice"]),
    st.integers(0, 50),
    st.integers(0, 4),
)


@given(st.lists(BOUNDED | st.just(Domain.of("bool")) | st.just(Domain.of("float", low=2, high=2)), max_size=4))
def test_every_input_is_run_once(domains):
    session = Session(domains)
    Enumerate().search(session)
    expected = product(*(range(int(domain.low), int(domain.high) + 1) for domain in domains))
    assert sorted(session.tried) == sorted(expected)
    assert session.proof == "domain exhausted"
    assert number_of_inputs(domains) == len(session.tried)


@pytest.mark.parametrize(
    "domain",
    [Domain.of("int"), Domain.of("int", low=0), Domain.of("float", low=0, high=1), Domain.of("int", low=0, high=999)],
)
def test_what_is_too_large_is_not_begun(domain):
    session = Session([domain])
    Enumerate(most=100).search(session)
    assert session.tried == [(domain.initial,)] and session.proof is None


def test_the_first_inputs_are_spread_over_the_domain():
    session = Session([Domain.of("int", low=0, high=9999)])
    steps = Enumerate().steps(session)
    for _ in range(20):
        next(steps)
    found = sorted(leaves[0] for leaves in session.tried)
    assert max(one - other for one, other in zip([*found[1:], 10_000], found, strict=True)) < 1500


def test_it_goes_on_where_it_stopped():
    domains = [Domain.of("int", low=0, high=9), Domain.of("bool")]
    first, second, session = Enumerate(), Enumerate(), Session(domains)
    steps = first.steps(session)
    for _ in range(7):
        next(steps)
    second.restore(json.loads(json.dumps(first.state())))
    second.search(session)
    assert len(session.tried) == len(set(session.tried)) == 20
    assert session.proof is not None


def test_it_keeps_the_contract():
    check_strategy(Enumerate)


def test_options():
    with pytest.raises(UsageError, match="most must be at least 1"):
        Enumerate(most=0)
    assert number_of_inputs([]) == 1
