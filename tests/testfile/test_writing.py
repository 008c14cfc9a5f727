"""The text of written tests: what a person would be content to have written."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest

from pessimal.scenario import Build, Function, Name, Plain, Result, Step
from pessimal.testfile import Case, Check, Module, Observation, OpenBranch, Plan, observe, written
from pessimal.testfile.naming import Names
from pessimal.testfile.phrases import phrase
from tests.testfile import zoo
from tests.testfile.making import assign, call, case, method

FILES = [textwrap.__file__, __import__("ipaddress").__file__, zoo.__file__]


def only_tests(*cases: Case, **options: object) -> str:
    """The tests in a file for some cases, without what is before them."""
    return text_of(*cases, **options).partition("import pytest\n")[2].strip("\n")


def text_of(*cases: Case, before: str | None = None, **options: object) -> str:
    found = [(item, observe(item.scenario, FILES)) for item in cases]
    plan = Plan(Path("test_things.py"), options.pop("modules", []), "things", "pessimal cover things", **options)
    return written(found, plan, before).text


def test_a_file_has_a_header_imports_tests_and_the_open_branches() -> None:
    text = text_of(
        case(call("textwrap:shorten", "hello world", 5), reaches="len(text) > width"),
        open_branches=[
            OpenBranch("textwrap.py", 3, "if x is None", "unreachable, proved"),
            OpenBranch("textwrap.py", 4, f"if {'text' * 30} is long", "not reached"),
            OpenBranch("textwrap.py", 5, "if y  is None", "unreachable, proved"),
        ],
    )
    assert text == textwrap.dedent("""\
        # Tests of things, written by pessimal cover.
        # They are yours to edit: the command below adds tests and changes none.
        #     pessimal cover things

        from textwrap import shorten


        def test_shorten():
            assert shorten("hello world", 5) == "[...]"


        # Branches that no test here reaches:
        #   unreachable, proved:
        #     textwrap.py:3 if x is None
        #     textwrap.py:5 if y is None
        #   not reached:
        #     textwrap.py:4 if ...
        """)


def test_calls_of_one_function_are_rows_with_options_and_names_of_what_they_reach() -> None:
    assert only_tests(
        case(call("textwrap:shorten", "hello world", 5), reaches="len(text) > width"),
        case(call("textwrap:shorten", "hello world", 20), reaches="len(text) > width", came_out=False),
        case(call("textwrap:shorten", "hello world", 9, placeholder="..."), reaches="placeholder"),
        case(call("textwrap:shorten", "hello world", 1), reaches="cur_len + len(placeholder) <= width"),
    ) == textwrap.dedent("""\
        @pytest.mark.parametrize(
            ("width", "options", "expected"),
            [
                pytest.param(5, {}, "[...]", id="text-length-above-width"),
                pytest.param(20, {}, "hello world", id="text-length-at-most-width"),
                pytest.param(9, {"placeholder": "..."}, "hello...", id="placeholder"),
            ],
        )
        def test_shorten(width, options, expected):
            assert shorten("hello world", width, **options) == expected


        def test_shorten_raises():
            with pytest.raises(ValueError, match="placeholder too large for max width"):
                shorten("hello world", 1)""")


def test_options_that_all_cases_have_are_plain_arguments() -> None:
    long = "word " * 20 + "end"
    text = text_of(
        case(call("textwrap:fill", "a b", width=1)),
        case(call("textwrap:fill", long, 2)),
        case(call("textwrap:fill", "a b")),
        case(call(f"{zoo.__name__}:call", Function((Plain(1), Plain(0), Plain(0))))),
    )
    assert "**{" not in text
    assert "assert fill(text, 2) ==" in text or "result = fill(text, 2)" in text
    assert "replies = itertools.chain([1], itertools.repeat(0))" in text


def test_floats_are_approximate_where_they_were_computed() -> None:
    text = only_tests(
        case(call("colorsys:rgb_to_hls", 0.1, 0.2, 0.3)),
        case(call("colorsys:rgb_to_hsv", 1.0, 0.5, 0.5)),
        case(call("statistics:mean", [1.0, 2.0])),
        case(call(f"{zoo.__name__}:echo", [float("nan"), 0.1 + 0.2])),
    )
    assert "assert rgb_to_hls(0.1, 0.2, 0.3) == pytest.approx(\n        (0.5833333333333334, 0.2, 0.4" in text
    assert "assert rgb_to_hsv(1.0, 0.5, 0.5) == (0.0, 0.5, 1.0)" in text
    assert "assert mean([1.0, 2.0]) == 1.5" in text
    assert "        [math.nan, 0.30000000000000004],\n        nan_ok=True,\n" in text


def test_methods_and_operators_are_written_as_people_write_them() -> None:
    network, address = call("ipaddress:ip_network", "10.0.0.0/8"), call("ipaddress:ip_address", "11.0.0.1")
    text = text_of(
        case(network, method(0, "hosts")),
        case(network, address, method(0, "__contains__", Result(1))),
        case(network, call("ipaddress:ip_network", "10.0.0.0/9"), method(0, "__eq__", Result(1))),
        case(network, method(0, "__getitem__", 3)),
        case(call("fractions:Fraction", 1, 2), method(0, "__add__", 1)),
        case(call("collections:deque", [1]), method(0, "append", 2)),
        case(call("shlex:shlex", "a"), assign(0, "debug", 2)),
        case(call(f"{zoo.__name__}:Stack"), method(0, "__len__")),
        case(call(f"{zoo.__name__}:Stack"), method(0, "pop")),
    )
    for line in (
        'network = ip_network("10.0.0.0/8")',
        "assert list(itertools.islice(network.hosts(), 3)) == [",
        "assert address not in network",
        "assert (network == other_network) is False",
        'assert network[3] == IPv4Address("10.0.0.3")',
        "assert fraction + 1 == Fraction(3, 2)",
        "deque_.append(2)",
        "assert deque_ == deque([1, 2])",
        "shlex_.debug = 2",
        "assert shlex_.debug == 2",
        "assert len(stack) == 0",
        'with pytest.raises(IndexError, match=re.escape("pop from an empty stack (sorry)")):',
        "def test_ipv4_network_contains():",
        "def test_stack_pop_raises():",
    ):
        assert f"{line}\n" in text


def test_several_cases_with_the_same_preparation_are_rows_too() -> None:
    assert only_tests(
        *(
            case(call("fractions:Fraction", n, 7), method(0, "limit_denominator", 3), reaches=f"k == {n}")
            for n in (1, 3)
        )
    ) == textwrap.dedent("""\
        @pytest.mark.parametrize(
            ("numerator", "expected"),
            [
                pytest.param(1, Fraction(0, 1), id="k-is-1"),
                pytest.param(3, Fraction(1, 2), id="k-is-3"),
            ],
        )
        def test_fraction_limit_denominator(numerator, expected):
            fraction = Fraction(numerator, 7)
            assert fraction.limit_denominator(3) == expected""")


def test_what_a_function_changes_or_prints_is_asserted() -> None:
    text = text_of(
        case(call("heapq:heappush", [3, 4], 1)),
        case(call(f"{zoo.__name__}:say", 3)),
        case(call(f"{zoo.__name__}:extended", [1], 2)),
    )
    assert "    heappush(heap, 1)\n    assert heap == [1, 4, 3]\n" in text
    assert 'def test_say(capsys):\n    say(3)\n    assert capsys.readouterr().out == "It is 3\\n"\n' in text
    assert "    assert extended(values, 2) == 2\n    assert values == [1, 2]\n" in text


@pytest.mark.parametrize(
    ("name", "arguments", "lines"),
    [
        ("colour", [1], ["assert colour(1) is Colour.RED"]),
        ("colour", [0], ["assert colour(0) == Flags(3)"]),
        ("point", [1, 2], ["assert point(1, 2) == Point(x=1, y=2, tags=[])"]),
        ("pair", [1, 2], ["assert pair(1, 2) == Pair(left=1, right=2)"]),
        (
            "opaque",
            [1],
            ["assert isinstance(result, Opaque)", "assert result.value == 1", "assert result.other is None"],
        ),
        ("hidden", [1], ["assert isinstance(result, Hidden)", "assert result.size == 1"]),
        ("Point", [1], ["assert Point(1) == Point(x=1, y=0, tags=[])"]),
        ("Stack", [1], ["assert isinstance(result, Stack)", "assert len(result) == 1"]),
        ("made", [0], ['assert made(0) == Decimal("1.50")']),
        ("made", [4], ['assert made(4) == Path("a/b")']),
        ("made", [9], ["assert made(9) is Stack"]),
        ("made", [17], ["assert made(17).bit_length() == 1661"]),
        ("made", [19], ["assert len(result) == 200", "assert result[:3] == [0, 1, 2]"]),
        ("made", [22], ['assert list(made(22)) == ["a"]']),
        ("items", [3], ["assert list(items(3)) == [0, 1, 2]"]),
        ("items", [20], ['with pytest.raises(ValueError, match="is not wanted"):', "list(items(20))"]),
        ("endless", [7], ["assert list(itertools.islice(endless(7), 3)) == [7, 7, 7]"]),
        ("later", [7], ["assert asyncio.run(later(7)) == 7"]),
        ("fail", [2], ["with pytest.raises(KeyError):"]),
        ("fail", [3], ["with pytest.raises(SystemExit):"]),
        ("call", [Function((Plain(1),))], ["assert call(lambda *args, **kwargs: 1) == [1, 1]"]),
        (
            "echo",
            [Build(Name("decimal", "Decimal"), (Plain("1.5"),))],
            ['assert echo(Decimal("1.5")) == Decimal("1.5")'],
        ),
        ("echo", ["ab" * 30], ['assert echo("ab" * 30) == "ab" * 30']),
        ("by_address", [], ["assert isinstance(by_address(), str)"]),
    ],
)
def test_values_are_asserted_by_the_best_expression_there_is(
    name: str, arguments: list[object], lines: list[str]
) -> None:
    text = text_of(case(call(f"{zoo.__name__}:{name}", *arguments)))
    for line in lines:
        assert f"    {line}\n" in text


def test_names_do_not_hide_each_other() -> None:
    text = text_of(
        case(call(f"{zoo.__name__}:Lists"), method(0, "list", 1, 2)),
        case(call(f"{zoo.__name__}:Lists"), method(0, "list", 2, 3)),
        case(call("codecs:encode", "a")),
        case(call("marshal:dumps", 1)),
        case(call("json:dumps", 1)),
    )
    assert '("input_", "id_", "expected")' in text
    assert "import json\n" in text
    assert "from marshal import dumps\n" in text
    assert "assert json.dumps(1) ==" in text


@pytest.mark.parametrize(
    ("condition", "true", "false"),
    [
        ("margin is None", "margin-is-none", "margin-not-none"),
        ("not lines", "no-lines", "lines"),
        ("text.startswith(prefix)", "text-startswith-prefix", "not-text-startswith-prefix"),
        ("len(s) < 3 and x", "s-length-below-3-and-x", "s-length-at-least-3-or-no-x"),
        ("for item in self.items:", "items-item", "items-end"),
        ("isinstance(x, int)", "x-is-int", "x-not-int"),
        ("if x == '':", "x-is-empty", "x-not-empty"),
        ("self.debug >= 3", "debug-at-least-3", "debug-below-3"),
        ("except ValueError:", "except-value-error", "except-value-error"),
        ("x in (", "x-in", "not-x-in"),
    ],
)
def test_cases_are_named_after_conditions(condition: str, true: str, false: str) -> None:
    assert phrase(case(call("a:b"), reaches=condition).reaches) == true
    assert phrase(case(call("a:b"), reaches=condition, came_out=False).reaches) == false


def test_rows_have_different_names() -> None:
    text = text_of(*(case(call(f"{zoo.__name__}:echo", n), reaches="x") for n in range(3)))
    assert [f'id="{name}"' in text for name in ("x", "x-2", "x-3")] == [True, True, True]


def test_a_module_that_is_not_on_the_path_is_found_from_the_test_file(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "src" / "apart.py").write_text("def f(): return 1\n")
    found = [(case(call("apart:f")), observe(case(call(f"{zoo.__name__}:echo", 1)).scenario))]
    module = Module("apart", str(tmp_path / "src" / "apart.py"))
    text = written(found, Plan(tmp_path / "tests" / "test_apart.py", [module], "apart", "c")).text
    assert 'sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))\n\nfrom apart import f\n' in text
    beside = written(found, Plan(tmp_path / "src" / "test_apart.py", [module], "apart", "c")).text
    assert "sys" not in beside


def test_what_touches_files_is_in_a_directory_of_its_own() -> None:
    making = Step("method", Build(Name("pathlib", "Path"), (Plain("a.txt"),)), "write_text", (Plain("b"),))
    reading = case(making, call("linecache:getlines", "a.txt"))
    check = Check(Result(1), "==", Plain(["b\n"]))
    seen = Observation((check,), kinds=("int", "list"), parameters=((), ("filename",)), in_scratch=True)
    assert Observation.from_json(seen.to_json()) == seen
    plan = Plan(Path("test_things.py"), [], "things", "pessimal cover things")
    assert written([(reading, seen)], plan).text.partition("getlines\n")[2].strip() == textwrap.dedent("""\
        from pathlib import Path


        def test_getlines(monkeypatch, tmp_path):
            monkeypatch.chdir(tmp_path)
            Path("a.txt").write_text("b")
            assert getlines("a.txt") == ["b\\n"]""")


def test_what_pytest_would_take_for_a_test_is_not_imported_by_its_name() -> None:
    text = text_of(case(call("unittest:TestSuite")), case(call("textwrap:shorten", "a", 5)))
    assert "import unittest\n" in text
    assert "from textwrap import shorten\n" in text
    assert "unittest.TestSuite()" in text


def test_objects_of_one_class_are_counted() -> None:
    names = Names(["node_4"])
    assert [names.unique("node") for _ in range(4)] == ["node", "other_node", "node_3", "node_5"]


LEFT = (Plain(None), Plain(None), Plain(None))
FAILED = (Name("builtins", "ValueError"), Build(Name("builtins", "ValueError"), (Plain("a"),)), Plain(None))


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        (1, LEFT, ["with guarded(1):", "    pass"]),
        (0, LEFT, ['with pytest.raises(LookupError, match="left"), guarded(0):', "    pass"]),
        (1, FAILED, ["with pytest.raises(ValueError), guarded(1):", '    raise ValueError("a")']),
        (2, FAILED, ["with guarded(2):", '    raise ValueError("a")']),
    ],
)
def test_context_managers_are_written_as_with_statements(kind: int, given: Any, expected: list[str]) -> None:
    steps = call(f"{zoo.__name__}:guarded", kind), method(0, "__enter__"), method(0, "__exit__", *given)
    text = text_of(case(*steps))
    assert [line.removeprefix("    ") for line in text.splitlines() if line.startswith("    ")] == expected


def test_a_context_manager_whose_value_is_used_is_entered_by_a_call() -> None:
    text = text_of(case(call(f"{zoo.__name__}:guarded", 1), method(0, "__enter__")))
    assert "assert manager.__enter__() == 1" in text
