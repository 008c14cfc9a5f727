import functools
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from pessimal.errors import TargetError
from pessimal.importing import ALIAS
from pessimal.inputs import Inputs
from pessimal.target import Reference, Target, load


@pytest.fixture(autouse=True)
def own_import_state(monkeypatch, tmp_path):
    """Every test works in its own directory and leaves no trace in the import system."""
    before = set(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.chdir(tmp_path)
    yield
    for name in set(sys.modules) - before:
        del sys.modules[name]


def write(path, text=""):
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(textwrap.dedent(text))
    return file.resolve()


SORTING = """
import math
from math import sqrt

LIMIT = [3]

def insertion_sort(xs: list[int]) -> list[int]:
    return sorted(xs)

def heap_sort(xs: list[int]) -> list[int]:
    return sorted(xs)

class Stack:
    def __init__(self, limit: int = 3) -> None:
        self.limit = limit

    def push(self, value: int, limit: int) -> tuple[int, int, int]:
        return self.limit, value, limit

    @staticmethod
    def twice(value: int) -> int:
        return 2 * value

    @classmethod
    def named(cls, value: int) -> str:
        return f"{cls.__name__}{value}"

    @property
    def full(self) -> bool:
        return False

    class Inner:
        def go(self, x: int) -> int:
            return x

class Adder:
    def __call__(self, x: int) -> int:
        return x + 1

adder = Adder()
main = __name__ == "__main__"
"""


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("package.module:function", Reference(None, "package.module", "function")),
        ("package.module:Class.method", Reference(None, "package.module", "Class.method")),
        ("package.module::Class::method", Reference(None, "package.module", "Class.method")),
        ("package.module.function", Reference(None, "package.module.function", "")),
        ("module:function", Reference(None, "module", "function")),
        ("file.py:function", Reference("file.py", None, "function")),
        ("file.py::function", Reference("file.py", None, "function")),
        ("file.py::Class::method", Reference("file.py", None, "Class.method")),
        ("dir/file.py:Class.method", Reference("dir/file.py", None, "Class.method")),
        (" ../my-dir/a.b.py:f ", Reference("../my-dir/a.b.py", None, "f")),
    ],
)
def test_references_are_read(text, reference):
    assert Reference.parse(text) == reference


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a target: write package.module:function or file.py:function"),
        ("sorting", "'sorting' does not name a function: write sorting:function or sorting.py:function"),
        ("sorting.py", "'sorting.py' does not name a function: write sorting.py:function"),
        ("sorting.py:", "'sorting.py:' does not name a function: write sorting.py:function"),
        ("sorting.py::", "'sorting.py::' does not name a function: write sorting.py:function"),
        ("package.module:", "'package.module:' does not name a function: write package.module:function"),
        ("dir/file:f", "'dir/file:f' is not a target: write package.module:function or file.py:function"),
        ("a..b", "'a..b' is not a target: write package.module:function or file.py:function"),
        ("f.py:a b", "'a b' in 'f.py:a b' is not a valid name: write file.py:function or file.py:Class.method"),
        ("f.py:f()", "'f()' in 'f.py:f()' is not a valid name: write file.py:function or file.py:Class.method"),
    ],
)
def test_texts_that_are_no_references_are_refused(text, message):
    with pytest.raises(TargetError) as caught:
        Reference.parse(text)
    assert str(caught.value) == message


@pytest.mark.parametrize("text", ["package.module:f", "dir/file.py:Class.method", "a.b.c"])
def test_a_reference_is_written_as_it_is_read(text):
    assert str(Reference.parse(text)) == text


def test_a_function_in_a_file():
    file = write("algorithms/sorting.py", SORTING)
    target = load("algorithms/sorting.py:insertion_sort")
    assert target.call([2, 1]) == [1, 2]
    assert target.name == "algorithms/sorting.py:insertion_sort"
    assert (target.file, target.module, target.qualname) == (str(file), "sorting", "insertion_sort")
    assert [parameter.name for parameter in target.parameters] == ["xs"]
    assert sys.path[0] == str(file.parent)
    assert load(Reference.parse("algorithms/sorting.py::insertion_sort")).call is target.call


