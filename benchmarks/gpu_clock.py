"""A GPU timed as in grading: each sample starts behind a blocking kernel, with a cold L2 cache."""

from collections.abc import Callable

from grader.engines.cuda.device import describe, load_cupy
from grader.engines.cuda.timing import ColdCache, Stopwatch
from grader.engines.cuda.trusted import TrustedKernels


class GpuClock:
    """The first GPU here: ``cupy``, its ``device``, and how long things take on it.

    Raises: ``UserError`` where there is none.
    """

    def __init__(self) -> None:
        self.cupy = load_cupy()
        self.device = describe(self.cupy, 0)
        kernels = TrustedKernels(self.cupy)
        self._cold = ColdCache(self.cupy, kernels, self.device.l2_bytes)
        self._stopwatch = Stopwatch(self.cupy, kernels)

    def sample(self, queue: Callable[[], None], *, held: bool = True) -> float:
        """Seconds of what ``queue`` launches on the current stream, one after the other.

        ``held`` as that of ``Stopwatch.time``.
        """
        self._cold.flush_l2()
        return self._stopwatch.time(queue, lambda event: event.synchronize(), held=held).seconds
