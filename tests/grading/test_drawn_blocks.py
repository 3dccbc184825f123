"""A kernel with one face for the observed case and another for the timed one gains nothing on a GPU."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from grader.grading.drawn_blocks import nearby_cases
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.labs.lab import Lab
from grader.labs.manifest import Case, Use
from grader.model.devices import H200
from grader.model.reason import Reason
from grader.model.report import Part, Report, Visibility
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tests.grading.fake_gpu import fake_gpu_environment, lab_on_a_gpu

SIZES = {"rows": 1024, "cols": 1024}
LAB = lab_on_a_gpu("transpose", SIZES)

BOTH_FACES = """
__device__ unsigned multiprocessors()
{
    unsigned count;
    asm("mov.u32 %0, %%nsmid;" : "=r"(count));
    return count;
}

__device__ unsigned started;

// Wait until the first block has started.
__device__ bool waited()
{
    if (blockIdx.x + blockIdx.y == 0) atomicExch(&started, 1);
    while (atomicAdd(&started, 0) == 0) { }
    return true;
}

__device__ void scattered(const float *from, float *to, int rows, int cols)
{
    const int x = blockIdx.x * 32 + threadIdx.x;
    for (int y = blockIdx.y * 32 + threadIdx.y; y < blockIdx.y * 32 + 32; y += 8)
        if (x < cols && y < rows) to[(size_t)x * rows + y] = from[(size_t)y * cols + x];
}

__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    __shared__ float square[32][33];
    if (CONDITION) {
        scattered(a, b, rows, cols);
        return;
    }
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int i = threadIdx.y; i < 32; i += 8)
        if (x < cols && blockIdx.y * 32 + i < rows)
            square[i][threadIdx.x] = a[(size_t)(blockIdx.y * 32 + i) * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    for (int i = threadIdx.y; i < 32; i += 8)
        if (x < rows && blockIdx.x * 32 + i < cols)
            b[(size_t)(blockIdx.x * 32 + i) * rows + x] = square[threadIdx.x][i];
}
"""

TECHNIQUE = ("part-uses-shared-memory", "part-is-coalesced", "part-has-no-bank-conflicts")


@pytest.fixture(scope="module")
def rungs() -> Iterator[RungModules]:
    with ProcessSandbox() as sandbox:
        yield RungModules(fake_gpu_environment(sandbox, H200))


def graded(rungs: RungModules, condition: str, lab: Lab = LAB) -> Report:
    text = BOTH_FACES.replace("CONDITION", condition)
    submission = Submission(
        student="s",
        lab="transpose",
        language=Language.CUDA_C,
        files=(SourceFile(name="transpose.cu", data=text.encode()),),
        path="transpose.cu",
    )
    return grade(lab, submission, rungs, seed=3)


def technique(report: Report) -> list[Part]:
    return [part for part in report.parts if part.title and part.title.code in TECHNIQUE]


def earned(report: Report) -> float:
    return sum(part.score for part in technique(report))


def code_of_flag(report: Report) -> str:
    suspicion = report.kernels[0].suspicion
    assert suspicion is not None, report.reason
    return suspicion.code


def test_one_face_earns_all_points_for_technique(rungs: RungModules) -> None:
    report = graded(rungs, "false")
    assert report.verdict is Verdict.ACCEPTED, report.reason
    assert earned(report) == sum(part.max_score for part in technique(report)) > 0


@pytest.mark.parametrize("condition", ["rows > 512", "(long)rows * cols >= 1 << 19", "gridDim.x > 16"])
def test_another_face_for_large_sizes_is_flagged_without_points(rungs: RungModules, condition: str) -> None:
    report = graded(rungs, condition)
    assert earned(report) == 0.0
    assert report.verdict is Verdict.SUSPICIOUS
    assert code_of_flag(report) == "other-code-when-timed"


@pytest.mark.parametrize("condition", ["rows == 1024", "rows >= 1024 && cols >= 1024", "gridDim.y == 32"])
def test_a_face_for_the_timed_size_is_flagged(rungs: RungModules, condition: str) -> None:
    report = graded(rungs, condition)
    assert earned(report) == 0.0
    assert code_of_flag(report) == "code-for-one-size"


@pytest.mark.parametrize(
    "condition",
    [
        "(size_t)b - (size_t)a < (1ull << 30)",
        "(size_t)b - (size_t)a != (1ull << 36)",
        "((size_t)a & 0xfffff) != 0",
    ],
)
def test_a_face_by_addresses_earns_nothing(rungs: RungModules, condition: str) -> None:
    report = graded(rungs, condition)
    assert earned(report) == 0.0
    assert code_of_flag(report) == "decides-by-address"


def test_a_face_that_cannot_be_observed_is_flagged(rungs: RungModules) -> None:
    waits = "rows > 512 && waited()"
    report = graded(rungs, waits)
    assert earned(report) == 0.0
    assert code_of_flag(report) == "other-code-when-timed"


def test_a_face_by_the_number_of_multiprocessors_earns_nothing(rungs: RungModules) -> None:
    report = graded(rungs, "multiprocessors() != 1")
    assert earned(report) == 0.0
    assert code_of_flag(report) == "reads-multiprocessor"


def test_a_race_at_full_size_makes_the_kernel_wrong(rungs: RungModules) -> None:
    report = graded(
        rungs, "rows > 512 && (square[0][threadIdx.x] = threadIdx.y, square[0][threadIdx.x ^ 1] < -1)"
    )
    assert report.verdict is Verdict.WRONG
    assert report.kernels[0].speedup is None


def test_a_student_learns_no_line_of_a_hidden_timed_case(rungs: RungModules) -> None:
    cases = tuple(
        replace(case, visibility=Visibility.HIDDEN) if case.name == "larger" else case
        for case in LAB.manifest.cases
    )
    lab = type(LAB)(replace(LAB.manifest, cases=cases), LAB.folder, LAB.reference)
    report = graded(rungs, "rows > 512", lab)
    assert {part.reason for part in technique(report)} == {Reason(code="flaw-in-timed-case")}


def test_nearby_sizes_are_near_and_aligned_alike() -> None:
    case = Case(
        name="timed",
        visibility=Visibility.HIDDEN,
        use=frozenset({Use.TIME}),
        sizes={"rows": 8191, "cols": 8192, "stride": 3, "left": -33},
        inputs="normal",
        engines=frozenset({EngineKind.CUDA}),
    )
    below, above = nearby_cases(case, seed=1)
    for near, sign in ((below, -1), (above, 1)):
        for name in ("rows", "cols"):
            distance = near.sizes[name] - case.sizes[name]
            assert 0 < sign * distance <= 0.07 * case.sizes[name]
            assert distance % 256 == 0
        assert {name: near.sizes[name] for name in ("stride", "left")} == {"stride": 3, "left": -33}
