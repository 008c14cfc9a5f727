"""Plain functions as they are found anywhere; many take unbounded time on large numbers."""

from __future__ import annotations


def collatz(n: int) -> int:
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def is_prime(n: int) -> bool:
    if n < 2:
        return False
    divisor = 2
    while divisor * divisor <= n:
        if n % divisor == 0:
            return False
        divisor += 1
    return True


def triangle_rows(rows: int) -> list[list[int]]:
    table: list[list[int]] = []
    for i in range(rows):
        above = table[-1] if table else []
        table.append([1, *(above[j] + above[j + 1] for j in range(i - 1)), *([1] if i else [])])
    return table


def power(base: float, exponent: int) -> float:
    result = 1.0
    for _ in range(exponent):
        result *= base
    return result


def square_root(x: float) -> float:
    if x < 0:
        raise ValueError("a negative number has no real root")
    guess = x or 1.0
    while abs(guess * guess - x) > 1e-9:
        guess = (guess + x / guess) / 2
    return guess


def counting_sort(xs: list[int]) -> list[int]:
    low = min(xs)
    counts = [0] * (max(xs) - low + 1)
    for x in xs:
        counts[x - low] += 1
    return [low + value for value, count in enumerate(counts) for _ in range(count)]


def change(amount: int, coins: list[int]) -> int:
    ways = [1] + [0] * amount
    for coin in coins:
        for total in range(coin, amount + 1):
            ways[total] += ways[total - coin]
    return ways[amount]


def hanoi(discs: int) -> int:
    return 0 if discs == 0 else 2 * hanoi(discs - 1) + 1


def run_length(text: str) -> str:
    parts: list[str] = []
    for character in text:
        if parts and parts[-1][-1] == character:
            parts[-1] = f"{int(parts[-1][:-1] or 1) + 1}{character}"
        else:
            parts.append(character)
    return "".join(parts)


def perfect_numbers(limit: int) -> list[int]:
    return [n for n in range(2, limit) if sum(d for d in range(1, n) if n % d == 0) == n]


def digits_sum(n: int) -> int:
    total = 0
    for digit in str(n):
        total += int(digit)
    return total


def knapsack(capacity: int, weights: list[int], values: list[int]) -> int:
    best = [0] * (capacity + 1)
    for weight, value in zip(weights, values, strict=True):
        for room in range(capacity, weight - 1, -1):
            best[room] = max(best[room], best[room - weight] + value)
    return best[capacity]
