"""Bit-vectors: each operation computes what bits by hand compute, in Python and in Z3, and terms keep their widths."""

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import App, Compare, Evaluator, Offset, Var, distances, holds, show, variables
from pessimal.expr import bits as b
from pessimal.expr.marked import counts, has_marks, mark, unmarked
from pessimal.expr.reals import Untranslatable
from pessimal.expr.smt import Translator
from tests.expr.vectors import conditions, terms
from tests.profiles import examples

X, Y = Offset(0), Offset(1)
V8, W8, V16 = b.vector(8, X), b.vector(8, Y), b.vector(16, X)
ALL = sorted([*b.UNARY, *b.BINARY])

widths = st.integers(1, 64)
numbers = st.integers(-(1 << 65), 1 << 65) | st.integers(-3, 70)


# A second implementation, on rows of bits with the lowest first.


def row(width, number):
    return [(number >> place) & 1 for place in range(width)]


def number(bits):
    return sum(bit << place for place, bit in enumerate(bits))


def negated(bits):
    return added([1 - bit for bit in bits], [1] + [0] * (len(bits) - 1))


def added(a, c):
    result, carry = [], 0
    for p, q in zip(a, c, strict=True):
        result.append((p + q + carry) & 1)
        carry = (p + q + carry) >> 1
    return result


def multiplied(a, c):
    total = [0] * len(a)
    for place, bit in enumerate(c):
        if bit:
            total = added(total, ([0] * place + a)[: len(a)])
    return total


def divided(a, c):
    """Long division: quotient and rest."""
    rest, quotient = 0, []
    for bit in reversed(a):
        rest = rest * 2 + bit
        quotient.insert(0, int(rest >= number(c)))
        rest -= number(c) * quotient[0]
    return quotient, row(len(a), rest)


def divided_signed(a, c):
    quotient, rest = divided(negated(a) if a[-1] else a, negated(c) if c[-1] else c)
    return negated(quotient) if a[-1] != c[-1] else quotient, negated(rest) if a[-1] else rest


def shifted(a, c, fill, step):
    """Bit by bit, as often as the second number says; after the width nothing changes any more."""
    for _ in range(min(number(c), len(a))):
        a = [*a[1:], fill] if step < 0 else [fill, *a[:-1]]
    return a


def rotated(a, c, step):
    for _ in range(number(c) % len(a)):
        a = a[1:] + a[:1] if step < 0 else a[-1:] + a[:-1]
    return a


REFERENCE = {
    "bv": lambda a: a,
    "bvnot": lambda a: [1 - bit for bit in a],
    "bvneg": negated,
    "bvadd": added,
    "bvsub": lambda a, c: added(a, negated(c)),
    "bvmul": multiplied,
    "bvand": lambda a, c: [p & q for p, q in zip(a, c, strict=True)],
    "bvor": lambda a, c: [p | q for p, q in zip(a, c, strict=True)],
    "bvxor": lambda a, c: [p ^ q for p, q in zip(a, c, strict=True)],
    "bvudiv": lambda a, c: divided(a, c)[0],
    "bvurem": lambda a, c: divided(a, c)[1],
    "bvsdiv": lambda a, c: divided_signed(a, c)[0],
    "bvsrem": lambda a, c: divided_signed(a, c)[1],
    "bvshl": lambda a, c: shifted(a, c, 0, 1),
    "bvlshr": lambda a, c: shifted(a, c, 0, -1),
    "bvashr": lambda a, c: shifted(a, c, a[-1], -1),
    "rotate_left": lambda a, c: rotated(a, c, 1),
    "rotate_right": lambda a, c: rotated(a, c, -1),
}


def test_every_operation_has_a_reference():
    assert set(REFERENCE) == set(ALL)


@pytest.mark.parametrize("op", ALL)
@examples(60)
@given(width=widths, a=numbers, c=numbers)
def test_operations_compute_what_bits_by_hand_compute(op, width, a, c):
    operands = [Offset(0)] if op in b.UNARY else [Offset(0), Offset(1)]
    term = App(op, (width, *operands), b.sort_of(width))
    expected = number(REFERENCE[op](*[row(width, value) for value in (a, c)[: len(operands)]]))
    assert Evaluator([a, c]).term(term) == expected


