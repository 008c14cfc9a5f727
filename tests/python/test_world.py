"""Two copies of the target's modules; each check runs in a fresh interpreter, whose modules it may turn upside down."""

import json
import subprocess
import sys
import textwrap

import pytest

from pessimal.python.scope import Scope

MODULES = {
    "main.py": """
        import heapq
        import helper

        LOADED = []

        def touch(x):
            LOADED.append(x)
            helper.STATE.append(x)
            return len(LOADED)

        def find(x):
            return x in {1: "one"}

        def lazily():
            import late
            return late.helper is helper, late.NUMBER

        def fails():
            raise ValueError("here")
    """,
    "helper.py": "STATE = []\n",
    "late.py": "import helper\nNUMBER = 3\n",
    "package/__init__.py": "from package.inner import VALUE\n",
    "package/inner.py": "VALUE = object()\n",
    "package/space/deep.py": "from package.inner import VALUE\n",
    "money.py": "from decimal import Decimal\ndef dear(x: int):\n    return 1 if x > 3 and Decimal(2) > 1 else 0\n",
    "halves.py": "def half(x: int):\n    return 1 if x // 2 > 1 else 0\n",
    "apart/random.py": "def draw(x: int):\n    return abs(x)\n",
    "loose/part.py": "import helper\nSTATE = helper.STATE\n",
}

PRELUDE = """
import importlib, json, sys
sys.path.insert(0, ".")
from pessimal.python.world import Worlds
worlds = Worlds()
plain, rewritten = worlds.plain, worlds.rewritten

def load(world, name="main"):
    world.enter()
    return importlib.import_module(name)
"""


@pytest.fixture
def tell(tmp_path):
    """Runs a few lines about two worlds in a fresh interpreter and gives what the last one evaluates to."""
    for name, text in MODULES.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text))

    def run(code):
        *lines, last = textwrap.dedent(code).strip().splitlines()
        script = "\n".join([PRELUDE, *lines, f"print(json.dumps({last}))"])
        done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def test_each_world_has_its_own_copy_and_its_own_state(tell):
    assert tell("""
        one, other = load(plain), load(rewritten)
        one.touch(1), one.touch(2), other.touch(3)
        [one is other, one.LOADED, other.LOADED, one.helper.STATE, other.helper.STATE]
    """) == [False, [1, 2], [3], [1, 2], [3]]


def test_the_standard_library_is_shared(tell):
    assert (
        tell("""
        one, other = load(plain), load(rewritten)
        one.heapq is other.heapq
    """)
        is True
    )


def test_a_world_keeps_its_modules_while_the_other_is_active(tell):
    assert tell("""
        one = load(plain)
        load(rewritten)
        again = load(plain)
        third = load(rewritten), load(rewritten)
        [one is again, third[0] is third[1], sys.modules["main"] is third[0]]
    """) == [True, True, True]


def test_only_the_rewritten_copy_is_rewritten(tell):
    assert tell("""
        one, other = load(plain), load(rewritten)
        handlers = [sum("pessimal" in name for name in vars(module)) for module in (one, other)]
        names = [any("pessimal" in name for name in module.find.__code__.co_names) for module in (one, other)]
        [handlers[0], handlers[1] > 0, names, one.find(1), other.find(1), other.find(2)]
    """) == [0, True, [False, True], True, True, False]


def test_an_import_inside_a_function_finds_its_own_world(tell):
    assert tell("""
        one, other = load(plain), load(rewritten)
        plain.enter()
        first = one.lazily()
        rewritten.enter()
        second = other.lazily()
        [first, second]
    """) == [[True, 3], [True, 3]]


def test_what_was_imported_before_any_world_is_set_aside(tell):
    assert tell("""
        import main as before
        one, other = load(plain), load(rewritten)
        [before is one, before is other]
    """) == [False, False]


def test_packages_and_their_modules_stay_together(tell):
    assert tell("""
        one, other = load(plain, "package"), load(rewritten, "package")
        inner = [load(plain, "package.inner"), load(rewritten, "package.inner")]
        [one.VALUE is inner[0].VALUE, other.VALUE is inner[1].VALUE, one.VALUE is other.VALUE]
    """) == [True, True, False]


