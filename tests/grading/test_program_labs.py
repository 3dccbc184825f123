"""Programs of a program lab: right ones earn their points, and wrong ones a clear reason."""

from collections.abc import Iterator

import pytest

from grader.config.settings import LimitSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.grading.submission import collect_facts, grade
from grader.judge.score import score
from grader.labs.lab import Lab
from grader.model.diagnostic import DiagnosticKind
from grader.model.facts import decode_facts, encode_facts
from grader.model.report import Report
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tests.labs.program_lab import (
    FUNCTION,
    FUNCTION_SOURCE,
    MAIN,
    MAIN_SOURCE,
    program_lab,
    with_length,
)

LIMITS = LimitSettings(run_seconds=4.0)


@pytest.fixture(scope="module")
def rungs() -> Iterator[RungModules]:
    with ProcessSandbox() as sandbox:
        environment = GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, "H200", LIMITS, modelled_counts=False
        )
        yield RungModules(environment)


@pytest.fixture(scope="module")
def function_lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return program_lab(tmp_path_factory.mktemp("function"), FUNCTION)


@pytest.fixture(scope="module")
def main_lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return program_lab(tmp_path_factory.mktemp("main"), MAIN)


def submission(lab: Lab, source: str, language: Language = Language.CUDA_C) -> Submission:
    files = (SourceFile(name="program.cu", data=source.encode()),)
    return Submission(student="ada", lab=lab.name, language=language, files=files, path="program.cu")


def graded(lab: Lab, source: str, rungs: RungModules) -> Report:
    return grade(lab, submission(lab, source), rungs, 7)


def test_a_right_function_earns_all_points(function_lab: Lab, rungs: RungModules) -> None:
    facts = collect_facts(function_lab, submission(function_lab, FUNCTION_SOURCE), rungs, 7)
    assert decode_facts(encode_facts(facts)) == facts
    (kernel,) = facts.kernels
    assert kernel.program is not None
    figures = kernel.program.traces["small"]
    assert (figures.copied_in, figures.copied_out, figures.launches) == (400, 400, 1)
    assert figures.kernel_seconds > 0
    assert len(kernel.program.checks) >= 5
    identity = submission(function_lab, "").identity
    report = score(facts, function_lab.manifest, identity, modelled_counts=False)
    assert (report.verdict, report.score) == (Verdict.ACCEPTED, 100)
    assert report.engine is not None
    assert report.engine.device == "Tesla T4"


PREPARED_SOURCE = """
#include <cuda_runtime.h>
static float *d;
__global__ void twice(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }
int doubled_prepare(const float *, float *, int n) { return cudaMalloc(&d, n * sizeof *d); }
int doubled(const float *x, float *y, int n)
{
    if (cudaMemcpy(d, x, n * sizeof *x, cudaMemcpyHostToDevice)) return 1;
    twice<<<(n + 63) / 64, 64>>>(d, n);
    return cudaGetLastError() || cudaMemcpy(y, d, n * sizeof *y, cudaMemcpyDeviceToHost);
}
int doubled_finish(const float *, float *, int) { return cudaFree(d); }
"""


def test_a_function_may_prepare_before_and_release_after_it(function_lab: Lab, rungs: RungModules) -> None:
    report = graded(function_lab, PREPARED_SOURCE, rungs)
    assert (report.verdict, report.score) == (Verdict.ACCEPTED, 100), report.parts


SEVERAL = {
    "twice.h": "int on_device(const float *x, float *y, int n);",
    "twice.cu": PREPARED_SOURCE.replace("doubled(const", "on_device(const")
    .replace(
        "{\n    if (cudaMemcpy(d",
        "{\n    if (!d && cudaMalloc(&d, n * sizeof *d)) return 1;\n    if (cudaMemcpy(d",
    )
    .replace("int doubled_prepare", "int unused_prepare")
    .replace("int doubled_finish(const float *, float *, int)", "int release()"),
    "host.cpp": """
#include "twice.h"
int release();
int doubled(const float *x, float *y, int n) { return on_device(x, y, n) | release(); }
""",
}


