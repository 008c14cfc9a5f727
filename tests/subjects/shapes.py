"""Small programs, each with a shape of its worst path that a model of paths has to know."""

from __future__ import annotations


def is_wave(xs: list[int]) -> bool:
    """Whether a list goes up and down in turns and ends going up: where it begins depends on its parity."""
    rising = len(xs) % 2 == 0
    for i in range(len(xs) - 1):
        if rising:
            if xs[i] >= xs[i + 1]:
                return False
        elif xs[i] <= xs[i + 1]:
            return False
        rising = not rising
    return True


def longest_is_wave(n: int) -> int:
    """Every two neighbours are compared."""
    return max(n - 1, 0)


def is_palindrome(xs: list[int]) -> bool:
    """Whether a list reads the same backwards; the middle of an odd one is never looked at."""
    i, j = 0, len(xs) - 1
    while i < j:
        if xs[i] != xs[j]:
            return False
        i, j = i + 1, j - 1
    return True


def longest_is_palindrome(n: int) -> int:
    """Every element of the first half is compared."""
    return n // 2


def ordered_pairs(xs: list[int]) -> int:
    """How many pairs, each of the next two elements, are in order before the first that is not."""
    pairs = 0
    for i in range(0, len(xs) - 1, 2):
        if xs[i] > xs[i + 1]:
            break
        pairs += 1
    return pairs


def longest_ordered_pairs(n: int) -> int:
    """Every pair is compared."""
    return n // 2


def gallop(xs: list[int]) -> int:
    """The first power of two at which a list falls below the element before, or one beyond its end."""
    i = 1
    while i < len(xs) and xs[i - 1] <= xs[i]:
        i *= 2
    return i


def longest_gallop(n: int) -> int:
    """One comparison for each power of two below n."""
    return (n - 1).bit_length() if n else 0


def insert(xs: list[int], x: int) -> list[int]:
    """Put an element into a sorted list, recursively from its end."""
    if not xs or xs[-1] <= x:
        return [*xs, x]
    return [*insert(xs[:-1], x), xs[-1]]


def recursive_sort(xs: list[int]) -> list[int]:
    """Insertion sort without a loop."""
    return insert(recursive_sort(xs[:-1]), xs[-1]) if xs else []


def longest_recursive_sort(n: int) -> int:
    """Every pair is compared once."""
    return n * (n - 1) // 2


def ties(xs: list[int]) -> tuple[int, int]:
    """How often the least and the largest element occur again: two scans, one after the other."""
    low = high = xs[0]
    lows = highs = 0
    for x in xs[1:]:
        if x < low:
            low, lows = x, 0
        elif x == low:
            lows += 1
    for x in xs[1:]:
        if x > high:
            high, highs = x, 0
        elif x == high:
            highs += 1
    return lows, highs


def longest_ties(n: int) -> int:
    """Two comparisons in each scan for all elements but the first, if none is less and none is larger."""
    return 4 * max(n - 1, 0)


def valley(xs: list[int]) -> tuple[int, int]:
    """How far a list falls from its front and, seen from its end, from there: two scans that compete for neighbours."""
    front, back = 0, len(xs) - 1
    while front < len(xs) - 1 and xs[front] > xs[front + 1]:
        front += 1
    while back > 0 and xs[back] > xs[back - 1]:
        back -= 1
    return front, back


def longest_valley(n: int) -> int:
    """Each two neighbours hold up one scan at most, and each scan ends with a comparison that fails."""
    return n + 1 if n >= 3 else 2 * max(n - 1, 0)
