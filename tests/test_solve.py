"""``pessimal solve`` and ``pessimal.solve``: answers, models, exit codes, SMT-LIB files, black boxes and bad input."""

import json
import re

import pytest

import pessimal as package
from pessimal.conditions import Variable, read_python
from pessimal.inputs import parse

BOXES = """
import os, sys, random

def mixed(a, b) -> int:
    return (int(a) * 31 + int(b) * 17) % 101

def noisy(a):
    return random.random()

def dies(a):
    os._exit(3)

def hangs(a):
    while True:
        pass

def raises(a):
    raise KeyError("no")

def exits(a):
    sys.exit(4)

def text(a):
    return "hi"

calls = 0

def drifts(a):
    global calls
    calls += 1
    return a + calls // 40

def of_numpy(a):
    import numpy
    return numpy.int64(a) * 2

def is_odd(a):
    import numpy
    return numpy.int64(a) % 2 == 1
"""


def test_a_model_makes_the_condition_true(pessimal):
    answer = pessimal("solve", "sin(x) * x > 3 and x * y == 12.0", "--var", "x=float", "--var", "y=float", "--json")
    assert answer.code == 0
    assert set(answer.json) == {"condition", "status", "model", "confidence", "solver", "samples", "seconds", "notes"}
    x, y = answer.json["model"]["x"], answer.json["model"]["y"]
    assert answer.json["status"] == "sat"
    assert x * y == 12.0


def test_unsat_is_a_proof_and_unknown_has_a_confidence(pessimal):
    proved = pessimal("solve", "n * n == 2", "--var", "n=int", "--json")
    assert (proved.code, proved.json["status"], proved.json["model"]) == (0, "unsat", None)
    unknown = pessimal("solve", "sin(x) ** 2 + cos(x) ** 2 > 1.1", "--var", "x=float", "--json", "--samples", "300")
    data = json.loads(unknown.out)
    assert (unknown.code, data["status"]) == (1, "unknown")
    assert data["samples"] == 300
    assert 0 < data["confidence"] < 1


def test_the_text_shows_the_model(pessimal):
    answer = pessimal("solve", "n > 3 and b", "--var", "n=int:0..4", "--var", "b=bool")
    assert answer.out.splitlines()[:3] == ["sat", "  n = 4", "  b = True"]


@pytest.mark.parametrize(
    ("condition", "model"),
    [("n > 3 and m > n", {"n": 4, "m": 5}), ("n > m", {"n": 0, "m": -1}), ("m == 0 and n > 7000000", None)],
)
def test_models_have_small_integers_where_these_will_do(condition, model):
    found = package.solve(condition, variables={"n": "int", "m": "int"}).model
    assert found == (model or {"n": 7000001, "m": 0})


@pytest.mark.parametrize("solver", ["z3", "racos", "alternating", "sampling"])
def test_a_solver_can_be_chosen(pessimal, solver):
    answer = pessimal(
        "solve", "x * y > 20 and x < y", "--var", "x=float:0..9", "--var", "y=float:0..9", "--json", "--solver", solver
    )
    assert (answer.json["status"], answer.json["solver"]) == ("sat", solver)


def test_the_package_is_the_function_too():
    result = package.solve("sin(x) == cos(y) and x > y + 1", variables={"x": "float:-9..9", "y": "float:-9..9"})
    assert result.status == "sat"
    assert package.solve("n < n", variables={"n": "int"}).status == "unsat"
    assert package.solve.Status.SAT == "sat"


FLOATS = {"x": "float", "y": "float"}
INTS = {"n": "int:-1000..1000", "m": "int:-1000..1000"}


