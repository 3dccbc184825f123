"""Kendall's rank correlation."""

import math
from collections.abc import Sequence
from itertools import combinations


def tau_b(
    first: Sequence[float],
    second: Sequence[float],
    *,
    apart: float = 1.0,
    kinds: Sequence[str] | None = None,
) -> float:
    """How alike two rankings of the same things are, from -1 to 1; pairs tied in one of them are allowed for.

    Pairs with values in ``second`` that differ by less than the factor ``apart`` are left out: the measurement cannot
    distinguish them. So are pairs of two ``kinds``, where those of the things are given. M. G. Kendall, "The treatment
    of ties in ranking problems", Biometrika 33 (1945).

    Raises: ``ValueError`` where one of the rankings ranks nothing, because all its values are the same.
    """
    agreement = untied_first = untied_second = 0
    for (x, y, kind), (u, v, other) in combinations(
        zip(first, second, kinds or [""] * len(first), strict=True), 2
    ):
        if kind != other or max(y, v) < apart * min(y, v):
            continue
        left, right = (x > u) - (x < u), (y > v) - (y < v)
        agreement += left * right
        untied_first += abs(left)
        untied_second += abs(right)
    if not untied_first or not untied_second:
        msg = "a ranking in which everything is tied has no correlation with another"
        raise ValueError(msg)
    return agreement / math.sqrt(untied_first * untied_second)