@pytest.mark.parametrize("op", ALL)
@examples(12)
@given(width=widths, a=numbers, c=numbers)
def test_z3_computes_the_same(op, width, a, c):
    """With vectors of the width, and with integers of any size that become vectors at the border."""
    leaves = [Offset(0)] if op in b.UNARY else [Offset(0), Offset(1)]
    for operands in (leaves, [b.vector(width, leaf) for leaf in leaves]):
        term = App(op, (width, *operands), b.sort_of(width))
        value = Evaluator([a, c]).term(term)
        assert z3_agrees(Compare("==", term, value), (a, c))
        assert z3_agrees(Compare("==", b.signed(term), b.signed_value(width, value)), (a, c))


def z3_agrees(condition, values):
    translator, solver = Translator(), z3.Solver()
    solver.add(translator.condition(condition), *translator.definitions())
    solver.add(*[translator.variable(index, "int") == value for index, value in enumerate(values)])
    return solver.check() == z3.sat


@examples(100)
@given(conditions(), st.lists(st.integers(-20, 20), min_size=3, max_size=3))
def test_conditions_mean_the_same_in_z3(condition, leaves):
    truth = holds(condition, leaves)
    translator, solver = Translator(), z3.Solver()
    term = translator.condition(condition)
    solver.add(*[translator.variable(index, "int") == value for index, value in enumerate(leaves)])
    solver.add(z3.Not(term) if truth else term)
    assert solver.check() == z3.unsat


@pytest.mark.parametrize(
    ("term", "leaves", "expected"),
    [
        (b.vector(8, X), [300], 44),
        (b.vector(8, X), [-1], 255),
        (b.apply("bvadd", V8, W8), [200, 100], 44),
        (b.apply("bvsub", V8, 1), [0], 255),
        (b.apply("bvmul", V8, V8), [16], 0),
        (b.apply("bvudiv", V8, 0), [7], 255),
        (b.apply("bvurem", V8, 0), [7], 7),
        (b.apply("bvsdiv", V8, W8), [-7, 2], 253),
        (b.apply("bvsdiv", V8, W8), [-128, -1], 128),
        (b.apply("bvsdiv", V8, 0), [-7], 1),
        (b.apply("bvsdiv", V8, 0), [7], 255),
        (b.apply("bvsrem", V8, W8), [-7, 2], 255),
        (b.apply("bvsrem", V8, W8), [7, -2], 1),
        (b.apply("bvsrem", V8, 0), [-7], 249),
        (b.apply("bvshl", V8, W8), [1, 8], 0),
        (b.apply("bvlshr", V8, 255), [255], 0),
        (b.apply("bvashr", V8, 255), [128], 255),
        (b.apply("rotate_left", V8, 12), [0x81], 0x18),
        (b.apply("rotate_right", V8, 4), [0x81], 0x18),
        (b.extract(7, 4, V8), [0xAB], 0xA),
        (b.concat(V8, b.extract(3, 0, W8)), [0xAB, 0xCD], 0xABD),
        (b.zero_extend(16, V8), [-1], 255),
        (b.sign_extend(16, V8), [-1], 65535),
        (b.signed(V8), [200], -56),
        (b.signed(b.vector(1, X)), [1], -1),
    ],
    ids=lambda value: show(value) if isinstance(value, App) else None,
)
def test_known_values(term, leaves, expected):
    assert Evaluator(leaves).term(term) == expected
    assert z3_agrees(Compare("==", term, expected), leaves)
    assert not z3_agrees(Compare("!=", term, expected), leaves)


@examples(100)
@given(st.data(), st.sampled_from([1, 3, 8]), st.lists(st.integers(-300, 300), min_size=3, max_size=3))
def test_a_vector_fits_its_width_and_its_text_computes_it(data, width, leaves):
    term = data.draw(terms(width))
    value = Evaluator(leaves).term(term)
    assert 0 <= value < 1 << width
    assert b.width_of(term) == width
    assert eval(show(term), {"x": leaves, **b.BITS}) == value


