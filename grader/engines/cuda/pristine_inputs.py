"""The judge's inputs on the device, from which every timed launch gets inputs of its own."""

import hashlib
import secrets
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from grader.engines.cuda.memory import input_of
from grader.engines.cuda.status import checked
from grader.engines.cuda.transfer import copy
from grader.engines.cuda.trusted import SEED_BITS, Draw, TrustedKernels
from grader.model.plan import Buffer
from grader.model.run import LaunchJob


class PristineInputs:
    """A copy of every input of some pieces of work; inputs of one name and content are one.

    Use it as a context manager, which leaves the memory to CuPy's pool. Raises (every method): as ``status.checked``.
    """

    def __init__(self, cupy: Any, kernels: TrustedKernels, *jobs: LaunchJob) -> None:
        self._cupy = cupy
        self._kernels = kernels
        self._key = secrets.randbits(SEED_BITS)
        self._copies: dict[int, _Copy] = {}  # by the identity of the bytes: large ones take long to compare
        for job in jobs:
            for name, data in job.inputs.items():
                if data and id(data) not in self._copies:
                    self._copies[id(data)] = self._known(name, data) or self._copied(name, data)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._copies.clear()

    def write(self, job: LaunchJob, buffer: Buffer, address: int, draw: Draw) -> None:
        """Fill an input of ``job`` at ``address``, or a share of it, with elements of its original.

        They are drawn with repetition: sums, extremes and products of inputs drawn from another seed are others, but
        of the same size. What is ``fixed`` is the original. The same draw gives the same elements, whichever the work.
        Queued on the current stream, not waited for.
        Raises: ``ValueError`` where there is no such input.
        """
        data = input_of(buffer, job.inputs)
        original = self._copies[id(data)].array.data.ptr
        if not buffer.fixed:
            salted = draw._replace(seed=draw.seed ^ _salt(buffer.name))
            self._kernels.draw(original, address, buffer.dtype, buffer.size, salted)
        elif draw.share == 1.0:
            copy(self._cupy, address, original, len(data))

    def are_unchanged(self) -> bool:
        """Whether the copies are what they were: nothing that was launched since has found and changed one."""
        return all(self._digest(copied.array) == copied.digest for copied in self._copies.values())

    def _known(self, name: str, data: bytes) -> "_Copy | None":
        return next((copy for copy in self._copies.values() if (copy.name, copy.data) == (name, data)), None)

    def _copied(self, name: str, data: bytes) -> "_Copy":
        with checked(self._cupy):
            array = self._cupy.asarray(np.frombuffer(data, np.uint8))
        return _Copy(name, data, array, self._digest(array))

    def _digest(self, array: Any) -> tuple[int, int]:
        return self._kernels.digest(array.data.ptr, array.nbytes, self._key)


@dataclass(frozen=True, slots=True)
class _Copy:
    """What an input was filled with, and the same on the device, with what tells it from anything else."""

    name: str
    data: bytes
    array: Any
    digest: tuple[int, int]


def _salt(name: str) -> int:
    """Two inputs of one size must not be drawn alike. Taken from the name, so that two pieces of work agree."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=SEED_BITS // 8).digest(), "little")
