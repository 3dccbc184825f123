"""A report contains the times from which its speedups are computed."""

from grader.config.settings import LimitSettings
from grader.grading.cases import PUBLIC_CASES
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules, rung_files, submission_of
from grader.grading.submission import grade
from grader.judge.speed import replayed
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.sandbox.process import ProcessSandbox
from tools.labs import built_in_labs


def test_a_graded_speedup_follows_from_its_samples() -> None:
    lab = built_in_labs().get("transpose")
    files = rung_files(lab, lab.manifest.rung("shared_padded"), Language.CUDA_C)
    submission = submission_of(lab, files, Language.CUDA_C, "s")
    with ProcessSandbox() as sandbox:
        environment = GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True
        )
        report = grade(lab, submission, RungModules(environment), seed=7, choice=PUBLIC_CASES)
    (kernel,) = report.kernels
    assert report.lab_version == lab.manifest.version
    assert kernel.speedup is not None
    (over_baseline,) = [timing for timing in kernel.timings if timing.rung == lab.manifest.baseline]
    assert replayed(over_baseline) == kernel.speedup
    assert over_baseline.pairs[0].submission == kernel.seconds
