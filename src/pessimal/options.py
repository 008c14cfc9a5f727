"""What a search can be asked with, and the specification of the search that comes of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict

from pessimal.dictionary import read_dictionary
from pessimal.errors import UsageError
from pessimal.inputs import Spec
from pessimal.objective import Objective
from pessimal.pool import available_cores, in_worker
from pessimal.progress import Progress
from pessimal.proof import writable
from pessimal.registry import OBJECTIVES, SOLVERS, STRATEGIES
from pessimal.search.budget import Budget, seconds
from pessimal.search_spec import SearchSpec
from pessimal.strategy import Strategy
from pessimal.target import BINARY, PYTHON, Reference
from pessimal.target_spec import Limits

Target = str | Callable[..., Any]
DEFAULT_SIZE = 10
_COSTS = {PYTHON: "work", BINARY: "instructions"}
"""What the worst input costs most of, by the kind of target; elsewhere it is branches."""


def warn_on_stderr(text: str) -> None:
    """Print a warning where it does not mix with results."""
    print(f"pessimal: {text}", file=sys.stderr)


class Options(TypedDict, total=False):
    """What both questions can be asked with; the command line has the same names."""

    strategy: str | Strategy
    """A name, or an object of your own."""
    options: Mapping[str, Any]
    """Options of a strategy that is given by name."""
    objective: str | Objective
    """What the search is after: ``cost`` by default for :func:`stress`, ``paths`` for :func:`explore`, or your own."""
    solver: str
    """Which back-end settles what our own solvers leave open."""
    solver_options: Mapping[str, Any]
    """Options of the back-end, such as ``{"samples": 30_000}``."""
    cost: str | Callable[..., float] | None
    """What to count: a name such as ``lines``, or a function of a trace. By default ``work`` for :func:`stress`
    (``instructions`` for binaries), and ``branches``, the length of a path, for :func:`explore` and other targets."""
    budget: float | str | None
    """Wall seconds for the whole search, or text such as ``5m``."""
    paths: int | None
    """Stop after so many paths."""
    stop_after: float | str | None
    """Stop after so long without improvement; ``none`` for never. By default the strategy decides."""
    stop_at: float | None
    """Stop when an input costs so much."""
    seed: int
    """The one source of randomness."""
    inputs: Mapping[str, Spec | str]
    """Parameters given explicitly: ``{"xs": "list[int]:N"}`` or ``{"xs": List(Int(), "N")}``."""
    require: str | Callable[..., Any] | Sequence[str | Callable[..., Any]]
    """Preconditions: expressions over the parameters, or predicates."""
    black_boxes: str | Sequence[str]
    """Functions that are called and not looked into: ``"module.function"``, where ``*`` stands for any name."""
    cc_flags: str
    """What the C compiler is given, for targets in C: ``"-Iinclude other.c -lm"``."""
    call: str | None
    """How a target that is not Python is called: ``"parse(data, len)"``, or the words after a program's name."""
    start: bytes | None
    """The content of the input to start from, for binaries."""
    dictionary: str | Path | None
    """A file of words that inputs of a binary may be made of, in the format of AFL."""
    certificate: str | Path | None
    """A file for the proof, which :func:`check` can check."""
    out: str | Path | None
    """A directory for result and state; the same search resumes from it."""
    limits: Limits
    """What one run of the target may use."""
    allow_side_effects: bool
    """Let the target write files, connect and start processes."""
    pyse_compatible: bool
    """Read symbolic hashes as PySE does; unsound, for comparison only."""
    workers: int | None
    """How many processes a portfolio works in: by default one for each core, and one if ``paths`` is given, since only
    one process makes the same runs each time."""
    explain: bool
    """Report what was made concrete where, and what that may have hidden."""
    progress: Callable[[Progress], None]
    """Called with how far the search has come, a few times a second."""
    warn: Callable[[str], None]
    """Called with warnings; by default they are printed on stderr."""


def search_spec(
    target: Target, size: int, given: Options, is_certifiable: bool = True, *, for_worst: bool = True
) -> SearchSpec:
    """The search that options ask for; ``is_certifiable`` says whether a certificate could be written for it.

    A search ``for_worst`` needs a cost that sees all work, and a finite question: numbers without a range are bounded
    by the size. A search for paths needs neither, and a range would hide paths.
    """
    if in_worker():
        raise UsageError("a search was started inside a worker process: put the call under if __name__ == '__main__':")
    unknown = sorted(set(given) - set(Options.__annotations__))
    if unknown:
        raise UsageError(f"unknown option {unknown[0]!r}; known are: {', '.join(sorted(Options.__annotations__))}")
    reference = _reference(target)
    return SearchSpec(
        target=reference,
        size=size,
        strategy=given["strategy"],
        options=dict(given.get("options") or {}),
        objective=_objective(given),
        solver=_solver(given),
        solver_options=dict(given.get("solver_options") or {}),
        cost=given.get("cost") or _default_cost(reference, for_worst),
        given=dict(given.get("inputs") or {}),
        requirements=_requirements(given.get("require") or ()),
        black_boxes=_black_boxes(given.get("black_boxes") or ()),
        cc_flags=given.get("cc_flags") or "",
        call=given.get("call"),
        start=given.get("start"),
        dictionary=_dictionary(given.get("dictionary"), reference),
        budget=_budget(given),
        seed=given.get("seed", 0),
        limits=given.get("limits", Limits()),
        allow_side_effects=given.get("allow_side_effects", False),
        pyse_compatible=given.get("pyse_compatible", False),
        certificate=_certificate(given, is_certifiable),
        workers=_workers(given),
        sized_numbers=for_worst,
    )


