"""Extrapolation: from the worst paths of small sizes to the worst input of a large one, checked at every step.

A model must do as well as search did at sizes that it was not made from, and its input must cost at the large size
what the small ones foretell. A model that does not is refused, and what refuses it is told.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from itertools import chain, islice
from math import inf
from typing import Any

from pessimal.errors import InputError, UsageError
from pessimal.expr import Leaf
from pessimal.inputs import encode
from pessimal.search.examples import Examples
from pessimal.search.stopwatch import Stopwatch
from pessimal.solve import PathSolver
from pessimal.strategy import Session
from pessimal.synthesis.arrays.system import Unsupported
from pessimal.synthesis.forecast import Forecast
from pessimal.synthesis.generators import generator
from pessimal.synthesis.generators.arrangements import distinct, rearranged
from pessimal.synthesis.proposal import Proposal, condition_of, proposals
from pessimal.synthesis.terms import Refused

LEAST_SIZES = 3
"""With fewer sizes to learn from there is no model."""

MOST_LITERALS = 50_000
"""Up to so many conditions a general solver is asked."""

MOST_MISLED = 3
"""After so many inputs that do not cost what was foretold no other is tried."""

MOST_GENERATORS = 4
"""How many generators of one family of inputs are tried."""

MOST_INPUTS = 8
"""How many inputs of one size a generator may be made from."""

EXAMPLES, SHORT = range(1, 6), 90
"""The sizes that a generator's docstring may show: the largest with no more characters than this."""

MOST_REASONS = 5

Found = Generator[None, None, bool]


