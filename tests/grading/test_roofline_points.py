"""Points for a share of the roofline, and times below what the hardware allows, from source to report."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from grader.config.settings import LimitSettings
from grader.grading.cases import PUBLIC_CASES
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules, rung_files, submission_of
from grader.grading.session import RunSession
from grader.grading.submission import grade
from grader.labs.lab import Lab
from grader.labs.manifest import SpeedRule, Tier, Tiers
from grader.labs.registry import discover
from grader.model.report import Part, Report
from grader.model.run import EngineKind, TimedComparison, TimedPair
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tools.labs import built_in_labs
from tools.messages import english


@pytest.fixture(scope="module")
def environment() -> Iterator[GradingEnvironment]:
    with ProcessSandbox() as sandbox:
        yield GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True
        )


def graded(environment: GradingEnvironment, lab: Lab, rung: str) -> Report:
    files = rung_files(lab, lab.manifest.rung(rung), Language.CUDA_C)
    submission = submission_of(lab, files, Language.CUDA_C, "s")
    return grade(lab, submission, RungModules(environment), seed=7, choice=PUBLIC_CASES)


def asking_for_the_roofline(name: str, share: float) -> Lab:
    lab = built_in_labs().get(name)
    kernel = lab.manifest.kernels[0].spec.name
    rule = SpeedRule(kernel=kernel, scorer=Tiers(steps=(Tier(at_least=share, points=10),)), over=None)
    manifest = replace(lab.manifest, rubric=replace(lab.manifest.rubric, speed=(rule,)))
    return type(lab)(manifest, lab.folder, lab.reference)


def roofline_part(report: Report) -> Part:
    (part,) = [part for part in report.parts if "of the roofline" in part.name]
    return part


def test_points_follow_the_share_that_the_report_shows(
    environment: GradingEnvironment,
) -> None:
    seen = graded(environment, asking_for_the_roofline("matmul", 0.001), "shared")
    (kernel,) = seen.kernels
    assert kernel.roofline is not None
    assert kernel.roofline.share is not None
    part = roofline_part(seen)
    assert part.score == part.max_score == 10
    assert english(part.reason).startswith(f"reaches {100 * kernel.roofline.share:.1f} % of the roofline")
    beyond = graded(environment, asking_for_the_roofline("matmul", 1.01 * kernel.roofline.share), "shared")
    assert roofline_part(beyond).score == 0
    assert english(roofline_part(beyond).reason).endswith("needed for 10 points")


def test_a_kernel_without_arithmetic_has_no_share_or_points(environment: GradingEnvironment) -> None:
    part = roofline_part(graded(environment, asking_for_the_roofline("transpose", 0.001), "global"))
    assert (part.score, english(part.reason)) == (
        0,
        "not judged: the share of the roofline is unknown",
    )


@pytest.mark.parametrize("states", [True, False])
def test_an_implausible_time_waits_for_review(
    environment: GradingEnvironment, monkeypatch: pytest.MonkeyPatch, *, states: bool
) -> None:
    def too_fast(*_: object) -> TimedComparison:
        return TimedComparison(pairs=(TimedPair(baseline=1e-6, submission=1e-12),) * 30, modelled=False)

    monkeypatch.setattr(RunSession, "compare", too_fast)
    uncached = replace(environment, device=replace(environment.device, l2_bytes=0))
    lab = built_in_labs().get("matmul")
    lab = type(lab)(replace(lab.manifest, reads_all_inputs=states), lab.folder, lab.reference)
    seen = graded(uncached, lab, "shared")
    (kernel,) = seen.kernels
    speed = [part for part in seen.parts if "times as fast" in part.name]
    assert bool(kernel.suspicion) is states
    assert seen.verdict is (Verdict.SUSPICIOUS if states else Verdict.ACCEPTED)
    assert all((part.score == 0) is states for part in speed)
    assert seen.parts[0].score == seen.parts[0].max_score


def test_times_beyond_the_judges_clock_wait_for_review(
    environment: GradingEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overlong(*_: object) -> TimedComparison:
        pairs = (TimedPair(baseline=4e-3, submission=1e-3),) * 30
        return TimedComparison(pairs=pairs, modelled=False, wall_seconds=0.1)

    monkeypatch.setattr(RunSession, "compare", overlong)
    seen = graded(environment, discover().get("transpose"), "shared_padded")
    (kernel,) = seen.kernels
    assert seen.verdict is Verdict.SUSPICIOUS
    assert "1.50 times the wall-clock time" in english(kernel.suspicion)
    assert seen.parts[0].score == seen.parts[0].max_score
    speed = [part for part in seen.parts if "times as fast" in part.name]
    assert speed
    assert all(part.score == 0 for part in speed)