def explore_defaults(target: Target) -> Options:
    """How paths are searched for: symbolically, or by distances where there are no symbolic runs."""
    reference = _reference(target)
    if isinstance(reference, Reference) and reference.kind == "c":
        return {"strategy": "flips", "paths": 20_000}
    return {"strategy": "sweep", "paths": 1000}


def largest_size(size: int | None, up_to: int | None) -> int:
    """The size, or the largest length where all up to one are tried."""
    if size is not None and up_to is not None:
        raise UsageError(f"give --size {size} for one length or --up-to {up_to} for all lengths, not both", slug="size")
    return sizes_of(up_to if size is None else size)[0]


def sizes_of(size: int | None, sizes: Sequence[int] | None = None) -> list[int]:
    """The sizes to search at: the one, the several, or the default."""
    if size is not None and sizes is not None:
        raise UsageError("give a size or several sizes, not both")
    wanted = [DEFAULT_SIZE if size is None else size] if sizes is None else list(sizes)
    if not wanted:
        raise UsageError("no size is given: write sizes as 4,8,16")
    for item in wanted:
        if not isinstance(item, int) or isinstance(item, bool) or item < 0:
            raise UsageError(f"a size must be a whole number of elements, but is {item!r}", slug="size")
    return wanted


def _default_cost(target: Reference | Callable[..., Any], for_worst: bool) -> str:
    kind = target.kind if isinstance(target, Reference) else PYTHON
    return _COSTS.get(kind, "branches") if for_worst else "branches"


def _objective(given: Options) -> str | Objective:
    objective = given.get("objective", "cost")
    return OBJECTIVES.checked(objective) if isinstance(objective, str) else objective


def _solver(given: Options) -> str:
    """The name of the back-end; options that it does not take show before anything is run."""
    name = SOLVERS.checked(given.get("solver", "portfolio"))
    if given.get("solver_options"):
        SOLVERS.make(name, dict(given["solver_options"]))
    return name


def _certificate(given: Options, is_certifiable: bool) -> Path | None:
    """The file for a certificate; refused before the search where it could never prove anything."""
    file, strategy = given.get("certificate"), given["strategy"]
    if not file:
        return None
    if not is_certifiable:
        raise _uncertifiable("it covers one size: give --size")
    if given.get("require") or given.get("pyse_compatible"):
        raise _uncertifiable("it cannot cover preconditions or PySE's hashes: drop --require and --pyse-compatible")
    chosen = STRATEGIES.get(strategy) if isinstance(strategy, str) else strategy
    if getattr(chosen, "stop_after", None) is not None or not getattr(chosen, "certifiable", True):
        name = strategy if isinstance(strategy, str) else strategy.name
        raise _uncertifiable(f"{name} does not write one: use --strategy exhaustive or sweep")
    return writable(file)


def _dictionary(file: str | Path | None, target: Reference | Callable[..., Any]) -> list[bytes]:
    if file is None:
        return []
    if not isinstance(target, Reference) or target.kind != BINARY:
        raise UsageError("--dictionary only applies to binaries: leave it out", slug="dictionary")
    return read_dictionary(Path(file))


def _uncertifiable(reason: str) -> UsageError:
    return UsageError(f"--certificate would prove nothing: {reason}", slug="certificate")


def _reference(target: Target) -> Reference | Callable[..., Any]:
    if isinstance(target, str):
        return Reference.parse(target)
    if not callable(target):
        raise UsageError(f"the target must be a name or a callable, but is {target!r}")
    if getattr(target, "__module__", None) == "__main__":
        return target  # by value: a script would run again if a worker imported it
    return Reference.of(target) or target


def _requirements(
    require: str | Callable[..., Any] | Sequence[str | Callable[..., Any]],
) -> tuple[str | Callable[..., Any], ...]:
    return (require,) if isinstance(require, str) or callable(require) else tuple(require)


def _workers(given: Options) -> int:
    """The processes of a portfolio; one where the search must be the same each time."""
    workers = given.get("workers")
    if workers is None:
        return 1 if given.get("paths") is not None else available_cores()
    if workers < 1:
        raise UsageError(f"--workers must be at least 1, but is {workers}")
    return workers


def _black_boxes(given: str | Sequence[str]) -> tuple[str, ...]:
    names = (given,) if isinstance(given, str) else tuple(given)
    for name in names:
        if not isinstance(name, str) or not name.strip("."):
            raise UsageError(f"--black-box must be module.function, but is {name!r}", slug="black-box")
    return names


def _budget(given: Options) -> Budget:
    """The limits; who names a budget wants it to be used, even if nothing improves any more."""
    wall, patience = given.get("budget", 60.0), given.get("stop_after")
    if patience is None and given.get("budget") is not None:
        patience = "none"
    return Budget(
        None if wall is None else seconds(wall, "budget"),
        given.get("paths"),
        patience if patience is None or patience == "none" else seconds(patience, "stop-after"),
        given.get("stop_at"),
    )