def test_all_files_of_a_folder_are_compiled_together(function_lab: Lab, rungs: RungModules) -> None:
    files = tuple(SourceFile(name=name, data=text.encode()) for name, text in SEVERAL.items())
    work = Submission(student="ada", lab=function_lab.name, language=Language.CUDA_C, files=files, path="ada")
    facts = collect_facts(function_lab, work, rungs, 7)
    assert facts.kernels[0].all_cases_passed, facts


SPINNING = "for (clock_t end = clock() + CLOCKS_PER_SEC / 50; clock() < end;);"
"""20 ms of host code."""


@pytest.mark.parametrize(
    ("old", "spins", "counts"),
    [
        (
            "{ return cudaMalloc(&d, n * sizeof *d); }",
            "{{ cudaMalloc(&d, n * sizeof *d); {} return 0; }}",
            False,
        ),
        (
            "    return cudaGetLastError() || cudaMemcpy(y, d, n * sizeof *y, cudaMemcpyDeviceToHost);",
            "    cudaMemcpy(y, d, n * sizeof *y, cudaMemcpyDeviceToHost); {} return 0;",
            True,
        ),
    ],
    ids=["prepares", "computes"],
)
def test_host_code_after_the_last_call_counts_in_the_function_alone(
    old: str, spins: str, *, counts: bool, function_lab: Lab, rungs: RungModules
) -> None:
    source = "#include <ctime>\n" + PREPARED_SOURCE
    assert old in source
    report = graded(function_lab, source.replace(old, spins.format(SPINNING)), rungs)
    (kernel,) = report.kernels
    assert kernel.seconds is not None
    assert (kernel.seconds > 0.015) is counts


NEVER_WAITS = (
    PREPARED_SOURCE.replace(
        "{ return cudaMalloc(&d, n * sizeof *d); }",
        "{ return cudaMalloc(&d, n * sizeof *d) || cudaHostRegister(y, n * sizeof *y, 0); }",
    )
    .replace(
        "doubled_prepare(const float *, float *, int n)", "doubled_prepare(const float *, float *y, int n)"
    )
    .replace(
        "cudaMemcpy(y, d, n * sizeof *y, cudaMemcpyDeviceToHost)",
        "cudaMemcpyAsync(y, d, n * sizeof *y, cudaMemcpyDeviceToHost)",
    )
)


def test_a_clock_that_the_program_sets_hides_nothing(function_lab: Lab, rungs: RungModules) -> None:
    forged = PREPARED_SOURCE.replace("{\n    if (cuda", "{\n    grader_clock(2);\n    if (cuda").replace(
        "    return cudaGetLastError()",
        "    for (int state : {0, 1, 2}) grader_clock(state);\n    return cudaGetLastError()",
    )
    assert forged.count("grader_clock") == 2
    figures = [
        facts.kernels[0].program.traces["small"]
        for source in (PREPARED_SOURCE, 'extern "C" void grader_clock(int);\n' + forged)
        if (facts := collect_facts(function_lab, submission(function_lab, source), rungs, 7))
        .kernels[0]
        .program
    ]
    honest, cheating = figures
    assert (cheating.copied, cheating.launches) == (honest.copied, 1)
    assert cheating.seconds > 0.5 * honest.seconds


def test_an_answer_that_nothing_waited_for_is_wrong(function_lab: Lab, rungs: RungModules) -> None:
    report = graded(with_length(function_lab, 5000), NEVER_WAITS, rungs)
    assert report.verdict is Verdict.WRONG
    assert "host-reads-early" in {found.message.code for found in report.kernels[0].diagnostics}


def test_a_right_main_earns_all_points(main_lab: Lab, rungs: RungModules) -> None:
    report = graded(main_lab, MAIN_SOURCE, rungs)
    assert [part for part in report.parts if part.score < part.max_score] == []
    assert report.verdict is Verdict.ACCEPTED
    assert "Sum =" in report.kernels[0].printed