@pytest.mark.parametrize(("name", "attribute"), [("package.space.deep", "VALUE"), ("loose.part", "STATE")])
def test_packages_without_a_file_of_their_own_belong_to_a_world_too(tell, name, attribute):
    assert tell(f"""
        one, other = load(plain, "{name}"), load(rewritten, "{name}")
        again = load(plain, "{name}"), load(rewritten, "{name}")
        [one is other, one.{attribute} is other.{attribute}, one is again[0], other is again[1]]
    """) == [False, False, True, True]


def test_rewritten_code_fails_on_the_line_of_the_source(tell):
    assert tell("""
        import traceback
        lines = []
        for world in (plain, rewritten):
            try: load(world).fails()
            except ValueError as error: lines.append(traceback.extract_tb(error.__traceback__)[-1])
        [line.lineno for line in lines] + [line.line for line in lines]
    """) == [20, 20, 'raise ValueError("here")', 'raise ValueError("here")']


def test_rewritten_code_is_never_cached(tell, tmp_path):
    tell("""
        load(rewritten)
        True
    """)
    assert list(tmp_path.rglob("*.pyc")) == []


def test_worlds_of_two_targets_keep_their_modules_apart(tell):
    assert tell("""
        other = Worlds()
        copies = [load(world) for world in (plain, rewritten, other.plain, other.rewritten)]
        again = [load(world) for world in (other.rewritten, rewritten, other.plain, plain)]
        kept = [copies.index(module) for module in again]
        [len(set(map(id, copies))), kept, sum(type(finder).__name__ == "_Finder" for finder in sys.meta_path)]
    """) == [4, [3, 1, 2, 0], 1]


def test_a_module_of_the_library_is_rewritten_only_for_the_target_that_lives_in_it(tell):
    assert tell("""
        import gettext
        worlds.scope.add_target("gettext", gettext.__file__)
        other = Worlds()
        found = [load(world, "gettext") for world in (rewritten, other.rewritten, plain, other.plain)]
        [module is gettext for module in found]
    """) == [False, True, True, True]


def test_two_front_ends_in_one_process_keep_what_they_know_apart(tell):
    assert tell("""
        from pessimal.python.frontend import PythonFrontEnd
        from pessimal.runs import Request
        from pessimal.search_spec import SearchSpec
        from pessimal.target import Reference
        names = ["money.py:dear", "halves.py:half"]
        fronts = [PythonFrontEnd(SearchSpec(Reference.parse(name), 1, "sweep")) for name in names]
        runs = [front.run(Request(start=[5]), 10.0) for front in fronts + fronts[::-1]]
        files = [sorted(name.rpartition("/")[2] for name in front._worlds.scope.uncounted_files) for front in fronts]
        counts = [front.evaluate([5], 10.0).costs["branches"] for front in fronts + fronts[::-1]]
        [[run.outcome.value for run in runs], [run.length for run in runs], files, counts]
    """) == [["returned"] * 4, [1, 1, 1, 1], [["_pydecimal.py", "decimal.py"], []], [1, 1, 1, 1]]


def test_a_run_whose_branches_take_too_long_to_count_has_its_cost_without_them(tell):
    assert tell("""
        from pessimal.python.frontend import PythonFrontEnd
        from pessimal.search_spec import SearchSpec
        from pessimal.target import Reference
        from pessimal.trace import Outcome, Trace
        front = PythonFrontEnd(SearchSpec(Reference.parse("halves.py:half"), 1, "sweep", cost="work"))
        whole = front.evaluate([5], 10.0, recording=True)
        front._run_counted = lambda *args, **kwargs: Trace(leaves=[5], outcome=Outcome.TIMED_OUT)
        cut = front.evaluate([5], 10.0, recording=True)
        alike = whole.outcome is cut.outcome and whole.costs["work"] == cut.costs["work"]
        [alike, whole.costs["branches"], str(cut.costs["branches"])]
    """) == [True, 1, "nan"]


