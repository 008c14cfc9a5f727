"""Generated programs that pass symbolic values to the library: no proof is false. ``make bench-proofs`` tries many."""

from hypothesis import given
from hypothesis import strategies as st

from tests.profiles import examples
from tests.proof.enumerated import Enumerated, fault, search
from tests.proof.library_programs import program


def judged(seed):
    """The search of a generated program, and what is wrong with its claim if it made one."""
    front_end = Enumerated(program(seed), f"library_{seed}")
    session = search(front_end, paths=60)
    if session.attack is None:
        return session, None
    return session, fault(front_end, session.claimed_maximum, front_end.leaves)


@examples(20)
@given(st.integers(0, 1_000_000))
def test_no_proof_is_false(seed):
    session, wrong = judged(seed)
    assert session.proof is None or wrong is None


def test_most_programs_get_a_proof():
    sessions = [judged(seed)[0] for seed in range(15)]
    assert sum(session.proof is not None for session in sessions) >= 8


def test_what_the_python_version_of_a_module_accepts_natively_raises():
    session, wrong = judged(983)  # datetime.date.fromordinal(2**63)
    assert "natively raised OverflowError" in wrong
    assert session.proof is None
    assert "natively raised OverflowError" in session.attack.withdrawn
    assert session.attack.call.startswith("target(")


def test_chr_of_a_number_beyond_that_of_c_raises_as_it_does_natively():
    session, wrong = judged(4356)
    assert wrong is None
    assert session.proof == "tree exhausted"
