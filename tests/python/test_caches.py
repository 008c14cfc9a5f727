"""What a run leaves in caches does not make the next one cheaper."""

import fnmatch
import re
import sys
from functools import lru_cache
from types import ModuleType

from pessimal.python.caches import PatternCache, TargetCaches


def test_the_cache_of_a_target_in_the_standard_library_is_emptied():
    caches = TargetCaches("fnmatch")
    caches.empty()
    fnmatch.fnmatch("a", "".join(("[", "a]x*")))
    assert fnmatch._compile_pattern.cache_info().currsize
    caches.empty()
    assert not fnmatch._compile_pattern.cache_info().currsize


def test_caches_that_appear_later_are_emptied_too(monkeypatch):
    module = ModuleType("growing")
    module.__file__ = "growing.py"
    monkeypatch.setitem(sys.modules, "growing", module)
    caches = TargetCaches("growing")
    for name in ("first", "second"):
        vars(module)[name] = lru_cache(lambda number: number)
        monkeypatch.setitem(sys.modules, f"growing.{name}", ModuleType(name))  # something was imported
        caches.empty()
        vars(module)[name](1)
    caches.empty()
    assert [cache.cache_info().currsize for cache in (module.first, module.second)] == [0, 0]


def test_a_module_that_replaces_another_of_its_name_is_looked_at(monkeypatch):
    for names in (("twin",), ("twin", "twin.part")):
        module = ModuleType("twin")
        module.__file__, module.cached = "twin.py", lru_cache(lambda number: number)
        for name in names:
            monkeypatch.setitem(sys.modules, name, module)
        module.cached(1)
        TargetCaches("twin").empty()
        assert not module.cached.cache_info().currsize


def test_patterns_made_of_the_input_are_forgotten_and_constants_stay():
    def target(text):
        re.match("a constant of the code", text)
        re.match(text + "+", text)

    cache = PatternCache()
    cache.forget()
    target("".join(("a", "b")))
    assert _is_cached("".join(("ab", "+"))) and _is_cached("a constant of the code")
    cache.forget()
    assert not _is_cached("ab+") and _is_cached("a constant of the code")


def _is_cached(pattern):
    return any(key[1] == pattern for key in re._cache)