@pytest.mark.parametrize(
    "text",
    ["pkg.sub.sorting:heap_sort", "pkg.sub.sorting.heap_sort", "pkg/sub/sorting.py:heap_sort"],
)
def test_a_module_in_a_package_keeps_its_name(text):
    write("pkg/__init__.py")
    write("pkg/sub/__init__.py")
    write("pkg/helper.py", "ONE = 1")
    write("pkg/sub/sorting.py", f"from ..helper import ONE\n{SORTING}")
    target = load(text)
    assert (target.module, target.qualname) == ("pkg.sub.sorting", "heap_sort")
    assert load("pkg.sub.sorting:heap_sort").call is target.call


def test_dotted_names_lead_into_classes_and_through_packages():
    write("pkg/__init__.py", "def sorting(x: int): return 'function'")
    write("pkg/sorting.py", SORTING)
    assert load("pkg.sorting").call(1) == "function"
    assert load("pkg.sorting.Stack.twice").call(4) == 8


def test_the_file_of_a_package_itself():
    write("pkg/__init__.py", "def f(x: int): return x")
    assert load("pkg/__init__.py:f").module == "pkg"


def test_a_file_with_the_name_of_a_standard_module_gets_an_alias():
    write("random.py", "import colour\ndef f(x: int): return colour.NAME")
    write("colour.py", "NAME = 'red'")
    import random

    target = load("random.py:f")
    assert target.call(1) == "red"
    assert target.module.startswith(ALIAS)
    assert sys.modules["random"] is random
    assert load("random.py:f").call is target.call


def test_two_files_of_one_name_do_not_mix():
    write("one/solution.py", "def f(x: int): return 1")
    write("two/solution.py", "def f(x: int): return 2")
    assert load("one/solution.py:f").call(0) == 1
    assert load("two/solution.py:f").call(0) == 2
    assert load("one/solution.py:f").call(0) == 1


def test_a_file_whose_name_is_no_identifier():
    write("my-script.v2.py", "def f(x: int): return x")
    assert load("my-script.v2.py:f").call(3) == 3


def test_modules_do_not_run_as_scripts():
    write("__main__.py", "NAME = __name__\ndef f(x: int): return NAME")
    assert load("__main__.py:f").call(0) not in ("__main__", None)


def test_an_instance_is_built_for_a_method():
    write("sorting.py", SORTING)
    target = load("sorting.py:Stack.push")
    assert [parameter.name for parameter in target.parameters] == ["self_limit", "value", "limit"]
    assert target.call(self_limit=1, value=2, limit=3) == (1, 2, 3)
    assert target.file == str(Path("sorting.py").resolve())
    inputs = Inputs.of(target.call, 0)
    assert target.describe_call(inputs, [1, 2, 3]) == "Stack(1).push(2, 3)"


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("Stack.twice", 8),
        ("Stack.named", "Stack4"),
        ("Stack.Inner.go", 4),
        ("adder", 5),
        ("sqrt", 2.0),
    ],
)
def test_other_callables_are_targets(name, result):
    write("sorting.py", SORTING)
    target = load(f"sorting.py:{name}")
    (parameter,) = target.parameters
    keyword_only = parameter.kind is parameter.KEYWORD_ONLY
    assert (target.call(**{parameter.name: 4}) if keyword_only else target.call(4)) == result


def test_a_class_is_called_as_its_constructor():
    write("sorting.py", SORTING)
    target = load("sorting.py:Stack")
    assert target.call(7).limit == 7
    assert target.describe_call(Inputs.of(target.call, 0), [7]) == "Stack(7)"


def test_built_in_functions_have_no_file():
    target = load("builtins:sorted")
    assert (target.file, target.call) == (None, sorted)
    assert load("math.gcd").call(4, 6) == 2


