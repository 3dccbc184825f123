"""A launch line may use its file's named integers, with the values that they have in the file."""

from collections.abc import Iterator

import pytest

from grader.config.settings import LimitSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tools.labs import built_in_labs

LAB = built_in_labs().get("matmul")

LAUNCH = "launch: matmul block=TILE,TILE grid=ceil(n/TILE),ceil(m/TILE)"

CUDA_C = """
#define TILE 32
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < k; first += TILE) {
        const int x = first + threadIdx.x, y = first + threadIdx.y;
        as[threadIdx.y][threadIdx.x] = row < m && x < k ? a[row * k + x] : 0;
        bs[threadIdx.y][threadIdx.x] = y < k && col < n ? b[y * n + col] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}
"""

NUMBA = """
from numba import cuda, float32

TILE = 8

@cuda.jit
def matmul(a, b, c, m, n, k):
    tile = cuda.shared.array((TILE, TILE), float32)
    row = cuda.blockIdx.y * TILE + cuda.threadIdx.y
    col = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    total = float32(0)
    if row < m and col < n:
        for i in range(k):
            total += a[row, i] * b[i, col]
        tile[cuda.threadIdx.y, cuda.threadIdx.x] = total
        c[row, col] = tile[cuda.threadIdx.y, cuda.threadIdx.x]
"""


@pytest.fixture(scope="module")
def rungs() -> Iterator[RungModules]:
    with ProcessSandbox() as sandbox:
        yield RungModules(
            GradingEnvironment.open(
                sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True
            )
        )


@pytest.mark.parametrize(
    ("language", "name", "source"),
    [
        (Language.CUDA_C, "own.cu", f"// {LAUNCH}{CUDA_C}"),
        (Language.NUMBA, "own.py", f"# {LAUNCH}{NUMBA}"),
    ],
)
def test_a_tile_of_its_own_size_is_launched_as_it_is_written(
    rungs: RungModules, language: Language, name: str, source: str
) -> None:
    assert LAB.manifest.macros["TILE"] == 16
    file = SourceFile(name=name, data=source.encode())
    submission = Submission(student="s", lab=LAB.name, language=language, files=(file,), path=name)
    report = grade(LAB, submission, rungs, seed=11)
    assert report.verdict is Verdict.ACCEPTED, report.reason
