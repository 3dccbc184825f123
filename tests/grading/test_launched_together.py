"""A kernel that a lab launches together with another one fails to build if that one is missing."""

from dataclasses import replace
from typing import Any

import pytest

from grader.config.settings import LimitSettings
from grader.grading.cases import PUBLIC_CASES
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules, rung_files, submission_of
from grader.grading.submission import grade
from grader.model.plan import LaunchPlan
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tools.labs import built_in_labs


def test_the_missing_kernel_is_named_and_nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = built_in_labs().get("vector-add")
    plain = lab.plan_for

    def together(*arguments: Any) -> LaunchPlan:
        plan = plain(*arguments)
        return replace(plan, launches=(*plan.launches, replace(plan.launches[0], kernel="second_step")))

    monkeypatch.setattr(lab, "plan_for", together)
    files = rung_files(lab, lab.manifest.rungs[0], Language.CUDA_C)
    submission = submission_of(lab, files, Language.CUDA_C, "ann")
    with ProcessSandbox() as sandbox:
        environment = GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, "t4", LimitSettings(), modelled_counts=True
        )
        report = grade(lab, submission, RungModules(environment), 7, PUBLIC_CASES)
    (kernel,) = report.kernels
    assert {case.verdict for case in kernel.cases} == {Verdict.FAILED_TO_BUILD}
    assert {case.reason.params["kernel"] for case in kernel.cases} == {"second_step"}