@pytest.mark.parametrize(
    ("condition", "variables", "status"),
    [
        ("round(x ** 0.5, 3) == 1.732", FLOATS, "sat"),
        ("math.sin(x) * y > 0.99 and abs(y) < 1", FLOATS, "sat"),
        ("abs(sin(x) - 0.5) < 1e-12", FLOATS, "sat"),
        ("x ** 2 + y ** 2 == 1.0 and x > y > 0", FLOATS, "sat"),
        ("x * 1.5 + n == 7.25 and n > 3", {**FLOATS, **INTS}, "sat"),
        ("n ** m == 1024 and n > 2 and m > 2", {"n": "int:0..100", "m": "int:0..10"}, "sat"),
        ("2 ** n == 1267650600228229401496703205376", {"n": "int:0..200"}, "sat"),
        ("n * n == 15241578753238836750495351562536198787501905199875019052100", {"n": "int"}, "sat"),
        ("log(n) > 1000", {"n": "int"}, "sat"),
        ("x + 1 == x and x < 1e17", FLOATS, "sat"),
        ("x * y == 0 and x != 0 and y != 0", FLOATS, "sat"),
        ("1 / x > 1e300", FLOATS, "sat"),
        ("acos(x) < 1e-7 and x != 1", FLOATS, "sat"),
        ("x == -0.0 and copysign(1, x) < 0", FLOATS, "sat"),
        ("isnan(x * 1e300 - x * 1e300)", FLOATS, "sat"),
        ("isclose(x, 3) and x != 3", FLOATS, "sat"),
        ("factorial(n) == 120 and comb(m, 2) == 45", {"n": "int:0..20", "m": "int:0..20"}, "sat"),
        ("pow(11, n, 1009) == 7", {"n": "int:0..1008"}, "sat"),
        ("n.bit_length() == 5 and n.bit_count() == 2", INTS, "sat"),
        ("lcm(n, m) == 36 and n > m > 1", INTS, "sat"),
        ("sum([n, m]) == 12 and max((n, m)) == 7", INTS, "sat"),
        ("int32(n * n * n) < 0 and n > 0", {"n": "int:0..2147483647"}, "sat"),
        ("(n ^ m) == 255 and (n & m) == 0 and n > m", {"n": "int:0..255", "m": "int:0..255"}, "sat"),
        ("n % 7 == 3 and n % 11 == 5 and n % 13 == 7", {"n": "int:0..1001"}, "sat"),
        ("x // 0.5 == 9 and x % 0.25 == 0.125", FLOATS, "sat"),
        ("a + b + c == 2 and a != b", {"a": "bool", "b": "bool", "c": "bool"}, "sat"),
        ("gamma(x) == 24 and x > 3", FLOATS, "sat"),
        ("cosh(x * 1e300) > 5", FLOATS, "sat"),
        ("ldexp(x, n) == 40.0 and n > 2", {**FLOATS, "n": "int:-10..10"}, "sat"),
        ("n * n - 61 * m * m == 1 and n > 1", {"n": "int", "m": "int"}, "sat"),
        ("n * m == 1000003 * 999983 and n > 1 and m > 1", {"n": "int", "m": "int"}, "sat"),
        ("n ** 2 + m ** 2 == k ** 2 and 0 < n < m and k > 100", {"n": "int", "m": "int", "k": "int"}, "sat"),
        ("sin(x) + cos(y) == 0.5 and sin(x) - y == 0.25", FLOATS, "sat"),
        ("sin(x) + cos(y) == 1.2 and cos(x) * y == 0.3", FLOATS, "sat"),
        ("n ** 4 + m ** 4 == k ** 4", dict.fromkeys("nmk", "int:1..30"), "unsat"),
        ("n * n % 1000003 == 5", {"n": "int:0..1000002"}, "unsat"),
        ("0 < n < m < 2", INTS, "unsat"),
        ("n * n == 2 * m * m and n > 0", {"n": "int", "m": "int"}, "unsat"),
        ("n * n + m * m == 1000003 and n * m < 0", {"n": "int", "m": "int"}, "unsat"),
        ("n * n + m * m == 1000033 and n > m > 0", {"n": "int", "m": "int"}, "sat"),
        ("~n == -n", {"n": "int"}, "unsat"),
        ("pow(3, n, 1009) == 5", {"n": "int:0..1007"}, "unsat"),
        ("(n * n + (129 | n)) == n * (n % 12) and n // -3 < m // 12 + 3", dict.fromkeys("nm", "int:-30..30"), "unsat"),
        ("int32(n * n) % 7 == 3", {"n": "int:0..30000"}, "unsat"),
        ("(n & (n - 1)) == 0 and n > 1000 and n % 7 == 3", {"n": "int:0..1000000"}, "unsat"),
        ("exp(-x / y) < 0.01 and x < 4.6 * y and y > 0", {"x": "float:0..100", "y": "float:0.001..10"}, "unsat"),
        ("x * x == 2.0", FLOATS, "unsat"),
        ("sin(x) > 1 or exp(x) < 0", FLOATS, "unsat"),
        ("log(x) > 0 and x < 1", FLOATS, "unsat"),
        ("n * 0.1 == 0.7", {"n": "int:0..100"}, "unsat"),
        ("int(x * 100) == 29 and x == 0.29", FLOATS, "unsat"),
        ("x != x", FLOATS, "unsat"),
        ("(n | 1) % 2 == 0", {"n": "int:0..1000"}, "unsat"),
        ("3 ** n == 12157665459056928800", {"n": "int:0..100"}, "unsat"),
        ("x << n > 0 and n > 5000", {"x": "int", "n": "int"}, "unknown"),
        ("factorial(n) > 5 and n > 4000", {"n": "int"}, "unknown"),
    ],
)
def test_all_kinds_of_conditions_are_settled_or_said_to_be_open(condition, variables, status):
    """Never sat without a model that Python confirms, never unsat of what has a solution."""
    result = package.solve(condition, variables=variables, samples=3000, budget="60s")
    assert result.status == status
    if status == "sat":
        assert read_python(condition, _declared(variables)).judge(result.model)


