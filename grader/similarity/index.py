"""An inverted index of fingerprints: who has each of them, and from that how much any two submissions share.

No two submissions are compared directly. The cost grows with the number of those that share a fingerprint.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_STEP = 0x9E3779B97F4A7C15
"""An odd number with bits all over, so that occurrences of one hash meet those of no other."""

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What submissions share: one row for each of the class, one column for each of the class and the background.

    ``similarity`` is 0 to 1, ``count`` the number of shared fingerprints, ``sizes`` how many each submission has.
    ``holders`` says how many submissions have a fingerprint.
    """

    similarity: Matrix
    count: NDArray[np.int32]
    sizes: NDArray[np.int64]
    holders: dict[int, int]


def shared(fingerprints: Sequence[Collection[int]], rows: int) -> Shared:
    """Compare the first ``rows`` of the sets of fingerprints with each other and with the rest.

    A fingerprint weighs ``1 + ln(n / m)`` if ``m`` of ``n`` submissions have it. Two submissions are as alike as the
    weight of what they share is to the mean weight of the two (Dice's coefficient). A submission is not compared with
    itself.
    """
    sizes = np.array([len(own) for own in fingerprints], np.int64)
    owners = np.repeat(np.arange(len(fingerprints)), sizes)
    hashes = np.fromiter((each for own in fingerprints for each in own), np.uint64, int(sizes.sum()))
    known, numbers, holders = np.unique(hashes, return_inverse=True, return_counts=True)
    weights = 1 + np.log(len(fingerprints) / np.maximum(holders, 1))
    weight = np.bincount(owners, weights[numbers], len(fingerprints))
    similarity = np.zeros((rows, len(fingerprints)), np.float32)
    count = np.zeros((rows, len(fingerprints)), np.int32)
    for number, members in _postings(numbers, owners, holders):
        block = np.ix_(members[members < rows], members)
        similarity[block] += weights[number]
        count[block] += 1
    similarity *= 2
    similarity /= np.maximum(weight[:rows, None] + weight[None, :], np.finfo(np.float32).tiny)
    return Shared(
        similarity=np.minimum(similarity, 1),
        count=count,
        sizes=sizes,
        holders=dict(zip(known.tolist(), holders.tolist(), strict=True)),
    )


def occurrences(hashes: Iterable[int]) -> set[int]:
    """``hashes`` as a set in which the second occurrence of a hash differs from the first, and so on.

    A loop that is unrolled 16 times then shares half of its fingerprints with one that is unrolled 8 times.
    """
    seen: Counter[int] = Counter()
    found = set()
    for each in hashes:
        found.add((each + seen[each] * _STEP) % 2**64)
        seen[each] += 1
    return found


def _postings(
    numbers: NDArray[Any], owners: NDArray[Any], holders: NDArray[Any]
) -> Sequence[tuple[int, NDArray[Any]]]:
    """The owners of each fingerprint that several submissions have, by its number."""
    order = np.argsort(numbers, kind="stable")
    ends = np.cumsum(holders)
    return [
        (int(number), owners[order[ends[number] - holders[number] : ends[number]]])
        for number in np.flatnonzero(holders > 1)
    ]
