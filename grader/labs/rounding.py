"""How far a float32 sum may lie from the exact one, for the tolerances of labs that add many terms."""

import numpy as np
from numpy.typing import NDArray

FLOAT32_UNIT_ROUNDOFF = 2.0**-24


def summation_scale(
    terms: int | NDArray[np.int64],
    total: NDArray[np.float64],
    squares: NDArray[np.float64],
    flushed: NDArray[np.float64] | float,
) -> NDArray[np.float64]:
    """Give the error scale of a float32 sum, per element: ``sqrt(terms) * hypot(total, sqrt(squares))``.

    ``total`` is the exact sum, ``squares`` the sum of the squared terms. Each of the ``terms`` additions
    rounds its partial sum s_k by at most u|s_k|, up or down as if by chance, so the errors add up to about
    u * sqrt(sum s_k**2). A partial sum over some of the terms, in an order that does not look at their
    values, is its share of ``total`` plus a random walk no wider than ``sqrt(squares)``. Hence every |s_k|
    is of the order of the hypotenuse of the two, and the scale holds for sequential, tree and blocked sums
    alike. The worst case, u * terms * sum|x|, is hundreds of times larger at a thousand terms: half
    precision would pass it.

    ``flushed`` is the absolute error that flushing subnormal numbers to zero may cause; hardware may do so
    under fast-math options, and doing so is not called wrong.
    """
    scale: NDArray[np.float64] = np.sqrt(terms) * np.hypot(total, np.sqrt(squares))
    return scale + flushed / FLOAT32_UNIT_ROUNDOFF