def _declared(variables):
    return [Variable.of(name, parse(spec)) for name, spec in variables.items()]


def test_experience_is_kept_from_run_to_run(tmp_path):
    file = tmp_path / "experience.json"
    for _ in range(2):
        package.solve("sin(x) * y > 0.9 and y < 2", variables={"x": "float", "y": "float"}, experience=file)
    counts = json.loads(file.read_text())
    assert all(asked >= settled for by in counts.values() for asked, settled in by.values())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["x > y", "--var", "x=int"], "'y' is not declared"),
        (["foo(x) > 1", "--var", "x=int"], "function 'foo' is not known"),
        (["x & 1.5 > 0", "--var", "x=int"], "takes ints"),
        (["ldexp(x, 1.5) > 0", "--var", "x=int"], "takes an int as its second"),
        (["x > 1", "--var", "x=int:3..1"], "empty range"),
        (["x > 1", "--var", "x=list[int]"], "must be an int"),
        (["x > 1", "--var", "x"], "does not start with a parameter's name"),
        (["x = 1", "--var", "x=int"], "near 'x = 1': write == to compare"),
        (["sin == 1", "--var", "x=int"], "'sin' is a function: write sin(...)"),
        (["x >", "--var", "x=int"], "not a Python expression"),
        (["x > 1", "--var", "x=int", "--solver", "nope"], "unknown solver"),
        (["x > 1", "--var", "x=int", "--samples", "0"], "must be a whole number from 1 on"),
        (["x > 1", "--var", "x=int", "--budget", "soon"], "not a valid duration"),
        (["x > 1", "--var", "x=float", "--rule", "nope", "--solver", "racos"], "unknown rule"),
        (["missing.smt2"], "cannot be read"),
        (["sin(sin) > 0.5", "--var", "sin=float"], "'sin' is a variable and is called as 'sin'"),
        (["math.sin(math) > 0.5", "--var", "math=float"], "'math' is a variable and is called as 'math.sin'"),
        (["nowhere.mixed(x) > 1", "--var", "x=int", "--black-box", "nowhere.*"], "there is no module"),
        (["boxes.nothing(x) > 1", "--var", "x=int", "--black-box", "boxes.*"], "has no function 'nothing'"),
        (["boxes.noisy(x) > 2", "--var", "x=int", "--black-box", "boxes.*"], "answers .* to the same arguments"),
        (
            ["boxes.drifts(x) < -9", "--var", "x=int:0..999", "--black-box", "boxes.*"],
            "answers .* to the same arguments",
        ),
        (["square.smt2", "--var", "x=int"], "declares its own variables: drop --var x"),
        (["x > 1", "--var", "x=int", "--experience", "nowhere/x.json"], "cannot be written to nowhere/x.json: No such"),
    ],
)
def test_bad_input_is_one_clear_line(pessimal, write, arguments, words):
    write(BOXES, "boxes.py")
    write("(declare-const x Int)(assert (= (* x x) 4))", "square.smt2")
    answer = pessimal("solve", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert len(answer.err.strip().splitlines()) == 1
    assert re.search(words, answer.err)


def test_black_boxes_are_called_on_samples(pessimal, write):
    write(BOXES, "boxes.py")
    answer = pessimal(
        "solve",
        "boxes.mixed(x, y) == 77 and x > 2 * y > 10",
        "--var",
        "x=int:0..1000",
        "--var",
        "y=int:0..1000",
        "--black-box",
        "boxes.mixed",
        "--json",
    )
    x, y = answer.json["model"]["x"], answer.json["model"]["y"]
    assert (x * 31 + y * 17) % 101 == 77
    assert x > 2 * y > 10


def test_a_pattern_names_functions_that_a_condition_calls_without_their_module(pessimal, write):
    write(BOXES, "boxes.py")
    words = "mixed(x, 2) == 77 and sin(x) > 0", "--var", "x=int:0..100", "--black-box", "[o]s.*", "--black-box"
    assert pessimal("solve", *words, "string.*", "--black-box", "boxes.m*").code == 0
    answer = pessimal("solve", *words, "string.*")
    assert (answer.code, answer.out) == (2, "") and "string has no function 'mixed'" in answer.err


def test_a_black_box_may_return_what_numpy_computes(pessimal, write):
    write(BOXES, "boxes.py")
    words = "boxes.of_numpy(x) == 14 and boxes.is_odd(x)", "--var", "x=int:0..1000", "--black-box", "boxes.*"
    assert pessimal("solve", *words, "--json").json["model"] == {"x": 7}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("raises", "boxes.raises raised KeyError"),
        ("exits", "boxes.exits raised SystemExit"),
        ("text", "returned a str"),
        ("dies", "killed its process"),
        ("hangs", "did not end in time"),
    ],
)
def test_a_black_box_that_misbehaves_is_named(pessimal, write, name, words):
    write(BOXES, "boxes.py")
    answer = pessimal(
        "solve",
        f"boxes.{name}(x) > 2",
        "--var",
        "x=float",
        "--black-box",
        "boxes.*",
        "--samples",
        "50",
        "--budget",
        "60s",
        "--json",
    )
    data = json.loads(answer.out)
    assert (answer.code, data["status"]) == (1, "unknown")
    assert words in data["notes"][0]
    assert "first for (0.0)" in data["notes"][0]


