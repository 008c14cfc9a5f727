"""Regular expressions on symbolic text: both outcomes are reached, and every match is the native one."""

import random
import re
import warnings

import pytest

from pessimal.inputs import Inputs, Native
from pessimal.python import regex
from pessimal.python.handlers import resolve
from pessimal.python.regex import engine, formula
from pessimal.python.symbolic import Symbolic
from pessimal.python.values import SymBytes, SymStr
from pessimal.runs import Request
from pessimal.trace import Outcome
from tests.python.exploring import Collector, both_outcomes
from tests.python.patterns import Patterns

warnings.simplefilter("ignore", FutureWarning)


def full_digits(s: str):
    return 1 if re.fullmatch(r"\d+-\d+", s) else 0


def full_loop(s: str):
    return 1 if re.fullmatch(r"(a|b)*c", s) is not None else 0


def search_class(s: str):
    return 1 if re.search(r"q[aeiou]z", s) else 0


def group_of_match(s: str):
    found = re.match(r"([a-z]+)@([a-z]+)\.com", s)
    return 1 if found and found.group(1) == "ab" else 0


def words_of_match(s: str):
    found = re.match(r"(\w+)-(\w+)", s)
    return 1 if found and found.group(1) == "ab" else 0


def substituted(s: str):
    return 1 if re.sub(r"\s+", " ", s) == "a b" else 0


def substituted_by_function(s: str):
    return 1 if re.sub(r"[a-c]", lambda found: "<" + found[0] + ">", s) == "<a>x<c>" else 0


def substituted_by_template(s: str):
    return 1 if re.sub(r"(.)=(?P<right>.)", r"\g<right>:\1", s) == "b:a" else 0


def substituted_at_most(s: str):
    return 1 if re.subn("a", "b", s, count=1) == ("bax", 1) else 0


def substituted_into_plain(s: str):
    return 1 if re.sub("[xy]", s, "<x>") == "<abc>" else 0


def splitted(s: str):
    return 1 if re.split(r"[,;]\s*", s) == ["a", "b"] else 0


def splitted_with_groups(s: str):
    return 1 if re.split("([,;])", s, maxsplit=1) == ["", ";", ",b"] else 0


def found_all(s: str):
    return 1 if re.findall(r"[0-9]", s) == ["1", "2"] else 0


def found_groups(s: str):
    return 1 if re.findall(r"(.)(=)?", s) == [("a", "="), ("b", "")] else 0


def iterated(s: str):
    return 1 if [found.start() for found in re.finditer("x*", s)] == [0, 1, 3] else 0


def backreference(s: str):
    return 1 if re.fullmatch(r"(.)(.)\2\1", s) else 0


def backreference_without_case(s: str):
    return 1 if re.fullmatch(r"(.)x\1", s, re.A | re.I) and s[0] != s[2] else 0


def named_groups(s: str):
    found = re.match(r"^(?P<y>[0-9]{2})-(?P<m>[0-9])$", s)
    return 1 if found and found["m"] == "7" and found.groupdict()["y"] == "12" else 0


def ignore_case(s: str):
    return 1 if re.search("hello", s, re.IGNORECASE) and s != "hello" else 0


def identifier(s: str):
    return 1 if re.fullmatch(r"[a-z_][a-z0-9_]*", s, re.I) else 0


def look_ahead(s: str):
    return 1 if re.fullmatch(r"(?=.*[0-9])(?=.*[a-z]).{6,}", s) else 0


def look_behind(s: str):
    return 1 if re.search(r"(?<!\\)'", s) and s[1] == "'" and s[0] == "\\" else 0


def boundary(s: str):
    return 1 if re.search(r"\bif\b", s, re.A) else 0


def multiline(s: str):
    return 1 if re.search(r"^a$", s, re.M) and s[0] == "b" else 0


def possessive(s: str):
    return 1 if re.match(r"a*+b", s) else 0


def atomic(s: str):
    return 1 if re.fullmatch(r"(?>a|ab)c.", s) else 0


