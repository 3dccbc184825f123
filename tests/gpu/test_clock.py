"""Timing on a real GPU: the blocking kernel, the cold cache, the SM clock, batches, and other processes."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from statistics import median
from typing import Any

import numpy as np
import pytest

from grader.engines.cuda.device import load_cupy
from grader.engines.cuda.engine import CudaEngine
from grader.engines.cuda.measurement import MAX_BATCH, SINGLE_LAUNCH_SECONDS
from grader.engines.cuda.timing import ColdCache, Stopwatch
from grader.engines.cuda.trusted import TrustedKernels
from grader.errors import InfrastructureError
from grader.model.plan import Role
from grader.model.run import Comparison, LaunchJob, RunOptions
from tests.engines.contract import launch, launch_job, numbers, vector

pytestmark = [pytest.mark.gpu, pytest.mark.alone]

OPTIONS = RunOptions(timeout=10.0)

SOURCE = r"""
extern "C" __global__ void nothing() {}

extern "C" __global__ void wait(long long cycles)
{
    const long long began = clock64();
    while (clock64() - began < cycles) {}
}

extern "C" __global__ void read(const float *a, float *c, int n, int keep)
{
    unsigned long long policy;
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float value;
        if (keep) asm volatile("ld.global.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(value) : "l"(a + i), "l"(policy));
        else value = a[i];
        sum += value;
    }
    if (sum == 1.25f) c[0] = sum;
}
"""

NEIGHBOUR = """
import select, sys
import cupy
values = cupy.zeros(1 << 26, "f")
values *= 1.0001  # compiled now: later it uses the GPU at once
cupy.cuda.runtime.deviceSynchronize()
print("up", flush=True)
sys.stdin.readline()
print("busy", flush=True)
while not select.select([sys.stdin], [], [], 0)[0]:
    for _ in range(50):
        values *= 1.0001
    cupy.cuda.runtime.deviceSynchronize()
"""
"""A program that waits for its first input, and then uses the GPU until its input ends."""


@pytest.fixture(scope="module")
def cupy() -> Any:
    return load_cupy()


@pytest.fixture(scope="module")
def own(cupy: Any) -> Any:
    return cupy.RawModule(code=SOURCE)


@pytest.fixture(scope="module")
def kernels(cupy: Any) -> TrustedKernels:
    return TrustedKernels(cupy)


@pytest.fixture(scope="module")
def stopwatch(cupy: Any, kernels: TrustedKernels) -> Stopwatch:
    return Stopwatch(cupy, kernels)


@pytest.fixture
def cold(cupy: Any, kernels: TrustedKernels, cuda_engine: CudaEngine) -> Iterator[ColdCache]:
    cache = ColdCache(cupy, kernels, cuda_engine.device.l2_bytes)
    yield cache
    cache.close()


def laps(
    stopwatch: Stopwatch, queue: Callable[[], None], before: Callable[[], None], count: int = 15
) -> float:
    """Return the median time of ``queue``, in seconds."""
    found = []
    for _ in range(count):
        before()
        found.append(stopwatch.time(queue, lambda event: event.synchronize()).seconds)
    return median(found)


def test_launch_overhead_is_not_timed(own: Any, stopwatch: Stopwatch) -> None:
    nothing = own.get_function("nothing")

    def queue(count: int) -> None:
        for _ in range(count):
            nothing((1,), (32,), ())

    one, many = (laps(stopwatch, partial(queue, count), lambda: None) for count in (1, 101))
    # Launched by the host one after the other, they would be 3 to 10 us apart.
    assert (many - one) / 100 < 2.5e-6


def test_the_clock_is_what_the_sm_counts_with(
    cupy: Any, own: Any, stopwatch: Stopwatch, cuda_engine: CudaEngine
) -> None:
    cycles = 2_000_000
    wait = own.get_function("wait")

    def queue() -> None:
        wait((1,), (1,), (np.int64(cycles),))

    cupy.cuda.runtime.deviceSynchronize()
    found = [stopwatch.time(queue, lambda event: event.synchronize()) for _ in range(9)]
    for lap in found:
        assert 0.1 < lap.clock / cuda_engine.device.clock < 1.15
        assert lap.seconds * lap.clock == pytest.approx(cycles, rel=0.02)


@pytest.mark.parametrize("keep", [0, 1], ids=["plain", "evict-last"])
def test_a_flush_evicts_persistent_lines_too(
    cupy: Any, own: Any, stopwatch: Stopwatch, cold: ColdCache, cuda_engine: CudaEngine, keep: int
) -> None:
    count = cuda_engine.device.l2_bytes // 16  # a quarter of the cache, in elements of four bytes
    values, answer = cupy.zeros(count, np.float32), cupy.zeros(1, np.float32)
    read = own.get_function("read")

    def queue() -> None:
        read((1024,), (256,), (values, answer, np.int32(count), np.int32(keep)))

    def repeatedly(times: int) -> None:
        queue()
        for _ in range(times):
            cold.flush_l2()

    warm, once, often = (laps(stopwatch, queue, partial(repeatedly, times)) for times in (0, 1, 4))
    assert warm < 0.7 * once
    assert once == pytest.approx(often, rel=0.05)


def one_add(n: int, arch: str) -> LaunchJob:
    roles = {"a": Role.INPUT, "b": Role.INPUT, "c": Role.OUTPUT}
    buffers = tuple(vector(name, role, n) for name, role in roles.items())
    inputs = {"a": numbers(n, seed=1), "b": numbers(n, seed=2)}
    return launch_job(buffers, (launch("add", "a", "b", "c", n, threads=n),), inputs, arch)


def test_short_launches_are_timed_together_and_long_ones_alone(cuda_engine: CudaEngine) -> None:
    for n, together in ((10_000, True), (1 << 26, False)):
        found = compared(cuda_engine, n)
        assert found.launches == (MAX_BATCH if together else 2)
        assert (median(pair.submission for pair in found.pairs) < SINGLE_LAUNCH_SECONDS) == together
        assert found.dropped <= len(found.pairs)
        assert found.clock


@pytest.mark.parametrize("n", [10_000, 1 << 26], ids=["short", "long"])
def test_the_memory_of_all_buffer_sets_is_freed(cupy: Any, cuda_engine: CudaEngine, n: int) -> None:
    def free_after() -> int:
        compared(cuda_engine, n)
        return int(cupy.cuda.runtime.memGetInfo()[0])

    assert free_after() == free_after()


def compared(engine: CudaEngine, n: int) -> Comparison:
    """Compare a kernel with itself."""
    return engine.compare(one_add(n, engine.device.arch), one_add(n, engine.device.arch), OPTIONS)


@contextmanager
def neighbour() -> Iterator["subprocess.Popen[str]"]:
    """Start another process that has a context on the GPU and is idle."""
    command = [sys.executable, "-c", NEIGHBOUR]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        try:
            yield process
        finally:
            process.communicate(timeout=60)  # its input ends


@pytest.mark.parametrize("n", [10_000, 1 << 26], ids=["short", "long"])
def test_a_busy_process_is_noticed_and_an_idle_one_is_not(cuda_engine: CudaEngine, n: int) -> None:
    with neighbour() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert compared(cuda_engine, n).pairs
        process.stdin.write("begin\n")
        process.stdin.flush()
        assert process.stdout.readline() == "busy\n"
        with pytest.raises(InfrastructureError, match="another process had the GPU"):
            compared(cuda_engine, n)
