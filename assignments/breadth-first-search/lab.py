"""Distances from one vertex of a directed graph, level by level."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab

_UNREACHED = {"unreached": 0.4}
"""The share of vertices that no edge leads to, where there are any."""
_HUB_SHARE = {"hubs": 0.3}
"""The share of edges that begin at one vertex of each level, where there are hubs."""


class BreadthFirstSearch(Lab):
    """``distances[v]`` is the number of edges from the first vertex to ``v``, or -1 where no path leads there."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw a graph with ``levels`` levels: an edge leads at most one level down."""
        vertices, edges, levels = (case.sizes[name] for name in ("vertices", "edges", "levels"))
        level = _levels(vertices, levels, _UNREACHED.get(case.inputs, 0.0), rng)
        tails, heads = _edges(level, edges, _HUB_SHARE.get(case.inputs, 0.0), rng)
        order = np.lexsort((heads, tails))
        source = int(np.flatnonzero(level == 0)[0])
        first = np.zeros(vertices, np.int32)
        first[0] = source
        start = np.full(vertices, -1, np.int32)
        start[source] = 0
        counts = np.bincount(tails, minlength=vertices)
        return {
            "row_starts": np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
            "neighbours": heads[order].astype(np.int32),
            "start": start,
            "first": first,
            "one": np.ones(1, np.int32),
        }

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Search with whole levels at a time."""
        starts, neighbours = inputs["row_starts"].astype(np.int64), inputs["neighbours"]
        tails = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        distances = inputs["start"].astype(np.int64)
        for level in range(case.sizes["levels"]):
            found = np.unique(neighbours[distances[tails] == level])
            distances[found[distances[found] < 0]] = level + 1
        return {"distances": Expected(distances)}


def _levels(vertices: int, levels: int, unreached: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """The level of each vertex, -1 for one that is not reached: one vertex in level 0, all levels in use."""
    level = rng.integers(1, max(levels, 2), vertices)
    level[rng.random(vertices) < unreached] = -1
    order = rng.permutation(vertices)
    level[order[:levels]] = np.arange(min(levels, vertices))
    return level


def _edges(
    level: NDArray[np.int64], edges: int, hub_share: float, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Tails and heads: an edge to each vertex that is reached from one a level above, and others at random.

    Raises: ``ValueError`` for too few edges.
    """
    reached = np.flatnonzero(level > 0)
    if edges < len(reached):
        msg = f"{edges} edges do not reach {len(reached)} vertices"
        raise ValueError(msg)
    by_level = [np.flatnonzero(level == each) for each in range(int(level.max()) + 1)]
    tails, heads = [], []
    for above, members in pairwise(by_level):
        tails.append(rng.choice(above, len(members)))
        heads.append(members)
    rest = edges - len(reached)
    tail = rng.integers(0, len(level), rest)
    hubs = np.array([members[0] for members in by_level])
    tail = np.where(rng.random(rest) < hub_share, rng.choice(hubs, rest), tail)
    head = rng.integers(0, len(level), rest)
    # An edge that would lead further down than one level, or into an unreached vertex, becomes a loop.
    bad = (level[tail] >= 0) & ((level[head] > level[tail] + 1) | (level[head] < 0))
    tails.append(tail)
    heads.append(np.where(bad, tail, head))
    return np.concatenate(tails), np.concatenate(heads)
