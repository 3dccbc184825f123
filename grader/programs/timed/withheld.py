"""Keeps a program from its inputs until the clock starts, without moving all their bytes within the clock.

Before that, the program's memory holds the inputs but for one element, at a newly drawn position, of every few
kilobytes. There it holds a decoy, an element from elsewhere in the same array. The clock starts when the judge begins
to write the withheld elements. What a program computed before is the answer to other inputs, and to find the places
it must read all its memory again, which is what the clock measures. In the same way one element of every few
kilobytes of the answer is read before the clock stops, so that an answer is complete when it is announced.

A decoy is the smallest of a few drawn elements: differences of decoys and inputs add up instead of cancelling out.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

STRIDE_BYTES = 8192
"""One element of each piece of this size is withheld, or read before the clock stops."""

WHOLE_BYTES = 1 << 16
"""Arrays up to this size are withheld or read as a whole."""

_DRAWS = 8

Array = npt.NDArray[np.generic]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Withheld:
    """The withheld elements of one flat array, and their positions."""

    places: Places
    elements: Array


def drawn_places(array: Array, draw: np.random.Generator) -> Places:
    """A place in each piece of a flat ``array``; of a small array all places."""
    if array.nbytes <= WHOLE_BYTES:
        return np.arange(array.size, dtype=np.int64)
    stride = STRIDE_BYTES // array.itemsize
    first = np.arange(0, array.size, stride, dtype=np.int64)
    drawn: Places = np.minimum(first + draw.integers(0, stride, first.size), array.size - 1)
    return drawn


def with_decoys(array: Array, draw: np.random.Generator) -> tuple[Array, Withheld]:
    """A copy of a flat ``array`` with decoys, and what is withheld from it."""
    places = drawn_places(array, draw)
    shown = array.copy()
    if array.size:
        candidates = array[draw.integers(0, array.size, (_DRAWS, places.size))]
        shown[places] = candidates.min(axis=0)
    return shown, Withheld(places, array[places])


def release(memory: Sequence[tuple[Array, Withheld]]) -> None:
    """Write the withheld elements into the program's memory."""
    for array, withheld in memory:
        array[withheld.places] = withheld.elements


def new_draw() -> np.random.Generator:
    """A generator that no program can foresee."""
    return np.random.default_rng(secrets.randbits(128))