class Extrapolation:
    """One attempt with the examples that there are; what came of it is written into ``told``.

    The largest sizes are held out: nothing is made from their examples, everything is checked there.
    """

    def __init__(
        self, session: Session, seen: Mapping[int, Examples], held_out: int, watch: Stopwatch, report: dict[str, Any]
    ) -> None:
        self._session = session
        self._seen = {size: found for size, found in sorted(seen.items()) if found.paths}
        sizes = list(self._seen)
        split = max(len(sizes) - held_out, (len(sizes) + 1) // 2, LEAST_SIZES)
        self._training, self._held_out = sizes[:split], sizes[split:]
        self._costs = {size: found.cost for size, found in self._seen.items()}
        self._branches = {size: found.paths[0].trace.length for size, found in self._seen.items()}
        self.forecast = Forecast.of(self._costs, self._branches)
        self._watch = watch
        self._report = report
        self.model: Proposal | None = None
        """The model that holds."""
        self._reasons: list[str] = []
        self._misled = 0
        self._leaves: list[Leaf] = []
        self._cost = -inf
        report.pop("refused", None)

    def solve(self, site: str | None) -> Found:
        """Try models until one holds."""
        training = {size: [path.trace for path in self._seen[size].paths] for size in self._training}
        waiting = proposals(training, self._session.size, site)
        while self._misled < MOST_MISLED:
            try:
                with self._watch.on("model"), self._session.learning():
                    proposal = next(waiting, None)
            except Refused as refusal:
                self._reasons.append(str(refusal))
                break
            if proposal is None:
                break
            if (yield from self._use(proposal)):
                return True
        self._report["refused"] = self._last_reasons()
        return False

    def solve_with(self, proposal: Proposal, forecast: Forecast) -> Found:
        """Try one model that was made before, with what it foretells."""
        self.forecast = forecast
        is_done = yield from self._use(proposal)
        if not is_done:
            self._report["refused"] = self._last_reasons()
        return is_done

    def _use(self, proposal: Proposal) -> Found:
        """Check a model at the sizes that were held out, solve it at the size itself, and replay."""
        try:
            checked = self._check(proposal) if self._seen else []
            leaves, expected = self._write(proposal)
        except (MemoryError, OverflowError):
            self._reasons.append(f"its path condition of size {self._session.size} is too large for this machine")
            return False
        except Refused as refusal:
            self._reasons.append(str(refusal))
            return False
        with self._watch.on("replay"):
            cost = self._session.evaluate(leaves)
        yield
        if cost == -inf or expected not in (None, cost):
            self._mislead(cost, expected)
            return False
        self.model, self._leaves, self._cost = proposal, leaves, cost
        self._report.pop("misled", None)
        self._tell(proposal, checked, expected)
        return True

    def _last_reasons(self) -> list[str]:
        return list(dict.fromkeys(self._reasons))[-MOST_REASONS:] or ["there is nothing to learn from"]

    @property
    def is_misled(self) -> bool:
        """Whether the small sizes foretold a cost that the large one does not have: more of them will not help."""
        return self._misled > 0

    def _check(self, proposal: Proposal) -> list[int]:
        """Refuse a model that does worse than search at a size that it was not made from; tell where it was tried."""
        modulus, last = proposal.model.modulus, max(self._seen)
        rest = self._session.size % modulus
        sizes = [size for size in self._held_out if size % modulus == rest]
        for size in sizes or [next(size for size in range(last + 1, last + 1 + modulus) if size % modulus == rest)]:
            try:
                practice = self._session.at(size)
            except UsageError:
                continue  # the target has no input of this size, and none was held out
            with self._watch.on("check"):
                leaves, expected = self._solution(proposal, practice)
                cost = practice.evaluate(leaves)
            best = self._seen[size].cost if size in self._seen else -inf
            if cost < best or cost == -inf:
                raise Refused(f"its input of size {size}, which was held out, costs {cost:g}, but {best:g} was found")
            if expected is not None and cost != expected:
                raise Refused(f"its input of size {size}, which was held out, costs {cost:g} and not {expected:g}")
        return sizes

    def _write(self, proposal: Proposal) -> tuple[list[Leaf], float | None]:
        return self._solution(proposal, self._session, "synthesis", "solving")

    def _solution(
        self, proposal: Proposal, session: Session, writing: str = "", solving: str = ""
    ) -> tuple[list[Leaf], float | None]:
        """An input that satisfies the path condition at the size of a session, and what it should cost there."""
        with self._watch.on(writing or "check"):
            condition = proposal.condition(session.size, session.domains)
        with self._watch.on(solving or "check"):
            try:
                leaves = condition.solve()
            except Unsupported as reason:
                if condition.conditions > MOST_LITERALS:
                    number = f"{condition.conditions:,}"
                    raise Refused(f"{number} conditions are too many for a general solver: {reason}") from None
                leaves = _ask(proposal, session)
        if writing:
            self._report["conditions"] = condition.conditions
        return leaves, self.forecast.cost(session.size, condition.branches if proposal.is_whole else None)

    def _mislead(self, cost: float, expected: float | None) -> None:
        size = self._session.size
        self._misled += 1
        if self.model is not None:
            return  # it holds, so that only the generator is wrong
        self._report["misled"] = True
        if cost == -inf:
            reason = f"its input of size {size} does not run to its end, or breaks a precondition"
        else:
            reason = (
                f"its input of size {size} costs {cost:g}, but {expected:g} was foretold: "
                "the target does something there that small sizes do not show"
            )
        self._reasons.append(reason)
        self._report["refused"] = self._last_reasons()

    def _tell(self, proposal: Proposal, checked: list[int], expected: float | None) -> None:
        model = proposal.model
        self._report["model"] = {
            "of": proposal.view,
            "program": proposal.text(),
            "fitted": list(model.fitted),
            "explained": list(model.explained),
            "modulus": model.modulus,
            "held_out": checked,
            "expected": expected,
        }

    def generate(self) -> Found:
        """Look for a generator, and try it at sizes that it was not made from and at the size itself."""
        self._report["generator"] = None
        expected = self.forecast.cost(self._session.size) if self.model is None else self._cost
        candidates = (
            made for examples in self._families() for made in islice(generator.find(examples), MOST_GENERATORS)
        )
        while self._misled < MOST_MISLED:
            with self._watch.on("generator"):
                made = next(candidates, None)
                if made is None:
                    break
                checked = self._tried(made)
                leaves = None if checked is None else self._built(made, self._session)
            if checked is None or leaves is None:
                yield
                continue
            with self._watch.on("replay"):
                cost = self._cost if leaves == self._leaves else self._session.evaluate(leaves)
            yield
            if cost > -inf and expected in (None, cost):
                self._publish(made, [*checked, self._session.size], cost)
                self._report.pop("misled", None)
                return True
            self._mislead(cost, expected)
        return False

    def _families(self) -> Iterator[dict[int, list[dict[str, Any]]]]:
        """Inputs by size that may belong together: those of the model, then those of the examples."""
        sizes = [size for size in self._training if size > 1]
        if self.model is not None:
            family = {}
            for size in sizes:
                practice = self._session.at(size)
                try:
                    leaves, _ = self._solution(self.model, practice)
                except Refused:
                    continue  # too small for the model
                if practice.evaluate(leaves) >= self._seen[size].cost:
                    family[size] = [practice.inputs.arguments(leaves)]
            yield family
        plain = {
            size: [self._session.at(size).inputs.arguments(leaves) for leaves in self._plain(size)] for size in sizes
        }
        yield plain
        yield {size: [*some, *self._rearranged(size, some[0])] for size, some in plain.items() if some}

    def _rearranged(self, size: int, arguments: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Inputs with the same or with different elements in other orders that cost no less."""
        practice = self._session.at(size)
        for other in chain(rearranged(distinct(arguments)), rearranged(arguments)):
            try:
                leaves = encode(practice.inputs, other)
            except InputError:
                continue
            if practice.evaluate(leaves) >= self._seen[size].cost:
                yield other

    def _plain(self, size: int) -> Iterator[list[Leaf]]:
        """The inputs of the examples of a size, as small as their paths allow."""
        practice = self._session.at(size)
        for path in self._seen[size].paths[:MOST_INPUTS]:
            try:
                yield condition_of(path.trace, practice.domains).solve()
            except (Unsupported, Refused):
                yield path.trace.leaves

    def _tried(self, made: generator.Generator) -> list[int] | None:
        """The sizes at which a generator does as well as search did; None if it does not where it should."""
        checked = []
        for size, found in self._seen.items():
            practice = self._session.at(size)
            leaves = self._built(made, practice)
            if leaves is not None and practice.evaluate(leaves) >= found.cost:
                checked.append(size)
            elif size >= min(made.fitted):
                return None
        return checked

    def _built(self, made: generator.Generator, session: Session) -> list[Leaf] | None:
        try:
            return encode(session.inputs, made.build(session.size))
        except (InputError, ValueError, IndexError):
            return None

    def _publish(self, made: generator.Generator, checked: list[int], cost: float) -> None:
        name = self._session.target.rpartition(":")[2]
        fitting = [n for n in EXAMPLES if n in checked and len(repr(made.build(n))) <= SHORT]
        shown = max(fitting, default=min(checked))
        law = Forecast.of({**self._costs, self._session.size: cost}, self._branches).law
        self._report["generator"] = made.text(name, law, checked, shown)
        self._report["generator_cost"] = cost


def _ask(proposal: Proposal, session: Session) -> list[Leaf]:
    """An input by a general solver, which takes the conditions one after the other."""
    from pessimal.solve.z3 import Z3Solver  # Z3 takes a while to load and is seldom needed here

    bounds = [(domain.low, domain.high) for domain in session.domains]
    solver = PathSolver(session.initial, bounds, Z3Solver)
    for condition, want in proposal.condition(session.size, session.domains, ordered=True).literals():
        if not solver.assume(condition, want):
            raise Refused(f"no solver finds an input of size {session.size} that satisfies the path condition")
    return solver.leaves
