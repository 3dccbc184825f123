"""The distribution of similarities in a class: where most pairs are, and how far a pair lies above them."""

import numpy as np
from numpy.typing import NDArray

from grader.model.similarity import BINS, SimilarityDistribution, View
from grader.model.submission import Language

_TO_STANDARD_DEVIATION = 1.4826
"""The standard deviation of a normal distribution in median absolute deviations."""

_LEAST_SPREAD = 0.02
"""Where most pairs are equally alike, a small difference would otherwise look like a large deviation."""


def distribution(
    view: View, language: Language | None, similarities: NDArray[np.float32]
) -> SimilarityDistribution:
    """The distribution of the similarities of all pairs of a class, of which there is at least one."""
    median = float(np.median(similarities))
    spread = _TO_STANDARD_DEVIATION * float(np.median(np.abs(similarities - median)))
    counts, _ = np.histogram(similarities, bins=BINS, range=(0.0, 1.0))
    return SimilarityDistribution(
        view=view,
        language=language,
        pairs=len(similarities),
        median=median,
        spread=max(spread, _LEAST_SPREAD),
        counts=tuple(counts.tolist()),
    )


def deviation(shown: SimilarityDistribution, similarity: float) -> float:
    """How far ``similarity`` lies above the median, in robust standard deviations."""
    return (similarity - shown.median) / shown.spread
