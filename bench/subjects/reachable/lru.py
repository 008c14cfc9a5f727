"""A cache that forgets what was not used for longest."""

from __future__ import annotations


class LruCache:
    """Values by key; at most ``capacity`` of them are kept."""

    def __init__(self, capacity: int) -> None:
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self.capacity = capacity
        self.hits = 0
        self.misses = 0
        self._values: dict[str, int] = {}
        self._order: list[str] = []

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: str, default: int = 0) -> int:
        """The value of a key, which is then the one used last."""
        if key not in self._values:
            self.misses += 1
            return default
        self.hits += 1
        self._touch(key)
        return self._values[key]

    def put(self, key: str, value: int) -> str | None:
        """Keep a value; the key that is forgotten for it, if any."""
        forgotten = None
        if key in self._values:
            self._touch(key)
        else:
            if len(self._values) == self.capacity:
                forgotten = self._forget()
            self._order.append(key)
        self._values[key] = value
        return forgotten

    def remove(self, key: str) -> bool:
        """Forget a key, if it is there."""
        if key not in self._values:
            return False
        del self._values[key]
        self._order.remove(key)
        return True

    def resize(self, capacity: int) -> int:
        """Change how many are kept; how many are forgotten by it."""
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self.capacity = capacity
        count = 0
        while len(self._values) > capacity:
            self._forget()
            count += 1
        return count

    def ratio(self) -> float:
        """The share of reads that found something."""
        reads = self.hits + self.misses
        if reads == 0:
            return 0.0
        if self.hits > 3 * self.misses and self.misses > 0:
            return round(self.hits / reads, 2)
        return self.hits / reads

    def _touch(self, key: str) -> None:
        if self._order[-1] != key:
            self._order.remove(key)
            self._order.append(key)

    def _forget(self) -> str:
        if not self._order:
            raise RuntimeError("nothing to forget")
        key = self._order.pop(0)
        del self._values[key]
        return key
