"""Programs whose branches are all known: reachable ones, and some that no input takes."""


def grade(points: int) -> str:
    if points < 0 or points > 100:
        raise ValueError(f"points must be between 0 and 100, but are {points}")
    if points == 100:
        return "perfect"
    return "passed" if points >= 50 else "failed"


def magic(text: str, number: int) -> str:
    if text.startswith("key:"):
        if number * 7 == 7007:
            return "open"
        return "wrong number"
    return "no key"


class Stack:
    """A stack with a limit."""

    def __init__(self, limit: int = 2) -> None:
        self.limit = limit
        self.items: list[int] = []

    def push(self, item: int) -> bool:
        if len(self.items) >= self.limit:
            return False
        self.items.append(item)
        return True

    def pop(self) -> int:
        if not self.items:
            raise IndexError("the stack is empty")
        return self.items.pop()

    @property
    def is_full(self) -> bool:
        if len(self.items) == self.limit:
            print("full")
            return True
        return False