@pytest.mark.parametrize(
    ("op", "left", "right", "is_signed", "leaves", "expected"),
    [
        ("<", V8, W8, False, [1, 255], True),
        ("<", V8, W8, True, [1, 255], False),
        (">=", V8, -1, False, [255], True),
        (">=", V8, -1, False, [254], False),
        ("<=", V8, -1, True, [254], True),
        ("==", 511, V8, False, [-1], True),
        ("!=", V8, 128, True, [128], False),
    ],
)
def test_comparisons_with_and_without_a_sign(op, left, right, is_signed, leaves, expected):
    condition = b.compare(op, left, right, is_signed=is_signed)
    assert holds(condition, leaves) is expected
    assert z3_agrees(condition, leaves) is expected


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: b.sort_of(0), "at least one bit, not 0"),
        (lambda: b.apply("bvplus", V8, W8), "no operation 'bvplus' of 2 bit-vectors"),
        (lambda: b.apply("bvadd", V8), "no operation 'bvadd' of 1 bit-vectors"),
        (lambda: b.apply("extract", V8, W8), "no operation 'extract' of 2 bit-vectors"),
        (lambda: b.apply("bvadd", V8, V16), "of one width, or constants beside one: 8, 16"),
        (lambda: b.apply("bvadd", V8, X), "of one width, or constants beside one: 8, Offset"),
        (lambda: b.apply("bvadd", 1, 2), "of one width, or constants beside one: int, int"),
        (lambda: b.apply("bvadd", V8, 1.5), "of one width, or constants beside one: 8, float"),
        (lambda: b.compare("<", V16, W8), "of one width, or constants beside one: 16, 8"),
        (lambda: b.concat(V8, 5), "of one width, or constants beside one: int"),
        (lambda: b.extract(8, 0, V8), "of 8 bits has no bits 0 to 8"),
        (lambda: b.extract(2, 3, V8), "of 8 bits has no bits 3 to 2"),
        (lambda: b.zero_extend(4, V8), "of 8 bits cannot be extended to 4"),
        (lambda: b.sign_extend(4, V8), "of 8 bits cannot be extended to 4"),
    ],
)
def test_widths_that_do_not_fit_are_told(build, message):
    with pytest.raises(ValueError, match=message):
        build()


def test_texts_name_the_operation_and_its_widths():
    assert show(b.apply("bvadd", V8, 5)) == "bvadd(8, bv(8, x[0]), 5)"
    assert show(b.compare("<", V8, W8, is_signed=True), ["a", "b"]) == "(signed(8, bv(8, a)) < signed(8, bv(8, b)))"


def test_a_vector_has_variables_marks_and_distances():
    term = b.apply("bvadd", V8, W8)
    assert variables(term) == {0, 1}
    condition = b.compare("==", b.apply("bvadd", mark(V8), W8), 10)
    assert has_marks(condition) and counts(condition)
    assert not counts(b.compare("==", mark(V8), 10))
    assert not has_marks(unmarked(condition))
    assert show(condition) == show(unmarked(condition))
    assert distances(b.compare("==", term, 10), [3, 4]) == (0.0, 4.0)
    assert distances(b.compare("<", term, 10), [3, 4]) == (4.0, 0.0)


def test_a_vector_of_a_float_has_no_translation():
    with pytest.raises(Untranslatable):
        Translator().term(b.vector(8, Var(0)))


def test_cases_of_vectors_stay_vectors_and_others_become_numbers():
    test = Compare("<", X, Y)
    assert z3.is_bv(Translator().term(App("ite", (test, V8, W8), "bv8")))
    for other in (V16, X, 5):
        term = App("ite", (test, V8, other), "int")
        assert z3.is_int(Translator().term(term))
        for leaves in ([1, 2], [300, 2]):
            assert z3_agrees(Compare("==", term, Evaluator(leaves).term(term)), leaves)


def test_vectors_can_be_computed_with_as_numbers():
    total = App("+", (V8, App("*", (b.signed(W8), 2), "int")), "int")
    assert Evaluator([255, 255]).term(total) == 253
    assert z3_agrees(Compare("==", total, 253), [255, 255])
    half = Compare("==", App("/", (V8, 2), "float"), 127.5)
    assert holds(half, [255])
    assert z3_agrees(half, [255])
