"""The options of ranked search, checked before anything heavy is imported."""

from __future__ import annotations

from dataclasses import fields
from importlib.util import find_spec
from math import inf
from typing import Any

from pessimal.errors import UsageError
from pessimal.learn.ranking_rules import MODELS, RankingRules
from pessimal.search.options import natural, number, truth

LIBRARIES = ("numpy", "jax", "optax")
RANGES = {"unsatisfiable": (-inf, inf), "discount": (0.0, 1.0), "decay": (0.0, 1.0)}


def _require_libraries(model: str) -> None:
    for library in LIBRARIES:
        if find_spec(library) is None:
            raise UsageError(
                f"model={model} of ranked needs {library}, which is not installed",
                slug="missing",
                hint="pip install 'pessimal[learn]'",
            )


def rules_of(given: dict[str, Any]) -> RankingRules:
    """The rules with the user's options, each checked for type and range."""
    known = {field.name: field.default for field in fields(RankingRules)}
    for name, value in given.items():
        if name not in known:
            raise UsageError(f"ranked has no option {name!r}; its options are: {', '.join(known)}")
        if name == "model":
            if value not in MODELS:
                raise UsageError(f"model must be one of {', '.join(MODELS)}, but is {value!r}")
        elif name == "learns":
            given = {**given, name: truth(name, value)}
        elif isinstance(known[name], int):
            natural(name, value, least=1)
        else:
            number(name, value, *RANGES.get(name, (0, inf)))
    rules = RankingRules(**given)
    if rules.shortest > rules.longest:
        raise UsageError(f"shortest must be at most longest, but is {rules.shortest} and longest {rules.longest}")
    if rules.model != "outlook":
        _require_libraries(rules.model)
    return rules
