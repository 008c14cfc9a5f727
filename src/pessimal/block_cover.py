"""``cover`` of binaries: inputs that reach every branch, the blocks and lines that they execute, and files of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from pessimal import api
from pessimal.dictionary import read_dictionary
from pessimal.errors import InputError, UsageError
from pessimal.expr import Leaf
from pessimal.inputs import Spec, encode
from pessimal.options import Options, largest_size
from pessimal.progress import Progress
from pessimal.registry import STRATEGIES
from pessimal.result import ExploreResult, Witness
from pessimal.search.budget import seconds
from pessimal.search.model_options import model_options
from pessimal.target import BINARY, Reference
from pessimal.target_spec import Limits, TargetSpec
from pessimal.trace import signal_of

if TYPE_CHECKING:
    from pessimal.binary.frontend import BinaryFrontEnd

MOST_INPUTS = 10_000
MOST_BYTES = 4096
"""Seeds are cut there, unless a size is given."""
SHOWN = 20


@dataclass(slots=True)
class BlockCoverResult:
    """The inputs that were found, and what they execute: blocks by function, and lines where those are known."""

    target: str
    blocks: int = 0
    functions: dict[str, int] = field(default_factory=dict)
    """How many blocks of each function were executed; those without a name count as ``?``."""
    totals: dict[str, int] = field(default_factory=dict)
    """How many blocks each of these functions has, as far as that can be told without running it."""
    all_functions: int = 0
    """How many functions the target's file has, by its symbols."""
    lines: dict[str, list[int]] = field(default_factory=dict)
    unreached_lines: dict[str, list[int]] = field(default_factory=dict)
    """Lines of the functions that were executed which have code that was not."""
    inputs: list[Witness] = field(default_factory=list)
    failures: list[Witness] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    strategy: str = ""
    runs: int = 0
    solver_calls: int = 0
    seconds: float = 0.0
    stopped: str = ""
    seed: int = 0
    interrupted: bool = False

    def to_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        witnesses = {name: [item.to_json() for item in getattr(self, name)] for name in ("inputs", "failures")}
        return {**asdict(replace(self, inputs=[], failures=[])), **witnesses}

    def __str__(self) -> str:
        reached, missed = (sum(map(len, lines.values())) for lines in (self.lines, self.unreached_lines))
        of_all = f" of {self.all_functions}" if self.all_functions else ""
        shown = [
            f"{self.target}  strategy {self.strategy}",
            f"  blocks    {self.blocks} in {len(self.functions)}{of_all} functions",
            *(f"    {name}  {count}{self._of_total(name)}" for name, count in _most(self.functions)),
            *([f"  lines     {reached} of {reached + missed} in these functions"] if reached else []),
            f"  inputs    {len(self.inputs)}" + (f", in {self.files[0]}" if self.files else ""),
            *(f"  FAILS     {failure.call}: {_what(failure)}" for failure in self.failures[:SHOWN]),
            *(f"    {item.call}  {item.outcome}" for item in self.inputs[:SHOWN]),
            f"  effort    {self.runs} runs, {self.solver_calls} solver calls, {self.seconds:.1f}s; {self.stopped}",
        ]
        return "\n".join(shown)

    def _of_total(self, name: str) -> str:
        return f" of {self.totals[name]}" if name in self.totals else ""


