"""Callables of every kind, each of which returns 1 for one number and 0 for all others."""

LIMIT = 9


def at_module_level(x: int) -> int:
    return 1 if x == LIMIT else 0


def nested(limit):
    def inside(x: int) -> int:
        return 1 if x == limit else 0

    return inside


class Threshold:
    def __init__(self, limit: int = 3) -> None:
        self.limit = limit

    def reached(self, x: int) -> int:
        return 1 if x == self.limit else 0

    def __call__(self, x: int) -> int:
        return 1 if x == self.limit else 0

    @staticmethod
    def fixed(x: int) -> int:
        return 1 if x == 4 else 0

    @classmethod
    def named(cls, x: int) -> int:
        return 1 if x == len(cls.__name__) else 0


class Positive:
    """Refuses the simplest values."""

    def __init__(self, value: int) -> None:
        if value <= 0:
            raise TypeError("not positive")
        self.value = value


def above_five(item: Positive) -> int:
    """Has two paths."""
    return 1 if item.value > 5 else 0
