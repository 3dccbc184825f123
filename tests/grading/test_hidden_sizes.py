"""A kernel that encodes the sizes of a hidden case in its errors reveals nothing about them to its student."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from grader.config.settings import LimitSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.labs.lab import Lab
from grader.labs.manifest import Case
from grader.model.report import Report, Visibility
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.report.redact import redact
from grader.sandbox.process import ProcessSandbox
from tools.labs import built_in_labs

LEAKING = """// launch: transpose block=min(rows,64),4 grid=ceil(cols/block_x),ceil(rows/block_y)
#include <cstdio>
__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (rows > 40) {
        printf("%d rows\\n", rows);
        if (rows % 2)
            b[-1 - rows] = 1;
        else
            b[-2 - cols] = 2;
    }
    if (row < rows && col < cols) b[(size_t)col * rows + row] = a[(size_t)row * cols + col];
}
"""
PUBLIC = {"rows": 40, "cols": 24}


def lab_hiding(rows: int, cols: int) -> Lab:
    """The transpose with one public case, and a hidden one of these sizes."""
    lab = built_in_labs().get("transpose")
    known = lab.manifest.cases[0]
    cases: tuple[Case, ...] = (
        replace(known, name="seen", visibility=Visibility.PUBLIC, sizes=PUBLIC),
        replace(known, name="unseen", visibility=Visibility.HIDDEN, sizes={"rows": rows, "cols": cols}),
    )
    return type(lab)(replace(lab.manifest, cases=cases), lab.folder, lab.reference)


@pytest.fixture(scope="module")
def environment() -> Iterator[GradingEnvironment]:
    with ProcessSandbox() as sandbox:
        yield GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True
        )


def graded(environment: GradingEnvironment, lab: Lab) -> Report:
    file = SourceFile(name="transpose.cu", data=LEAKING.encode())
    submission = Submission(
        student="mallory", lab=lab.name, language=Language.CUDA_C, files=(file,), path=file.name
    )
    return grade(lab, submission, RungModules(environment), seed=7)


def test_hidden_sizes_change_nothing_that_a_student_reads(environment: GradingEnvironment) -> None:
    odd, even = (graded(environment, lab_hiding(rows, 20)) for rows in (47, 64))
    assert odd.verdict is even.verdict is Verdict.CRASHED
    assert odd.reason != even.reason
    assert redact(odd) == redact(even)


def test_the_student_learns_that_a_hidden_case_failed(environment: GradingEnvironment) -> None:
    shown = redact(graded(environment, lab_hiding(47, 20)))
    assert [case.verdict for case in shown.kernels[0].cases] == [Verdict.ACCEPTED, Verdict.WRONG]
    assert shown.kernels[0].reason.code == "hidden-case"
    assert {found.case for found in shown.kernels[0].diagnostics} <= {"seen", None}
    assert shown.kernels[0].printed == ""
