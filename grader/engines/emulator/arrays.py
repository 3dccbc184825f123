"""Host memory that the interpreter addresses directly."""

from ctypes import addressof, c_char
from typing import Any

import numpy as np
from numpy.typing import NDArray

_ALIGN = 256


def aligned_bytes(count: int) -> NDArray[np.uint8]:
    """``count`` zero bytes (at least one) at an address aligned for every vector access."""
    raw = np.zeros(count + _ALIGN, np.uint8)
    start = -address_of(raw) % _ALIGN
    return raw[start : start + max(count, 1)]


def aligned_records(dtype: np.dtype[Any], count: int) -> NDArray[Any]:
    """``count`` zeroed records at an aligned address."""
    return aligned_bytes(dtype.itemsize * max(count, 1)).view(dtype)


def address_of(array: NDArray[Any]) -> int:
    """The host address of the first byte of a writable, contiguous array; 0 if the array has none."""
    # This takes a quarter of the time of ``array.ctypes.data``; a launch has two dozen arrays.
    return addressof(c_char.from_buffer(array.data)) if array.size else 0
