"""Proofs that can be checked: a certificate written by a search, and a small checker that does not trust the search.

Pessimal claims "tree exhausted" when every path of the target is known. :class:`CertifyingStrategy` records the paths
while an exhaustive strategy runs; :func:`check` verifies them with nothing but the target and Z3.
"""

from pessimal.proof.bound import met, refuted, stopping_at
from pessimal.proof.certificate import CertifyingStrategy, writable
from pessimal.proof.check import Verdict, check

__all__ = ["CertifyingStrategy", "Verdict", "check", "met", "refuted", "stopping_at", "writable"]
