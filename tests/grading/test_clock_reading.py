"""A kernel that can detect when it is timed gets no measured speed before staff review it."""

from collections.abc import Iterator

import pytest

from grader.config.settings import LimitSettings
from grader.grading.cases import PUBLIC_CASES
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.grading.session import RunSession
from grader.grading.submission import grade
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.report import KernelReport
from grader.model.run import EngineKind, TimedComparison, TimedPair
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tests.attacks.entries import folder
from tools.labs import built_in_labs
from tools.messages import english

NAME = "89-reads-a-clock.cu"


@pytest.fixture(scope="module")
def environment() -> Iterator[GradingEnvironment]:
    with ProcessSandbox() as sandbox:
        yield GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True
        )


def graded(environment: GradingEnvironment) -> KernelReport:
    file = SourceFile(name=NAME, data=(folder("G") / NAME).read_bytes())
    submission = Submission(
        student="mallory", lab="vector-add", language=Language.CUDA_C, files=(file,), path=NAME
    )
    lab = built_in_labs().get(submission.lab)
    (kernel,) = grade(lab, submission, RungModules(environment), seed=7, choice=PUBLIC_CASES).kernels
    return kernel


def test_its_measured_times_wait_for_a_person(
    environment: GradingEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measured(*_: object) -> TimedComparison:
        return TimedComparison(pairs=(TimedPair(baseline=2e-3, submission=1e-3),) * 30, modelled=False)

    monkeypatch.setattr(RunSession, "compare", measured)
    kernel = graded(environment)
    assert kernel.verdict is Verdict.SUSPICIOUS
    assert english(kernel.suspicion).startswith(f"{NAME}, line 15: it reads a clock")


def test_clock_reading_with_modelled_times_is_only_a_warning(
    environment: GradingEnvironment,
) -> None:
    kernel = graded(environment)
    assert (kernel.verdict, english(kernel.suspicion)) == (Verdict.ACCEPTED, "")
    (warning,) = [each for each in kernel.diagnostics if each.kind is DiagnosticKind.CLOCK_READING]
    assert (warning.file, warning.line, warning.severity) == (NAME, 15, Severity.WARNING)
