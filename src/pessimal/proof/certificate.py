"""The certificate of "tree exhausted": the leaves of the tree of decisions, written as the search closes them.

A file of JSON lines. Each line but the last is a path that was run: the decisions that it took, how many of them were
known before, which outcomes of the new ones are infeasible, the input, and the cost. What it leaves open, other lines
close. The last line is the claim.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from math import inf
from os import SEEK_END
from pathlib import Path
from typing import IO, Any, Unpack

from pessimal.errors import UsageError
from pessimal.expr import Leaf
from pessimal.runs import Policy, RunOptions
from pessimal.search.proxy import SessionProxy
from pessimal.strategy import Session, Strategy, restore, state_of
from pessimal.trace import Outcome, Side, Trace

FORMAT = 2


@dataclass(frozen=True, slots=True)
class Leaves:
    """A path that was run, and the infeasible outcomes beside it, each as the decisions before it and its number.

    Decisions are text, one character each, from "0" for the first outcome on. ``switches`` are the positions of the
    decisions that have more than two outcomes, and how many.
    """

    known_prefix: int
    taken: str
    closed: list[list[int]]
    input: list[Leaf]
    cost: float
    switches: list[list[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        whole = [self.known_prefix, *(number for pair in (*self.closed, *self.switches) for number in pair)]
        if not isinstance(self.taken, str) or not all(type(number) is int for number in whole):
            raise TypeError
        if not isinstance(self.input, list) or not isinstance(self.cost, int | float):
            raise TypeError
        if any(len(pair) != 2 for pair in (*self.closed, *self.switches)):
            raise TypeError

    @property
    def decisions(self) -> list[int]:
        """The outcomes that were taken."""
        return [ord(character) - ord("0") for character in self.taken]

    @property
    def _arities(self) -> dict[int, int]:
        return {pair[0]: pair[1] for pair in self.switches}

    @property
    def is_possible(self) -> bool:
        """Whether every decision is one of its branch's outcomes."""
        arities = self._arities
        return all(0 <= taken < arities.get(i, 2) for i, taken in enumerate(self.decisions))

    @property
    def forks(self) -> Iterator[tuple[int, int, str]]:
        """The outcomes that the path met first and did not take: where, which, and the decisions that lead there."""
        arities = self._arities
        decisions = self.decisions
        for position in range(self.known_prefix, len(decisions)):
            for outcome in range(arities.get(position, 2)):
                if outcome != decisions[position]:
                    yield position, outcome, self.taken[:position] + as_text((outcome,))