FRAGILE = """
import os, time

def fragile(n) -> int:
    if n < 0:
        os._exit(3)
    if n > 500:
        time.sleep(1000)
    return n * 7 % 101
"""


def test_a_black_box_that_dies_or_hangs_for_some_arguments_is_searched_all_the_same(pessimal, write):
    write(FRAGILE, "fragile.py")
    words = "fragile.fragile(n) == 77 and n > 50", "--var", "n=int:-1000..1000", "--black-box", "fragile.*"
    answer = pessimal("solve", *words, "--budget", "100s", "--json")
    assert answer.json["model"]["n"] * 7 % 101 == 77
    assert 50 < answer.json["model"]["n"] <= 500
    assert any(note.startswith("fragile.fragile killed its process in") for note in answer.json["notes"])


DEADLY = """
import os

def mixed(n: int) -> int:
    if n == 1:
        os._exit(3)
    return (n * 31 + 17) % 101

def marked(n: int) -> int:
    return 1 if mixed(n) == 77 else 0
"""


def test_explore_goes_on_after_a_sample_of_a_black_box_killed_its_process(pessimal, write):
    words = f"{write(DEADLY)}:marked", "--black-box", "mixed", "--input", "n=int:0..1000", "--json"
    answer = pessimal("explore", *words, "--paths", 10, "--run-timeout", "100s")
    assert {path["returned"] for path in answer.json["paths"]} == {"0", "1"}
    assert "mixed([1], {}) killed its process (exit status 3): it counts as a call without a value" in answer.err


def smt(write, *commands):
    return write("\n".join(commands), "question.smt2")


@pytest.mark.parametrize(
    ("commands", "status"),
    [
        (["(declare-const x Int)", "(assert (= (* x x) 49))", "(assert (< x 0))"], "sat"),
        (["(declare-const x Int)", "(assert (= (* x x) 2))"], "unsat"),
        (["(declare-const x Real)", "(assert (= (* x x) 2.0))"], "sat"),
        (["(declare-const x Real)", "(assert (< (* x x) 0.0))"], "unsat"),
        (["(declare-const x Real)", "(assert (and (= (exp x) 6.0) (> x 1.0)))"], "sat"),
        (["(declare-fun a () (_ BitVec 8))", "(assert (= (bvmul a #x03) #x05))", "(check-sat)"], "sat"),
        (
            ["(define-fun f ((y Int)) Int (+ y 1))", "(declare-const x Int)", "(assert (let ((z (f x))) (= z 3)))"],
            "sat",
        ),
        (["(declare-const p Bool)", "(declare-const q Bool)", "(assert (and (xor p q) (=> p q)))"], "sat"),
        (["(declare-const x Int)", "(assert (= (mod x (- 3)) 2))", "(assert (= (div x (- 3)) 4))"], "sat"),
        (["(declare-const x (Array Int Int))", "(assert (= (select x 1) 2))"], "sat"),
        (["(declare-const x Int)", "(assert (= (mod x 0) 1))"], "sat"),
    ],
)
def test_smtlib_files(pessimal, write, commands, status):
    answer = pessimal("solve", smt(write, *commands), "--json")
    assert answer.json["status"] == status
    assert (answer.json["model"] is not None) is (status == "sat")


