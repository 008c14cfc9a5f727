"""The functions by which the executor calls targets: one for each function of a file, with the compiler's types."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pessimal.c.ctype import Number, Pointer, Signature

LARGEST_RETURN = 4096
ALIGNMENT = 16
MARKER = b'\n# 1 "stubs"\n'
"""Errors of the compiler after this line name the stub that they are about: each stub has one line."""


def stubs(signatures: Iterable[Signature], left_out: Collection[str]) -> bytes:
    """The stubs of functions, a line for each; that of one that is left out is empty."""
    return MARKER + b"".join(_stub(item).encode() if item.name not in left_out else b"\n" for item in signatures)


def offsets(signature: Signature) -> list[int]:
    """Where each argument lies in the block of arguments."""
    found, at = [], 0
    for parameter in signature.parameters:
        found.append(at)
        at += (parameter.type.size + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
    return found


def returns_text(signature: Signature) -> bool:
    """Whether a function returns a pointer to characters."""
    returns = signature.returns
    return isinstance(returns, Pointer) and isinstance(returns.target, Number) and returns.target.is_char


def _stub(signature: Signature) -> str:
    taken = zip(signature.parameters, offsets(signature), strict=True)
    arguments = ", ".join(f"*({parameter.type.name} *)(a + {offset})" for parameter, offset in taken)
    returns, name = signature.returns, signature.name
    store = "" if returns is None or returns.size > LARGEST_RETURN else f"*({returns.name} *)r = "
    return (
        f"int pess_returns_text_{name} = {int(returns_text(signature))}; "
        f"void pess_call_{name}(char *a, void *r) {{ {store}{name}({arguments}); }}\n"
    )
