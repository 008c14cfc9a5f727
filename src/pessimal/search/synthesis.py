"""``synthesis``: learns at small sizes how the worst path condition grows, and solves it once at a large size.

This is the method of XSTRESSOR. The target is never executed symbolically at the requested size; only the resulting
input is run there. So the size may be far beyond the reach of symbolic execution. From the same examples it also makes
a generator: a short function that builds the worst input of any size.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pessimal.errors import InputError, UsageError
from pessimal.expr import Leaf
from pessimal.inputs import encode, from_json
from pessimal.json_values import read
from pessimal.search.examples import SOURCES, Collection, Examples
from pessimal.search.fixed import Fixed
from pessimal.search.options import names, natural, sizes, truth
from pessimal.search.saving import check_writable, folder, write
from pessimal.search.stopwatch import Stopwatch
from pessimal.strategy import Session

if TYPE_CHECKING:
    from pessimal.search.extrapolation import Extrapolation

LIBRARIES = ("numpy", "scipy")
ROUNDS = ((100, 10), (300, 13), (3000, 16))
"""Successive rounds until a model holds: how many paths each small size is searched with, and the largest size."""

MAX_EXAMPLE_SIZE = 13
"""The largest size at which examples are collected if the user gives the number of paths."""

HELD_OUT = 2
MIN_SIZE = 7
"""Below this size there are too few smaller ones to learn from."""

Given = Sequence[tuple[int, Mapping[str, Any]]]


class Synthesis:
    """Makes models of the worst paths of small sizes, checks them at held-out sizes, and solves one at the size.

    ``train`` gives the sizes of the examples and ``train_paths`` how many paths may be run at each; ``sources`` names
    strategies that also search for examples; ``inputs`` is a file with examples of the user, in the format of
    ``--json``. ``site`` is the file and line of the hot loop, to make a model of its conditions alone; ``held_out`` is
    the number of sizes that check a model. With ``generator`` false no generator is made. ``save`` names a file for the
    model that passed; ``load`` names one to use instead of examples.
    """

    name = "synthesis"

    def __init__(
        self,
        train: str | int | Sequence[int] | None = None,
        train_paths: int | None = None,
        sources: str | Sequence[str] = SOURCES,
        inputs: str | None = None,
        site: str | None = None,
        held_out: int = HELD_OUT,
        generator: bool | str = True,
        save: str | None = None,
        load: str | None = None,
    ) -> None:
        missing = [name for name in LIBRARIES if find_spec(name) is None]
        if missing:
            needed = " and ".join(missing)
            verb = "are" if len(missing) > 1 else "is"
            raise UsageError(
                f"synthesis needs {needed}, which {verb} not installed",
                slug="missing",
                hint="pip install 'pessimal[synthesis]'",
            )
        wanted = None if train is None else sorted(set(sizes("train", train)))
        paths = None if train_paths is None else natural("train_paths", train_paths, least=1)
        self._rounds = ROUNDS if paths is None else ((paths, MAX_EXAMPLE_SIZE),)
        self._given = None if inputs is None else _load(Path(inputs))
        self._collection = Collection(wanted, names("sources", sources, "fixed,climb"))
        self._site = None if site is None else str(site)
        self._held_out = natural("held_out", held_out)
        self._wants_generator = truth("generator", generator)
        self._save = None if save is None else Path(save)
        self._load = None if load is None else Path(load)
        self._round = 0
        self._is_started = self._is_done = False
        self._watch = Stopwatch()
        self._report: dict[str, Any] = {}

    def search(self, session: Session) -> None:
        """Collect examples, make a model and solve it; repeat with more examples if no model holds."""
        deque(self.steps(session), 0)

    def steps(self, session: Session) -> Iterator[None]:
        """Search, and yield after each run."""
        if self._is_done:
            return
        if self._save is not None:
            check_writable(self._save, "model")
        if not self._is_started:
            session.evaluate(session.initial)  # so that there is a result whenever the budget ends
            self._is_started = True
            yield
        if self._load is not None:
            yield from self._reuse(session, self._load)
        elif self._given is None and session.size < MIN_SIZE:
            self._report["note"] = f"sizes below {MIN_SIZE} have too few smaller ones to learn from"
            yield from Fixed("both").steps(session)
        else:
            yield from self._learn(session)
        self._is_done = True

    def _learn(self, session: Session) -> Iterator[None]:
        """Collect examples and make models of them, with more examples in each round."""
        if self._given is not None:
            self._collection.given = [(size, _encoded(session, size, values)) for size, values in self._given]
        while self._round < len(self._rounds):
            yield from self._watch.over("examples", self._collection.steps(session, *self._rounds[self._round]))
            attempt = self._attempt(session, self._collection.by_size)
            is_done = yield from attempt.solve(self._site)
            if is_done:
                self._write(attempt)
            if self._wants_generator:
                is_done = (yield from attempt.generate()) or is_done
            self._round += 1
            if is_done:
                return
            if attempt.has_mismatch or self._given is not None:
                break
        self._give_up()

    def _reuse(self, session: Session, file: Path) -> Iterator[None]:
        """Use a model that was made before."""
        attempt = self._attempt(session, {})
        with session.importing():
            from pessimal.synthesis import saved
        proposal, prediction, remainder = saved.load(file)
        modulus = proposal.model.modulus
        if session.size % modulus != remainder:
            raise UsageError(
                f"the model in {file} is for sizes with remainder {remainder} modulo {modulus}, unlike {session.size}",
                slug="model",
            )
        if not (yield from attempt.solve_with(proposal, prediction)):
            self._give_up()

    def _attempt(self, session: Session, examples: Mapping[int, Examples]) -> Extrapolation:
        with session.importing():  # NumPy is slow to load, and not part of the target
            from pessimal.search.extrapolation import Extrapolation
        self._report.pop("note", None)
        return Extrapolation(session, examples, self._held_out, self._watch, self._report)

    def _give_up(self) -> None:
        """Report why there is no model."""
        self._report["note"] = f"no model holds: {self._report['refused'][-1]}"

    def writable(self) -> list[Path]:
        """The directory of the file to save."""
        return folder(self._save)

    def _write(self, attempt: Extrapolation) -> None:
        """Save the model; if that fails, the report says so and the search continues."""
        if self._save is None or attempt.model is None:
            return
        from pessimal.synthesis import saved

        try:
            write(self._save, saved.text(attempt.model, attempt.prediction))
        except OSError as error:
            self._report["note"] = f"the model could not be saved: {self._save} cannot be written: {error.strerror}"

    def report(self) -> dict[str, Any]:
        """The model and the generator, or why there is none, and how the time was spent."""
        collected = sorted(self._collection.by_size.items())
        examples = {str(size): found.cost for size, found in collected if found.paths}
        report = {**self._report, "examples": examples, "seconds": self._watch.seconds}
        if "model" in report:
            report["lines"] = [["model", _summary(report["model"], report["conditions"])]]
        if report.get("mismatch"):
            report["member_lines"] = [["mismatch", report["refused"][-1]]]
        return report

    def state(self) -> dict[str, Any]:
        """The examples, as long as they are needed, and the report."""
        return {
            "round": self._round,
            "started": self._is_started,
            "done": self._is_done,
            "examples": None if self._is_done else self._collection.state(),
            "report": self._report,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue an earlier search."""
        self._round, self._report = state["round"], state["report"]
        self._is_started, self._is_done = state["started"], state["done"]
        if state["examples"] is not None:
            self._collection.restore(state["examples"])