X = "(declare-const x Int)(assert (> x 0))"


@pytest.mark.parametrize(
    ("script", "status"),
    [
        (X + "(push 1)(assert (< x 0))(check-sat)(pop 1)", "unsat"),
        (X + "(push)(assert (< x 0))(check-sat)(pop)(check-sat)", "sat"),
        (X + "(push 2)(assert (< x 0))(pop 1)(check-sat)", "sat"),
        (X + "(push 2)(assert (< x 0))(pop 2)(assert (< x 1))(check-sat)", "unsat"),
        (X + "(check-sat)(assert false)(exit)(nonsense)", "sat"),
        (X + "(assert (< x 0))(reset-assertions)(declare-const x Int)(assert (< x 0))(check-sat)", "sat"),
        (X + "(reset)(declare-const x Bool)(assert x)(check-sat)(get-model)", "sat"),
        ("(declare-const |a b| Bool)(assert |a b|)(check-sat-assuming ((not |a b|)))", "unsat"),
        ("(declare-const a Bool)(check-sat-assuming (a))", "sat"),
        (
            "(set-option :global-declarations true)(push)(declare-const b Int)(pop)(assert (= b 2 3))(check-sat)",
            "unsat",
        ),
        (X + "(assert (! (= x 7) :named n))(check-sat)(get-value (x))", "sat"),
    ],
)
@pytest.mark.parametrize("solver", ["portfolio", "intervals"])
def test_the_last_question_of_a_file_is_answered(write, script, status, solver):
    answer = package.solve(write(script, "question.smt2"), solver=solver)
    assert answer.status == status or (solver, answer.status) == ("intervals", "unknown")


def test_a_file_with_several_questions_says_which_is_answered(pessimal, write):
    answer = pessimal("solve", smt(write, X, "(check-sat)", "(push 1)", "(assert (= x 3))", "(check-sat)"))
    assert (answer.code, answer.out.splitlines()[:2]) == (0, ["sat", "  x = 3"])
    assert "the file asks 2 questions: this is the answer to the last" in answer.out


MODES = "(declare-const r RoundingMode)(declare-const x Float64)"
ROUNDED = "(assert (not (= (fp.roundToIntegral r x) (fp.roundToIntegral RNE x))))"


def test_values_that_bitwuzla_has_no_bits_of_are_left_to_z3(write):
    answer = package.solve(write(MODES + ROUNDED + "(check-sat)", "question.smt2"))
    assert (answer.status, answer.solver, set(answer.model)) == ("sat", "z3", {"r", "x"})


def test_a_model_names_nothing_of_other_files(write):
    first = "(define-const one Int 1)(declare-const x Int)(assert (! (> x one) :named large))(check-sat)"
    second = "(declare-const y Real)(assert (= (* 3 y) 1))(check-sat)"
    assert package.solve(write(first, "first.smt2")).model == {"x": 2}
    assert package.solve(write(second, "second.smt2")).model == {"y": "1/3"}


def test_a_quantifier_that_z3_leaves_open_is_named(pessimal, write):
    some = "(exists ((x Int)) (and (= (* x x x) y) (> y 1000)))"
    answer = pessimal("solve", smt(write, "(declare-const y Int)", f"(assert {some})"), "--budget", "1s")
    assert answer.code == 1
    assert "only Z3 was asked, since a quantifier (exists) is not read" in answer.out


