"""Short names of outcomes of branches, the same in every process and after edits elsewhere in the file."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b


@lru_cache(maxsize=100_000)
def outcome_name(site: str, outcome: int) -> str:
    """The name of an outcome of a site, which is given by its identity."""
    return f"{blake2b(site.encode(), digest_size=6).hexdigest()}.{outcome}"


def other_name(name: str, outcome: int) -> str:
    """The name of another outcome of the same site."""
    return f"{name.partition('.')[0]}.{outcome}"
