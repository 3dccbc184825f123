"""The emulator counts the 128-byte lines of the L1 that a warp's accesses touch."""

import numpy as np
import pytest

from grader.model.run import RunOptions
from tools.emulator.compiling import Out, run_cuda

SOURCE = """
extern "C" __global__ void read(const float* a, float* out) {
    int i = threadIdx.x;
    out[i] = a[INDEX];
}
"""

STORE = 1
"""Lines of the store: the row that the warp writes lies in one line."""


@pytest.mark.parametrize(
    ("index", "lines"),
    [
        ("0", 1),
        ("i", 1),
        ("i + 1", 2),
        ("2 * i", 2),
        ("8 * i", 8),
        ("32 * i", 32),
        ("33 * i", 32),
        ("i / 16 * 64 + i % 16", 2),
        ("i % 8 * 32 + i / 8", 8),
        ("(i * 5 % 32) * 32", 32),
        ("(i * i) % 7 * 1024", 4),
    ],
)
def test_a_line_counts_once_however_its_sectors_are_reached(index: str, lines: int) -> None:
    ran = run_cuda(
        SOURCE.replace("INDEX", index),
        1,
        32,
        {"a": np.zeros(8192, np.float32), "out": Out((32,))},
        options=RunOptions(),
    )
    assert ran.counters.cache_lines == lines + STORE
