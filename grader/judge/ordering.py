"""Match elements that may come in any order with those that are expected."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs.expected import Expected
from grader.model.element_arrays import sorting_order


def in_order_of(array: NDArray[Any], answer: Expected) -> Expected:
    """``answer`` with its values along the first axis in the order in which ``array`` has its own.

    Both are sorted by all their numbers, the first number first.
    """
    ours, theirs = sorting_order(array), sorting_order(answer.value)

    def moved(given: Any) -> Any:
        if np.ndim(given) == 0:
            return given
        placed = np.array(np.broadcast_to(given, answer.value.shape))
        placed[ours] = placed[theirs]
        return placed

    return replace(answer, value=moved(answer.value), scale=moved(answer.scale), atol=moved(answer.atol))
