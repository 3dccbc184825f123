"""A kernel is launched as its host code launches it, and a wrong result names host code that explains it."""

from collections.abc import Iterator

import pytest

from grader.config.settings import LimitSettings
from grader.grading.cases import PUBLIC_CASES
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.model.reason import Reason
from grader.model.report import Report
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tests.grading.numba_transpose import NUMBA_TRANSPOSE
from tools.labs import built_in_labs

ADD = """\
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
"""
STAGED = """\
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    extern __shared__ float sums[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sums[threadIdx.x] = a[i] + b[i];
    if (i < n) c[i] = sums[threadIdx.x];
}
"""
TRANSPOSE = """\
__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = a[y * cols + x];
    __syncthreads();
    int out = blockIdx.y * 16 + threadIdx.x, row = blockIdx.x * 16 + threadIdx.y;
    if (out < rows && row < cols) b[row * rows + out] = tile[threadIdx.x][threadIdx.y];
}
"""
TOTAL = """\
__global__ void reduce_int32(const int *a, int *out, int *work, int n)
{
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i];
    __shared__ int sums[256];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}
"""
MAIN = "int main(int argc, char **argv) {{ float *a, *b, *c; {} }}\n"
LAUNCH_LINE = 6


@pytest.fixture(scope="module")
def rungs() -> Iterator[RungModules]:
    with ProcessSandbox() as sandbox:
        yield RungModules(
            GradingEnvironment.open(
                sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True
            )
        )


def graded(rungs: RungModules, lab: str, source: str, language: Language = Language.CUDA_C) -> Report:
    name = "own.cu" if language == Language.CUDA_C else "own.py"
    file = SourceFile(name=name, data=source.encode())
    submission = Submission(student="s", lab=lab, language=language, files=(file,), path=name)
    return grade(built_in_labs().get(lab), submission, rungs, seed=3, choice=PUBLIC_CASES)


def said(report: Report, code: str) -> Reason:
    (found,) = [each.message for each in report.diagnostics if each.message.code == code]
    return found


def causes(report: Report) -> set[str]:
    """The codes in the reasons of all cases."""
    pending = [case.reason for kernel in report.kernels for case in kernel.cases]
    codes = set()
    while pending:
        reason = pending.pop()
        codes.add(reason.code)
        pending += reason.nested()
    return codes


def test_block_and_grid_of_main_are_used(rungs: RungModules) -> None:
    source = TRANSPOSE + MAIN.format(
        "int rows = 100, cols = 200; dim3 t(16, 16), g((cols + 15) / 16, (rows + 15) / 16);"
        "transpose<<<g, t>>>(a, b, rows, cols);"
    )
    report = graded(rungs, "transpose", source)
    assert report.verdict is Verdict.ACCEPTED, report.reason
    used = said(report, "launched-as-host")
    assert used.params["geometry"] == "block=16,16 grid=(cols + 15) // 16,(rows + 15) // 16"
    assert used.location is not None
    assert (used.location.file, used.location.line) == ("own.cu", 10)


def test_a_square_matrix_in_main_gets_the_labs_axes(rungs: RungModules) -> None:
    source = TRANSPOSE + MAIN.format(
        "const int N = 1024; dim3 t(16, 16), g(N / 16, N / 16); transpose<<<g, t>>>(a, b, N, N);"
    )
    report = graded(rungs, "transpose", source)
    assert said(report, "launched-as-host").params["geometry"] == "block=16,16 grid=cols // 16,rows // 16"


@pytest.mark.parametrize(
    "launch",
    [
        "int n = 1 << 20; vector_add<<<n / 128, 128>>>(a, b, c, n);",
        "int n = 1024; vector_add<<<8, 128>>>(a, b, c, n);",
        "vector_add<<<8, 128>>>(a, b, c, 1024);",
    ],
)
def test_a_grid_for_one_size_becomes_the_labs(rungs: RungModules, launch: str) -> None:
    report = graded(rungs, "vector-add", ADD + MAIN.format(launch))
    assert report.verdict is Verdict.ACCEPTED, report.reason
    assert said(report, "launched-with-lab-grid").params["geometry"] == "block=128 grid=ceil(n / block_x)"


def test_too_small_a_grid_in_main_is_named_as_the_cause(rungs: RungModules) -> None:
    report = graded(
        rungs, "vector-add", ADD + MAIN.format("int n = 1003; vector_add<<<n / 256, 256>>>(a, b, c, n);")
    )
    assert report.verdict.earns_correctness is False
    (kernel,) = report.kernels
    ragged = next(case for case in kernel.cases if case.name == "ragged").reason
    assert ragged.code == "host-code-is-cause"
    cause, symptom = ragged.nested()
    assert (cause.params["blocks"], cause.params["threads"], cause.params["grid"]) == (3, 256, "n // 256")
    assert cause.location is not None
    assert cause.location.line == LAUNCH_LINE
    assert symptom.code == "output-never-written"
    assert symptom.params["count"] == 1003 - 768


def test_an_empty_grid_of_main_is_named_as_the_cause(rungs: RungModules) -> None:
    report = graded(
        rungs, "vector-add", ADD + MAIN.format("int n = 1003; vector_add<<<n / 256, 256>>>(a, b, c, n);")
    )
    (kernel,) = report.kernels
    assert kernel.cases[0].reason.code == "host-code-is-cause"


