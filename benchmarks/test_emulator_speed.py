"""How many thread instructions the emulator carries out per second, on one core.

Run with ``pytest benchmarks/test_emulator_speed.py``. The targets are those of the median.
"""

from typing import Any

import numpy as np
import pytest

from grader.model.devices import TESLA_T4
from grader.model.plan import Dim3
from grader.model.run import RunOptions, Work
from tests.engines.emulator.compiling import Argument, Out, engine_for, ptx_of, work_of
from tests.engines.emulator.test_kernels import MATMUL, TILED

SIZE = 256


def product(source: str) -> Work:
    """A square matrix product in blocks of 16 x 16."""
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((SIZE, SIZE)).astype(np.float32) for _ in range(2))
    arguments: dict[str, Argument] = {"a": a, "b": b, "c": Out((SIZE, SIZE)), "m": SIZE, "k": SIZE, "n": SIZE}
    grid = Dim3(x=SIZE // 16, y=SIZE // 16)
    return work_of(ptx_of(source), "matmul", grid, Dim3(x=16, y=16), arguments)


@pytest.mark.parametrize(
    ("source", "diagnostics", "target"),
    [(MATMUL, False, 300e6), (MATMUL, True, 200e6), (TILED, False, 300e6), (TILED, True, 50e6)],
    ids=["naive", "naive with diagnostics", "tiled", "tiled with diagnostics"],
)
def test_matrix_products(benchmark: Any, source: str, diagnostics: bool, target: float) -> None:  # noqa: FBT001 - a parameter of the table above
    engine = engine_for(TESLA_T4)
    work = product(source.replace("PAD", "0"))
    options = RunOptions(diagnostics=diagnostics, timeout=60)
    (counters,) = engine.run(work, RunOptions(timeout=60)).counters
    result = benchmark.pedantic(engine.run, args=(work, options), rounds=5, warmup_rounds=1)
    assert result.fault is None
    rate = counters.thread_instructions / benchmark.stats.stats.median
    benchmark.extra_info["million_thread_instructions_per_second"] = round(rate / 1e6)
    assert rate >= target


def test_a_small_kernel_starts_at_once(benchmark: Any) -> None:
    source = """
extern "C" __global__ void add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
"""
    engine = engine_for(TESLA_T4)
    x = np.ones(1000, np.float32)
    work = work_of(ptx_of(source), "add", 8, 128, {"a": x, "b": x, "c": Out((1000,)), "n": 1000})
    engine.run(work, RunOptions())

    def afresh() -> None:
        engine.close()
        engine.run(work, RunOptions())

    benchmark.pedantic(afresh, rounds=20, warmup_rounds=2)
    assert benchmark.stats.stats.median < 0.05
