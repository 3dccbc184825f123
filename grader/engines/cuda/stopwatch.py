"""How long launches take on the device, and at which clock.

While a gate holds the device, everything queues up behind it, so that what the host needs to launch is no part of what
is timed. The gate reads the SM's clock right before the launches, a second reading follows right after them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.engines.cuda.status import checked
from grader.engines.cuda.trusted import TrustedKernels

_READING = 10_000
"""Nanoseconds of one reading of the clock: a timer that steps every 32 of them then errs by less than a percent."""

_PATIENCE = 5_000_000
"""Nanoseconds after which the gate opens by itself, for whoever waits for the device while launches are queued."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """``seconds`` between the events around launches; ``clock``: cycles per second of an SM, before and after."""

    seconds: float
    clock: float


class Stopwatch:
    """Times what is queued on the current stream.

    Raises (every method): as ``status.checked``.
    """

    def __init__(self, cupy: Any, kernels: TrustedKernels) -> None:
        self._cupy = cupy
        self._kernels = kernels
        with checked(cupy):
            self._readings = cupy.zeros((2, 2), np.uint64)
            pinned = cupy.cuda.alloc_pinned_memory(4)
        self._released = np.frombuffer(pinned, np.uint32, 1)
        self._gate = int(pinned.ptr)

    def time(self, queue: Callable[[], None], wait: Callable[[Any], None]) -> Measurement:
        """One lap of what ``queue`` launches. ``wait`` waits for an event, in a way of its own.

        Raises: as ``queue`` and ``wait``.
        """
        cuda = self._cupy.cuda
        self._released[0] = 0
        self._kernels.hold(self._gate, _READING, _PATIENCE, self._readings[0].data.ptr)
        try:
            with checked(self._cupy):
                start, stop = cuda.Event(), cuda.Event()
                start.record()
                queue()
                stop.record()
        finally:
            self._released[0] = 1
        self._kernels.hold(self._gate, _READING, _READING, self._readings[1].data.ptr)
        wait(stop)
        with checked(self._cupy):
            seconds = float(cuda.get_elapsed_time(start, stop)) / 1e3
            cycles, nanoseconds = self._readings.get().sum(axis=0)
        return Measurement(seconds=seconds, clock=float(cycles) / float(nanoseconds) * 1e9)
