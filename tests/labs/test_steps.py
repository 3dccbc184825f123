"""Labs of several launches: each in the student's own geometry, with scratch memory, numbers that change, and swaps."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.config.settings import LimitSettings
from grader.grading.cases import PUBLIC_CASES
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.labs.folder import load_lab
from grader.labs.lab import Lab
from grader.labs.plans import plan_of
from grader.labs.steps import Steps, SubmittedKernels
from grader.model.plan import Geometry, Role
from grader.model.report import Report
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tests.labs.example_lab import GOOD, folder_of_labs

SCAN = (
    GOOD.partition("[[rubric.speed]]")[0]
    .replace('"check", "time"', '"check"')
    .replace(
        """name = "scale"
params = ["const float32 x[n]", "float32 y[n]", "int32 n"]
block = ["64"]
grid = ["ceil(n / block)"]
""",
        """name = "scan_blocks"
params = ["const int32 x[n]", "int32 y[n]", "int32 sums[ceil(n / 32)]", "int32 n"]
block = ["32"]
grid = ["ceil(n / block)"]
[[kernels]]
name = "add_offsets"
params = ["inout int32 y[n]", "const int32 offsets[ceil(n / 32)]", "int32 n"]
block = ["32"]
grid = ["ceil(n / block)"]
[[kernels]]
name = "sort_step"
params = ["inout int32 x[n]", "int32 n", "int32 phase"]
block = ["64"]
grid = ["ceil(n / 2 / block)"]
""",
    )
    .replace('kernels = ["scale"]', 'kernels = ["scan_blocks", "add_offsets", "sort_step"]')
    .replace("sizes = { n = 100 }", "sizes = { n = 100 }\nvalues = { phase = 0 }")
)
CODE = """
import numpy as np
from grader.labs import Expected, Lab

