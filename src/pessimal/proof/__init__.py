"""Proofs that can be checked: a certificate that a search writes, and a small checker that does not trust the search.

Pessimal says "tree exhausted" when every way through the target is known. :class:`Recorded` writes what was known down
while an exhaustive strategy runs; :func:`check` goes through it again with nothing but the target and Z3.
"""

from pessimal.proof.bound import met, refuted, stopping_at
from pessimal.proof.certificate import Recorded, writable
from pessimal.proof.check import Verdict, check

__all__ = ["Recorded", "Verdict", "check", "met", "refuted", "stopping_at", "writable"]
