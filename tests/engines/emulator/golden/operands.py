"""The operands of forms: special values and noise, the same on every machine.

Noise is the raw output of PCG64, which NumPy guarantees to keep, unlike its distributions.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.engines.emulator.golden.form import LANES

_SPECIAL = 160
"""Number of lanes with special values; the others have noise."""

_INTEGERS = (
    *(0, 1, 2, 3, 7, 8, 15, 16, 24, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257),
    *(2**15 - 1, 2**15, 2**15 + 1, 2**16 - 1, 2**16, 2**16 + 1, 2**23, 2**24 - 1, 2**24, 2**24 + 1),
    *(2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1, 2**32, 2**32 + 1, 2**53 + 1, 2**63 - 1, 2**63, 2**63 + 1),
    *(-1, -2, -3, -7, -8, -31, -32, -33, -127, -128, -129, -255, -256, -(2**15) - 1, -(2**24) - 1),
    *(0x7F7F7F7F, 0x80808080, 0x01010101, 0xFF00FF00, 0x12345678, 0xFEDCBA9876543210),
)
_NUMBERS = (
    *(
        0.0,
        1.0,
        0.5,
        1.5,
        2.5,
        3.5,
        2.0,
        3.0,
        0.25,
        0.1,
        1 / 3,
        10.0,
        100.0,
        math.pi,
        math.pi / 2,
        2 * math.pi,
    ),
    *(
        math.e,
        0.49999997,
        0.99999994,
        1.0000001,
        0.9999999999999999,
        1.0000000000000002,
        1e-3,
        1e-5,
        88.0,
        89.5,
    ),
    *(127.5, 128.5, 255.5, 256.5, 2047.5, 2049.0, 32767.5, 32768.0, 65504.0, 65519.0, 65520.0, 65535.5),
    *(1e10, 1e20, 1e-10, 1e-20, 16777215.0, 16777217.0, 2**31 - 1.0, 2.0**31, 2.0**31 + 1, 2**32 - 1.0),
    *(2.0**32, 2.0**63, 2.0**64, 2.0**53 - 1, 2.0**126, 2.0**127, 2.0**-14, 2.0**-24, 2.0**-25, 3 * 2.0**-25),
    *(2.0**-126, 2.0**-127, 2.0**-149, 2.0**-150, 3e38, 1e-40, 1e300, 1e-300, 1e-310, 2.0**-1022, 2.0**-1074),
    *(math.inf, math.nan),
)
_FLOAT: dict[int, tuple[type[np.floating[Any]], int, int]] = {
    16: (np.float16, 5, 10),
    32: (np.float32, 8, 23),
    64: (np.float64, 11, 52),
}
_MASK = (1 << 64) - 1


def operands(kinds: Sequence[str]) -> tuple[NDArray[np.uint64], ...]:
    """A row of ``LANES`` 64-bit words for each of a form's operands, the operand in the low bits, noise above.

    In some lanes operands of the same kind are equal or, for floats, opposite, to test cancellation and ties.
    """
    rows = [_row(kind, index).copy() for index, kind in enumerate(kinds)]
    for index, kind in enumerate(kinds[1:], 1):
        if kind == kinds[0]:
            rows[index][index + 2 :: 16] = rows[0][index + 2 :: 16]
            if kind in {"f16", "f32", "f64"}:
                sign = np.uint64(1 << (int(kind[1:]) - 1))
                rows[index][index + 7 :: 16] = rows[0][index + 7 :: 16] ^ sign
    return tuple(rows)


@cache
def _row(kind: str, index: int) -> NDArray[np.uint64]:
    seed = [index, *kind.encode()]
    noise = np.random.PCG64(seed).random_raw(4 * LANES).reshape(4, LANES)
    special = _SPECIAL_KINDS.get(kind)
    if special is not None:
        return special(noise)
    bits = int(kind[1:])
    if kind[0] == "f":
        values = _floats(bits, noise[0], noise[1], noise[2])
        return values if bits == 64 else values | noise[3] << np.uint64(bits)
    extremes = np.array([value & _MASK for value in _INTEGERS], np.uint64)
    values = extremes[noise[0] % np.uint64(len(extremes))]
    values[_SPECIAL:] = (noise[1] >> noise[2] % np.uint64(bits))[_SPECIAL:]
    return values


def _pair(noise: NDArray[np.uint64]) -> NDArray[np.uint64]:
    low, high = _floats(16, noise[0], noise[1], noise[2]), _floats(16, noise[1], noise[2], noise[3])
    return low | high << np.uint64(16)


def _floats(
    bits: int, choice: NDArray[np.uint64], signs: NDArray[np.uint64], noise: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """Special values of both signs; then noise near 1, of moderate size, and of any size."""
    type_, exponent_bits, fraction_bits = _FLOAT[bits]
    with np.errstate(all="ignore"):
        exact = np.array(_NUMBERS).astype(type_)
    smallest = np.array([1, 2, (1 << fraction_bits) - 1, 1 << fraction_bits], f"u{bits // 8}").view(type_)
    largest = np.array([np.finfo(type_).max], type_)
    special = np.concatenate([exact, smallest, largest]).view(f"u{bits // 8}").astype(np.uint64)
    values = special[choice % np.uint64(len(special))]
    fraction = noise & np.uint64((1 << fraction_bits) - 1)
    bias = np.uint64((1 << (exponent_bits - 1)) - 1)
    spread = np.where(np.arange(LANES) % 4 == 3, np.uint64(1 << exponent_bits), np.uint64(8))
    centre = np.where(spread == np.uint64(8), bias - np.uint64(4), np.uint64(0))
    exponent = centre + choice % spread
    values[_SPECIAL:] = (exponent << np.uint64(fraction_bits) | fraction)[_SPECIAL:]
    return values | (signs & np.uint64(1)) << np.uint64(bits - 1)


_POSITIONS = np.array([*range(36), 40, 63, 64, 65, 127, 128, 200, 255, 256, 259, 2**31, 2**32 - 1], np.uint64)
_SPECIAL_KINDS: dict[str, Callable[[NDArray[np.uint64]], NDArray[np.uint64]]] = {
    "f16x2": _pair,
    "bf16": lambda noise: _floats(32, noise[0], noise[1], noise[2]) >> np.uint64(16),
    "lane": lambda noise: noise[0] % np.uint64(32),
    "small": lambda noise: (noise[0] % np.uint64(13) - np.uint64(6)) & np.uint64(0xFFFFFFFF),
    "position": lambda noise: _POSITIONS[noise[0] % np.uint64(len(_POSITIONS))],
}
"""Kinds that are not plain types: two halves, a bfloat16, a lane, a small signed number, a bit position or length."""
