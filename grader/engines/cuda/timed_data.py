"""Data of timed launches outside the arenas: the original inputs, and snapshots of the submission's outputs."""

import hashlib
import secrets
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from grader.engines.cuda import transfer
from grader.engines.cuda.memory import DeviceMemory, input_of
from grader.engines.cuda.status import checked
from grader.engines.cuda.trusted import SEED_BITS, Draw, TrustedKernels
from grader.model.plan import Buffer, LaunchPlan
from grader.model.run import LaunchJob


class PristineInputs:
    """A device copy of every input of some jobs, from which each timed launch draws inputs of its own.

    Inputs of one name and content share one copy. Use it as a context manager, which returns the memory to CuPy's
    pool. Raises (every method): as ``status.checked``.
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

        Elements are drawn with repetition: sums, extremes and products change with the seed, but keep their
        magnitude. A ``fixed`` input is copied unchanged. The same draw gives the same elements for every job.
        Asynchronous on the current stream.
        Raises: ``ValueError`` where there is no such input.
        """
        data = input_of(buffer, job.inputs)
        original = self._copies[id(data)].array.data.ptr
        if not buffer.fixed:
            salted = draw._replace(seed=draw.seed ^ _salt(buffer.name))
            self._kernels.draw(original, address, buffer.dtype, buffer.size, salted)
        elif draw.share == 1.0:
            transfer.copy(self._cupy, address, original, len(data))

    def are_unchanged(self) -> bool:
        """Whether the copies still have their digests: no kernel launched since has found and changed one."""
        return all(self._digest(copied.array) == copied.digest for copied in self._copies.values())

    def _known(self, name: str, data: bytes) -> "_Copy | None":
        return next((copy for copy in self._copies.values() if (copy.name, copy.data) == (name, data)), None)

    def _copied(self, name: str, data: bytes) -> "_Copy":
        with checked(self._cupy):
            # The digest is of whole words.
            array = self._cupy.asarray(np.frombuffer(data + bytes(-len(data) % 4), np.uint8))
        return _Copy(name, data, array, self._digest(array))

    def _digest(self, array: Any) -> tuple[int, int]:
        return self._kernels.digest(array.data.ptr, array.nbytes, self._key)


@dataclass(frozen=True, slots=True)
class _Copy:
    """An input's bytes, their copy on the device, and the digest of the copy."""

    name: str
    data: bytes
    array: Any
    digest: tuple[int, int]


def _salt(name: str) -> int:
    """A salt from the input's name: two inputs of one size get different draws, and two jobs get the same."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=SEED_BITS // 8).digest(), "little")


class OutputSnapshot:
    """A copy of what ``plan`` returns, outside the buffers that the baseline writes next.

    Its memory returns to CuPy's pool. All methods are asynchronous on the current stream.
    Raises (every method): as ``status.checked``.
    """

    def __init__(self, cupy: Any, plan: LaunchPlan) -> None:
        self._cupy = cupy
        with checked(cupy):
            self._copies = {buffer.name: cupy.empty(buffer.nbytes, np.uint8) for buffer in plan.returned}

    @property
    def nbytes(self) -> int:
        """Its size on the device."""
        return sum(copy.nbytes for copy in self._copies.values())

    def address(self, name: str) -> int:
        """The device address of the copy of output ``name``. Raises: ``KeyError``."""
        return int(self._copies[name].data.ptr)

    def read(self, name: str) -> bytes:
        """The bytes of the copy of output ``name``. Raises: ``KeyError``."""
        return transfer.read(self._cupy, self.address(name), self._copies[name].nbytes)

    def take(self, memory: DeviceMemory) -> None:
        """Copy the outputs from ``memory``."""
        for name, copy in self._copies.items():
            transfer.copy(self._cupy, copy.data.ptr, memory.address(name), copy.nbytes)

    def wipe(self) -> None:
        """Overwrite the copies with zeros."""
        runtime, stream = self._cupy.cuda.runtime, self._cupy.cuda.get_current_stream().ptr
        with checked(self._cupy):
            for copy in self._copies.values():
                runtime.memsetAsync(copy.data.ptr, 0, copy.nbytes, stream)
