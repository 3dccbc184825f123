"""A real GPU launches kernels as the host code of their file does."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.gpu.commands import grader
from tests.gpu.session_lock import GpuLock
from tests.grading.numba_transpose import NUMBA_TRANSPOSE

pytestmark = pytest.mark.gpu

CUDA_C = """\
__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = a[y * cols + x];
    __syncthreads();
    int out = blockIdx.y * 16 + threadIdx.x, row = blockIdx.x * 16 + threadIdx.y;
    if (out < rows && row < cols) b[row * rows + out] = tile[threadIdx.x][threadIdx.y];
}
int main()
{
    const int h = 1024, w = 2048;
    dim3 threads(16, 16), blocks((w + 15) / 16, (h + 15) / 16);
    transpose<<<blocks, threads>>>(0, 0, h, w);
}
"""
NUMBA = (
    NUMBA_TRANSPOSE
    + """\
def main(a, b):
    h, w = a.shape
    transpose[(math.ceil(w / 16), math.ceil(h / 16)), (16, 16)](a, b, h, w)
"""
)


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory, alone: GpuLock) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("launches")
    submitted = folder / "submissions" / "transpose"
    submitted.mkdir(parents=True)
    (submitted / "one.cu").write_text(CUDA_C, encoding="utf-8")
    (submitted / "two.py").write_text(NUMBA, encoding="utf-8")
    with alone():
        grader(folder, "grade", "submissions", "--engine", "cuda", "--trust-submissions")
    document = json.loads(Path(folder, "results", "results.json").read_bytes())
    return {each["student"]: each for each in document["reports"]}


@pytest.mark.parametrize("student", ["one", "two"])
def test_a_tile_of_main_is_right_on_a_gpu(reports: dict[str, Any], student: str) -> None:
    report = reports[student]
    assert report["verdict"] == "accepted", report["reason"]
    assert "launched-as-host" in {each["code"] for each in report["diagnostics"]}
    assert report["kernels"][0]["speedup"]["kind"] == "measured"