def _most(functions: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(functions.items(), key=lambda item: -item[1])[:SHOWN]


def is_binary(targets: Sequence[str]) -> bool:
    """Whether something to be covered is a binary; then it must be the only one."""
    found = [text for text in targets if _is_binary(text)]
    if found and len(targets) > 1:
        raise UsageError(f"{found[0]} is a binary, and binaries are covered one at a time: give one target")
    return bool(found)


def _is_binary(text: str) -> bool:
    file = Path(text.partition(":")[0])
    if not file.is_file() or ".py" in file.suffixes or ("/" not in text and ".so" not in file.suffixes):
        return False
    return Reference.parse(text).kind == BINARY


def cover_blocks(
    target: str,
    *,
    budget: float | str | None = "60s",
    strategy: str = "auto",
    inputs: Mapping[str, Spec | str] | None = None,
    call: str | None = None,
    size: int | None = None,
    up_to: int | None = None,
    seeds: str | Path | None = None,
    dictionary: str | Path | None = None,
    out: str | Path | None = None,
    solver: str = "portfolio",
    seed: int = 0,
    workers: int | None = None,
    model: str | Path | None = None,
    save_model: bool = False,
    reward: str | Sequence[str] = (),
    runs: int | None = None,
    limits: Limits | None = None,
    allow_side_effects: bool = False,
    progress: Callable[[Progress], None] = lambda progress: None,
    warn: Callable[[str], None] = lambda text: None,
) -> BlockCoverResult:
    """Find inputs of a program or a function of a library that reach every branch.

    ``size`` is the length of the input; without it all lengths are tried, ``up_to`` one that is given, that of the
    longest seed, or 10. ``seeds`` is a directory of files to start from, and ``dictionary`` a file of words that are
    started from, too. Into ``out`` the inputs are written as files: a corpus, and those that fail. With a ``model``
    that training wrote, branches are flipped in the order of its scores; ``reward`` says what it learns on.
    """
    began = monotonic()
    learned = model_options(model, save_model, reward)
    chosen = ("ranked" if learned else "generational") if strategy == "auto" else strategy
    _check_strategy(chosen, workers, learned)
    contents = [] if seeds is None else _contents(Path(seeds))
    words = [] if dictionary is None else read_dictionary(Path(dictionary))
    if size is None and up_to is None and contents:
        up_to = min(max(map(len, contents)), MOST_BYTES) or None
    spec = TargetSpec(
        Reference.parse(target),
        largest_size(size, up_to),
        given=inputs or {},
        call=call,
        start=contents[0] if contents else None,
        growing=size is None,
        allow_side_effects=allow_side_effects,
        cost="blocks",
        limits=limits or Limits(),
    )
    given: Options = {
        "strategy": chosen,
        "options": {**(_starts(spec, contents[1:], words) if chosen == "generational" else {}), **learned},
        "workers": workers,
        "objective": "branches",
        "budget": None if budget is None else seconds(budget, "budget"),
        "paths": runs,
        "inputs": spec.given,
        "call": call,
        "start": spec.start,
        "dictionary": dictionary,
        "solver": solver,
        "seed": seed,
        "limits": spec.limits,
        "allow_side_effects": allow_side_effects,
        "progress": progress,
        "warn": warn,
    }
    result = BlockCoverResult(target, strategy=chosen, seed=seed)
    _add(result, api.explore(target, size=size, up_to=up_to, **given))
    front_end = _measure(result, spec)
    if out is not None:
        _write(result, Path(out), front_end)
    result.seconds = round(monotonic() - began, 3)
    return result


def _check_strategy(strategy: str, workers: int | None, learned: Mapping[str, str]) -> None:
    """Options of other strategies are a mistake."""
    if learned and strategy != "ranked":
        raise UsageError(
            f"--model and --reward only apply to --strategy auto or ranked, not to {strategy}: leave them out"
        )
    if workers is not None and workers > 1 and not hasattr(STRATEGIES.get(strategy), "take_part"):
        raise UsageError(f"{strategy} searches in one process: leave out --workers")


def _contents(directory: Path) -> list[bytes]:
    if not directory.is_dir():
        raise UsageError(f"--seeds {directory} is not a directory: give one with files to start from", slug="seeds")
    return list(dict.fromkeys(path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()))


def _starts(spec: TargetSpec, contents: Sequence[bytes], words: Sequence[bytes]) -> dict[str, list[list[Leaf]]]:
    """The further inputs to start from: other seeds, and the first one with each word at its beginning."""
    from pessimal.binary.frontend import BinaryFrontEnd

    if not contents and not words:
        return {}
    front_end = BinaryFrontEnd(spec)
    first = spec.start or b""
    found = [front_end.encoded(content) for content in (*contents, *(word + first[len(word) :] for word in words))]
    return {"starts": [leaves for leaves in found if leaves is not None]}


def _add(result: BlockCoverResult, found: ExploreResult) -> None:
    result.inputs, result.failures = list(found.paths), list(found.failures)
    result.runs = found.effort.paths
    result.solver_calls = int(found.effort.solver["calls"])
    result.stopped, result.interrupted = found.effort.stopped, found.interrupted


def _measure(result: BlockCoverResult, spec: TargetSpec) -> BinaryFrontEnd:
    """Run the inputs once more, and note the blocks and lines of the target's own module that they execute."""
    from pessimal.binary.frontend import BinaryFrontEnd

    front_end = BinaryFrontEnd(spec)
    places: set[int] = set()
    for witness in [*result.inputs, *result.failures][:MOST_INPUTS]:
        try:
            front_end.evaluate(encode(front_end.inputs, witness.input), spec.limits.run_seconds)
        except InputError:
            continue
        places |= front_end.executed_blocks()
    report = front_end.block_report(places)
    result.blocks, result.functions, result.totals = len(places), report.executed, report.totals
    result.all_functions, result.lines, result.unreached_lines = report.functions, report.lines, report.missed_lines
    return front_end


def _what(failure: Witness) -> str:
    """What went wrong, in a few words."""
    place = "" if failure.place is None else f" at {failure.place}"
    return f"{failure.exception or 'it does not end'}{place}"


def _write(result: BlockCoverResult, directory: Path, front_end: BinaryFrontEnd) -> None:
    """Write inputs as files that other fuzzers can start from, and failures with a name that says what they are."""
    ended = [item for item in result.inputs if signal_of(item.exception) is None]  # others take no seed that crashes
    for kind, witnesses in (("corpus", ended), ("failures", result.failures)):
        folder = directory / kind
        folder.mkdir(parents=True, exist_ok=True)
        for witness in witnesses:
            content = b"".join(value for value in witness.input.values() if isinstance(value, bytes))
            name = hashlib.sha256(content).hexdigest()[:16]
            what = f"{signal_of(witness.exception) or 'TIMEOUT'}-" if kind == "failures" else ""
            path = folder / f"{what}{name}"
            path.write_bytes(content)
            if kind == "failures":
                replay = front_end.replay_command(witness.input)
                path.with_suffix(".txt").write_text(f"{_what(witness)}\n{replay}\n")
        result.files.append(str(folder))
