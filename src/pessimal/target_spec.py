"""What a front-end runs: one target at one size, with its inputs, cost and limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from pessimal.errors import UsageError
from pessimal.inputs import Spec
from pessimal.target import Reference

GIB = 1 << 30


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one run of the target: wall seconds, and bytes of memory for its process; and of its import.

    ``rewriting_seconds`` is how long the import of the copy for symbolic runs may take.
    """

    run_seconds: float = 10.0
    memory: int = 4 * GIB
    import_seconds: float = 60.0
    rewriting_seconds: float = 60.0

    def __post_init__(self) -> None:
        if not self.run_seconds > 0:
            raise UsageError(f"--run-timeout must be more than 0, but is {self.run_seconds}", slug="duration")
        if not self.memory > 0:
            raise UsageError(f"--memory must be more than 0, but is {self.memory >> 20} MiB")


@dataclass(frozen=True, slots=True)
class TargetSpec:
    """One target at one size, and its cost.

    The target is a reference, or the function itself if it exists only in the user's process.
    """

    target: Reference | Callable[..., Any]
    size: int
    _: KW_ONLY
    cost: str | Callable[..., float] = "branches"
    given: Mapping[str, Spec | str] = field(default_factory=dict)
    requirements: Sequence[str | Callable[..., Any]] = ()
    black_boxes: Sequence[str] = ()
    """Functions, as ``module.function`` with wildcards, that are called and not looked into."""
    cc_flags: str = ""
    """What the C compiler is given: flags, further source files and libraries."""
    solver: str = "portfolio"
    solver_options: Mapping[str, Any] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    allow_side_effects: bool = False
    pyse_compatible: bool = False
    call: str | None = None
    """How a target that is not Python is called: ``parse(data, len)``, or the words after a program's name."""
    start: bytes | None = None
    """The content of the input to start from, for targets that read one; without it the simplest."""
    dictionary: Sequence[bytes] = ()
    """Words that inputs may be made of, for targets that read one."""
    growing: bool = False
    """Whether inputs have all lengths up to the size, and not only the size itself."""
    sized_numbers: bool = False
    """Whether numbers without a range lie between minus the size and the size."""


def name_of(given: Reference | str | Callable[..., Any]) -> str:
    """The name of something given by name or as an object, the same in every process."""
    if isinstance(given, Reference | str):
        return str(given)
    return str(getattr(given, "__qualname__", type(given).__qualname__))
