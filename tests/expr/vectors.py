"""Random bit-vector terms and conditions, shared by the tests of expressions and solvers."""

from hypothesis import strategies as st

from pessimal.expr import COMPARISONS, Compare, Offset
from pessimal.expr import bits as b

OPS = sorted(COMPARISONS)
LEAVES = 3
WIDTHS = (1, 3, 8)


@st.composite
def terms(draw, width, size=3):
    """A vector of a width, of at most so many operations on top of each other."""
    if size == 0 or draw(st.integers(0, 3)) == 0:
        return b.vector(width, draw(st.builds(Offset, st.integers(0, LEAVES - 1), st.integers(-2, 2))))
    shape = draw(st.sampled_from(["unary", "binary", "binary", "extract", "extend", "concat"]))
    if shape == "unary":
        return b.apply(draw(st.sampled_from(sorted(b.UNARY.keys() - {"bv"}))), draw(terms(width, size - 1)))
    if shape == "binary":
        other = draw(terms(width, size - 1) | st.integers(-3, 9))
        return b.apply(draw(st.sampled_from(sorted(b.BINARY))), draw(terms(width, size - 1)), other)
    if shape == "extract":
        low = draw(st.integers(0, 2))
        return b.extract(low + width - 1, low, draw(terms(width + 2, size - 1)))
    if shape == "concat" and width > 1:
        left = draw(st.integers(1, width - 1))
        return b.concat(draw(terms(left, size - 1)), draw(terms(width - left, size - 1)))
    extend = draw(st.sampled_from([b.zero_extend, b.sign_extend]))
    return extend(width, draw(terms(max(1, width - 2), size - 1)))


@st.composite
def conditions(draw):
    """A comparison of two vectors, with or without a sign, or of a vector and a number."""
    width = draw(st.sampled_from(WIDTHS))
    left = draw(terms(width))
    op = draw(st.sampled_from(OPS))
    if draw(st.integers(0, 3)) == 0:
        return Compare(op, left, draw(st.builds(Offset, st.integers(0, LEAVES - 1)) | st.integers(-2, 9)))
    return b.compare(op, left, draw(terms(width) | st.integers(-2, 9)), is_signed=draw(st.booleans()))


vector_conditions = conditions()