def as_text(decisions: Iterable[int]) -> str:
    """Decisions as a certificate writes them."""
    return "".join(chr(ord("0") + outcome) for outcome in decisions)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a certificate wants to prove: no input of the size costs the target more, and one costs so much."""

    target: str
    size: int
    cost: str
    maximum: float
    format: int = FORMAT

    def __post_init__(self) -> None:
        if not isinstance(self.target, str) or not isinstance(self.cost, str):
            raise TypeError
        if type(self.size) is not int or not isinstance(self.maximum, int | float):
            raise TypeError


class Recorded:
    """A strategy whose runs are written down; it must settle both directions and claim "tree exhausted" at its end."""

    def __init__(self, strategy: Strategy, file: str | Path, target: str, cost: str) -> None:
        self.name = strategy.name
        self.stop_after = getattr(strategy, "stop_after", None)
        self._strategy = strategy
        self._file = Path(file)
        self._about = target, cost
        self._kept = 0
        self._maximum = -inf
        self._lines: IO[str] | None = None

    def search(self, session: Session) -> None:
        """Search as the strategy does, and write; what was written after the last snapshot is run and written again."""
        with self._writing():
            self._lines = self._file.open("a", encoding="utf-8")
            if self._lines.tell() < self._kept:
                raise _bad(f"--certificate {self._file} was changed since its search was interrupted: start it anew")
            self._lines.truncate(self._kept)
            self._lines.seek(0, SEEK_END)
        try:
            self._strategy.search(_Recording(session, self))
        finally:
            with self._writing(), self._lines:
                self._keep()
            self._lines = None

    def write(self, trace: Trace, known_prefix: int, cost: float) -> None:
        """Keep the leaves that a run closed."""
        new = range(known_prefix, len(trace))
        closed = [[i, outcome] for i in new for outcome in trace.untaken(i, Side.INFEASIBLE)]
        switches = [[position, len(switch.sides)] for position, switch in trace.switches.items()]
        self._maximum = max(self._maximum, cost)
        leaves = Leaves(known_prefix, as_text(trace.decisions), closed, list(trace.leaves), cost, switches)
        self._put(asdict(leaves))

    def claim(self, size: int) -> None:
        """Close the certificate."""
        target, cost = self._about
        self._put(asdict(Claim(target, size, cost, self._maximum)))

    def _put(self, item: dict[str, Any]) -> None:
        assert self._lines is not None
        with self._writing():
            self._lines.write(json.dumps(item, separators=(",", ":")) + "\n")

    def state(self) -> dict[str, Any]:
        """Where the strategy is, and how much of the certificate belongs to that."""
        self._keep()
        return {"strategy": state_of(self._strategy), "kept": self._kept, "maximum": self._maximum}

    def _keep(self) -> None:
        if self._lines is not None:
            with self._writing():
                self._lines.flush()
                self._kept = self._lines.tell()

    def restore(self, state: dict[str, Any]) -> None:
        """Take up what an earlier search left; a strategy without a state starts anew, and so does its certificate."""
        if state["strategy"] is not None:
            restore(self._strategy, state["strategy"])
            self._kept, self._maximum = state["kept"], state["maximum"]

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with _writing(self._file):
            yield


class _Recording(SessionProxy):
    """A session whose runs are written down."""

    def __init__(self, session: Session, record: Recorded) -> None:
        super().__init__(session)
        self._record = record

    def run(
        self, policy: Policy | None = None, start: Sequence[Leaf] | None = None, **options: Unpack[RunOptions]
    ) -> Trace:
        """One run, written down if it came to its end."""
        trace = self._session.run(policy, start, **options)
        if trace.outcome in (Outcome.RETURNED, Outcome.RAISED):
            self._record.write(trace, options.get("known_prefix", 0), self._session.cost(trace))
        return trace

    def claim(self, proof: str) -> None:
        """The claim, which closes the certificate unless the session knows better."""
        self._session.claim(proof)
        if self._session.proof is not None:
            self._record.claim(self._session.size)


def writable(file: str | Path) -> Path:
    """The file of a certificate, which is made before the search rather than missed after it."""
    path = Path(file).absolute()
    with _writing(path):
        path.open("a").close()
    return path


@contextmanager
def _writing(file: Path) -> Iterator[None]:
    """Make the user's mistake of a file that cannot be written."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise _bad(f"--certificate {file} cannot be written: {reason}") from None


def read_claim(file: Path) -> tuple[Claim, int]:
    """What a certificate claims, and how many paths it is made of."""
    count, last = 0, ""
    try:
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                count, last = count + 1, line
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise _bad(f"the certificate {str(file)!r} cannot be read: {reason}") from None
    return _made(Claim, last, file, "it has no claim at its end, so the search did not finish"), count - 1


def read_leaves(file: Path, count: int) -> Iterator[Leaves]:
    """The paths of a certificate, one at a time."""
    with file.open(encoding="utf-8") as lines:
        for _, line in zip(range(count), lines, strict=False):
            yield _made(Leaves, line, file, f"it has a line that is no path: {line[:60]!r}")


def _made(kind: Any, line: str, file: Path, wrong: str) -> Any:
    try:
        made = kind(**json.loads(line))
    except (ValueError, TypeError, RecursionError):
        raise _bad(f"{str(file)!r} is no certificate: {wrong}") from None
    if isinstance(made, Claim) and made.format != FORMAT:
        raise _bad(f"{str(file)!r} is written in format {made.format!r}, but format {FORMAT} can be checked")
    return made


def _bad(message: str) -> UsageError:
    return UsageError(message, slug="certificate")
