"""--model and --reward on the command line: for the strategies that have them, and from the configuration."""

import pytest

TARGET = """
def f(x: int, y: int) -> int:
    if x > 30:
        return 1
    if y == 77:
        return 2
    return 3 if x < y else 4
"""


@pytest.mark.parametrize("command", ["explore", "stress"])
def test_a_model_and_a_reward_are_options_of_ranked(pessimal, write, command):
    target = f"{write(TARGET)}:f"
    options = ("--strategy", "ranked", "--paths", 12, "--model", "none.json", "--reward", "length=1", "--json")
    report = pessimal(command, target, *options).json["report"]
    assert "none.json cannot be read: No such file or directory: the search goes on without it" in report["note"]
    assert report["flips"] > 2


@pytest.mark.parametrize(("command", "option"), [("explore", "--model"), ("stress", "--reward"), ("cover", "--model")])
def test_for_other_strategies_they_are_a_mistake(pessimal, write, command, option):
    answer = pessimal(command, f"{write(TARGET)}:f", "--strategy", "generational", option, "new=1")
    assert answer.code == 2
    assert f"{option} only applies to --strategy" in answer.err
    assert "not to generational: leave it out" in answer.err


def test_in_the_configuration_they_are_for_those_strategies_that_have_them(pessimal, write):
    target = f"{write(TARGET)}:f"
    write('[tool.pessimal]\nmodel = "none.json"\nreward = "new=1"\n', "pyproject.toml")
    assert pessimal("explore", target, "--paths", 5, "--json").json["strategy"] == "sweep"
    ranked = pessimal("explore", target, "--paths", 5, "--strategy", "ranked", "--json").json
    assert "none.json cannot be read" in ranked["report"]["note"]
