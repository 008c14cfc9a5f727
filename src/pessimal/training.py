"""Training of models for ranked search, and lists of all models that there are: what ``train`` and ``models`` do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from pessimal import api
from pessimal.errors import UsageError
from pessimal.inputs import Spec
from pessimal.learn.agent_file import Agent, agents_in
from pessimal.learn.ranking_file import NoModel, load, models_in
from pessimal.progress import Progress
from pessimal.search import saving
from pessimal.search.budget import seconds
from pessimal.target_spec import Limits
from pessimal.unfinished_training import Searched, UnfinishedTraining

CURVE_ROWS = 10
SECONDS = 600.0


@dataclass(slots=True)
class TrainResult:
    """What was learned from each target: for each episode its runs, the outcomes reached, and its infeasible flips."""

    model: str
    curves: dict[str, list[list[int]]] = field(default_factory=dict)
    experiences: int = 0
    updates: int = 0
    seconds: float = 0.0
    note: str | None = None
    interrupted: bool = False

    def add(self, found: Searched) -> None:
        """Add what was learned from one more target."""
        report = found.report or {}
        self.curves[found.target] = report.get("curve", [])
        self.experiences, self.updates = report.get("experiences", 0), report.get("updates", 0)
        self.note = report.get("note") or self.note
        self.interrupted = found.interrupted

    def to_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        return asdict(self)

    def __str__(self) -> str:
        lines = [f"{self.model}  {self.experiences} experiences, {self.updates} updates, {self.seconds:.1f}s"]
        for target, curve in self.curves.items():
            lines += [f"  {target}  {len(curve)} episodes", "    episodes    runs  outcomes  infeasible"]
            lines += [f"    {row}" for row in _rows(curve)]
        return "\n".join([*lines, *([f"  note      {self.note}"] if self.note else [])])


def _rows(curve: Sequence[Sequence[int]]) -> list[str]:
    """The curve in few rows, each the mean of some episodes."""
    step = max(1, -(-len(curve) // CURVE_ROWS))
    rows = []
    for first in range(0, len(curve), step):
        part = curve[first : first + step]
        runs, outcomes, infeasible = (sum(column) / len(part) for column in zip(*part, strict=True))
        name = f"{first + 1}-{first + len(part)}"
        rows.append(f"{name:<10}  {runs:4.0f}  {outcomes:8.1f}  {100 * infeasible / max(runs, 1):8.0f} %")
    return rows


def train(
    targets: str | Sequence[str],
    *,
    model: str | Path,
    episodes: int = 100,
    size: int | None = None,
    inputs: Mapping[str, Spec | str] | None = None,
    call: str | None = None,
    reward: str | Sequence[str] = "new=1",
    hot_spots: str | Path | None = None,
    options: dict[str, Any] | None = None,
    budget: float | str = "10m",
    seed: int = 0,
    limits: Limits | None = None,
    allow_side_effects: bool = False,
    progress: Callable[[Progress], None] = lambda news: None,
    warn: Callable[[str], None] = lambda text: None,
) -> TrainResult:
    """Train a model on targets one after the other, in episodes that each start from another input.

    A file that exists is trained on. ``inputs`` are parameters given explicitly, and ``call`` says how a binary is
    called; both hold for all targets. ``options`` are those of the strategy ``ranked``. A training that was interrupted
    or killed goes on where it was when it is asked for again.
    """
    if episodes < 2:
        raise UsageError(f"--episodes must be at least 2, but is {episodes}")
    named = [targets] if isinstance(targets, str) else list(targets)
    began, whole = monotonic(), seconds(budget, "budget") or SECONDS
    file = Path(model).absolute()
    saving.check_writable(file, "model")
    if file.exists():
        _check(file, options or {})
    given: dict[str, Any] = {
        "reward": reward if isinstance(reward, str) else ",".join(reward),
        "episodes": episodes,
        "load": str(file),
        "save": str(file),
        "transfer": True,
        **({} if hot_spots is None else {"hot_spots": str(hot_spots)}),
        **(options or {}),
    }
    told = {**given, "inputs": {name: str(spec) for name, spec in (inputs or {}).items()}, "call": call}
    request = {"targets": named, "size": size, "seed": seed, **{name: str(value) for name, value in told.items()}}
    unfinished = UnfinishedTraining(file, request)
    result = TrainResult(str(model))
    for number, target in enumerate(named):
        found = unfinished.finished(number) or api.explore(
            target,
            size=size,
            strategy="ranked",
            objective="branches",
            options=given,
            inputs=inputs or {},
            call=call,
            paths=None,
            stop_after="none",
            budget=max(1.0, whole - (monotonic() - began)) / (len(named) - number),
            seed=seed,
            limits=limits or Limits(),
            allow_side_effects=allow_side_effects,
            out=unfinished.part(number),
            progress=progress,
            warn=warn,
        )
        result.add(Searched(found.target, found.report, found.interrupted))
        if result.interrupted:
            break
    else:
        unfinished.remove()
    result.seconds = round(monotonic() - began, 3)
    return result


def _check(file: Path, options: Mapping[str, Any]) -> None:
    """A file that cannot be trained on with these options is not replaced."""
    cure = "give another file, or remove this one"
    try:
        shape = load(file)["shape"]
    except NoModel as problem:
        raise UsageError(f"{problem}: {cure}", slug="model") from None
    for name, value in shape.items():
        if options.get(name, value) != value:
            raise UsageError(f"{file} has {name}={value} and not {options[name]}: {cure}", slug="model")


@dataclass(slots=True)
class ModelList:
    """The model files of a directory, each with what is known about it."""

    directory: str
    models: list[dict[str, Any]] = field(default_factory=list)
    interrupted: bool = False

    def to_json(self) -> dict[str, Any]:
        """The list as JSON values."""
        return {"directory": self.directory, "models": self.models}

    def __str__(self) -> str:
        if not self.models:
            return f"no models in {self.directory}"
        return "\n".join(_line(item) for item in self.models)


def _line(item: dict[str, Any]) -> str:
    if "problem" in item:
        return f"{item['file']}  cannot be used: {item['problem']}"
    if "kind" in item:
        learned = f"{item['episodes']} episodes, seed {item['seed']}"
        return f"{item['file']}  agent {item['kind']}  {', '.join(item['targets'])}  {learned}"
    learned = f"{item['experiences']} experiences, {item['updates']} updates"
    kind = ", ".join(f"{name}={value}" for name, value in item["shape"].items())
    return f"{item['file']}  {', '.join(item['targets'])}  {learned}  {kind}  pessimal {item['pessimal']}"


def models(directory: str | Path = ".") -> ModelList:
    """The models of ranked search in a directory, then the agents."""
    place = Path(directory)
    if not place.is_dir():
        raise UsageError(f"{directory} is not a directory: give one with models", slug="model")
    found = ModelList(str(directory))
    for file, content in models_in(place):
        if isinstance(content, NoModel):
            found.models.append({"file": file.name, "problem": str(content)})
            continue
        counts = {
            "experiences": sum(model["added"] for model in content["ranking"]["models"]),
            "updates": content["ranking"]["updates"],
            "bytes": file.stat().st_size,
        }
        head = {name: content[name] for name in ("targets", "modules", "shape", "rules", "version", "pessimal")}
        found.models.append({"file": file.name, **head, **counts})
    listed = {item["file"] for item in found.models}
    found.models += [_agent_entry(file, agent) for file, agent in agents_in(place) if file.name not in listed]
    return found


def _agent_entry(file: Path, agent: Agent | UsageError) -> dict[str, Any]:
    if isinstance(agent, UsageError):
        return {"file": file.name, "problem": str(agent)}
    known = {"kind": agent.kind, "targets": agent.targets, "episodes": agent.episodes, "seed": agent.seed}
    return {"file": file.name, **known, "sizes": agent.sizes, "bytes": file.stat().st_size}