def refused(text):
    with pytest.raises(TargetError) as caught:
        load(text)
    return str(caught.value)


def test_unknown_modules_and_files_are_refused():
    write("sorting.py", SORTING)
    cure = "install it, change to its directory, or write path/to/file.py:function"
    assert refused("lost.module:f") == f"there is no module 'lost': {cure}"
    assert refused("lost.module.f") == f"there is no module 'lost': {cure}"
    assert refused("sorting.deeper:f") == f"there is no module 'sorting.deeper': {cure}"
    assert refused("sortin.py:f") == "there is no file sortin.py: did you mean sorting.py?"
    assert refused("nowhere/x.py:f") == "there is no file nowhere/x.py: give the path of a Python file"


def test_unknown_names_are_refused_with_those_there_are():
    file = write("sorting.py", SORTING)
    empty = write("nothing.py")
    assert refused("sorting.py:insertion_srot") == (f"{file} has no 'insertion_srot': did you mean insertion_sort?")
    assert refused("sorting.py:zzz") == (
        f"{file} has no 'zzz': choose one of insertion_sort, heap_sort, Stack, Adder, adder, sqrt"
    )
    assert refused("sorting.py:Stack.pusj") == "Stack has no 'pusj': did you mean push?"
    assert refused("nothing.py:f") == f"{empty} has no 'f': it defines nothing to call"
    assert refused("sorting.py:LIMIT.f") == "[3] has no 'f': it defines nothing to call"


def test_what_cannot_be_called_is_refused():
    write("sorting.py", SORTING)
    cure = "name a function, method or class"
    assert refused("sorting.py:LIMIT") == f"sorting.py:LIMIT is not callable but a list: {cure}"
    assert refused("sorting.py:Stack.full") == f"sorting.py:Stack.full is not callable but a property: {cure}"
    assert refused("sorting.py:math") == "sorting.py:math is a module: write math:function"


def test_what_hides_its_parameters_is_refused():
    cure = "write a Python function with type hints that calls it"
    assert refused("builtins:dict") == f"builtins:dict has no signature that can be read: {cure}"
    assert refused("builtins:dict.get") == f"builtins:dict.get has no signature that can be read: {cure}"


def test_a_method_of_an_abstract_class_is_refused():
    write(
        "shapes.py",
        """
        import abc
        class Shape(abc.ABC):
            @abc.abstractmethod
            def area(self) -> int: ...
            def double(self) -> int: ...
        """,
    )
    assert refused("shapes.py:Shape.double") == (
        "shapes.py:Shape.double needs an instance of an abstract class: name a subclass that has area"
    )


def test_a_syntax_error_is_told_with_its_place():
    file = write("broken.py", "x = 1\ndef f(:\n")
    assert refused("broken.py:f") == f"{file}, line 2: invalid syntax: correct the syntax error first"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            "1 / 0",
            "importing broken raises ZeroDivisionError: division by zero in {}, line 2: correct that first",
        ),
        (
            "import sys; sys.exit(3)",
            "importing broken exits (SystemExit: 3 in {}, line 2): move that under if __name__ == '__main__':",
        ),
        (
            "import lost_thing",
            "importing broken needs the module 'lost_thing' in {}, line 2: install it first",
        ),
        (
            "raise SyntaxError('odd')",
            "importing broken raises SyntaxError: odd in {}, line 2: correct that first",
        ),
        ("raise BaseException", "importing broken raises BaseException in {}, line 2: correct that first"),
        ("raise GeneratorExit", "importing broken raises GeneratorExit in {}, line 2: correct that first"),
        (
            "def deeper(): return deeper()\ndeeper()",
            "importing broken raises RecursionError: maximum recursion depth exceeded in {}, line 2: "
            "correct that first",
        ),
        (
            "class Mute(Exception):\n  def __str__(self): raise ValueError\nraise Mute",
            "importing broken raises Mute in {}, line 4: correct that first",
        ),
    ],
)
def test_what_goes_wrong_while_importing_is_told_with_its_place(code, message):
    file = write("broken.py", f"x = 1\n{code}\n")
    assert refused("broken.py:f") == message.format(file)
    assert "broken" not in sys.modules


