"""Points in a square, of which a quarter circle is hit: counts by thread, judged by statistics."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab

_P = math.pi / 4
_DEVIATIONS = 7.0
"""A normally distributed number is farther off with a probability below 1e-11."""
_ENOUGH = 100
"""With fewer threads or samples, spread and products are not normally distributed."""
_LARGEST_SEED = 2**31 - 2


class MonteCarloPi(Lab):
    """``hits[t]`` is the number of ``samples`` points of thread ``t`` in the quarter circle."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw a seed for each thread, from 1 to 2**31 - 2, all different where there are several."""
        threads = case.sizes["threads"]
        match case.inputs:
            case "seeds":
                seeds = 1 + rng.choice(_LARGEST_SEED, threads, replace=threads > _LARGEST_SEED)
            case "neighbours":
                seeds = rng.integers(1, 1000) + np.arange(threads)
            case "large":
                seeds = _LARGEST_SEED - rng.permutation(threads)
            case unknown:
                msg = f"unknown kind of seeds {unknown!r}"
                raise ValueError(msg)
        return {"seeds": seeds.astype(np.uint32)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """The mean and deviation of each thread's hits."""
        del inputs
        samples, threads = case.sizes["samples"], case.sizes["threads"]
        deviation = math.sqrt(samples * _P * (1 - _P))
        mean = np.full(threads, samples * _P)
        return {"hits": Expected(mean, atol=_DEVIATIONS * deviation + 0.5, false_alarm=1e-9)}

    def check(
        self, case: Case, inputs: Mapping[str, NDArray[Any]], outputs: Mapping[str, NDArray[Any]]
    ) -> str | None:
        """Sum, spread and independence of all threads' hits."""
        del inputs
        samples, hits = case.sizes["samples"], outputs["hits"].astype(np.float64)
        if hits.max() > samples:
            return f"a thread has {hits.max():.0f} hits of {samples} points"
        variance = samples * _P * (1 - _P)
        off = (hits - samples * _P) / math.sqrt(variance)
        total = off.sum() / math.sqrt(len(off))
        if samples * len(hits) >= _ENOUGH and abs(total) > _DEVIATIONS:
            return (
                f"all hits give {4 * hits.mean() / samples:.6f} for pi, {abs(total):.1f} deviations from it"
            )
        if len(hits) < _ENOUGH or samples * _P * (1 - _P) < 1:
            return None
        # The square of a binomial number's deviation has the variance 2 + (1 - 6 p (1 - p)) / variance.
        kurtosis = 2 + (1 - 6 * _P * (1 - _P)) / variance
        spread = (np.square(off).mean() - 1) * math.sqrt(len(off) / kurtosis)
        if abs(spread) > _DEVIATIONS:
            return f"the hits of threads vary {np.square(off).mean():.3g} times as much as those of random points"
        together = (off[1:] * off[:-1]).mean() * math.sqrt(len(off) - 1)
        if abs(together) > _DEVIATIONS:
            return "neighbouring threads have like hits: their points are not independent"
        return None
