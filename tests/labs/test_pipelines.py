"""Programs of several kernels in a manifest: loops, swaps, copies, symbols, optional and missing kernels."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.config.settings import LimitSettings
from grader.grading.cases import PUBLIC_CASES
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.labs.convert import ManifestError
from grader.labs.lab import Lab
from grader.labs.plans import plan_of
from grader.labs.steps import SubmittedKernels
from grader.model.plan import Role
from grader.model.report import Report
from grader.model.run import EngineKind
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tests.labs.pipelines_lab import RUNG, lab_of, submission

ALL_RIGHT = dict.fromkeys(("scan", "smooth", "largest"), Verdict.ACCEPTED)


@pytest.fixture(scope="module")
def rungs() -> Iterator[RungModules]:
    with ProcessSandbox() as sandbox:
        yield RungModules(
            GradingEnvironment.open(sandbox, EngineKind.EMULATOR, "t4", LimitSettings(), modelled_counts=True)
        )


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return lab_of(tmp_path_factory.mktemp("course"))


def graded(lab: Lab, rungs: RungModules, text: str) -> Report:
    return grade(lab, submission(lab, text), rungs, 7, PUBLIC_CASES)


def verdicts(report: Report) -> dict[str, Verdict]:
    return {kernel.name: kernel.verdict for kernel in report.kernels}


def test_each_program_is_graded_and_timed_as_one(lab: Lab, rungs: RungModules) -> None:
    report = graded(lab, rungs, RUNG)
    assert verdicts(report) == ALL_RIGHT
    assert report.score == report.max_score == 100
    assert all(kernel.speedup is not None for kernel in report.kernels)


def test_a_missing_kernel_costs_its_program_alone(lab: Lab, rungs: RungModules) -> None:
    start, end = RUNG.index("__global__ void add_offsets"), RUNG.index("__constant__")
    report = graded(lab, rungs, RUNG[:start] + RUNG[end:])
    assert verdicts(report) == ALL_RIGHT | {"scan": Verdict.FAILED_TO_BUILD}
    assert report.score == 40
    (scan,) = (kernel for kernel in report.kernels if kernel.name == "scan")
    assert scan.reason.params["kernel"] == "add_offsets"


def test_an_optional_kernel_runs_where_it_is_there(lab: Lab, rungs: RungModules) -> None:
    prepare = (
        "__global__ void prepare(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x;"
        " if (i < n) a[i] += 1; }\n"
    )
    assert verdicts(graded(lab, rungs, RUNG + prepare)) == ALL_RIGHT | {"smooth": Verdict.WRONG}


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("__constant__ int weights[3];", "__device__ const int weights[3] = {1, 1, 1};", "symbol-missing"),
        ("__constant__ int weights[3];", "__constant__ short weights[3];", "symbol-too-small"),
    ],
)
def test_the_lab_fills_what_the_student_declares(
    lab: Lab, rungs: RungModules, old: str, new: str, code: str
) -> None:
    report = graded(lab, rungs, RUNG.replace(old, new))
    (smooth,) = (kernel for kernel in report.kernels if kernel.name == "smooth")
    assert smooth.verdict is Verdict.FAILED_TO_BUILD
    assert smooth.cases[0].reason.code == code


def test_a_variable_of_device_memory_is_filled_as_well(lab: Lab, rungs: RungModules) -> None:
    changed = RUNG.replace("__constant__ int weights[3];", "static __device__ int weights[5];")
    assert verdicts(graded(lab, rungs, changed)) == ALL_RIGHT


def test_a_loop_that_its_flag_never_ends_times_out(lab: Lab, rungs: RungModules) -> None:
    endless = RUNG.replace("    if (i + 1 < n && z", "    atomicExch(changed, 1);\n    if (i + 1 < n && z")
    (largest,) = (each for each in graded(lab, rungs, endless).kernels if each.name == "largest")
    assert largest.verdict is Verdict.TIMED_OUT
    assert largest.cases[0].reason.code == "plan-loop-endless"
    assert largest.cases[0].reason.params["count"] == 100


def test_a_program_has_its_arrays_and_its_loops_in_the_plan(lab: Lab) -> None:
    manifest = lab.manifest
    (case,) = manifest.cases
    kernels = SubmittedKernels(manifest.geometries, ["spread"])
    plans = {name: plan_of(lab, manifest.spec(name), case, kernels, case.sizes) for name in manifest.graded}
    assert [launch.args[:2] for launch in plans["smooth"].launches] == [("a", "b"), ("b", "a"), ("a", "b")]
    assert {buffer.name: buffer.role for buffer in plans["smooth"].buffers} == {
        "x": Role.INPUT,
        "smoothed": Role.OUTPUT,
        "a": Role.SCRATCH,
        "b": Role.SCRATCH,
        "weights": Role.INPUT,
    }
    (loop,) = plans["largest"].loops
    assert (loop.flag, loop.most, loop.until) == ("changed", 100, False)
    assert plans["scan"].steps == ()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('launch = "add_offsets" }', 'launch = "add" }', "'add'"),
        ('{ launch = "add_offsets" }', '{ zero = "x" }', "x is an input"),
        ('{ launch = "add_offsets" }', "{ byte = 1 }", "exactly one of launch, swap"),
        ('args = { sums = "totals" }', 'args = { sum = "totals" }', "no parameter sum"),
        ('repeat = "rounds"', 'repeat = "turns"', "turns"),
        ('most = "n", ', "", "needs most"),
        ('swap = ["a", "b"]', 'swap = ["a"]', "two arrays"),
        ('name = "largest"\nparams', 'name = "scan"\nparams', "there is a kernel or program scan"),
    ],
)
def test_a_mistake_in_a_program_is_refused_with_its_line(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    with pytest.raises(ManifestError, match=said) as refused:
        lab_of(tmp_path, lambda text: text.replace(old, new))
    assert "line" in str(refused.value)
