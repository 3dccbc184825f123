"""Digests of a plan's inputs on the device, by which a run finds inputs that a kernel has changed."""

import secrets
from typing import Any

from grader.engines.cuda import transfer
from grader.engines.cuda.memory import DeviceMemory
from grader.engines.cuda.trusted import SEED_BITS, TrustedKernels
from grader.model.plan import Buffer, LaunchPlan, Role

_WORD = 4

_Digest = tuple[int, int, bytes]
"""The digest of the whole words of a buffer, and the bytes after them."""


class InputDigests:
    """The digests of the inputs of ``plan`` in ``memory`` at the time of construction.

    Comparing on the device takes no transfer. The key is drawn for this object, so that no kernel can find a change
    that keeps a digest. Raises (every method): as ``status.checked``.
    """

    def __init__(self, cupy: Any, kernels: TrustedKernels, memory: DeviceMemory, plan: LaunchPlan) -> None:
        self._cupy = cupy
        self._kernels = kernels
        self._memory = memory
        self._key = secrets.randbits(SEED_BITS)
        self._inputs = [buffer for buffer in plan.buffers if buffer.role is Role.INPUT and buffer.nbytes]
        self._before = [self._digest(buffer) for buffer in self._inputs]

    def changed(self) -> tuple[str, ...]:
        """The names of the inputs that are not as they were."""
        return tuple(
            buffer.name
            for buffer, before in zip(self._inputs, self._before, strict=True)
            if self._digest(buffer) != before
        )

    def _digest(self, buffer: Buffer) -> _Digest:
        address = self._memory.address(buffer.name)
        rest = buffer.nbytes % _WORD
        whole = buffer.nbytes - rest
        one, two = self._kernels.digest(address, whole, self._key) if whole else (0, 0)
        return one, two, transfer.read(self._cupy, address + whole, rest)
