"""Profiling tools: an H200's counters of a rung are compared with the emulator's."""

from dataclasses import replace

import pytest
from rich.console import Console

from grader.grading.cases import PUBLIC_CASES
from grader.grading.profiled import Profiler
from grader.grading.rungs import RungModules, rung_files, submission_of
from grader.grading.submission import grade
from grader.model.diagnostic import Diagnostic
from grader.model.report import KernelReport
from grader.model.run import LaunchJob
from grader.model.submission import Language, Submission
from grader.profiling import nsight, sanitizer
from grader.profiling.tools import Runner
from grader.report.profile import LineFigures, figures
from grader.report.terminal.profile import device_findings, emulator_vs_gpu
from grader.sandbox.process import ProcessSandbox
from grader.sandbox.tool_runner import Unconfined
from tests.grading.fake_gpu import fake_gpu_environment, lab_on_a_gpu
from tests.profiling.recorded_report import LAUNCHES, REPORT

LAB = lab_on_a_gpu("transpose", {"rows": 768, "cols": 512})
CONFLICT_LINE = 31


@pytest.fixture(scope="module")
def submission() -> Submission:
    paths = rung_files(LAB, LAB.manifest.rung("shared_conflict"), Language.CUDA_C)
    return submission_of(LAB, paths, Language.CUDA_C, "student-01")


def test_both_say_the_same_of_the_same_lines(
    submission: Submission, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded = nsight.read(REPORT, LAUNCHES)[0]
    monkeypatch.setattr(nsight, "counted", lambda _, jobs: [recorded for _ in jobs])
    monkeypatch.setattr(sanitizer, "checked", lambda *_: [])
    with ProcessSandbox() as sandbox:
        environment = fake_gpu_environment(sandbox)
        report = grade(LAB, submission, RungModules(environment), 7, choice=PUBLIC_CASES)
        found = Profiler(environment, Unconfined()).profiled(LAB, submission, report, 7)
    assert found.case == "medium"
    (kernel,) = report.kernels
    measured = replace(kernel, lines=recorded.lines, sites=recorded.sites)
    here, there = by_line(kernel), by_line(measured)
    for line, figure in there.items():
        if figure.sectors.requests:
            assert here[line].sectors == figure.sectors
        if figure.passes.requests:
            assert here[line].passes == figure.passes

    Console(width=80).print(
        emulator_vs_gpu(kernel, measured, submission.files), *device_findings((), submission.files)
    )
    output = capsys.readouterr().out
    (row,) = (line for line in output.splitlines() if line.split()[:1] == [str(CONFLICT_LINE)])
    assert row.split().count("32×") == 2
    assert "compute-sanitizer reports no errors" in output


def by_line(kernel: KernelReport) -> dict[int | None, LineFigures]:
    return {place.line: figure for place, figure in figures(kernel).items()}


def test_a_wrong_kernel_is_checked_and_not_counted(
    submission: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    (file,) = submission.files
    broken = replace(
        submission, files=(replace(file, data=file.data.replace(b"tile[tx][i]", b"tile[ty][i]")),)
    )
    assert broken.files != submission.files
    checked: list[LaunchJob] = []

    def note(_: Runner, jobs: list[LaunchJob]) -> list[Diagnostic]:
        checked.extend(jobs)
        return []

    monkeypatch.setattr(nsight, "counted", lambda *_: pytest.fail("it is not right"))
    monkeypatch.setattr(sanitizer, "checked", note)
    with ProcessSandbox() as sandbox:
        environment = fake_gpu_environment(sandbox)
        report = grade(LAB, broken, RungModules(environment), 7, choice=PUBLIC_CASES)
        assert not report.kernels[0].verdict.earns_correctness
        assert Profiler(environment, Unconfined()).profiled(LAB, broken, report, 7).counted == {}
    assert len(checked) == 1