def cause(report: Report) -> str:
    """The code of the report's reason, inside the names of kernel and case."""
    said = report.reason
    while said.code in {"in-kernel", "in-case"}:
        said = said.nested()[0]
    return said.code


@pytest.mark.parametrize(
    ("length", "verdict", "code"),
    [
        (101, Verdict.WRONG, "function-reports-failure"),
        (102, Verdict.WRONG, "program-left"),
        (103, Verdict.CRASHED, "program-exit-code"),
        (104, Verdict.CRASHED, "program-crashed"),
        (105, Verdict.WRONG, "output-wrong"),
        (106, Verdict.WRONG, "output-never-written"),
        (107, Verdict.WRONG, "no-kernel-launched"),
        (108, Verdict.TIMED_OUT, "program-timed-out"),
        (110, Verdict.CRASHED, "program-breaks-protocol"),
    ],
)
def test_a_wrong_function_gets_its_reason(
    function_lab: Lab, rungs: RungModules, length: int, verdict: Verdict, code: str
) -> None:
    report = graded(with_length(function_lab, length), FUNCTION_SOURCE, rungs)
    assert (report.verdict, cause(report), report.score) == (verdict, code, 0)


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        ("int doubled(const float *x", "int doubled(float *x", "program-lacks-function"),
        ("if (n == 101) return 3", "return missing", "program-does-not-compile"),
        ("#include <cstdio>", '#include "/etc/hostname"', "program-does-not-compile"),
    ],
)
def test_what_does_not_compile_gets_its_reason(
    function_lab: Lab, rungs: RungModules, before: str, after: str, code: str
) -> None:
    assert before in FUNCTION_SOURCE
    report = graded(function_lab, FUNCTION_SOURCE.replace(before, after), rungs)
    assert (report.verdict, cause(report), report.score) == (Verdict.FAILED_TO_BUILD, code, 0)


def test_what_cuda_forbids_is_wrong_although_the_answer_is_right(
    function_lab: Lab, rungs: RungModules
) -> None:
    report = graded(with_length(function_lab, 204), FUNCTION_SOURCE, rungs)
    (kernel,) = report.kernels
    assert report.verdict is Verdict.WRONG
    (line,) = [i for i, text in enumerate(FUNCTION_SOURCE.splitlines(), 1) if "n == 204" in text]
    assert any(
        found.kind is DiagnosticKind.HOST_MEMORY and found.line == line for found in kernel.diagnostics
    )


@pytest.mark.parametrize(
    ("length", "title", "code"),
    [
        (201, "part-copied-once", "structure-copied-again"),
        (202, "part-errors-checked", "structure-unchecked"),
        (203, "part-no-leak", "finding-at-line-to-fix"),
    ],
)
def test_each_rule_of_structure_is_lost_alone(
    function_lab: Lab, rungs: RungModules, length: int, title: str, code: str
) -> None:
    report = graded(with_length(function_lab, length), FUNCTION_SOURCE, rungs)
    assert report.verdict is Verdict.ACCEPTED
    lost = [part for part in report.parts if part.score < part.max_score]
    assert [part.title.code for part in lost if part.title] == [title]
    assert lost[0].reason.code == code


@pytest.mark.parametrize(
    ("length", "code"),
    [
        (301, "answer-line-missing"),
        (302, "answer-line-repeated"),
        (303, "output-incomplete"),
        (304, "output-incomplete"),
        (305, "answer-file-missing"),
        (306, "program-exit-code"),
    ],
)
def test_a_wrong_main_gets_its_reason(main_lab: Lab, rungs: RungModules, length: int, code: str) -> None:
    report = graded(with_length(main_lab, length), MAIN_SOURCE, rungs)
    assert (cause(report), report.score) == (code, 0)


def test_a_program_reads_nothing_of_this_machine(function_lab: Lab, rungs: RungModules) -> None:
    report = graded(with_length(function_lab, 109), FUNCTION_SOURCE, rungs)
    assert report.verdict is Verdict.ACCEPTED
