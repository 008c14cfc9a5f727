"""A module with an abstract class that nothing implements, and with functions that ask for unusual objects."""

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from types import ModuleType


class Shape(ABC):
    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def area(self) -> int: ...

    @property
    @abstractmethod
    def corners(self) -> int: ...

    def describe(self) -> str:
        if self.area() > 100:
            return f"{self.name} is large"
        if self.corners == 3:
            return "triangle"
        return "small"


def total(shapes: list[Shape]) -> int:
    found = 0
    for shape in shapes:
        if shape.area() < 0:
            raise ValueError("negative area")
        found += shape.area()
    return found


def kind(module: ModuleType) -> str:
    if "__path__" in vars(module):
        return "package"
    return "file" if "__file__" in vars(module) else "built-in"


def entered(manager: AbstractContextManager[int]) -> bool:
    with manager as value:
        return value > 10