def test_what_goes_wrong_under_an_alias_is_told_too():
    file = write("random.py", "1 / 0")
    message = f"importing {file} raises ZeroDivisionError: division by zero in {file}, line 1: correct that first"
    assert refused("random.py:f") == message
    assert refused("random.py:f") == message


def test_what_goes_wrong_in_a_package_around_is_told_too():
    file = write("pkg/__init__.py", "1 / 0")
    write("pkg/inner.py", "def f(x: int): ...")
    message = f"importing {{}} raises ZeroDivisionError: division by zero in {file}, line 1: correct that first"
    assert refused("pkg/inner.py:f") == message.format("pkg.inner")
    assert refused("pkg.inner.f") == message.format("pkg")


def test_an_attribute_that_raises_is_told():
    file = write("lazy.py", "def __getattr__(name): raise ValueError('not today')")
    assert refused("lazy.py:f") == f"reading f of {file} raises ValueError: not today: correct that first"


def test_an_interrupt_that_the_file_itself_raises_is_its_own_mistake():
    write("slow.py", "raise KeyboardInterrupt")
    with pytest.raises(TargetError, match="raises KeyboardInterrupt"):
        load("slow.py:f")


def test_a_target_from_a_callable_at_hand():
    def nested(x: int) -> int:
        return x

    target = Target.of(nested)
    name = "test_a_target_from_a_callable_at_hand.<locals>.nested"
    assert (target.call, target.name, target.qualname) == (nested, name, name)
    assert (target.file, target.module) == (str(Path(__file__).absolute()), __name__)
    assert Target.of(functools.partial(nested, 3), "three").name == "three"
    with pytest.raises(TargetError, match="dict has no signature that can be read"):
        Target.of(dict)


def test_callables_that_a_name_leads_to_are_referred_to_by_name():
    write("sorting.py", SORTING)
    stack = load("sorting.py:Stack").call
    assert Reference.of(load("sorting.py:heap_sort").call) == Reference(None, "sorting", "heap_sort")
    assert Reference.of(stack) == Reference(None, "sorting", "Stack")
    assert Reference.of(stack.push) == Reference(None, "sorting", "Stack.push")
    assert Reference.of(stack.named) == Reference(None, "sorting", "Stack.named")
    assert Reference.of(sorted) == Reference(None, "builtins", "sorted")
    assert Reference.of(textwrap.dedent) == Reference(None, "textwrap", "dedent")


def test_modules_that_cannot_be_imported_by_name_are_referred_to_by_file():
    file = write("random.py", "def f(x: int): ...")
    assert Reference.of(load("random.py:f").call) == Reference(str(file), None, "f")


def test_callables_without_a_name_have_no_reference():
    write("sorting.py", SORTING)
    stack = load("sorting.py:Stack").call

    def nested(): ...

    adder = load("sorting.py:adder").call
    for call in (nested, lambda: None, stack().push, functools.partial(nested), adder):
        assert Reference.of(call) is None


def test_a_decorated_function_is_referred_to_only_if_the_name_leads_to_it():
    write("sorting.py", SORTING)
    inner = load("sorting.py:heap_sort").call
    wrapped = functools.lru_cache(inner)
    assert Reference.of(wrapped) is None


def test_functions_of_a_script_are_referred_to_by_file():
    file = write(
        "script.py",
        """
        from pessimal.target import Reference, load
        def f(x: int) -> str:
            return __name__
        if __name__ == "__main__":
            reference = Reference.of(f)
            print(reference, load(reference).call(1), Reference.of(lambda: None))
        """,
    )
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=True)
    assert done.stdout == f"{file}:f script None\n"


def test_functions_typed_in_have_no_reference():
    code = "from pessimal.target import Reference\ndef f(): ...\nprint(Reference.of(f))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "None\n"
