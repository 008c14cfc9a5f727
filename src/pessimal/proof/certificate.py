"""The certificate of "tree exhausted": all paths of the tree of decisions, written while the search runs.

It is a file of JSON lines. Each line but the last is a path that was run: its decisions, how many of them were known
before, which other outcomes of the new ones are infeasible, the input, and the cost. Outcomes that a path leaves open
are closed by later lines. The last line is the claim.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from math import inf
from os import SEEK_END
from pathlib import Path
from typing import IO, Any, Unpack

from pessimal import json_values
from pessimal.errors import UsageError
from pessimal.expr import Leaf
from pessimal.runs import Policy, RunOptions
from pessimal.search.proxy import SessionProxy
from pessimal.strategy import Session, Strategy, restore, state_of, writable_by
from pessimal.trace import COMPLETED, Side, Trace

FORMAT = 2
_LONGEST_LINE = 100_000_000


@dataclass(frozen=True, slots=True)
class CertifiedPath:
    """A path that was run, and the infeasible outcomes along it, each as its position and its number.

    ``taken`` has the decisions as text, one character each, "0" for the first outcome and so on. ``switches`` has the
    position and the number of outcomes of each decision that has more than two.
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
        float(self.cost)  # OverflowError for what is no cost
        if any(len(pair) != 2 for pair in (*self.closed, *self.switches)):
            raise TypeError

    @property
    def decisions(self) -> list[int]:
        """The outcomes taken, as numbers."""
        return [ord(character) - ord("0") for character in self.taken]

    @property
    def _arities(self) -> dict[int, int]:
        return {pair[0]: pair[1] for pair in self.switches}

    @property
    def is_possible(self) -> bool:
        """Whether every decision is an outcome that its branch has."""
        arities = self._arities
        return all(0 <= taken < arities.get(i, 2) for i, taken in enumerate(self.decisions))

    @property
    def forks(self) -> Iterator[tuple[int, int, str]]:
        """The outcomes not taken after the known prefix: position, outcome, and the decisions that lead to it."""
        arities = self._arities
        decisions = self.decisions
        for position in range(self.known_prefix, len(decisions)):
            for outcome in range(arities.get(position, 2)):
                if outcome != decisions[position]:
                    yield position, outcome, self.taken[:position] + as_text((outcome,))


