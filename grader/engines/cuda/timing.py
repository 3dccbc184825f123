"""The instruments of a timed launch: a cold L2, a stopwatch behind a blocking kernel, a probe for other processes."""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.engines.cuda.status import check, checked
from grader.engines.cuda.trusted import TrustedKernels
from grader.errors import InfrastructureError

_DRIVER = "libcuda.so.1"

_CLOCK_READING_NS = 10_000
"""Duration of one reading of the clock: with a timer that steps every 32 ns, the error is below one percent."""

_BLOCKING_TIMEOUT_NS = 5_000_000
"""The blocking kernel ends by itself after this time, in case the host waits for the device while it queues."""

_PROBE_NS = 4_000_000
"""Duration of one probe: longer than the time slice of a process."""

_GAP_NS = 20_000
"""A longer gap between two readings of the timer means that another process had the device."""

PAIRS_PER_PROBE = 10
"""One probe for this many pairs."""

MAX_CONTENTION = 0.1
"""Above this share of time that another process had the device, no time counts."""


class ColdCache:
    """Flushes the L2 on the current stream.

    A flush reads twice the size of the cache. It does not write: dirty lines would go back to memory while the next
    launch runs, and cost it time. Raises (every method): as ``status.checked``.
    """

    def __init__(self, cupy: Any, kernels: TrustedKernels, l2_bytes: int) -> None:
        """``l2_bytes`` is the size of the cache."""
        self._cupy = cupy
        self._kernels = kernels
        self._bytes = 2 * l2_bytes
        self._driver = ctypes.CDLL(_DRIVER)
        with checked(cupy):
            self._address: int = cupy.cuda.runtime.malloc(self._bytes)
            cupy.cuda.runtime.memset(self._address, 0, self._bytes)

    def flush_l2(self) -> None:
        """Queue a flush, without waiting for it. Lines that a kernel made persistent are released first."""
        check(self._driver.cuCtxResetPersistingL2Cache(), "cuCtxResetPersistingL2Cache")
        self._kernels.read_through(self._address, self._bytes)

    def close(self) -> None:
        """Free the memory that flushes read."""
        with checked(self._cupy):
            self._cupy.cuda.runtime.free(self._address)


@dataclass(frozen=True, slots=True)
class Measurement:
    """``seconds`` between the events around launches; ``clock``: an SM's cycles per second, read before and after."""

    seconds: float
    clock: float


class Stopwatch:
    """Times what is queued on the current stream.

    A blocking kernel holds the stream until all launches are queued behind it, so that the host's launch overhead is
    not part of the time. The blocking kernel reads the SM's clock right before the launches, a second one right after
    them. Raises (every method): as ``status.checked``.
    """

    def __init__(self, cupy: Any, kernels: TrustedKernels) -> None:
        self._cupy = cupy
        self._kernels = kernels
        with checked(cupy):
            self._readings = cupy.zeros((2, 2), np.uint64)
            pinned = cupy.cuda.alloc_pinned_memory(4)
        self._unblock = np.frombuffer(pinned, np.uint32, 1)
        self._unblock_address = int(pinned.ptr)

    def time(
        self, queue: Callable[[], None], wait: Callable[[Any], None], *, held: bool = True
    ) -> Measurement:
        """Measure what ``queue`` launches; ``wait`` waits for a CUDA event.

        Without ``held`` nothing holds the stream, for a ``queue`` that itself waits for what it launches: the host's
        overhead is then part of the time.
        Raises: as ``queue`` and ``wait``.
        """
        cuda = self._cupy.cuda
        self._unblock[0] = 0 if held else 1
        self._kernels.blocking_kernel(
            self._unblock_address, _CLOCK_READING_NS, _BLOCKING_TIMEOUT_NS, self._readings[0].data.ptr
        )
        try:
            with checked(self._cupy):
                start, stop = cuda.Event(), cuda.Event()
                start.record()
                queue()
                stop.record()
        finally:
            self._unblock[0] = 1
        self._kernels.blocking_kernel(
            self._unblock_address, _CLOCK_READING_NS, _CLOCK_READING_NS, self._readings[1].data.ptr
        )
        wait(stop)
        with checked(self._cupy):
            seconds = float(cuda.get_elapsed_time(start, stop)) / 1e3
            cycles, nanoseconds = self._readings.get().sum(axis=0)
        return Measurement(seconds=seconds, clock=float(cycles) / float(nanoseconds) * 1e9)


class ContentionProbe:
    """Finds out whether another process uses the GPU, one that does not take the grader's GPU lock.

    The device gives each process time slices of some milliseconds. A kernel that only reads the timer sees gaps while
    another process has the device. A process that is idle on the GPU leaves no gaps and does no harm.
    """

    def __init__(self, kernels: TrustedKernels) -> None:
        self._kernels = kernels
        self._lost = self._passed = self._calls = 0

    def maybe_sample(self) -> None:
        """Run a probe at every ``PAIRS_PER_PROBE``-th call. Call it before each pair. Raises: as ``status.checked``."""
        if self._calls % PAIRS_PER_PROBE == 0:
            lost, passed = self._kernels.probe_contention(_PROBE_NS, _GAP_NS)
            self._lost += lost
            self._passed += passed
        self._calls += 1

    def check_quiet(self) -> None:
        """Raises: ``InfrastructureError`` where another process had the device for more than ``MAX_CONTENTION``."""
        share = self._lost / max(1, self._passed)
        if share > MAX_CONTENTION:
            msg = (
                f"another process had the GPU for {share:.0%} of the time while kernels were timed, "
                "so no time counts; stop that process and grade again"
            )
            raise InfrastructureError(msg)
