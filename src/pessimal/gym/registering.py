"""The names of the environments, and one clear line where Gymnasium is not installed."""

from __future__ import annotations

from importlib.util import find_spec

from pessimal.errors import UsageError

ENVIRONMENTS = {
    "pessimal/CoverBranch-v0": ("cover_branch:CoverBranchEnv", "cover_branch_vector:CoverBranchVectorEnv"),
    "pessimal/CoverBranchMoves-v0": ("cover_branch_moves:CoverBranchMovesEnv", None),
    "pessimal/Branching-v0": ("branching:BranchingEnv", None),
    "pessimal/FlipChoice-v0": ("flip_choice:FlipChoiceEnv", None),
}
"""Each environment with the module and class of it, and of its vectorised version if it has one."""


def register_environments() -> None:
    """Make all environments known to Gymnasium."""
    if find_spec("gymnasium") is None:
        raise UsageError(
            "environments need gymnasium, which is not installed", slug="missing", hint="pip install 'pessimal[gym]'"
        )
    import gymnasium

    for name, (single, several) in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=f"pessimal.gym.{single}",
                vector_entry_point=None if several is None else f"pessimal.gym.{several}",
                order_enforce=True,
            )
