"""Float32 sums in every order in which a kernel may add, and errors as a share of a lab's tolerance."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Case, Lab
from grader.labs.distributions import DISTRIBUTIONS
from tools.labs import built_in_labs

Float32 = NDArray[np.float32]

UNIT_ROUNDOFF = 2.0**-24

SMALLEST_NORMAL = float(np.finfo(np.float32).smallest_normal)

LABS = built_in_labs().labs

FINITE = [name for name in DISTRIBUTIONS if name != "infinite"]


def sequential(terms: Float32) -> Float32:
    total = np.zeros(terms.shape[:-1], np.float32)
    for index in range(terms.shape[-1]):
        total = total + terms[..., index]
    return total


def backwards(terms: Float32) -> Float32:
    return sequential(terms[..., ::-1])


def blocked(terms: Float32, width: int = 32) -> Float32:
    """Compute partial sums over columns 0, 32, 64, ..., then over 1, 33, ..., and add them, as a block does."""
    padded = np.pad(terms, [(0, 0)] * (terms.ndim - 1) + [(0, -terms.shape[-1] % width)])
    return sequential(sequential(padded.reshape(*terms.shape[:-1], -1, width).swapaxes(-1, -2)))


def tree(terms: Float32) -> Float32:
    while terms.shape[-1] > 1:
        if terms.shape[-1] % 2:
            terms = np.concatenate([terms, np.zeros((*terms.shape[:-1], 1), np.float32)], axis=-1)
        half = terms.shape[-1] // 2
        terms = terms[..., :half] + terms[..., half:]
    return terms[..., 0]


ORDERS = [sequential, backwards, blocked, tree]


def half_precision(array: Float32) -> Float32:
    """Keep 10 of the 23 fraction bits, as half precision and tf32 do; the exponent stays, so nothing overflows."""
    return (array.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)


def flushed(array: Float32) -> Float32:
    return np.where(np.abs(array) < SMALLEST_NORMAL, np.float32(0), array).astype(np.float32)


def case_of(lab: Lab, distribution: str, **sizes: int) -> Case:
    return replace(lab.manifest.cases[0], sizes=sizes, inputs=distribution)


def share_of_tolerance(lab: Lab, case: Case, inputs: dict[str, NDArray[Any]], output: Float32) -> float:
    """Return the largest error as a share of the lab's tolerance: above 1, the output is wrong."""
    (expected,) = lab.oracle(case, inputs).values()
    allowed = lab.manifest.tolerance.factor * UNIT_ROUNDOFF * np.asarray(expected.scale)
    return float(np.max(np.abs(output.astype(np.float64) - expected.value) / allowed))