def _summary(model: Mapping[str, Any], conditions: int) -> str:
    """What a model was made from, where it was checked, and its number of conditions at the size."""
    checked = f", checked at {_sizes(model['held_out'])}" if model["held_out"] else ""
    return f"of {model['of']} at sizes {_sizes(model['fitted'])}{checked}: {conditions} here"


def _sizes(sizes: Sequence[int]) -> str:
    is_run = len(sizes) > 2 and list(sizes) == list(range(sizes[0], sizes[-1] + 1))
    return f"{sizes[0]} to {sizes[-1]}" if is_run else ", ".join(map(str, sizes))


def _load(file: Path) -> Given:
    """Examples from a file: one result of ``--json``, or a list of them; only size and input are read."""
    try:
        data = read(file)
        found = [(item["size"], from_json(item["input"])) for item in (data if isinstance(data, list) else [data])]
        if all(type(size) is int and isinstance(values, dict) for size, values in found) and found:
            return found
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}", slug="examples") from None
    except (ValueError, TypeError, KeyError):
        pass
    raise UsageError(
        f'{file} does not contain examples: give a list of {{"size": 3, "input": {{"xs": [2, 1, 0]}}}}', slug="examples"
    )


def _encoded(session: Session, size: int, values: Mapping[str, Any]) -> list[Leaf]:
    try:
        return encode(session.at(size).inputs, values)
    except InputError as error:
        raise UsageError(f"an example of size {size} does not fit: {error}", slug="examples") from None
