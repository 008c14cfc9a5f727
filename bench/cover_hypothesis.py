"""Hypothesis as a rival of bench-cover: its strategies for types, and its ghostwriter's guesses from names."""

from __future__ import annotations

import inspect
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.extra import ghostwriter

from bench.cover_play import Play
from bench.cover_targets import Call, Parameter

EXAMPLES = 60
"""How many of a call before it is another's turn."""
BASIC = st.one_of(st.integers(), st.text(), st.floats(), st.booleans(), st.none(), st.binary(), st.lists(st.text()))


class TimeIsUpError(BaseException):
    """The time of the search is over."""


def strategy(parameter: Parameter) -> st.SearchStrategy[Any]:
    """Values for a parameter, by its type, its name, or of any basic type."""
    is_known = parameter.hint not in (Any, inspect.Parameter.empty)
    guess: Any = ghostwriter._guess_strategy_by_argname
    found = st.from_type(parameter.hint) if is_known else guess(parameter.name)
    try:
        found.validate()
    except Exception:
        return BASIC
    return BASIC if found.is_empty else found


def arguments(call: Call) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments by name, those with defaults or without."""
    required = {item.name: strategy(item) for item in call.parameters if item.is_required}
    optional = {item.name: strategy(item) for item in call.parameters if not item.is_required}
    return st.fixed_dictionaries(required, optional=optional)


def drawn(call: Call, constructors: dict[Any, Call]) -> st.SearchStrategy[Any]:
    """The receiver, if there is one, and the arguments."""
    if call.owner is None:
        return st.tuples(st.none(), arguments(call))
    made = arguments(constructors[call.owner]).map(lambda given: (call.owner, given))
    return st.tuples(made, arguments(call))


def examples(play: Play, call: Call, constructors: dict[Any, Call], turn: int) -> None:
    """Some examples of a call."""

    @seed(play.asked["seed"] + turn)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(drawn(call, constructors))
    def run(example: Any) -> None:
        if play.is_over:
            raise TimeIsUpError
        receiver, given_arguments = example

        def perform() -> Any:
            bound = [] if receiver is None else [receiver[0](**receiver[1])]
            return call.function(*bound, **given_arguments)

        try:
            play.run(perform)
        except BaseException:
            return

    run()


def main() -> None:
    """Take turns until the time is over."""
    play = Play()
    constructors = {call.function: call for call in play.calls if isinstance(call.function, type)}
    turn = 0
    while play.calls and not play.is_over:
        turn += 1
        for call in play.calls:
            try:
                examples(play, call, constructors, turn)
            except TimeIsUpError:
                break
            except BaseException:
                continue
    play.report()


if __name__ == "__main__":
    main()
