"""What a user says about a model, as options of the strategy that searches with it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pessimal.errors import UsageError
from pessimal.search.saving import check_writable


def model_options(model: str | Path | None, save_model: bool, reward: str | Sequence[str]) -> dict[str, str]:
    """Options of a strategy that ranks flips; none where nothing was said, since only some strategies have them."""
    if save_model and model is None:
        raise UsageError("--save-model needs a file: give --model FILE", slug="model")
    terms = reward if isinstance(reward, str) else ",".join(reward)
    file = None if model is None else str(Path(model).absolute())
    if save_model:
        check_writable(Path(str(file)), "model")
    given = {"load": file, "save": file if save_model else None, "reward": terms}
    return {name: value for name, value in given.items() if value}
