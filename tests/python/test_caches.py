"""What a run leaves in caches does not make the next one cheaper."""

import fnmatch
import re

from pessimal.python.caches import PatternCache, TargetCaches


def test_the_cache_of_a_target_in_the_standard_library_is_emptied():
    caches = TargetCaches("fnmatch")
    caches.empty()
    fnmatch.fnmatch("a", "".join(("[", "a]x*")))
    assert fnmatch._compile_pattern.cache_info().currsize
    caches.empty()
    assert not fnmatch._compile_pattern.cache_info().currsize


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
