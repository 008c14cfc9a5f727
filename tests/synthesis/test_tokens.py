import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.synthesis.generators.tokens import NotAValue, tokens, value

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec=None), max_size=3)
    | st.binary(max_size=3)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.integers() | st.text(max_size=2), inner, max_size=3)
    ),
)


@given(VALUES)
def test_values_come_back(before):
    assert repr(value(tokens(before))) == repr(before)


def test_events_are_as_documented():
    assert tokens([5, (True, 2.0)]) == [
        ("open list", ()),
        ("int", (5,)),
        ("open tuple", ()),
        ("bool", (1,)),
        ("float", (2,)),
        ("close tuple", ()),
        ("close list", ()),
    ]
    assert tokens("a") == [("open str", ()), ("chr", (97,)), ("close str", ())]
    assert tokens(b"a") == [("open bytes", ()), ("byte", (97,)), ("close bytes", ())]
    assert tokens({1: None}) == [
        ("open dict", ()),
        ("int", (1,)),
        ("is None", ()),
        ("close dict", ()),
    ]
    assert tokens(0.5) == [("is 0.5", ())]


@pytest.mark.parametrize("other", [{1}, object(), [1, {2}], 1j])
def test_other_values_cannot_be_written_as_events(other):
    with pytest.raises(NotAValue, match="cannot be written as events"):
        tokens(other)


@pytest.mark.parametrize(
    "events",
    [
        [],
        tokens(1) * 2,
        tokens([1])[:-1],
        tokens([1])[1:],
        [*tokens([1])[:-1], *tokens((1,))[-1:]],
        [("branch", (1,))],
        [("int", ())],
        [("chr", (-1,))],
        [("open bytes", ()), ("byte", (256,)), ("close bytes", ())],
        [("open dict", ()), ("int", (1,)), ("close dict", ())],
        [("open str", ()), ("int", (1,)), ("close str", ())],
    ],
)
def test_events_that_are_no_value_are_refused(events):
    with pytest.raises(NotAValue):
        value(events)
