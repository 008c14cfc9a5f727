"""Training of agents for ``--strategy agent``: what ``train --agent`` does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import Any

from pessimal.c.frontend import CFrontEnd
from pessimal.covering.c_command import is_c, places
from pessimal.covering.c_goals import CGoals
from pessimal.errors import UnknownNameError, UsageError
from pessimal.inputs import Spec
from pessimal.learn.agent_file import Agent, load
from pessimal.learn.agent_rules import KINDS, RULES, AgentRules
from pessimal.learn.layers import Weights
from pessimal.search import saving
from pessimal.search.agent.practice import Practised, layer_sizes, practise
from pessimal.search.budget import seconds
from pessimal.target import Reference
from pessimal.target_spec import Limits, TargetSpec
from pessimal.worker.python_goals import PythonGoals

SIZE = 8
LIBRARIES = ("jax", "optax")
MOST_LEAVES = 64
"""Targets with more leaves are left out: every row of every transition is kept."""


@dataclass(slots=True)
class AgentTraining:
    """What came of a training: the curve has for some episodes their number, reached share, and mean evaluations."""

    model: str
    kind: str
    targets: list[str]
    episodes: int = 0
    steps: int = 0
    seconds: float = 0.0
    curve: list[tuple[int, float, float]] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    interrupted: bool = False

    def to_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        return asdict(self)

    def __str__(self) -> str:
        count = f"{self.episodes} episodes, {self.steps} evaluations, {self.seconds:.1f}s"
        lines = [f"{self.model}  {self.kind}  {count}", "    episodes  reached  evaluations"]
        lines += [f"    {number:<8}  {100 * reached:5.1f} %  {mean:11.1f}" for number, reached, mean in self.curve]
        return "\n".join([*lines, *(f"  left out  {item}" for item in self.skipped)])


def train_agent(
    targets: str | Sequence[str],
    *,
    model: str | Path,
    agent: str = "moves",
    episodes: int | None = None,
    inputs: Mapping[str, Spec | str] | None = None,
    size: int | None = None,
    budget: float | str | None = "10m",
    seed: int = 0,
    limits: Limits | None = None,
    allow_side_effects: bool = False,
    progress: Callable[[str], None] = lambda line: None,
) -> AgentTraining:
    """Train an agent on the branches of C or Python functions: ``moves``, our own, or ``qtip``, as it was published.

    A file that exists is trained on. What was learned when the time is up, or at an interrupt, is saved.
    """
    rules = _rules(agent)
    episodes = rules.episodes if episodes is None else episodes
    if episodes < 1:
        raise UsageError(f"--episodes must be at least 1, but is {episodes}")
    named = [targets] if isinstance(targets, str) else list(targets)
    began, whole = monotonic(), None if budget is None else seconds(budget, "budget")
    file = Path(model)
    saving.check_writable(file, "model")
    result = AgentTraining(str(model), agent, named)
    arenas = _arenas(named, _Asked(inputs or {}, size, limits or Limits(), allow_side_effects), result)
    try:
        start = _weights(file, rules, layer_sizes(rules, arenas))

        def goes_on(practised: Practised) -> bool:
            progress(f"{practised.episodes} of {episodes} episodes, {practised.steps} evaluations")
            return whole is None or monotonic() - began < whole

        found = practise(arenas, rules, episodes, seed, start, goes_on)
    finally:
        for arena in arenas:
            arena.close()
    saving.write(file, Agent(agent, found.sizes, found.weights, named, found.episodes, seed).packed())
    result.episodes, result.steps, result.curve = found.episodes, found.steps, found.curve
    result.interrupted, result.seconds = found.interrupted, round(monotonic() - began, 3)
    return result


def _rules(agent: str) -> AgentRules:
    if agent not in RULES:
        raise UnknownNameError(f"--agent must be {' or '.join(KINDS)}, but is {agent!r}")
    for library in LIBRARIES:
        if find_spec(library) is None:
            raise UsageError(
                f"training needs {library}, which is not installed",
                slug="missing",
                hint="pip install 'pessimal[learn]'",
            )
    return RULES[agent]


def _weights(file: Path, rules: AgentRules, sizes: Sequence[int]) -> Weights | None:
    """The network that a file has, to go on with; one of another shape is not replaced."""
    if not file.exists():
        return None
    known = load(file)
    if known.kind != rules.kind or known.sizes != list(sizes):
        raise UsageError(
            f"{file} has an agent of kind {known.kind} with layers {known.sizes} and not {list(sizes)}: give another"
            " file, or remove this one",
            slug="model",
        )
    return known.weights


@dataclass(frozen=True, slots=True)
class _Asked:
    """What holds for all targets."""

    inputs: Mapping[str, Spec | str]
    size: int | None
    limits: Limits
    allow_side_effects: bool


def _arenas(targets: Sequence[str], asked: _Asked, result: AgentTraining) -> list[CGoals | PythonGoals]:
    """The functions to train on; of files those that can be, and the others are named in the result."""
    found: list[CGoals | PythonGoals] = []
    try:
        for target in targets:
            for place in places(target, "") if is_c(target) else [target]:
                try:
                    found.append(_checked(_arena(place, asked), str(place), result.kind, found))
                except UsageError as error:
                    if ":" in target or not is_c(target):
                        raise
                    result.skipped.append(f"{place}: {error}")
        if not found:
            raise UsageError(f"{', '.join(targets)} has no function that an agent can be trained on", slug="target")
    except BaseException:
        for arena in found:
            arena.close()
        raise
    return found


def _arena(place: Reference | str, asked: _Asked) -> CGoals | PythonGoals:
    size = SIZE if asked.size is None else asked.size
    if isinstance(place, str):
        if ":" not in place:
            raise UsageError(f"agents are trained on functions, but {place} is none: give file.py:function")
        inputs = {name: str(spec) for name, spec in asked.inputs.items()}
        return PythonGoals(place, size, inputs, asked.allow_side_effects)
    spec = TargetSpec(
        place, size, given=asked.inputs, limits=asked.limits, allow_side_effects=asked.allow_side_effects,
        growing=asked.size is None,
    )  # fmt: skip
    return CGoals(CFrontEnd(spec))


def _checked(
    arena: CGoals | PythonGoals, name: str, kind: str, others: Sequence[CGoals | PythonGoals]
) -> CGoals | PythonGoals:
    """A function that has branches and leaves; for QTIP as many leaves as the others, which its network reads."""
    leaves, problem = len(arena.domains), ""
    if not leaves or not arena.goals:
        problem = "has no branch or no input"
    elif leaves > MOST_LEAVES:
        problem = f"has {leaves} leaves, but at most {MOST_LEAVES} are learned from"
    elif kind == "qtip" and others and leaves != len(others[0].domains):
        problem = f"has {leaves} leaves, but qtip learns from {len(others[0].domains)}"
    if problem:
        arena.close()
        raise UsageError(f"{name} {problem}", slug="target")
    return arena
