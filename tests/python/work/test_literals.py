"""The literals of code that was executed, and of its regular expressions."""

from pessimal.python.work.patterns import Pattern, spelt_out
from tests.python.work.test_instrumentation import tell


def test_a_regular_expression_is_spelt_out():
    found = set(spelt_out(Pattern(r"<!--[a-f]+(?:foo|bar)?(?P<name>x)[^q]{2}")))
    assert {"<!--", "a", "f", "x", "q"} <= found
    assert any("oo" in text for text in found) and any("ar" in text for text in found)


def test_the_literals_are_those_of_executed_files_without_docstrings():
    work = "__import__('pessimal.python.work', fromlist=['work'])"
    found = tell(f"[measured(program.wraps), {work}.literals({work}.instrumentation(), program.__file__, 5)][1]")
    assert "one two three four five six" in found
    assert all(not isinstance(each, str) or len(each) <= 40 for each in found)