@pytest.mark.parametrize(
    "commands",
    [
        ["(declare-const x Int", "(assert (= x 2))"],
        ["(assert (= x 2))"],
        ["(declare-const x Int)", "(assert (foo x))"],
        ["(declare-const x Int)", "(assert x)"],
        ["(declare-const x Int))"],
        ["(declare-const x)"],
        ["nonsense"],
        [""],
        ["; nothing but a comment"],
        ["(declare-const x Int)", "(declare-const y Bool)", "(assert (= x y))"],
        ["(declare-const y Bool)", "(assert (> (+ y 1) 1))"],
        ["(check-sat)", "nonsense"],
        ["(push 1)", "(pop 2)"],
        ["(push x)"],
        ["(push 99999999999)"],
        ["(check-sat-assuming x)"],
        ["\0"],
        ["(declare-const x (_ BitVec abc))"],
        ["(declare-const x (_ BitVec 0))"],
        ["(assert (let ((a)) a))"],
        ["(define-fun f ((x Int)) Int (f x))", "(assert (= (f 1) 2))"],
        ["(define-fun f ((x Int)) Int x)", "(assert (= (f 1 2) 2))"],
        ["(declare-const x (_ BitVec 4))", "(assert (= ((_ extract 9 2) x) #b1))"],
        ["(declare-const x (_ BitVec 4))", "(declare-const y (_ BitVec 8))", "(assert (= x y))"],
    ],
)
def test_malformed_smtlib_is_one_clear_line(pessimal, write, commands):
    answer = pessimal("solve", smt(write, *commands))
    assert (answer.code, answer.out) == (2, "")
    assert len(answer.err.strip().splitlines()) == 1


TARGETS = """
import math
import zlib

def wave(x: float, y: float) -> int:
    return 1 if math.sin(x) * y > 0.99 else 0

def root(x: float) -> int:
    if x < 0:
        return -1
    return 1 if round(x ** 0.5, 3) == 1.732 else 0

def any_root(x: float) -> int:
    return 1 if round(x ** 0.5, 3) == 1.732 else 0

def equal(x: float, y: float) -> int:
    if math.sin(x) == math.cos(y):
        return 2 if x * y > 3 else 1
    return 0

def marked(data: bytes) -> int:
    return 1 if zlib.crc32(data) % 7 == 3 else 0

def cube(x: float) -> int:
    return 1 if x ** 3 > 8 else 0

def bisect_root(a: float, b: float) -> float:
    f = lambda x: 10 - x * x
    if f(a) * f(b) >= 0:
        raise ValueError("no sign change")
    c = a
    while (b - a) >= 0.01:
        c = (a + b) / 2
        if f(c) == 0.0:
            break
        if f(c) * f(a) < 0:
            b = c
        else:
            a = c
    return c
"""


@pytest.mark.parametrize(
    ("name", "sides"),
    [
        ("wave", {"0", "1"}),
        ("root", {"-1", "0", "1"}),
        ("any_root", {None, "0", "1"}),
        ("equal", {"0", "1", "2"}),
        ("marked", {"0", "1"}),
    ],
)
def test_explore_reaches_all_sides_unasked(pessimal, write, name, sides):
    answer = pessimal("explore", f"{write(TARGETS)}:{name}", "--json", "--paths", 20, "--size", 3)
    assert {path.get("returned") for path in answer.json["paths"]} == sides


@pytest.mark.parametrize(("name", "most"), [("any_root", 12), ("cube", 4)])
def test_powers_without_a_double_do_not_flood_the_paths(pessimal, write, name, most):
    answer = pessimal("explore", f"{write(TARGETS)}:{name}", "--json", "--paths", 100)
    assert len(answer.json["paths"]) <= most


def test_explore_reaches_all_sides_of_a_bisection(pessimal, write):
    answer = pessimal("explore", f"{write(TARGETS)}:bisect_root", "--json", "--paths", 6)
    outcomes = {path["outcome"] for path in answer.json["paths"]}
    loops = {path["cost"] for path in answer.json["paths"]}
    assert outcomes == {"raised", "returned"}
    assert len(loops) > 2


COSTLY = """
import math
import zlib

def work() -> int:
    total = 0
    for number in range(50):
        total += number
    return total

def wave(x: float, y: float) -> int:
    return work() if math.sin(x) * y > 0.99 else 0

def marked(data: bytes) -> int:
    return work() if zlib.crc32(data) % 7 == 3 else 0
"""


@pytest.mark.parametrize("name", ["wave", "marked"])
def test_stress_uses_the_samplers_unasked(pessimal, write, name):
    """The dearer side is the one that only samples reach."""
    answer = pessimal("stress", f"{write(COSTLY)}:{name}", "--json", "--paths", 60, "--size", 3)
    assert answer.json["cost"]["value"] > 50  # the loop, and not the side without it
