"""What a submission has answered, kept apart from the memory in which the baseline answers next."""

from typing import Any

import numpy as np

from grader.engines.cuda import transfer
from grader.engines.cuda.memory import DeviceMemory
from grader.engines.cuda.status import checked
from grader.model.plan import LaunchPlan


class Answers:
    """Room for what ``plan`` returns, which is left to CuPy's pool. Raises (every method): as ``status.checked``.

    What is done is queued on the current stream, not waited for.
    """

    def __init__(self, cupy: Any, plan: LaunchPlan) -> None:
        self._cupy = cupy
        with checked(cupy):
            self._copies = {buffer.name: cupy.empty(buffer.nbytes, np.uint8) for buffer in plan.returned}

    @property
    def nbytes(self) -> int:
        """What they take on the device."""
        return sum(copy.nbytes for copy in self._copies.values())

    def address(self, name: str) -> int:
        """Where the copy of the output called ``name`` lies. Raises: ``KeyError``."""
        return int(self._copies[name].data.ptr)

    def take(self, memory: DeviceMemory) -> None:
        """Copy them from ``memory``."""
        for name, copy in self._copies.items():
            transfer.copy(self._cupy, copy.data.ptr, memory.address(name), copy.nbytes)

    def wipe(self) -> None:
        """Leave nothing of them."""
        runtime, stream = self._cupy.cuda.runtime, self._cupy.cuda.get_current_stream().ptr
        with checked(self._cupy):
            for copy in self._copies.values():
                runtime.memsetAsync(copy.data.ptr, 0, copy.nbytes, stream)
