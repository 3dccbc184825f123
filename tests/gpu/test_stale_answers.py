"""Stale answers on a real GPU: no memory that the grader allocates keeps one.

Shared memory, registers and the kernels' device heap belong to the device and keep their contents until a kernel
overwrites them. Therefore rungs run only after the submission's kernels were checked
(``tests/integrity/test_requests.py``).
"""

import numpy as np
import pytest

from grader.engines.cuda.engine import CudaEngine
from grader.engines.port import Engine
from grader.model.verdict import Verdict
from tests.integrity.stale import GIVEN, HIDE, OPTIONS, N, StaleAnswers, job_on
from tools.emulator.compiling import Argument, InOut, Out, cubin_of, job_of, ptx_of

pytestmark = [pytest.mark.gpu, pytest.mark.alone]

HONEST_ONCE = """
__device__ int calls;

extern "C" __global__ void honest_once(int *x, int *out)
{
    int i = threadIdx.x;
    out[i] = x[i];
    if (i == 0 && ++calls > 1) out[256] = 1;
}
"""

LOOK_AROUND = """
// Device memory comes in pieces of 2 MiB, so all of the piece around a small buffer can be read.
extern "C" __global__ void look_around(int *x, int *out, int given)
{
    const size_t piece = 2 << 20;
    const int *start = (const int *)((size_t)out & ~(piece - 1));
    for (size_t i = threadIdx.x; i < piece / sizeof(int); i += blockDim.x)
        if (start[i] == given * 7 + 5) asm("trap;");
    if (threadIdx.x < 256) out[threadIdx.x] = x[threadIdx.x];
}
"""


class TestOnAGpu(StaleAnswers):
    """The first GPU of this machine."""

    memories = frozenset({"the output", "scratch", "a device variable"})

    @pytest.fixture
    def engine(self, cuda_engine: CudaEngine) -> Engine:
        return cuda_engine

    def test_memory_around_the_buffers_holds_no_baseline_answer(self, engine: Engine) -> None:
        arch = engine.device.arch
        arguments: dict[str, Argument] = {
            "x": InOut(np.full(N, GIVEN, np.int32)),
            "out": Out((N,), np.int32),
            "given": np.int32(GIVEN),
        }
        looker = job_of(
            ptx_of(LOOK_AROUND), "look_around", 1, N, arguments, cubins={arch: cubin_of(LOOK_AROUND, arch)}
        )
        hider = job_on(engine, HIDE, "hide")
        assert engine.compare(hider, looker, OPTIONS).fault is None

    def test_out_of_bounds_only_while_timed_is_a_crash(self, engine: Engine) -> None:
        arch = engine.device.arch
        arguments: dict[str, Argument] = {"x": InOut(np.zeros(N, np.int32)), "out": Out((N,), np.int32)}
        cubins = {arch: cubin_of(HONEST_ONCE, arch)}
        trickster = job_of(ptx_of(HONEST_ONCE), "honest_once", 1, N, arguments, cubins=cubins)
        assert engine.run(trickster, OPTIONS).fault is None
        fault = engine.compare(job_on(engine, HIDE, "hide"), trickster, OPTIONS).fault
        assert fault is not None
        assert fault.verdict is Verdict.CRASHED
