"""Arrays of elements that may have several numbers each: vectors on a last axis, structs as records."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def sorting_order(array: NDArray[Any]) -> NDArray[np.intp]:
    """The indices along the first axis that sort ``array`` by all numbers of its elements, the first number first."""
    members = [array] if array.dtype.names is None else [array[name] for name in array.dtype.names]
    columns = [column for each in members for column in each.reshape(len(array), -1).T]
    return np.lexsort(columns[::-1])


def any_number(mask: NDArray[np.bool_], dimensions: int) -> NDArray[np.bool_]:
    """Which elements, along the first ``dimensions`` axes, have a number that is true."""
    return mask if mask.ndim == dimensions else np.asarray(mask.any(axis=tuple(range(dimensions, mask.ndim))))
