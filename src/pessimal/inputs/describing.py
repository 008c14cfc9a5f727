"""The maker of values that are to be written down instead of handed to a target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pessimal.inputs.maker import Answers, Construction, Native
from pessimal.inputs.written import is_written_by_value


class Describing(Native):
    """Makes plain values but leaves objects unbuilt, because a repr seldom shows how to build them."""

    def build(self, builder: Callable[..., Any], args: Sequence[Any], fields: Mapping[str, Any]) -> Any:
        """The call instead of its result, except for values such as dates, which are written in a way of their own."""
        if is_written_by_value(builder):
            try:
                return builder(*args, **fields)
            except Exception:
                pass  # no value at all; the call shows what was tried
        return Construction(builder, tuple(args), fields)

    def function(self, answers: Sequence[Any]) -> Answers:
        """The answers instead of the function."""
        return Answers(tuple(answers))
