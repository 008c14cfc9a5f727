"""What all conformance checks of plug-ins say when one fails."""

from __future__ import annotations


class ConformanceError(AssertionError):
    """The plug-in breaks the contract, in the words of the message."""


def expect(truth: bool, message: str) -> None:
    """Report a broken contract unless something is true."""
    if not truth:
        raise ConformanceError(message)
