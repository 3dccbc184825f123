"""A lab's own check sees all outputs; zeroed and scratch memory, languages and expressions of sizes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.config.settings import LimitSettings
from grader.grading.cases import PUBLIC_CASES
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.labs.convert import ManifestError
from grader.labs.folder import load_lab
from grader.labs.geometry import GeometryError, evaluate
from grader.labs.lab import Lab
from grader.labs.loader import load_manifest
from grader.model.report import Report
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tests.labs.example_lab import GOOD, folder_of_labs

HISTOGRAM = (
    GOOD.partition("[[rubric.speed]]")[0]
    .replace(
        '["const float32 x[n]", "float32 y[n]", "int32 n"]',
        '["const uint8 x[n]", "zeroed int32 counts[16]", "scratch int32 spare[n]", "int32 n"]',
    )
    .replace("ceil(n / block)", "2 ** ceil(log2(n / block))")
    .replace("[[kernels]]", 'languages = ["cuda-c"]\n[[kernels]]', 1)
)
CHECKING = """
import numpy as np
from grader.labs import Lab

class Histogram(Lab):
    def inputs(self, case, rng):
        return {"x": rng.integers(0, 16, case.sizes["n"]).astype(np.uint8)}

    def check(self, case, inputs, outputs):
        total = int(outputs["counts"].sum())
        return None if total == inputs["x"].size else f"the counts add up to {total}"
"""
KERNEL = """
__global__ void scale(const unsigned char *x, int *counts, int *spare, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    spare[i] = x[i];
    atomicAdd(&counts[spare[i]], 1);
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
    folder_of_labs(tmp_path, manifest=HISTOGRAM.replace('"check", "time"', '"check"'), code=CHECKING)
    return load_lab(tmp_path / "labs" / "scale", tmp_path / "reference" / "scale")


def graded(lab: Lab, rungs: RungModules, text: str, language: Language = Language.CUDA_C) -> Report:
    files = (SourceFile(name="a.cu", data=text.encode()),)
    submission = Submission(student="ann", lab=lab.name, language=language, files=files, path="a.cu")
    return grade(lab, submission, rungs, 7, PUBLIC_CASES)


def test_the_check_of_a_lab_sees_all_outputs(lab: Lab, rungs: RungModules) -> None:
    assert graded(lab, rungs, KERNEL).verdict is Verdict.ACCEPTED
    report = graded(lab, rungs, KERNEL.replace("if (i >= n)", "if (i >= n - 1)"))
    assert report.verdict is Verdict.WRONG
    (case,) = report.kernels[0].cases
    assert (case.reason.code, case.reason.params["problem"]) == (
        "lab-check-failed",
        "the counts add up to 99",
    )


def test_a_kernel_may_leave_out_scratch_memory(lab: Lab, rungs: RungModules) -> None:
    without = (
        KERNEL.replace(" int *spare,", "").replace("    spare[i] = x[i];\n", "").replace("spare[i]", "x[i]")
    )
    assert graded(lab, rungs, without).verdict is Verdict.ACCEPTED


def test_a_language_that_a_lab_does_not_take_is_refused(lab: Lab, rungs: RungModules) -> None:
    report = graded(lab, rungs, "from numba import cuda\n", Language.NUMBA)
    assert report.verdict is Verdict.FAILED_TO_BUILD
    assert report.kernels[0].reason.code == "language-not-taken"


def test_a_lab_that_judges_nothing_is_refused(tmp_path: Path) -> None:
    code = CHECKING.replace("def check", "def unused")
    folder_of_labs(tmp_path, manifest=HISTOGRAM, code=code)
    with pytest.raises(ManifestError, match="judges no output"):
        load_lab(tmp_path / "labs" / "scale", tmp_path / "reference" / "scale")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 ** n", 1024),
        ("log2(1024)", 10),
        ("ceil(log2(1025))", 11),
        ("floor(log2(1023))", 9),
        ("ceil(log2(1 / 3))", -1),
        ("floor(7 / 2)", 3),
        ("2 ** -1 * 6", 3),
    ],
)
def test_sizes_may_be_powers_and_logarithms(text: str, value: int) -> None:
    assert evaluate(text, {"n": 10}) == value


@pytest.mark.parametrize("text", ["log2(0)", "log2(5)", "2 ** 65", "2 ** (1 / 2)", "0 ** -1", "9 ** 64"])
def test_a_power_or_logarithm_without_a_whole_value_is_refused(text: str) -> None:
    with pytest.raises(GeometryError):
        evaluate(text, {})


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ("const float x[n]", "write float32"),
        ("const struct Body x[n]", "[[structs]]"),
        ("volatile int32 x[n]", "inout int32"),
        ("const float32 **x", "one of offsets"),
        ("const float32 *x", "sizes of an array"),
        ("constant float32 x[25]", "fixed float32"),
        ("unsigned int x[n]", "uint32"),
        ("size_t k", "write uint64"),
        ("zeroed int32 k", "only an array"),
    ],
)
def test_a_parameter_spelt_as_in_c_is_refused_with_what_to_write(
    tmp_path: Path, declared: str, said: str
) -> None:
    path = tmp_path / "lab.toml"
    path.write_text(GOOD.replace('"const float32 x[n]"', f'"{declared}"'), encoding="utf-8")
    with pytest.raises(ManifestError) as caught:
        load_manifest(path)
    assert said in str(caught.value)
    assert "line 11" in str(caught.value)