def conditional(s: str):
    return 1 if re.fullmatch(r"(<)?[a-z](?(1)>|!)", s) and s[0] == "<" else 0


def compiled(s: str):
    pattern = re.compile(r"(?x) [a-z] \d  # two", re.A)
    found = pattern.search(s, 1)
    return 1 if found and found.span() == (1, 3) and found.re is pattern else 0


def compiled_substitution(s: str):
    return 1 if re.compile("[ab]").sub("", s) == "x" else 0


def nested_loops(s: str):
    return 1 if re.fullmatch(r"([a-z]+ ?)*[0-9]", s) else 0


def of_bytes(s: bytes):
    return 1 if re.fullmatch(rb"\w+\s(\w)", s) and re.findall(rb"[^a]", s) == [b" "] else 0


def symbolic_pattern(p: str):
    return 1 if re.compile(p).match("abc") else 0


SIZES = {
    group_of_match: 8,
    words_of_match: 4,
    backreference: 4,
    named_groups: 4,
    ignore_case: 5,
    look_ahead: 6,
    splitted_with_groups: 3,
}
TARGETS = [value for value in list(globals().values()) if getattr(value, "__module__", "") == __name__]


@pytest.mark.parametrize("function", [t for t in TARGETS if t is not symbolic_pattern], ids=lambda f: f.__name__)
def test_both_outcomes_are_reached(function):
    assert both_outcomes(function, SIZES.get(function, 3), paths=60) >= {0, 1}


@pytest.mark.parametrize("function", [full_loop, search_class, identifier, look_ahead, nested_loops])
def test_whether_there_is_a_match_is_one_decision(function):
    found = Collector(function, 8).explore()
    assert found.proof == "tree exhausted"
    assert len(found.traces) == 2


def test_nothing_becomes_concrete():
    for function in (full_digits, group_of_match, splitted, found_groups, backreference, of_bytes):
        found = Collector(function, SIZES.get(function, 3)).explore()
        assert found.proof == "tree exhausted"
        assert not any(trace.concretisations for trace in found.traces)


def test_a_symbolic_pattern_is_made_concrete():
    found = Collector(symbolic_pattern, 1, paths=3).explore()
    assert all(trace.concretisations for trace in found.traces)
    assert not any(trace.refused for trace in found.traces)


def described(found):
    return None if found is None else (found.regs, found.lastindex, found.lastgroup)


ACTIONS = {
    "match": lambda module, p, s: described(module.match(p, s)),
    "fullmatch": lambda module, p, s: described(module.fullmatch(p, s)),
    "search": lambda module, p, s: described(module.search(p, s)),
    "window": lambda module, p, s: described(module.search(p, s, 1, 4)),
    "finditer": lambda module, p, s: [described(found) for found in module.finditer(p, s)],
}


def test_the_engine_agrees_with_re_on_plain_text():
    for seed in range(100):
        patterns = Patterns(random.Random(seed))
        pattern, text = patterns.draw(), patterns.text(7)
        for name, action in ACTIONS.items():
            assert action(regex, pattern, text) == action(re.Pattern, pattern, text), (name, pattern, text)
        assert regex.findall(pattern, text) == pattern.findall(text)
        assert regex.split(pattern, text, 2) == pattern.split(text, 2)


class Coin:
    """Any direction at every decision."""

    def __init__(self, seed):
        self._random = random.Random(seed)

    def choose(self, run):
        return self._random.choice([None, True, False])

    pick = choose


def follow(pattern, action, text, seed):
    """The result of one symbolic run, and the text that it ended with."""
    results = []

    def target(s: str):
        results.append(action(regex, pattern, s))

    inputs = Inputs.of(target, len(text))
    trace = Symbolic(target, inputs).run(Request(Coin(seed), list(map(ord, text))))
    assert trace.outcome is Outcome.RETURNED, (pattern, text, trace.exception)
    args, _ = inputs.decode(Native(trace.leaves))
    return results[0], args[0]