def test_the_front_end_keeps_the_contract(tell):
    assert tell("""
        from pessimal.python.frontend import PythonFrontEnd
        from pessimal.search_spec import SearchSpec
        from pessimal.target import Reference
        from pessimal.testing import check_front_end
        names = ["money.py:dear", "halves.py:half"]
        [check_front_end(lambda: PythonFrontEnd(SearchSpec(Reference.parse(name), 1, "sweep"))) for name in names]
    """) == [None, None]


def test_outside_of_all_worlds_imports_find_the_ordinary_modules(tell):
    assert tell("""
        import main as ordinary
        one = load(rewritten)
        with worlds.outside():
            found = importlib.import_module("main")
            marked = any(type(finder).__name__ == "_Finder" for finder in sys.meta_path)
        [found is one, marked, sys.modules["main"] is one, importlib.import_module("main") is one]
    """) == [False, False, True, True]


def test_what_fails_outside_comes_back_into_the_world(tell):
    assert (
        tell("""
        one = load(rewritten)
        try:
            with worlds.outside(): raise ValueError
        except ValueError: pass
        sys.modules["main"] is one
    """)
        is True
    )


def test_a_file_without_a_name_of_its_own_is_loaded_into_the_world_that_asks(tell):
    assert tell("""
        from pessimal.target import load as target
        found = []
        for world in (plain, rewritten):
            world.enter()
            found.append(target("apart/random.py:draw", world.loader).call)
        [any("pessimal" in name for name in call.__code__.co_names) for call in found] + [call(4) for call in found]
    """) == [False, True, 4, 4]


HANDLERS = """
        import unicodedata
        import zlib
        from pessimal.python import handlers
        from pessimal.python.handlers import handles as register

        def handles(function):
            return lambda handler: handler

        @handles(unicodedata.name)
        def own(x):
            return x in {1: "one"}

        @register(zlib.crc32)
        def checksum(data, value=0):
            kind = type(data).__name__
            return kind, zlib.crc32(data, value) if kind == "bytes" else 0

        def around(factor):
            @handlers.handles(zlib.adler32)
            def other(data):
                return [factor * zlib.adler32(part) for part in (data,)]
            return other

        around(2)

        def use(data):
            return own(1), zlib.crc32(data), zlib.adler32(data)
"""


def test_handlers_are_taken_as_they_are_written_and_nothing_else_is(tell, tmp_path):
    """Whatever their decorator is called: one of the user's that is called ``handles`` changes nothing."""
    (tmp_path / "registered.py").write_text(textwrap.dedent(HANDLERS))
    assert tell("""
        module = load(rewritten, "registered")
        from pessimal.python.handlers import resolve
        import zlib
        written = [any("pessimal" in name for name in f.__code__.co_names) for f in (module.own, module.checksum)]
        [written, module.use(b"ab"), resolve(zlib.crc32) is module.checksum, zlib.crc32(b"ab"), zlib.adler32(b"ab")]
    """) == [[True, False], [True, ["bytes", 2659403885], [2 * 19267780]], True, 2659403885, 19267780]


@pytest.mark.parametrize(
    ("name", "path", "expected"),
    [
        ("mine", "/home/me/mine.py", True),
        ("mine.part", "/home/me/mine/part.py", True),
        ("dijkstar", "{site}/dijkstar/__init__.py", True),
        ("json", "{standard}/json/__init__.py", True),
        ("asyncio", "{standard}/asyncio/__init__.py", False),
        ("heapq", "{standard}/heapq.py", False),
        ("pessimal.api", "/anywhere/pessimal/api.py", False),
        ("numpy", "{site}/numpy/__init__.py", False),
        ("_heapq", "{standard}/lib-dynload/_heapq.so", False),
        ("compiled", "/home/me/compiled.so", False),
        ("sys", None, False),
    ],
)
def test_what_belongs_to_the_targets_side(name, path, expected):
    import sysconfig

    places = {"site": sysconfig.get_path("purelib"), "standard": sysconfig.get_path("stdlib")}
    assert Scope().includes(name, path and path.format(**places)) is expected