def as_text(decisions: Iterable[int]) -> str:
    """Decisions as the text of a certificate."""
    return "".join(chr(ord("0") + outcome) for outcome in decisions)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a certificate claims: one input of the size has this cost, and none costs more."""

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
        float(self.maximum)


class CertifyingStrategy:
    """Wraps a strategy and writes its runs to a certificate.

    The strategy must find out about all outcomes of every branch, and claim "tree exhausted" at its end.
    """

    def __init__(self, strategy: Strategy, file: str | Path, target: str, cost: str) -> None:
        self.name = strategy.name
        self.stop_after = getattr(strategy, "stop_after", None)
        self._strategy = strategy
        self._file = Path(file)
        self._claimed = target, cost
        self._length = 0
        self._maximum = -inf
        self._lines: IO[str] | None = None

    def search(self, session: Session) -> None:
        """Search and write the certificate; lines after the last snapshot are removed, and their runs are repeated."""
        with self._writing():
            self._lines = self._file.open("a", encoding="utf-8")
            if self._lines.tell() < self._length:
                raise _usage_error(
                    f"--certificate {self._file} was changed since its search was interrupted: start again"
                )
            self._lines.truncate(self._length)
            self._lines.seek(0, SEEK_END)
        try:
            self._strategy.search(_Recording(session, self))
        finally:
            with self._writing(), self._lines:
                self._flush()
            self._lines = None

    def writable(self) -> list[Path]:
        """The certificate, and what the strategy writes to."""
        return [self._file, *writable_by(self._strategy)]

    def write(self, trace: Trace, known_prefix: int, cost: float) -> None:
        """Write one run."""
        new = range(known_prefix, len(trace))
        closed = [[i, outcome] for i in new for outcome in trace.untaken(i, Side.INFEASIBLE)]
        switches = [[position, len(switch.sides)] for position, switch in trace.switches.items()]
        self._maximum = max(self._maximum, cost)
        path = CertifiedPath(known_prefix, as_text(trace.decisions), closed, list(trace.leaves), cost, switches)
        self._write_line(asdict(path))

    def claim(self, size: int) -> None:
        """Write the claim, which completes the certificate."""
        target, cost = self._claimed
        self._write_line(asdict(Claim(target, size, cost, self._maximum)))

    def _write_line(self, item: dict[str, Any]) -> None:
        assert self._lines is not None
        with self._writing():
            self._lines.write(json.dumps(item, separators=(",", ":")) + "\n")

    def state(self) -> dict[str, Any]:
        """The state of the strategy, and the length of the certificate that belongs to it."""
        self._flush()
        return {"strategy": state_of(self._strategy), "length": self._length, "maximum": self._maximum}

    def _flush(self) -> None:
        if self._lines is not None:
            with self._writing():
                self._lines.flush()
                self._length = self._lines.tell()

    def restore(self, state: dict[str, Any]) -> None:
        """Continue an earlier search; a strategy without a state starts again, and so does its certificate."""
        if state["strategy"] is not None:
            restore(self._strategy, state["strategy"])
            self._length, self._maximum = state["length"], state["maximum"]

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with _writing(self._file):
            yield


class _Recording(SessionProxy):
    """A session that writes its runs to a certificate."""

    def __init__(self, session: Session, certificate: CertifyingStrategy) -> None:
        super().__init__(session)
        self._certificate = certificate

    def run(
        self, policy: Policy | None = None, start: Sequence[Leaf] | None = None, **options: Unpack[RunOptions]
    ) -> Trace:
        """One run, written to the certificate if it was completed."""
        trace = self._session.run(policy, start, **options)
        if trace.outcome in COMPLETED:
            self._certificate.write(trace, options.get("known_prefix", 0), self._session.cost(trace))
        return trace

    def claim(self, proof: str, *, every_input: bool = False) -> None:
        """The claim, which completes the certificate if the session accepts it."""
        self._session.claim(proof, every_input=every_input)
        if self._session.proof is not None:
            self._certificate.claim(self._session.size)


def writable(file: str | Path) -> Path:
    """The path of a certificate, whose file is created now so that a failure shows before the search."""
    path = Path(file).absolute()
    with _writing(path):
        path.open("a").close()
    if not _may_be_replaced(path):
        raise _usage_error(f"--certificate {path} exists and is not a certificate: choose another file")
    return path


def _may_be_replaced(path: Path) -> bool:
    """Whether a file is empty, or begins as a certificate does: no other file must be lost."""
    if not path.is_file():
        return True
    try:
        with path.open(encoding="utf-8") as lines:
            first = lines.readline(_LONGEST_LINE)
        return not first or set(json_values.parsed(first)) in (_names(CertifiedPath), _names(Claim))
    except (OSError, ValueError, TypeError):
        return False


def _names(kind: type[CertifiedPath] | type[Claim]) -> set[str]:
    return {item.name for item in fields(kind)}


@contextmanager
def _writing(file: Path) -> Iterator[None]:
    """Turn a failure to write into a usage error."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise _usage_error(f"--certificate {file} cannot be written: {reason}") from None


def read_claim(file: Path) -> tuple[Claim, int]:
    """The claim of a certificate, and how many paths it has."""
    count, last = 0, ""
    try:
        with json_values.not_a_device(file).open(encoding="utf-8") as lines:
            for line in lines:
                count, last = count + 1, line
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise _usage_error(f"the certificate {str(file)!r} cannot be read: {reason}") from None
    return _parsed(Claim, last, file, "it has no claim at its end, so the search did not finish"), count - 1


def read_paths(file: Path, count: int) -> Iterator[CertifiedPath]:
    """The paths of a certificate, one at a time."""
    with file.open(encoding="utf-8") as lines:
        for _, line in zip(range(count), lines, strict=False):
            yield _parsed(CertifiedPath, line, file, f"it has a line that is not a path: {line[:60]!r}")


def _parsed(kind: Any, line: str, file: Path, wrong: str) -> Any:
    try:
        parsed = kind(**json_values.parsed(line))
    except (ValueError, TypeError, OverflowError):
        raise _usage_error(f"{str(file)!r} is not a certificate: {wrong}") from None
    if isinstance(parsed, Claim) and parsed.format != FORMAT:
        raise _usage_error(f"{str(file)!r} has format {parsed.format!r}, but only format {FORMAT} can be checked")
    return parsed


def _usage_error(message: str) -> UsageError:
    return UsageError(message, slug="certificate")
