"""Evaluating arithmetic expressions."""

from __future__ import annotations


class CalculatorError(ValueError):
    """An expression cannot be evaluated."""


def tokens(text: str) -> list[str]:
    """The numbers, operators and parentheses of an expression."""
    found: list[str] = []
    position = 0
    while position < len(text):
        character = text[position]
        if character.isspace():
            position += 1
        elif character in "+-*/()":
            if text.startswith("**", position):
                character = "**"
            found.append(character)
            position += len(character)
        elif character in "0123456789":
            end = position + 1
            while end < len(text) and text[end] in "0123456789":
                end += 1
            found.append(text[position:end])
            position = end
        else:
            raise CalculatorError(f"unexpected {character!r}")
    return found


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens = tokens(text)
        self.position = 0

    def peek(self) -> str:
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.position += 1
        return token

    def sum(self) -> int:
        value = self.product()
        while self.peek() in ("+", "-"):
            if self.take() == "+":
                value += self.product()
            else:
                value -= self.product()
        return value

    def product(self) -> int:
        value = self.sign()
        while self.peek() in ("*", "/"):
            operator = self.take()
            operand = self.sign()
            if operator == "*":
                value *= operand
            elif operator == "/":
                if operand == 0:
                    raise CalculatorError("division by zero")
                value //= operand
            else:
                raise CalculatorError(f"unknown operator {operator!r}")
        return value

    def sign(self) -> int:
        if self.peek() == "-":
            self.take()
            return -self.sign()
        return self.power()

    def power(self) -> int:
        base = self.atom()
        if self.peek() != "**":
            return base
        self.take()
        exponent = self.sign()
        if exponent < 0:
            raise CalculatorError("negative exponent")
        if exponent > 64:
            raise CalculatorError("exponent is too large")
        return base**exponent

    def atom(self) -> int:
        token = self.take()
        if token == "(":
            value = self.sum()
            if self.take() != ")":
                raise CalculatorError("missing )")
            return value
        if not token:
            raise CalculatorError("unexpected end")
        if not token.isdigit():
            raise CalculatorError(f"unexpected {token!r}")
        return int(token)


def evaluate(text: str) -> int:
    """The value of an expression of integers with ``+ - * / **`` and parentheses."""
    reader = _Reader(text)
    value = reader.sum()
    if reader.peek():
        raise CalculatorError(f"unexpected {reader.peek()!r}")
    return value
