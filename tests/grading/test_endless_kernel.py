"""A kernel that never ends uses its time limit in one case only."""

from grader.config.settings import LimitSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.model.reason import reason
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tools.labs import built_in_labs
from tools.messages import english

WANDERS_OFF = b"""
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    for (unsigned long long at = n; c[at] != a[0] + b[0]; at += 1024) {
    }
}
"""


def test_a_kernel_that_wanders_off_for_ever_is_run_in_one_case() -> None:
    lab = built_in_labs().labs["vector-add"]
    file = SourceFile(name="wanders.cu", data=WANDERS_OFF)
    submission = Submission(
        student="s", lab=lab.name, language=Language.CUDA_C, files=(file,), path="wanders.cu"
    )
    with ProcessSandbox() as sandbox:
        limits = LimitSettings(run_seconds=2.0)
        environment = GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, "Tesla T4", limits, modelled_counts=True
        )
        report = grade(lab, submission, RungModules(environment), seed=1)
    first, *others = report.kernels[0].cases
    assert first.verdict is Verdict.CRASHED
    assert "out of bounds" in english(first.reason)
    skipped = reason("not-run-after-time-out", case=first.name)
    assert {case.reason for case in others} == {skipped}
