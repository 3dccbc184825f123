"""What the emulator's speed is measured with."""

import os
import subprocess
import sys
import tempfile
import time

import numpy as np

from grader.cache import CACHE_VARIABLE
from grader.model.plan import Dim3
from grader.model.run import LaunchJob
from tools.emulator.compiling import Argument, Out, job_of, ptx_of
from tools.emulator.kernels import MATMUL, TILED

SOURCES = {"naive": MATMUL, "tiled": TILED.replace("PAD", "0")}
"""Matrix products in CUDA C, one thread per element."""

_SIMULATED = """
import statistics, sys, time, warnings
import numpy as np
from numba import cuda, float32

warnings.simplefilter("ignore")

@cuda.jit
def naive(a, b, c):
    x, y = cuda.grid(2)
    total = float32(0)
    for k in range(a.shape[1]):
        total += a[y, k] * b[k, x]
    c[y, x] = total

@cuda.jit
def tiled(a, b, c):
    left = cuda.shared.array((16, 16), float32)
    right = cuda.shared.array((16, 16), float32)
    x, y = cuda.grid(2)
    i, j = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for tile in range(a.shape[1] // 16):
        left[j, i] = a[y, i + tile * 16]
        right[j, i] = b[j + tile * 16, x]
        cuda.syncthreads()
        for k in range(16):
            total += left[j, k] * right[k, i]
        cuda.syncthreads()
    c[y, x] = total

n = 32
a, b, c = (np.ones((n, n), np.float32) for _ in range(3))
times = []
for _ in range(3):
    start = time.perf_counter()
    globals()[sys.argv[1]][(2, 2), (16, 16)](a, b, c)
    times.append(time.perf_counter() - start)
    assert (c == n).all()
print(statistics.median(times))
"""

_START = "from grader.engines.emulator.warm_up import warm_up; warm_up()"


def product(kind: str, size: int) -> LaunchJob:
    """A square matrix product in blocks of 16 x 16; ``kind`` is a key of ``SOURCES``."""
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((size, size)).astype(np.float32) for _ in range(2))
    arguments: dict[str, Argument] = {"a": a, "b": b, "c": Out((size, size)), "m": size, "k": size, "n": size}
    return job_of(
        ptx_of(SOURCES[kind]), "matmul", Dim3(x=size // 16, y=size // 16), Dim3(x=16, y=16), arguments
    )


def unrolled() -> LaunchJob:
    """A kernel of more than 1000 PTX instructions without a loop."""
    steps = "\n".join(f"    v = v * x[{i}] + {i}.5f; if (v > {i}e3f) v -= x[{i + 1}];" for i in range(200))
    source = (
        'extern "C" __global__ void k(const float* x, float* out) {\n'
        f"    float v = threadIdx.x;\n{steps}\n    out[threadIdx.x] = v;\n}}"
    )
    ptx = ptx_of(source)
    assert ptx.count(";") > 1000
    return job_of(ptx, "k", 1, 64, {"x": np.arange(256, dtype=np.float32), "out": Out((64,))})


def simulator_seconds(kind: str) -> float:
    """What Numba's CUDA simulator takes for a 32 x 32 product; the median of three, without its own start."""
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run(
        [sys.executable, "-c", _SIMULATED, kind], capture_output=True, text=True, check=True, env=environment
    )
    return float(done.stdout)


def start_seconds(cache: str | None = None) -> float:
    """A new process from its start to a working emulator. ``cache``: another cache folder than the user's."""
    environment = os.environ | ({CACHE_VARIABLE: cache} if cache else {})
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", _START], check=True, env=environment)
    return time.perf_counter() - started


def first_start_seconds() -> float:
    """The same where nothing has been compiled before."""
    with tempfile.TemporaryDirectory() as folder:
        return start_seconds(folder)
