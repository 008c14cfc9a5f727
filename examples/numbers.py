"""Arithmetic loops, whose work depends on one or two numbers."""


def collatz(n: int) -> int:
    """How many steps lead from a number to 1: halve it if it is even, otherwise triple it and add one."""
    steps = 0
    while n > 1:
        n = 3 * n + 1 if n % 2 else n // 2
        steps += 1
    return steps


def gcd(a: int, b: int) -> int:
    """Euclid's algorithm; neighbouring Fibonacci numbers take longest."""
    while b:
        a, b = b, a % b
    return a
