"""A route planner on five towns: which road lengths make Dijkstra's algorithm change its mind most often?"""

from __future__ import annotations

import heapq

ROADS = [tuple(ends) for ends in ("AB", "AC", "AD", "BC", "BD", "BE", "CD", "CE", "DE")]
"""Two-way roads between the towns A to E, named by their ends."""


def neighbours(lengths: list[int]) -> dict[str, dict[str, int]]:
    """The map of the towns; roads without a length do not exist."""
    towns: dict[str, dict[str, int]] = {town: {} for town in "ABCDE"}
    for (start, end), length in zip(ROADS, lengths, strict=False):
        towns[start][end] = length
        towns[end][start] = length
    return towns


def shortest(lengths: list[int]) -> int | None:
    """The length of the shortest way from A to E, or None if there is none."""
    if any(length < 0 for length in lengths):
        raise ValueError("a road cannot have a negative length")
    towns = neighbours(lengths)
    best = {"A": 0}
    queue = [(0, "A")]
    while queue:
        distance, town = heapq.heappop(queue)
        if town == "E":
            return distance
        if distance > best[town]:
            continue
        for other, length in towns[town].items():
            if other not in best or distance + length < best[other]:
                best[other] = distance + length
                heapq.heappush(queue, (best[other], other))
    return None