class Scan(Lab):
    def inputs(self, case, rng):
        return {"x": rng.integers(-9, 10, case.sizes["n"]).astype(np.int32)}

    def oracle(self, case, inputs):
        x = inputs["x"].astype(np.int64)
        blocks = np.pad(x, (0, -len(x) % 32)).reshape(-1, 32)
        inside = (np.cumsum(blocks, axis=1) - blocks).reshape(-1)[: len(x)]
        return {"sums": Expected(blocks.sum(axis=1)), "inside": Expected(inside),
                "y": Expected(np.cumsum(x) - x), "x": Expected(np.sort(x))}

    def steps(self, kernel, case, steps):
        n = case.sizes["n"]
        if kernel.name == "sort_step":
            for phase in range(n):
                steps.launch("sort_step", phase=phase % 2)
        elif kernel.name == "scan_blocks":
            steps.output("inside", "int32", n)
            steps.launch("scan_blocks", y="inside")
        else:
            blocks = -(-n // 32)
            steps.input("x", "int32", n)
            steps.output("y", "int32", n)
            steps.scratch("totals", "int32", blocks)
            steps.scratch("offsets", "int32", blocks)
            steps.scratch("total", "int32", 1)
            steps.launch("scan_blocks", sums="totals")
            steps.launch("scan_blocks", x="totals", y="offsets", sums="total", n=blocks)
            steps.launch("add_offsets")
"""
KERNELS = """
// launch: scan_blocks block=32 grid=ceil(n/block)
__global__ void scan_blocks(const int *x, int *y, int *sums, int n) {
    __shared__ int a[32];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    int own = i < n ? x[i] : 0;
    a[t] = own;
    __syncthreads();
    for (int d = 1; d < 32; d *= 2) {
        int add = t >= d ? a[t - d] : 0;
        __syncthreads();
        a[t] += add;
        __syncthreads();
    }
    if (i < n) y[i] = a[t] - own;
    if (t == 31) sums[blockIdx.x] = a[31];
}
__global__ void add_offsets(int *y, const int *offsets, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += offsets[i / 32];
}
__global__ void sort_step(int *x, int n, int phase) {
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + phase;
    if (i + 1 < n && x[i] > x[i + 1]) { int swap = x[i]; x[i] = x[i + 1]; x[i + 1] = swap; }
}
"""


@pytest.fixture(scope="module")
def rungs() -> Iterator[RungModules]:
    with ProcessSandbox() as sandbox:
        yield RungModules(
            GradingEnvironment.open(sandbox, EngineKind.EMULATOR, "t4", LimitSettings(), modelled_counts=True)
        )


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    folder_of_labs(tmp_path, manifest=SCAN, code=CODE)
    return load_lab(tmp_path / "labs" / "scale", tmp_path / "reference" / "scale")


def graded(lab: Lab, rungs: RungModules, text: str) -> Report:
    files = (SourceFile(name="a.cu", data=text.encode()),)
    submission = Submission(student="ann", lab=lab.name, language=Language.CUDA_C, files=files, path="a.cu")
    return grade(lab, submission, rungs, 7, PUBLIC_CASES)


def verdicts(report: Report) -> dict[str, Verdict]:
    return {kernel.name: kernel.verdict for kernel in report.kernels}


def test_several_launches_compute_one_answer(lab: Lab, rungs: RungModules) -> None:
    assert verdicts(graded(lab, rungs, KERNELS)) == {
        "scan_blocks": Verdict.ACCEPTED,
        "add_offsets": Verdict.ACCEPTED,
        "sort_step": Verdict.ACCEPTED,
    }


def test_a_missing_kernel_costs_what_needs_it(lab: Lab, rungs: RungModules) -> None:
    start, end = KERNELS.index("// launch"), KERNELS.index("__global__ void add_offsets")
    assert verdicts(graded(lab, rungs, KERNELS[:start] + KERNELS[end:])) == {
        "scan_blocks": Verdict.FAILED_TO_BUILD,
        "add_offsets": Verdict.FAILED_TO_BUILD,
        "sort_step": Verdict.ACCEPTED,
    }


def test_each_launch_has_the_geometry_of_its_kernel_and_its_sizes(lab: Lab) -> None:
    (case,) = lab.manifest.cases
    geometries = lab.manifest.geometries | {
        "scan_blocks": Geometry(grid=("ceil(n / block)",), block=("16",)),
        "add_offsets": Geometry(grid=("1",), block=("8",)),
    }
    plan = plan_of(
        lab, lab.manifest.kernel("add_offsets").spec, case, SubmittedKernels(geometries), case.sizes
    )
    assert [(each.shape.block.x, each.shape.grid.x) for each in plan.launches] == [(16, 7), (16, 1), (8, 1)]
    roles = {buffer.name: buffer.role for buffer in plan.buffers}
    assert roles == {
        "x": Role.INPUT,
        "y": Role.OUTPUT,
        **dict.fromkeys(("totals", "offsets", "total"), Role.SCRATCH),
    }


@pytest.mark.parametrize(
    ("kernel", "arguments", "said"),
    [
        ("scale", {}, "there is no kernel scale"),
        ("sort_step", {"y": "x"}, "no parameter y"),
        ("sort_step", {"x": "nowhere"}, "a declared array"),
        ("sort_step", {"x": 5}, "a declared array"),
        ("sort_step", {"phase": "x"}, "a value such as 1"),
        ("sort_step", {"phase": 0.5}, "int32 needs a number such as 1"),
    ],
)
def test_a_mistake_in_a_step_says_what_there_is(
    lab: Lab, kernel: str, arguments: dict[str, str | float], said: str
) -> None:
    (case,) = lab.manifest.cases
    spec = lab.manifest.kernel("sort_step").spec
    steps = Steps(lab.manifest, spec, case, SubmittedKernels(lab.manifest.geometries), case.sizes)
    with pytest.raises(ValueError, match=said):
        steps.launch(kernel, **arguments)
