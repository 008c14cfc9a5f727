"""Extrapolation: from the worst paths of small sizes to the worst input of a large one, checked at every step.

A model must do as well as search at sizes that it was not made from, and its input at the large size must have the cost
that the small sizes predict. A model that fails a check is refused, and the report says why.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from itertools import chain, islice
from math import inf
from typing import Any

from pessimal.errors import InputError, UsageError
from pessimal.expr import Leaf
from pessimal.inputs import encode
from pessimal.pool.alarm import DeadlineExceeded, deadline
from pessimal.search.examples import Examples
from pessimal.search.stopwatch import Stopwatch
from pessimal.solve import PathSolver
from pessimal.strategy import Session
from pessimal.synthesis.arrays.system import Unsupported
from pessimal.synthesis.cost_prediction import CostPrediction
from pessimal.synthesis.generators import generator
from pessimal.synthesis.generators.arrangements import distinct, rearranged
from pessimal.synthesis.proposal import Proposal, condition_of, proposals
from pessimal.synthesis.terms import NoModel

MIN_SIZES = 3
"""How many sizes a model is made from, at least."""

MAX_CONDITIONS = 50_000
"""The largest number of conditions that a general solver is asked to solve."""

MAX_MISMATCHES = 3
"""After this many inputs whose cost is not the predicted one, no further input is tried."""

MAX_GENERATORS = 4
"""How many generators of one family of inputs are tried."""
GENERATOR_SECONDS = 10.0
"""How long one step of looking for generators may take."""

MAX_INPUTS = 8
"""How many inputs of one size a generator may be made from."""

SHOWN_SIZES, MAX_SHOWN_LENGTH = range(1, 6), 90
"""A generator's docstring shows the largest of these sizes whose input has no more characters than this."""

MAX_REASONS = 5

Attempt = Generator[None, None, bool]
"""Yields after each run, and returns whether the attempt succeeded."""


