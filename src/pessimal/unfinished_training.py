"""Trainings that are not over: kept in a directory beside the model, so that a killed one goes on where it was."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pessimal.errors import UsageError
from pessimal.json_values import read, sealed, typed, unsealed
from pessimal.search.saving import write


@dataclass(slots=True)
class Searched:
    """What a training reads of the search of one target."""

    target: str
    report: dict[str, Any] | None
    interrupted: bool = False


class UnfinishedTraining:
    """The directory of one training; another one of the same model must wait until it is over."""

    def __init__(self, model: Path, request: dict[str, Any]) -> None:
        self._directory = model.with_name(f"{model.name}.training")
        self._request = json.loads(json.dumps(request))
        self._open()

    def _open(self) -> None:
        file = self._directory / "training.json"
        try:
            self._directory.mkdir(exist_ok=True)
            if not file.exists():
                write(file, sealed(self._request))
            known = unsealed(read(file))
        except OSError as error:
            raise UsageError(f"{self._directory} cannot be used: {error.strerror}", slug="training") from None
        except (ValueError, AttributeError):
            raise self._refused("a training that is damaged") from None
        changed = sorted(name for name, value in self._request.items() if known.get(name) != value)
        if changed:
            raise self._refused(f"an unfinished training with another {', '.join(changed)}")

    def _refused(self, content: str) -> UsageError:
        cure = "repeat the command that began it, or remove the directory"
        return UsageError(f"{self._directory} holds {content}: {cure}", slug="training")

    def part(self, number: int) -> Path:
        """The directory for the search of one target."""
        return self._directory / str(number)

    def finished(self, number: int) -> Searched | None:
        """What the search of a target has given, if it was over; if that cannot be read, it is searched again."""
        part = self.part(number)
        if (part / "state.json").exists():
            return None
        try:
            data = read(part / "result.json", finite=False)
            return None if data["interrupted"] else Searched(data["target"], typed(data["report"], dict))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def remove(self) -> None:
        """The training is over."""
        shutil.rmtree(self._directory, ignore_errors=True)
