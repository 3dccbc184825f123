"""Host memory that the interpreter addresses directly."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

_ALIGN = 256


def aligned_bytes(count: int) -> NDArray[np.uint8]:
    """``count`` zero bytes (at least one) at an address that suits every vector access."""
    raw = np.zeros(count + _ALIGN, np.uint8)
    start = -raw.ctypes.data % _ALIGN
    return raw[start : start + max(count, 1)]


def aligned_records(dtype: np.dtype[Any], count: int) -> NDArray[Any]:
    """``count`` zeroed records at an aligned address."""
    return aligned_bytes(dtype.itemsize * max(count, 1)).view(dtype)


def address_of(array: NDArray[Any]) -> int:
    """The host address of an array's first byte."""
    return int(array.ctypes.data)