class Extrapolation:
    """Makes models and generators from the examples collected so far, and writes the outcome into ``report``.

    The largest sizes are held out: models are checked on their examples and not made from them.
    """

    def __init__(
        self,
        session: Session,
        examples: Mapping[int, Examples],
        held_out: int,
        watch: Stopwatch,
        report: dict[str, Any],
    ) -> None:
        self._session = session
        self._examples = {size: found for size, found in sorted(examples.items()) if found.paths}
        sizes = list(self._examples)
        split = max(len(sizes) - held_out, (len(sizes) + 1) // 2, MIN_SIZES)
        self._training, self._held_out = sizes[:split], sizes[split:]
        self._costs = {size: found.cost for size, found in self._examples.items()}
        self._branches = {size: found.paths[0].trace.length for size, found in self._examples.items()}
        self.prediction = CostPrediction.of(self._costs, self._branches)
        self._watch = watch
        self._report = report
        self.model: Proposal | None = None
        """The model that passed all checks."""
        self._reasons: list[str] = []
        self._mismatches = 0
        self._leaves: list[Leaf] = []
        self._cost = -inf
        report.pop("refused", None)

    def solve(self, site: str | None) -> Attempt:
        """Try models until one passes all checks."""
        training = {size: [path.trace for path in self._examples[size].paths] for size in self._training}
        candidates = proposals(training, self._session.size, site)
        while self._mismatches < MAX_MISMATCHES:
            try:
                with self._watch.on("model"), self._session.learning(), self._within_step():
                    proposal = next(candidates, None)
            except NoModel as refusal:
                self._reasons.append(str(refusal))
                break
            except DeadlineExceeded:
                self._reasons.append(f"finding a model took more than {self._session.step_seconds:g} s")
                break
            if proposal is None:
                break
            if (yield from self._try_model(proposal)):
                return True
        self._report["refused"] = self._last_reasons()
        return False

    def _within_step(self) -> AbstractContextManager[None]:
        """Computing that is given up before other strategies miss their turn."""
        seconds = self._session.step_seconds
        return nullcontext() if seconds == inf else deadline(seconds)

    def solve_with(self, proposal: Proposal, prediction: CostPrediction) -> Attempt:
        """Try one model that was made before, with its prediction of costs."""
        self.prediction = prediction
        is_done = yield from self._try_model(proposal)
        if not is_done:
            self._report["refused"] = self._last_reasons()
        return is_done

    def _try_model(self, proposal: Proposal) -> Attempt:
        """Check a model at the held-out sizes, solve it at the size itself, and replay its input."""
        try:
            checked = self._check(proposal) if self._examples else []
            leaves, expected = self._solve_at_size(proposal)
        except (MemoryError, OverflowError):
            self._reasons.append(f"its path condition of size {self._session.size} is too large for this machine")
            return False
        except NoModel as refusal:
            self._reasons.append(str(refusal))
            return False
        with self._watch.on("replay"):
            cost = self._session.evaluate(leaves)
        yield
        if cost == -inf or expected not in (None, cost):
            self._note_mismatch(cost, expected)
            return False
        self.model, self._leaves, self._cost = proposal, leaves, cost
        self._report.pop("mismatch", None)
        self._report_model(proposal, checked, expected)
        return True

    def _last_reasons(self) -> list[str]:
        return list(dict.fromkeys(self._reasons))[-MAX_REASONS:] or ["there are no examples to learn from"]

    @property
    def has_mismatch(self) -> bool:
        """Whether an input did not have the predicted cost: then more small sizes will not help."""
        return self._mismatches > 0

    def _check(self, proposal: Proposal) -> list[int]:
        """Refuse a model that does worse than search at a size it was not made from; return the sizes checked."""
        modulus, last = proposal.model.modulus, max(self._examples)
        remainder = self._session.size % modulus
        sizes = [size for size in self._held_out if size % modulus == remainder]
        beyond = range(last + 1, last + 1 + modulus)
        for size in sizes or [next(size for size in beyond if size % modulus == remainder)]:
            try:
                practice = self._session.at(size)
            except UsageError:
                continue  # the target has no input of this size, so it was not held out
            with self._watch.on("check"):
                leaves, expected = self._solution(proposal, practice)
                cost = practice.evaluate(leaves)
            best = self._examples[size].cost if size in self._examples else -inf
            if cost < best or cost == -inf:
                raise NoModel(f"its input of size {size}, which was held out, costs {cost:g}, but {best:g} was found")
            if expected is not None and cost != expected:
                raise NoModel(
                    f"its input of size {size}, which was held out, costs {cost:g}, but {expected:g} was predicted"
                )
        return sizes

    def _solve_at_size(self, proposal: Proposal) -> tuple[list[Leaf], float | None]:
        return self._solution(proposal, self._session, "synthesis", "solving")

    def _solution(
        self, proposal: Proposal, session: Session, writing: str = "", solving: str = ""
    ) -> tuple[list[Leaf], float | None]:
        """An input that satisfies the path condition at the size of a session, and the cost predicted for it."""
        with self._watch.on(writing or "check"):
            condition = proposal.condition(session.size, session.domains)
        with self._watch.on(solving or "check"):
            try:
                leaves = condition.solve()
            except Unsupported as reason:
                if condition.conditions > MAX_CONDITIONS:
                    number = f"{condition.conditions:,}"
                    raise NoModel(f"{number} conditions are too many for a general solver: {reason}") from None
                leaves = _general_solution(proposal, session)
        if writing:
            self._report["conditions"] = condition.conditions
        return leaves, self.prediction.cost(session.size, condition.branches if proposal.covers_path else None)

    def _note_mismatch(self, cost: float, expected: float | None) -> None:
        size = self._session.size
        self._mismatches += 1
        if self.model is not None:
            return  # the model passed, so only the generator is wrong
        self._report["mismatch"] = True
        if cost == -inf:
            reason = f"its input of size {size} does not run to its end, or violates a precondition"
        else:
            reason = (
                f"its input of size {size} costs {cost:g}, but {expected:g} was predicted: "
                "the target behaves differently there than at small sizes"
            )
        self._reasons.append(reason)
        self._report["refused"] = self._last_reasons()

    def _report_model(self, proposal: Proposal, checked: list[int], expected: float | None) -> None:
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

    def generate(self) -> Attempt:
        """Look for a generator, and check it at sizes that it was not made from and at the size itself."""
        self._report["generator"] = None
        expected = self.prediction.cost(self._session.size) if self.model is None else self._cost
        candidates = self._candidates()
        while self._mismatches < MAX_MISMATCHES:
            with self._watch.on("generator"):
                candidate = next(candidates, None)
                if candidate is None:
                    break
                checked = self._checked_sizes(candidate)
                leaves = None if checked is None else self._built_leaves(candidate, self._session)
            if checked is None or leaves is None:
                yield
                continue
            with self._watch.on("replay"):
                cost = self._cost if leaves == self._leaves else self._session.evaluate(leaves)
            yield
            if cost > -inf and expected in (None, cost):
                self._report_generator(candidate, [*checked, self._session.size], cost)
                self._report.pop("mismatch", None)
                return True
            self._note_mismatch(cost, expected)
        return False

    def _candidates(self) -> Iterator[generator.Generator]:
        """Generators of each family, unless finding the next one takes so long that others would miss their turn."""
        for examples in self._families():
            found = islice(generator.find(examples), MAX_GENERATORS)
            with suppress(DeadlineExceeded):
                while (candidate := self._next_candidate(found)) is not None:
                    yield candidate

    def _next_candidate(self, found: Iterator[generator.Generator]) -> generator.Generator | None:
        with deadline(min(GENERATOR_SECONDS, self._session.step_seconds)):
            return next(found, None)

    def _families(self) -> Iterator[dict[int, list[dict[str, Any]]]]:
        """Inputs by size that may follow one pattern: those of the model, those of the examples, rearranged ones."""
        sizes = [size for size in self._training if size > 1]
        if self.model is not None:
            family = {}
            for size in sizes:
                practice = self._session.at(size)
                try:
                    leaves, _ = self._solution(self.model, practice)
                except NoModel:
                    continue  # too small for the model
                if practice.evaluate(leaves) >= self._examples[size].cost:
                    family[size] = [practice.inputs.arguments(leaves)]
            yield family
        found_inputs = {
            size: [self._session.at(size).inputs.arguments(leaves) for leaves in self._small_inputs(size)]
            for size in sizes
        }
        yield found_inputs
        yield {size: [*some, *self._rearranged(size, some[0])] for size, some in found_inputs.items() if some}

    def _rearranged(self, size: int, arguments: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Inputs with the elements in other orders, as they are or made distinct, that cost no less."""
        practice = self._session.at(size)
        for other in chain(rearranged(distinct(arguments)), rearranged(arguments)):
            try:
                leaves = encode(practice.inputs, other)
            except InputError:
                continue
            if practice.evaluate(leaves) >= self._examples[size].cost:
                yield other

    def _small_inputs(self, size: int) -> Iterator[list[Leaf]]:
        """The inputs of the examples of a size, with values as small as their paths allow."""
        practice = self._session.at(size)
        for path in self._examples[size].paths[:MAX_INPUTS]:
            try:
                yield condition_of(path.trace, practice.domains).solve()
            except (Unsupported, NoModel):
                yield path.trace.leaves

    def _checked_sizes(self, candidate: generator.Generator) -> list[int] | None:
        """The sizes at which a generator does as well as search; None if it does worse at a size it should fit."""
        checked = []
        for size, found in self._examples.items():
            practice = self._session.at(size)
            leaves = self._built_leaves(candidate, practice)
            if leaves is not None and practice.evaluate(leaves) >= found.cost:
                checked.append(size)
            elif size >= min(candidate.fitted):
                return None
        return checked

    def _built_leaves(self, candidate: generator.Generator, session: Session) -> list[Leaf] | None:
        try:
            return encode(session.inputs, candidate.build(session.size))
        except (InputError, ValueError, IndexError):
            return None

    def _report_generator(self, candidate: generator.Generator, checked: list[int], cost: float) -> None:
        name = self._session.target.rpartition(":")[2]
        fitting = [n for n in SHOWN_SIZES if n in checked and len(repr(candidate.build(n))) <= MAX_SHOWN_LENGTH]
        shown = max(fitting, default=min(checked))
        law = CostPrediction.of({**self._costs, self._session.size: cost}, self._branches).law
        self._report["generator"] = candidate.text(name, law, checked, shown)
        self._report["generator_cost"] = cost


def _general_solution(proposal: Proposal, session: Session) -> list[Leaf]:
    """An input found by a general solver, which is given the conditions one by one."""
    from pessimal.solve.z3 import Z3Solver  # Z3 is slow to load and rarely needed here

    bounds = [(domain.low, domain.high) for domain in session.domains]
    solver = PathSolver(session.initial, bounds, Z3Solver)
    for condition, want in proposal.condition(session.size, session.domains, ordered=True).literals():
        if not solver.assume(condition, want):
            raise NoModel(f"no solver finds an input of size {session.size} that satisfies the path condition")
    return solver.leaves
