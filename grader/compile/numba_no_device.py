"""Use Numba's CUDA compiler without a GPU: it asks for a device although it needs only a compute capability."""

from collections.abc import Iterator
from contextlib import contextmanager

from numba.cuda import compiler, dispatcher

from grader.compile.ptx import COMPUTE_CAPABILITY


class _Device:
    compute_capability = COMPUTE_CAPABILITY


@contextmanager
def no_device() -> Iterator[None]:
    """Context manager: Numba compiles for the compute capability that the emulator supports."""
    device = _Device()
    originals = [(owner, owner.get_current_device) for owner in (compiler, dispatcher)]
    try:
        for owner, _ in originals:
            owner.get_current_device = lambda: device
        yield
    finally:
        for owner, original in originals:
            owner.get_current_device = original
