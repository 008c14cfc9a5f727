"""Random expressions over integer leaves, shared by the tests of expressions and solvers."""

from hypothesis import strategies as st

from pessimal.expr import COMPARISONS, App, Compare, Junction, Not, Offset

LEAVES = 4
OPS = sorted(COMPARISONS)

offsets = st.builds(Offset, st.integers(0, LEAVES - 1), st.sampled_from([0, 0, 0, 1, -1, 3]))
constants = st.integers(-4, 4)
linear_terms = st.recursive(
    offsets | constants,
    lambda inner: (
        st.builds(lambda op, a, b: App(op, (a, b), "int"), st.sampled_from("+-"), inner, inner)
        | st.builds(lambda a, k: App("*", (a, k), "int"), inner, constants)
        | st.builds(lambda a: App("neg", (a,), "int"), inner)
    ),
    max_leaves=5,
)
orders = st.builds(Compare, st.sampled_from(OPS), offsets, offsets | constants)
sums = st.builds(Compare, st.sampled_from(OPS), linear_terms, linear_terms)
conditions = st.recursive(
    orders | orders | sums,
    lambda inner: (
        st.builds(Not, inner)
        | st.builds(
            lambda op, parts: Junction(op, tuple(parts)),
            st.sampled_from(["and", "or"]),
            st.lists(inner, min_size=2, max_size=3),
        )
    ),
    max_leaves=4,
)
