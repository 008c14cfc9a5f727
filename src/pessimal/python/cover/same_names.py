"""Parameters of the same name: where nothing is known of one, it is given what others of its name are given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pessimal.inputs import Spec, Union
from pessimal.python.cover.members import Member
from pessimal.python.cover.parameters import ANYTHING

MOST = 3
"""How many kinds of input a name stands for at most."""


def sharing_names(members: Sequence[Member]) -> list[Member]:
    """The members, with inputs for parameters of which nothing is known but what their names mean elsewhere."""
    known: dict[str, Counter[str]] = {}
    specs: dict[str, Spec] = {}
    for member in members:
        for name, spec in (member.specs or {}).items():
            if spec is not ANYTHING and member.operation != "set":
                specs[str(spec)] = spec
                known.setdefault(name, Counter())[str(spec)] += 1
    usual = {name: _one_of([specs[text] for text, _ in counts.most_common(MOST)]) for name, counts in known.items()}
    return [_shared(member, usual) for member in members]


def _one_of(options: list[Spec]) -> Spec:
    return options[0] if len(options) == 1 else Union(tuple(options))


def _shared(member: Member, usual: Mapping[str, Spec]) -> Member:
    unknown = [name for name, spec in (member.specs or {}).items() if spec is ANYTHING and name in usual]
    if not unknown or member.operation == "set":
        return member
    return replace(member, specs={**(member.specs or {}), **{name: usual[name] for name in unknown}})
