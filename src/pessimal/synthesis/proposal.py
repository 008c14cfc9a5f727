"""Proposals: models of how the path conditions of examples grow, in the order in which to try them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import cast

import numpy as np

from pessimal.errors import UsageError
from pessimal.inputs import Domain
from pessimal.synthesis.condition import Condition
from pessimal.synthesis.expand import EventRows, Expansion
from pessimal.synthesis.family import Model, models
from pessimal.synthesis.points import LET, Point, event_text, read
from pessimal.synthesis.terms import NoModel
from pessimal.trace import Site, Trace

MAX_MODELS = 8
"""How many models are proposed for one selection of sites."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A model, what it is a model of, and how it refers to terms.

    ``covers_path`` says whether it models all conditions of a path, and not only those of one site.
    """

    model: Model
    view: str
    covers_path: bool
    is_absolute: bool

    def condition(self, size: int, domains: Sequence[Domain], *, ordered: bool = False) -> Condition:
        """The path condition at a size; with ``ordered`` its conditions are in order, which takes more memory."""
        program = self.model.program
        ordered = ordered or any(point.kind == LET for point in cast(Iterator[Point], program.symbols))
        return Condition(program.expand(size, ordered=ordered), domains, absolute=self.is_absolute)

    def text(self) -> str:
        """The model as readable text: a nest of loops around conditions."""
        return self.model.program.text(event_text)


def condition_of(trace: Trace, domains: Sequence[Domain]) -> Condition:
    """The path condition of a trace."""
    rows: dict[Hashable, list[tuple[int, tuple[int, ...]]]] = {}
    for position, (symbol, numbers) in enumerate(read(trace)):
        rows.setdefault(symbol, []).append((position, numbers))
    arrays = {
        symbol: EventRows(np.array([row for _, row in some], np.int64), np.array([at for at, _ in some], np.int64))
        for symbol, some in rows.items()
    }
    return Condition(Expansion(sum(map(len, rows.values())), arrays), domains)


def proposals(examples: Mapping[int, Sequence[Trace]], size: int, site: str | None = None) -> Iterator[Proposal]:
    """Models of all conditions, then of those at the hot loop alone; raises NoModel at the end if there was none."""
    refusal: NoModel | None = None
    found = False
    for name, keep in _views(examples, site):
        for is_absolute in (False, True):
            events = {
                n: [read(trace, absolute=is_absolute, keep=keep) for trace in traces if _has_sites(trace, keep)]
                for n, traces in examples.items()
            }
            try:
                for model in islice(models(events, size), MAX_MODELS):
                    found = True
                    yield Proposal(model, name, keep is None, is_absolute)
            except NoModel as error:
                refusal = refusal or error
            if not any(
                cast(Point, symbol).kind == LET for some in events.values() for path in some for symbol, _ in path
            ):
                break
    if not found:
        raise refusal or NoModel("there are no examples to learn from")


def _views(
    examples: Mapping[int, Sequence[Trace]], site: str | None
) -> Iterator[tuple[str, Callable[[Site], bool] | None]]:
    """What to model: all conditions, or those of the hot loop, which is the site with the most branches."""
    if site is None:
        yield "all conditions", None
    counts = Counter(branch for traces in examples.values() for trace in traces for branch in trace.sites)
    if site is not None:
        hot = [branch for branch in counts if site in branch.names]
        if not hot:
            known = ", ".join(sorted({branch.names[2] for branch in counts})) or "none"
            raise UsageError(f"no branch of the target is at {site}: there are branches at {known}", slug="site")
        yield f"the conditions at {site}", lambda branch: site in branch.names
    elif len({branch.id for branch in counts}) > 1:
        hottest = max(counts, key=counts.__getitem__)
        yield f"the conditions at {hottest}", lambda branch: branch.id == hottest.id


def _has_sites(trace: Trace, keep: Callable[[Site], bool] | None) -> bool:
    """Whether a path comes to one of the selected sites."""
    return keep is None or any(map(keep, dict.fromkeys(trace.sites)))
