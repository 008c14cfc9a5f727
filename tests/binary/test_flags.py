"""Flags that are told by numbers are those that their conditions say."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pessimal.binary import terms
from pessimal.binary.conditions import Conditions
from pessimal.binary.flags import ALL, Subtraction, added, plain_flags
from pessimal.expr import Evaluator

BYTES = st.integers(0, 255)


@given(st.sampled_from((8, 16, 32)), BYTES, BYTES, st.booleans(), st.booleans())
def test_plain_flags_are_what_their_conditions_say(
    width: int, first: int, second: int, is_signed: bool, is_sum: bool
) -> None:
    conditions, evaluator = Conditions(3), Evaluator([first, second])
    extend = terms.sign_extend if is_signed else terms.zero_extend
    a, b = (extend(width, terms.leaf(i), 8) for i in range(2))
    if is_sum:
        flags = added(conditions, width, a, b, terms.apply("bvadd", width, a, b))
    else:
        flags = Subtraction(conditions, width, a, b)
    plain = plain_flags(flags, evaluator.term)
    assert plain == {bit: evaluator.condition(flags.flag(bit)) for bit in plain}
    assert len(plain) == (3 if is_sum else len(ALL))