def test_a_launch_that_cannot_be_read_is_said_with_a_line(rungs: RungModules) -> None:
    launch = "int t = atoi(argv[1]), n = 5; vector_add<<<(n + t - 1) / t, t>>>(a, b, c, n);"
    report = graded(rungs, "vector-add", ADD + MAIN.format(launch))
    assert report.verdict is Verdict.ACCEPTED, report.reason
    unread = said(report, "launch-not-read")
    assert unread.params["directive"] == "// launch: vector_add block=256 grid=ceil(n / block_x)"
    assert "host-code-is-cause" not in causes(report)


def test_a_launch_that_cannot_be_read_explains_a_gap(rungs: RungModules) -> None:
    kernel = ADD.replace("i < n", "i < n && threadIdx.x < 128")
    launch = "int t = atoi(argv[1]), n = 5; vector_add<<<(n + t - 1) / t, t>>>(a, b, c, n);"
    assert "launch-not-read" in causes(graded(rungs, "vector-add", kernel + MAIN.format(launch)))


def test_a_constant_that_main_fills_is_named_as_the_cause(rungs: RungModules) -> None:
    kernel = "__constant__ float scale[4];\n" + ADD.replace("a[i] +", "scale[0] * a[i] +")
    report = graded(
        rungs, "vector-add", kernel + MAIN.format("float h[4] = {1}; cudaMemcpyToSymbol(scale, h, 16);")
    )
    assert report.verdict is Verdict.WRONG
    cause, _ = report.kernels[0].cases[0].reason.nested()
    assert (cause.code, cause.params["symbol"], cause.params["call"]) == (
        "symbol-set-by-host",
        "scale",
        "cudaMemcpyToSymbol",
    )


def test_a_symbol_that_is_only_reset_leaves_a_right_kernel_right(rungs: RungModules) -> None:
    kernel = "__device__ int calls;\n" + ADD.replace("    if", "    atomicAdd(&calls, 1);\n    if")
    report = graded(rungs, "vector-add", kernel + MAIN.format("int z = 0; cudaMemcpyToSymbol(calls, &z, 4);"))
    assert report.verdict is Verdict.ACCEPTED, report.reason
    assert said(report, "symbol-set-by-host").params["symbol"] == "calls"


def test_a_directive_wins_over_main(rungs: RungModules) -> None:
    directive = "// launch: vector_add block=64 grid=ceil(n/64)\n"
    report = graded(rungs, "vector-add", directive + ADD + MAIN.format("vector_add<<<1, 1>>>(a, b, c, 5);"))
    assert report.verdict is Verdict.ACCEPTED, report.reason
    assert not [each for each in report.diagnostics if each.message.code.startswith("launched")]


def test_shared_memory_of_main_is_used(rungs: RungModules) -> None:
    launch = "int n = 9, t = 128; vector_add<<<(n + t - 1) / t, t, t * sizeof(float)>>>(a, b, c, n);"
    report = graded(rungs, "vector-add", STAGED + MAIN.format(launch))
    assert report.verdict is Verdict.ACCEPTED, report.reason


def test_shared_memory_without_a_size_is_said_with_a_line(rungs: RungModules) -> None:
    missing = said(graded(rungs, "vector-add", STAGED), "shared-size-missing")
    assert missing.params["directive"] == (
        "// launch: vector_add block=256 grid=ceil(n / block_x) shared=block*4"
    )


def test_a_grid_that_the_lab_refuses_gives_way_to_the_labs(rungs: RungModules) -> None:
    source = TOTAL + MAIN.format("int n = 1 << 20; reduce_int32<<<64, 256>>>(0, 0, 0, n);")
    source += TOTAL.replace("int32", "float32").replace("int *", "float *").replace("int sum", "float sum")
    report = graded(rungs, "reduction", source)
    refused = said(report, "host-launch-refused")
    assert refused.params["directive"] == "// launch: reduce_int32 block=256 grid=ceil(n / block_x)"
    kernel = next(each for each in report.kernels if each.name == "reduce_int32")
    assert kernel.verdict is Verdict.ACCEPTED, kernel.reason


NUMBA = (
    NUMBA_TRANSPOSE
    + """\
def main(a, b):
    h, w = a.shape
    threads = (16, 16)
    blocks = (math.ceil(w / threads[0]), math.ceil(h / threads[1]))
    transpose[blocks, threads](a, b, h, w)
"""
)


def test_the_brackets_of_a_numba_launch_are_used(rungs: RungModules) -> None:
    report = graded(rungs, "transpose", NUMBA, Language.NUMBA)
    assert report.verdict is Verdict.ACCEPTED, report.reason
    used = said(report, "launched-as-host")
    assert used.params["geometry"] == "block=16,16 grid=ceil(cols / 16),ceil(rows / 16)"
    assert used.location is not None
    assert used.location.line == 21


def test_a_numba_launch_that_cannot_be_read_gets_a_line(rungs: RungModules) -> None:
    source = NUMBA.replace("threads = (16, 16)", "threads = choose()")
    report = graded(rungs, "transpose", source, Language.NUMBA)
    assert said(report, "launch-not-read").params["directive"] == (
        "# launch: transpose block=32,8 grid=ceil(cols / 32),ceil(rows / 32)"
    )
