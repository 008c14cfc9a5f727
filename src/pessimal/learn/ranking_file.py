"""Files of ranked search's models: JSON with what they were learned from, and nothing that could be executed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pessimal.json_values import read, sealed, typed, unsealed
from pessimal.learn.ranking_rules import MODELS, RankingRules

FORMAT = "pessimal ranking"
VERSION = 2
"""Version 1 had an LSTM in its one model for all lengths."""
WIDEST = 1024


class NoModel(Exception):
    """A file has no model that can be used; the text says why, in one line."""


def packed(ranking: dict[str, Any], rules: RankingRules, modules: Sequence[str], targets: Sequence[str]) -> str:
    """The text of a file."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "pessimal": version("pessimal"),
        "targets": sorted(targets),
        "modules": sorted(modules),
        "shape": rules.shape,
        "rules": asdict(rules),
    }
    return sealed({**head, "ranking": ranking})


def load(file: Path) -> dict[str, Any]:
    """The content of a file, checked as far as that can be done without a search; :class:`NoModel` if it is bad."""
    try:
        data = read(file)
    except OSError as error:
        raise NoModel(f"{file} cannot be read: {error.strerror}") from None
    except ValueError:
        raise NoModel(f"{file} is damaged: it is not JSON") from None
    try:
        if data["format"] != FORMAT:
            raise NoModel(f"{file} is not a model of ranked")
        if typed(data["version"], int) > VERSION:
            raise NoModel(f"{file} was written by a newer version, {data['pessimal']}")
        if data["version"] < VERSION:
            raise NoModel(f"{file} was written by an older version, {data['pessimal']}: train again")
        content = unsealed(data)
        for name in ("modules", "targets"):
            [typed(item, str) for item in typed(content[name], list)]
        typed(content["shape"], dict)
        typed(content["ranking"], dict)
    except (KeyError, TypeError, AttributeError):
        raise NoModel(f"{file} is not a model of ranked") from None
    except ValueError as error:
        raise NoModel(f"{file} is damaged: {error}") from None
    return content


def shape_in(file: Path) -> dict[str, Any]:
    """How the models of a file are built, for a search that has no wish of its own; nothing if that cannot be told."""
    try:
        shape = load(file)["shape"]
    except NoModel:
        return {}
    if shape.get("model") not in MODELS or set(shape) != set(RankingRules(model=shape["model"]).shape):
        return {}
    numbers = {name: value for name, value in shape.items() if name != "model"}
    is_buildable = all(type(number) is int and 1 <= number <= WIDEST for number in numbers.values())
    return shape if is_buildable and numbers.get("shortest", 1) <= numbers.get("longest", 1) else {}


def fitting(file: Path, rules: RankingRules) -> dict[str, Any]:
    """The content of a file whose models are built as the rules say; :class:`NoModel` otherwise."""
    content = load(file)
    if content["shape"] != rules.shape:
        found = ", ".join(f"{name}={value}" for name, value in content["shape"].items())
        raise NoModel(f"{file} has models of another architecture: {found}")
    return content


def models_in(directory: Path) -> Iterator[tuple[Path, dict[str, Any] | NoModel]]:
    """All JSON files of a directory that call themselves models, each with its content or what is wrong with it."""
    for file in sorted(directory.glob("*.json")):
        try:
            yield file, load(file)
        except NoModel as problem:
            if "is not a model" not in str(problem):
                yield file, problem