@pytest.mark.parametrize(("limit", "count"), [(engine.MAX_STATES, 30), (6, 30)])
def test_the_text_that_a_path_ends_with_has_the_match_of_the_path(monkeypatch, limit, count):
    monkeypatch.setattr(engine, "MAX_STATES", limit)
    seen = set()
    for seed in range(count):
        patterns = Patterns(random.Random(seed))
        pattern, text = patterns.draw(), patterns.text(4) or "a"
        name = sorted(ACTIONS)[seed % len(ACTIONS)]
        result, ended = follow(pattern, ACTIONS[name], text, seed)
        assert result == ACTIONS[name](re.Pattern, pattern, ended), (name, pattern, text, ended)
        seen.add(bool(result))
    assert seen == {True, False}


def test_a_condition_that_grows_too_large_is_replaced_by_choices(monkeypatch):
    monkeypatch.setattr(formula, "MAX_NODES", 5)
    assert both_outcomes(search_class, 4, paths=40) == {0, 1}
    assert both_outcomes(backreference, 4, paths=40) == {0, 1}


def test_the_match_object_has_the_interface_of_the_native_one():
    pattern = re.compile(r"(?P<first>a)(b)?(?P<last>c)")
    ours, theirs = regex.search(pattern, "xacx"), pattern.search("xacx")
    assert isinstance(ours, re.Match)
    assert ours
    for name in ("pos", "endpos", "lastindex", "lastgroup", "regs", "string", "re"):
        assert getattr(ours, name) == getattr(theirs, name)
    for group in (0, 1, 2, "last"):
        assert ours[group] == theirs[group]
        assert (ours.start(group), ours.end(group)) == theirs.span(group) == ours.span(group)
    assert ours.group() == "ac"
    assert ours.group(1, "last", 2) == ("a", "c", None)
    assert ours.groups("-") == theirs.groups("-")
    assert ours.groupdict() == theirs.groupdict()
    assert ours.expand(r"\g<last>\1\2!") == theirs.expand(r"\g<last>\1\2!")
    assert repr(ours) == repr(theirs)
    for group in (4, -1, "none", None):
        with pytest.raises(IndexError, match="no such group"):
            ours.group(group)


@pytest.mark.parametrize("name", ["match", "fullmatch", "search", "findall", "split"])
def test_plain_text_goes_to_the_native_functions(name):
    assert str(resolve(getattr(re, name))("a", "aXa")) == str(getattr(re, name)("a", "aXa"))
    assert str(resolve(getattr(re.compile("a"), name))("aXa")) == str(getattr(re.compile("a"), name)("aXa"))


def test_substitution_in_plain_text_is_native():
    assert resolve(re.sub)("(a)", lambda found: found[1] * 2, "bab") == "baab"
    assert resolve(re.subn)("(a)", r"\1\1", "baba", count=1) == ("baaba", 1)
    assert resolve(re.compile("x*").sub)("-", "abxd") == "-a-b--d-"
    assert resolve(re.sub)("a", lambda found: SymStr((98,)), "a") == "b"


def test_text_of_the_wrong_kind_is_refused_as_natively():
    with pytest.raises(TypeError, match="cannot use a string pattern on a bytes-like object"):
        regex.match(re.compile("a"), SymBytes((97,)))
    with pytest.raises(TypeError, match="cannot use a bytes pattern on a string-like object"):
        regex.match(re.compile(b"a"), SymStr((97,)))
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        resolve(re.match)("a")


def test_the_locale_is_left_to_the_native_engine():
    assert resolve(re.match)(rb"\w", SymBytes((97,)), re.L).span() == (0, 1)


def test_long_text_does_not_exhaust_the_stack():
    text = "ab" * 600
    found = regex.fullmatch(re.compile(r"(?:(a)|(b))*"), text)
    assert found.span() == (0, 1200)
    assert found.span(1) == (1198, 1199)
