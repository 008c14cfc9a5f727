"""Two copies of the target's modules; each check runs in a fresh interpreter, whose modules it may turn upside down."""

import json
import subprocess
import sys
import textwrap

import pytest

from pessimal.python.world import in_scope

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
    "loose/part.py": "import helper\nSTATE = helper.STATE\n",
}

PRELUDE = """
import importlib, json, sys
sys.path.insert(0, ".")
from pessimal.python.world import World
plain, rewritten = World(rewriting=False), World(rewriting=True)

def load(world, name="main"):
    return world.load(lambda: importlib.import_module(name))
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
    assert in_scope(name, path and path.format(**places)) is expected
