"""``cover`` of binaries: inputs that reach every branch, the blocks and lines that they execute, and files of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any

from pessimal import api
from pessimal.errors import InputError, UsageError
from pessimal.inputs import Spec, encode
from pessimal.options import DEFAULT_SIZE, Options
from pessimal.progress import Progress
from pessimal.result import ExploreResult, Witness
from pessimal.search.budget import seconds
from pessimal.target import BINARY, Reference
from pessimal.target_spec import Limits, TargetSpec
from pessimal.trace import signal_of

MOST_INPUTS = 10_000
SHOWN = 20


@dataclass(slots=True)
class BlockCoverResult:
    """The inputs that were found, and what they execute: blocks by function, and lines where those are known."""

    target: str
    blocks: int = 0
    functions: dict[str, int] = field(default_factory=dict)
    """How many blocks of each function were executed; those without a name count as ``?``."""
    lines: dict[str, list[int]] = field(default_factory=dict)
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
        reached = sum(len(lines) for lines in self.lines.values())
        shown = [
            f"{self.target}  strategy {self.strategy}",
            f"  blocks    {self.blocks} in {len(self.functions)} functions" + (f", {reached} lines" if reached else ""),
            *(f"    {name}  {count}" for name, count in _most(self.functions)),
            f"  inputs    {len(self.inputs)}" + (f", in {self.files[0]}" if self.files else ""),
            *(f"  FAILS     {failure.call}: {failure.exception}" for failure in self.failures[:SHOWN]),
            *(f"    {item.call}  {item.outcome}" for item in self.inputs[:SHOWN]),
            f"  effort    {self.runs} runs, {self.solver_calls} solver calls, {self.seconds:.1f}s; {self.stopped}",
        ]
        return "\n".join(shown)


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
    seeds: str | Path | None = None,
    out: str | Path | None = None,
    solver: str = "portfolio",
    seed: int = 0,
    runs: int | None = None,
    limits: Limits | None = None,
    allow_side_effects: bool = False,
    progress: Callable[[Progress], None] = lambda progress: None,
    warn: Callable[[str], None] = lambda text: None,
) -> BlockCoverResult:
    """Find inputs of a program or a function of a library that reach every branch.

    ``size`` is the length of the input; without it all lengths up to the default are tried. ``seeds`` is a directory of
    files to start from. Into ``out`` the inputs are written as files: a corpus, and those that fail.
    """
    began = monotonic()
    chosen = "generational" if strategy == "auto" else strategy
    starts = [None] if seeds is None else _contents(Path(seeds))
    whole = None if budget is None else seconds(budget, "budget")
    given: Options = {
        "strategy": chosen,
        "objective": "branches",
        "paths": runs,
        "inputs": inputs or {},
        "call": call,
        "solver": solver,
        "seed": seed,
        "limits": limits or Limits(),
        "allow_side_effects": allow_side_effects,
        "progress": progress,
        "warn": warn,
    }
    result = BlockCoverResult(target, strategy=chosen, seed=seed)
    for start in starts:
        given["budget"] = None if whole is None else max(1.0, whole / len(starts))
        given["start"] = start
        found = api.explore(target, size=size, **given)
        _add(result, found)
        if found.interrupted:
            break
    _measure(
        result,
        TargetSpec(
            Reference.parse(target),
            size or DEFAULT_SIZE,
            given=given["inputs"],
            call=call,
            growing=size is None,
            allow_side_effects=allow_side_effects,
            cost="blocks",
            limits=given["limits"],
        ),
    )
    if out is not None:
        _write(result, Path(out))
    result.seconds = round(monotonic() - began, 3)
    return result


def _contents(directory: Path) -> list[bytes | None]:
    if not directory.is_dir():
        raise UsageError(f"--seeds {directory} is not a directory: give one with files to start from", slug="seeds")
    return [path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()] or [None]


def _add(result: BlockCoverResult, found: ExploreResult) -> None:
    result.inputs += found.paths
    known = {failure.exception for failure in result.failures}
    result.failures += [failure for failure in found.failures if failure.exception not in known]
    result.runs += found.effort.paths
    result.solver_calls += int(found.effort.solver["calls"])
    result.stopped, result.interrupted = found.effort.stopped, found.interrupted


def _measure(result: BlockCoverResult, spec: TargetSpec) -> None:
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
    result.blocks = len(places)
    for offset in sorted(places):
        name, line = front_end.described_place(offset)
        result.functions[name] = result.functions.get(name, 0) + 1
        if line is not None:
            numbers = result.lines.setdefault(line[0], [])
            if line[1] not in numbers:
                numbers.append(line[1])


def _write(result: BlockCoverResult, directory: Path) -> None:
    """Write inputs as files that other fuzzers can start from, and failures with a name that says what they are."""
    for kind, witnesses in (("corpus", result.inputs), ("failures", result.failures)):
        folder = directory / kind
        folder.mkdir(parents=True, exist_ok=True)
        for witness in witnesses:
            content = b"".join(value for value in witness.input.values() if isinstance(value, bytes))
            name = hashlib.sha256(content).hexdigest()[:16]
            signal = signal_of(witness.exception)
            path = folder / (name if signal is None else f"{signal}-{name}")
            path.write_bytes(content)
            if kind == "failures":
                path.with_suffix(".txt").write_text(f"{witness.exception}\n{witness.call}\n")
        result.files.append(str(folder))
