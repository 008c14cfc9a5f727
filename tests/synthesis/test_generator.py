import doctest
import random
from itertools import islice

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pessimal.inputs import Inputs, encode
from pessimal.synthesis.generators.emit import Unprintable
from pessimal.synthesis.generators.generator import Generator, find
from pessimal.synthesis.generators.recipe import Container, Cut, Repeat, Scalar, recipe
from pessimal.synthesis.generators.tokens import NotAValue, value
from pessimal.synthesis.laws import ONE, Law, N, Part, constant, fit
from pessimal.synthesis.program import Program
from pessimal.synthesis.terms import Atom, Loop
from tests.profiles import examples
from tests.synthesis.nests import unfold

SIZES = range(3, 11)
FURTHER = (11, 12, 13, 20, 31)


def rows(n, cell):
    return [[cell(i, j) for j in range(n)] for i in range(n)]


def killer(n):
    """What median-of-three quicksort is slow on."""
    half = n // 2
    first = [i + 1 if i % 2 == 0 else half + i for i in range(half)]
    return [*first, *range(2, n + 1, 2)]


KNOWN = {
    "reverse": (lambda n: {"xs": list(range(n - 1, -1, -1))}, '{"xs": list(range(n - 1, -1, -1))}'),
    "ascending": (lambda n: {"xs": list(range(n))}, '{"xs": list(range(n))}'),
    "insert": (lambda n: {"xs": list(range(n)), "key": n}, '{"xs": list(range(n)), "key": n}'),
    "merge": (
        lambda n: {"a": list(range(0, 2 * n, 2)), "b": list(range(1, 2 * n, 2))},
        '{"a": list(range(0, 2 * n, 2)), "b": list(range(1, 2 * n, 2))}',
    ),
    "two blocks": (lambda n: {"xs": [1] * n + [0] * n}, '{"xs": [1] * n + [0] * n}'),
    "last": (lambda n: {"xs": [0] * (n - 1) + [1]}, '{"xs": [0] * (n - 1) + [1]}'),
    "first": (lambda n: {"xs": [n, *range(n - 1)]}, '{"xs": [n] + list(range(n - 1))}'),
    "middle": (
        lambda n: {"xs": [int(i == n // 2) for i in range(n)]},
        '{"xs": [0] * (n // 2) + [1] + [0] * ((n + 1) // 2 - 1)}',
    ),
    "matrices": (
        lambda n: {"a": rows(n, lambda i, j: False), "b": rows(n, lambda i, j: False)},
        '{"a": [[False] * n for _ in range(n)], "b": [[False] * n for _ in range(n)]}',
    ),
    "identity": (
        lambda n: {"m": rows(n, lambda i, j: int(i == j))},
        '{"m": [[0] * i + [1] + [0] * (n - 1 - i) for i in range(n)]}',
    ),
    "triangle": (
        lambda n: {"m": rows(n, lambda i, j: int(j <= i))},
        '{"m": [[1] * (i + 1) + [0] * (n - 1 - i) for i in range(n)]}',
    ),
    "ragged": (lambda n: {"m": [list(range(i)) for i in range(n)]}, '{"m": [list(range(i)) for i in range(n)]}'),
    "edges": (
        lambda n: {"edges": [(i, j) for i in range(n) for j in range(i + 1, n)]},
        '{"edges": [(i, j) for i in range(n - 1) for j in range(i + 1, n)]}',
    ),
    "path": (
        lambda n: {"edges": [(i, i + 1) for i in range(n - 1)], "start": 0},
        '{"edges": [(i, i + 1) for i in range(n - 1)], "start": 0}',
    ),
    "blocks of bytes": (
        lambda n: {"a": bytes(8 * n), "b": bytes(8 * n - 1) + b"\x01"},
        r'{"a": b"\x00" * (8 * n), "b": b"\x00" * (8 * n - 1) + b"\x01"}',
    ),
    "text": (lambda n: {"text": "a" * n, "word": "baaa"}, '{"text": "a" * n, "word": "baaa"}'),
    "pattern": (lambda n: {"text": ("aab" * n)[:n]}, '{"text": ("aab" * (n // 3 + 1))[:n]}'),
    "letters": (lambda n: {"text": ("abc" * n)[:n]}, '{"text": ("abc" * (n // 3 + 1))[:n]}'),
    "organ pipe": (
        lambda n: {"xs": [*range(0, n, 2), *reversed(range(1, n, 2))]},
        '{"xs": list(range(0, n, 2)) + list(range(2 * (n // 2) - 1, 0, -2))}',
    ),
    "low and high": (
        lambda n: {"xs": [n - 1 - i // 2 if i % 2 else i // 2 for i in range(n)]},
        '{"xs": [x for i in range(n // 2 + 1) for x in (i, n - 1 - i)][:n]}',
    ),
    "low and high beside a matrix": (
        lambda n: {"xs": [n - 1 - i // 2 if i % 2 else i // 2 for i in range(n)], "m": rows(n, lambda i, j: 0)},
        '{"xs": [x for i in range(n // 2 + 1) for x in (i, n - 1 - i)][:n], "m": [[0] * n for _ in range(n)]}',
    ),
    "dict": (lambda n: {"d": {i: 2 * i for i in range(n)}}, '{"d": {i: 2 * i for i in range(n)}}'),
    "floats": (lambda n: {"xs": [float(n - i) for i in range(n)]}, '{"xs": [float(n - i) for i in range(n)]}'),
    "nothing": (lambda n: {"x": None, "y": 0.5, "xs": [0.5] * n}, '{"x": None, "y": 0.5, "xs": [0.5] * n}'),
    "alphabet": (
        lambda n: {"s": "".join(chr(97 + i) for i in range(n))},
        '{"s": "".join(chr(i + 97) for i in range(n))}',
    ),
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_families_are_found_and_written_as_a_person_would(name):
    make, text = KNOWN[name]
    generator = next(find({n: [make(n)] for n in SIZES}))
    assert generator.code == f"def worst_case(n):\n    return {text}\n"
    assert [generator.build(n) for n in FURTHER] == [make(n) for n in FURTHER]
    assert [generator.function()(n) for n in FURTHER] == [make(n) for n in FURTHER]
    assert generator.view == "as found"


def test_what_stops_median_of_three():
    generator = next(find({n: [{"xs": killer(n)}] for n in range(4, 29, 4)}))
    assert generator.build(40) == {"xs": killer(40)}


def test_irregular_values_are_read_as_ranks():
    squares = {n: [{"xs": [7 * x * x - 100 for x in range(n, 0, -1)], "key": 7 * n * n}] for n in SIZES}
    generator = next(find(squares))
    assert (generator.view, generator.build(4)) == ("ranks", {"xs": [3, 2, 1, 0], "key": 4})


def test_a_number_may_be_left_out_of_the_ranks():
    squares = {n: [{"xs": [x * x for x in range(5, n + 5)], "k": 30 * n}] for n in SIZES}
    found = {generator.view: generator for generator in islice(find(squares), 3)}
    assert found["ranks in containers"].build(4) == {"xs": [0, 1, 2, 3], "k": 120}


def test_one_of_several_inputs_of_a_size_is_enough():
    rng = random.Random(1)
    some = {n: [{"xs": rng.sample(range(n), n)} for _ in range(4)] for n in SIZES}
    for n in SIZES:
        some[n].insert(n % 5, {"xs": list(range(n))[::-1]})
    assert next(find(some)).build(6) == {"xs": [5, 4, 3, 2, 1, 0]}


@pytest.mark.parametrize("seed", range(5))
def test_random_inputs_follow_no_law(seed):
    rng = random.Random(seed)
    assert not list(find({n: [{"xs": [rng.randrange(100) for _ in range(n)], "k": 1}] for n in SIZES}))
    assert not list(find({n: [{"xs": rng.sample(range(n), n)}] for n in range(4, 12)}))


@pytest.mark.parametrize("inputs", [{}, {3: []}, {3: [{"xs": [1, 2, 3]}]}, {n: [{"s": {n}}] for n in SIZES}])
def test_too_little_gives_nothing(inputs):
    assert not list(find(inputs))


def test_what_is_built_can_be_encoded():
    generator = next(find({n: [{"xs": list(range(n)), "key": n}] for n in SIZES}))
    inputs = Inputs.of(lambda xs, key: None, 5, {"xs": "list[int]", "key": "int"})
    assert encode(inputs, generator.build(5)) == [0, 1, 2, 3, 4, 5]


def test_the_text_is_as_promised():
    generator = next(find({n: [{"xs": list(range(n))[::-1]}] for n in SIZES}))
    cost = fit({n: n * (n - 1) // 2 for n in SIZES})
    assert (
        generator.text("insertion_sort", cost, range(3, 13), 5)
        == '''def worst_case(n):
    """The worst input of size n for `insertion_sort`.

    It costs n * (n - 1) // 2, checked at n = 3 to 12.

    >>> worst_case(5)
    {'xs': [4, 3, 2, 1, 0]}
    """
    return {"xs": list(range(n - 1, -1, -1))}
'''
    )
    assert "It costs what search found, checked at n = 3 and 7." in generator.text("f", None, [7, 3], 5)
    assert "It costs what search found, checked at n = 1 to 4 and 9." in generator.text("f", None, [4, 9, 1, 2, 3], 5)
    assert "It costs what search found." in generator.text("f", None, [], 5)


@pytest.mark.parametrize("odd", ["\\", "'", '"', '"""', "\n", "\0", "é", "\ud800", "\\'\"", "{}%"])
def test_examples_run_whatever_the_text_in_them(odd):
    generator = next(find({n: [{"s": odd + "a" * n, "b": odd.encode("utf-8", "surrogatepass") * n}] for n in SIZES}))
    text = generator.text("pkg.mod:f", None, SIZES, 4)
    namespace = {}
    exec(text, namespace)
    tests = doctest.DocTestFinder().find(namespace["worst_case"], "worst_case", module=False, globs=namespace)
    results = doctest.DocTestRunner().run(tests[0])
    assert (results.failed, results.attempted) == (0, 1)


def test_many_arguments_have_a_line_each():
    inputs = {n: [{f"argument_{k}": list(range(n)) for k in range(5)}] for n in SIZES}
    lines = next(find(inputs)).code.splitlines()
    assert lines[:3] == ["def worst_case(n):", "    return {", '        "argument_0": list(range(n)),']
    assert lines[-1] == "    }"


LINES = [Law(()), *map(constant, (1, 2, 3, -1)), *(Law(((c, ONE), (1, N)) if c else ((1, N),)) for c in (0, 1, -2))]
LAWS = st.sampled_from([*LINES, Law(((-1, N), (7, ONE))), Law(((1, Part("floor", 2)),)), Law(((2, N),))])
STEPS = st.sampled_from([Law(()), Law(()), constant(1), constant(1), constant(-1), constant(2), Law(((1, N),))])
INNER = {"str": ["chr"], "bytes": ["byte"]}


def forms(depth, base=LAWS, steps=STEPS):
    return st.tuples(base, *[steps] * depth)


CODES = st.builds(lambda k: constant(97 + k), st.integers(0, 3)) | st.just(Law(((1, N), (65, ONE))))
CODE_STEPS = st.sampled_from([Law(()), Law(()), constant(1)])


def atoms(kinds, depth):
    numbers = forms(depth, CODES, CODE_STEPS) if kinds[0] in ("chr", "byte") else forms(depth)
    return st.builds(lambda kind, form: [Atom(kind, (form,))], st.sampled_from(kinds), numbers)


@st.composite
def containers(draw, depth, level):
    kind = draw(st.sampled_from(["list", "tuple", "str", "bytes", "dict"]))
    return [Atom(f"open {kind}", ()), *draw(bodies(kind, depth, level)), Atom(f"close {kind}", ())]


@st.composite
def bodies(draw, kind, depth, level):
    single = atoms(INNER.get(kind, ["int"]), depth)
    if kind in ("list", "tuple") and level < 2:
        single = (
            single | atoms(["bool", "float"], depth) | containers(depth, level + 1) | st.just([Atom("is None", ())])
        )
    if kind == "dict":
        single = st.builds(lambda key, other: [*key, *other], single, single)
    part = single
    if depth < 2:
        part = part | st.builds(
            lambda trip, body: [Loop(trip, tuple(body))], forms(depth), bodies(kind, depth + 1, level).filter(len)
        )
    return [term for some in draw(st.lists(part, max_size=3)) for term in some]


def outcome(make, n):
    try:
        return repr(make(n))
    except (NotAValue, ValueError, OverflowError):
        return "no value"


@examples(300)
@given(containers(0, 0))
def test_text_build_and_program_make_the_same(terms):
    program = Program(tuple(terms))
    generator = Generator({"x": recipe(terms)}, ())
    try:
        function = generator.function()
    except Unprintable:
        assume(False)
    for n in (*range(7), 15, 30):
        if program.count(n) > 5000:
            break
        expected = outcome(lambda n: {"x": value(unfold(program.at(n)))}, n)
        assert outcome(generator.build, n) == expected
        assert expected == "no value" or outcome(function, n) == expected


@given(st.sampled_from(["list", "tuple"]), st.lists(forms(1), min_size=1, max_size=3), LAWS, LAWS)
def test_cut_loops_are_written_as_they_are(kind, series, trip, length):
    body = tuple(Scalar("int", form) for form in series)
    generator = Generator({"x": (Container(kind, (Cut((length,), (Repeat((trip,), body),)),)),)}, ())
    assert [generator.function()(n) for n in range(31)] == [generator.build(n) for n in range(31)]
