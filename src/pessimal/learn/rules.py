"""The parameters of learning, apart from the learners, so that checking options imports nothing heavy."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PaperRules:
    """The parameters of the PySE paper with its values; the paper does not give the last four."""

    mode: str = "advanced"
    length: int = 2
    hidden: int = 2
    memory: int = 5000
    trials: int = 200
    epsilon: float = 0.1
    penalty: float = -20.0
    rate: float = 0.01
    batch: int = 64
    epochs: int = 30
    practice_runs: int = 100


@dataclass(frozen=True, slots=True)
class TreeRules:
    """The parameters of our own rules; the defaults did best on the benchmarks."""

    mode: str = "advanced"
    length: int = 3
    hidden: int = 16
    memory: int = 5000
    rate: float = 0.003
    batch: int = 64
    curiosity: float = 0.1
    sharpness: float = 1.5
    trust: int = 3
    practice_runs: int = 160
    practice_epochs: int = 60
