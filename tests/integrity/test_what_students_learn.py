"""However a kernel fails or behaves in a hidden case, its student reads the same in every form of the report."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from grader.config.settings import LimitSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.labs.lab import Lab
from grader.labs.manifest import Use
from grader.model.report import EngineInfo, Report, ResultsDocument, Visibility
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.report import csv_file, feedback_text, junit, results_json
from grader.report.pages import feedback_page, submission_page
from grader.report.redact import Audience, redact
from grader.sandbox.process import ProcessSandbox
from tools.labs import built_in_labs

FIRST = 41
FAILS = {
    "one element is wrong": "shift = first;",
    "every element is wrong": "shift = 1;",
    "nothing is written": "return;",
    "a write far out of bounds": "if (first) b[1 << 20] = 1;",
    "a write below": "if (first) b[-3] = 1;",
    "a read out of bounds": "shift = (int)a[rows * cols + 5];",
    "a read of no memory": "shift = *(volatile const int *)16;",
    "a trap": 'if (first) asm volatile("trap;");',
    "an assertion": "assert(!first);",
    "an endless loop": "while (*(volatile const float *)a < 1e30f) { }",
    "more steps than allowed": "for (volatile int i = 0; i < 1 << 28; ++i) { }",
    "a misaligned access": "shift = *(const int *)((const char *)a + 1);",
    "a race": "b[0] = threadIdx.x;",
    "a changed input": "if (first) ((float *)a)[0] += 1;",
    "uninitialised shared memory": "shift = 1 + (int)cell[threadIdx.x];",
    "a barrier that some threads miss": "if (threadIdx.x < 3) __syncthreads(); else return;",
    "text and a wrong element": 'shift = first; if (first) printf("%d", rows);',
    "text without end": 'shift = first; for (int i = 0; i < 99; ++i) printf("%d %d", rows, i);',
}
"""Ways to fail, each on a line of its own and in a hidden case of its own size."""

PASSES = {
    "as elsewhere": "",
    "with text": 'printf("%d", rows);',
    "with many more steps": "for (volatile int i = 0; i < 3000; ++i) { }",
    "with scattered accesses": "for (int i = 0; i < 32; ++i) shift = min(0, (int)abs(a[i * 37 % rows]));",
    "with bank conflicts": "if (threadIdx.x < 8 && threadIdx.y == 0) ((volatile float *)cell)[threadIdx.x * 32] = 1;",
    "with atomics": "for (int i = 0; i < 32; ++i) atomicAdd(&counter, 1);",
}


def kernel(ways: dict[str, str]) -> str:
    """A transpose that takes another way in each hidden size."""
    lines = "\n".join(
        f"    case {FIRST + number}: {{ {way} }} break;" for number, way in enumerate(ways.values())
    )
    return f"""// launch: transpose block=32,8 grid=ceil(cols/32),ceil(rows/8)
#include <cstdio>
#include <cassert>
__device__ int counter;
__global__ void transpose(const float *a, float *b, int rows, int cols)
{{
    __shared__ float cell[256];
    const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    const bool first = row == 0 && col == 0;
    int shift = 0;
    switch (rows) {{
{lines}
    }}
    if (first && rows < 0) cell[0] = 1;
    if (row < rows && col < cols) b[(size_t)col * rows + row] = a[(size_t)row * cols + col] + shift;
}}
"""


def lab_hiding(rows: int) -> Lab:
    """The transpose with one public case, which is also timed, and a hidden one with this number of rows."""
    lab = built_in_labs().get("transpose")
    known = lab.manifest.cases[0]
    seen = replace(known, name="seen", visibility=Visibility.PUBLIC, sizes={"rows": 40, "cols": 24})
    unseen = replace(known, name="unseen", visibility=Visibility.HIDDEN, sizes={"rows": rows, "cols": 24})
    cases = (replace(seen, use=frozenset({Use.CHECK, Use.TIME})), replace(unseen, use=frozenset({Use.CHECK})))
    return type(lab)(replace(lab.manifest, cases=cases), lab.folder, lab.reference)


@dataclass(frozen=True)
class Shown:
    """What a student can read, in every form."""

    report: Report
    json: bytes
    csv: bytes
    junit: bytes
    text: str
    pages: tuple[str, ...]


def shown(report: Report, file: SourceFile) -> Shown:
    """Return ``report`` in every form that students get."""
    document = ResultsDocument(
        grader_version="1",
        created_at="2026-01-01T00:00:00+00:00",
        engine=EngineInfo(kind=EngineKind.EMULATOR, device="Tesla T4"),
        reports=(report,),
    )
    redacted = redact(report)
    sources = {(report.student, report.lab): (file,)}
    return Shown(
        report=redacted,
        json=results_json.dump(replace(document, reports=(redacted,))),
        csv=csv_file.dump([redacted]),
        junit=junit.dump([redacted]),
        text=feedback_text.render(report.student, document),
        pages=(
            feedback_page.render(report.student, document, sources),
            submission_page.render(document, sources, Audience.STUDENT),
        ),
    )


@pytest.fixture(scope="module")
def environment() -> Iterator[GradingEnvironment]:
    limits = LimitSettings(run_seconds=2, steps=2_000_000)
    with ProcessSandbox() as sandbox:
        yield GradingEnvironment.open(sandbox, EngineKind.EMULATOR, "Tesla T4", limits, modelled_counts=True)


def graded(environment: GradingEnvironment, ways: dict[str, str], way: str) -> tuple[Report, SourceFile]:
    lab = lab_hiding(FIRST + list(ways).index(way))
    file = SourceFile(name="transpose.cu", data=kernel(ways).encode())
    submission = Submission(
        student="mallory", lab=lab.name, language=Language.CUDA_C, files=(file,), path=file.name
    )
    return grade(lab, submission, RungModules(environment), seed=7), file


@pytest.fixture(scope="module")
def a_failure(environment: GradingEnvironment) -> Shown:
    return shown(*graded(environment, FAILS, next(iter(FAILS))))


@pytest.mark.parametrize("way", FAILS)
def test_every_failure_in_a_hidden_case_reads_the_same(
    environment: GradingEnvironment, a_failure: Shown, way: str
) -> None:
    report, file = graded(environment, FAILS, way)
    assert not report.kernels[0].cases[1].verdict.earns_correctness, report.reason
    assert shown(report, file) == a_failure


@pytest.mark.parametrize("way", PASSES)
def test_a_hidden_case_that_passes_shows_nothing_else(environment: GradingEnvironment, way: str) -> None:
    report, file = graded(environment, PASSES, way)
    usual = shown(*graded(environment, PASSES, "as elsewhere"))
    assert report.kernels[0].cases[1].verdict is Verdict.ACCEPTED, report.reason
    assert shown(report, file) == usual
