"""Files of agents: JSON with what they were trained on, a checksum, and nothing that could be executed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from pessimal.errors import UsageError
from pessimal.json_values import not_a_device, parsed, sealed, typed, unsealed
from pessimal.learn import layers
from pessimal.learn.agent_rules import KINDS
from pessimal.learn.layers import Weights

FORMAT = "pessimal agent"
VERSION = 1


@dataclass(slots=True)
class Agent:
    """A trained network with its kind, the sizes of its layers, and what it was trained on."""

    kind: str
    sizes: list[int]
    weights: Weights
    targets: list[str] = field(default_factory=list)
    episodes: int = 0
    seed: int = 0

    def packed(self) -> str:
        """The text of a file."""
        head = {
            "format": FORMAT,
            "version": VERSION,
            "pessimal": version("pessimal"),
            "kind": self.kind,
            "sizes": self.sizes,
            "targets": self.targets,
            "episodes": self.episodes,
            "seed": self.seed,
        }
        return sealed({**head, "weights": layers.to_json(self.weights)})


def load(file: str | Path, kinds: Sequence[str] = KINDS) -> Agent:
    """The agent in a file, one of these kinds; a usage error with what is wrong otherwise."""
    try:
        text = not_a_device(Path(file)).read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}", slug="model") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file} is damaged: it is not text", slug="model") from None
    agent = _parsed(text, str(file))
    if agent.kind not in kinds:
        raise UsageError(f"{file} has an agent of kind {agent.kind}, but {' or '.join(kinds)} is needed", slug="model")
    return agent


def agents_in(directory: Path) -> Iterator[tuple[Path, Agent | UsageError]]:
    """All JSON files of a directory that call themselves agents, each with its agent or what is wrong with it."""
    for file in sorted(directory.glob("*.json")):
        try:
            yield file, load(file)
        except UsageError as problem:
            if FORMAT in _beginning(file):
                yield file, problem


def _beginning(file: Path) -> str:
    """The first characters of a file, where its format is named; nothing if it cannot be read."""
    try:
        with file.open(encoding="utf-8", errors="replace") as text:
            return text.read(200)
    except OSError:
        return ""


@cache
def shipped() -> Agent:
    """The agent that comes with the package."""
    return _parsed(files("pessimal.learn").joinpath("agent.json").read_text(encoding="utf-8"), "agent.json")


def _parsed(text: str, file: str) -> Agent:
    try:
        data = parsed(text)
        if data["format"] != FORMAT:
            raise UsageError(f"{file} is not an agent: train one by pessimal train --agent", slug="model")
        if typed(data["version"], int) > VERSION:
            raise UsageError(f"{file} was written by a newer version, {data['pessimal']}", slug="model")
        return _agent(unsealed(data))
    except (KeyError, TypeError, AttributeError):
        raise UsageError(f"{file} is not an agent: train one by pessimal train --agent", slug="model") from None
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{file} is damaged: {error}", slug="model") from None


def _agent(content: dict[str, Any]) -> Agent:
    sizes = list(typed(content["sizes"], list))
    targets = [typed(item, str) for item in typed(content["targets"], list)]
    if content["kind"] not in KINDS:
        raise ValueError(f"agents of kind {content['kind']!r} are not known")
    weights = layers.from_json(typed(content["weights"], dict), sizes)
    return Agent(content["kind"], sizes, weights, targets, typed(content["episodes"], int), typed(content["seed"], int))
