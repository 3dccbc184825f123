"""A result that depends on the order of warps and blocks is found, and correct kernels raise no alarm."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from grader.config.settings import LimitSettings
from grader.grading.cases import prepare
from grader.grading.checks import judge_run
from grader.grading.context import launch_job
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules, rung_sources
from grader.grading.schedule_independence import SCHEDULE_SEED
from grader.grading.submission import grade
from grader.labs import Lab
from grader.labs.manifest import Rung, largest_public
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.report import Report
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tests.grading.order_dependent_kernels import (
    A_BARRIER_TOO_FEW,
    IN_ORDER_OF_ARRIVAL,
    TAKING_TICKETS,
)
from tools.labs import kernel_labs
from tools.messages import english

LABS = kernel_labs()
RUNGS = [
    pytest.param(lab, rung, language, id=f"{name}-{rung.name}-{language}")
    for name, lab in LABS.items()
    for rung in lab.manifest.rungs
    for language in rung_sources(lab, rung)
]


@pytest.fixture(scope="module")
def environment() -> Iterator[GradingEnvironment]:
    with ProcessSandbox() as sandbox:
        yield GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True
        )


@pytest.fixture(scope="module")
def rungs(environment: GradingEnvironment) -> RungModules:
    return RungModules(environment)


def graded(source: str, rungs: RungModules) -> Report:
    files = (SourceFile(name="transpose.cu", data=source.encode()),)
    submission = Submission(
        student="s", lab="transpose", language=Language.CUDA_C, files=files, path="transpose.cu"
    )
    return grade(LABS["transpose"], submission, rungs, seed=7)


@pytest.mark.parametrize("source", [IN_ORDER_OF_ARRIVAL, A_BARRIER_TOO_FEW], ids=["arrival", "barrier"])
def test_a_race_that_the_natural_order_hides_is_caught(source: str, rungs: RungModules) -> None:
    (kernel,) = graded(source, rungs).kernels
    bad = [case for case in kernel.cases if case.verdict is not Verdict.ACCEPTED]
    assert [(case.name, case.verdict) for case in bad] == [("medium", Verdict.WRONG)]
    assert bad[0].reason.code == "wrong-in-another-order"
    found = [d for d in kernel.diagnostics if d.kind is DiagnosticKind.ORDER_DEPENDENCE]
    assert [(d.severity, d.kernel, d.line) for d in found] == [(Severity.ERROR, "transpose", 3)]
    assert "were never written" in english(found[0].message)
    assert "missing barrier" in english(found[0].advice)
    assert kernel.verdict is Verdict.WRONG


@pytest.mark.parametrize("source", [IN_ORDER_OF_ARRIVAL, TAKING_TICKETS], ids=["wrong", "right"])
def test_grading_twice_gives_the_same_report(source: str, rungs: RungModules) -> None:
    one, two = (replace(graded(source, rungs), time_used=None) for _ in range(2))
    assert one == two


def test_tiles_taken_by_ticket_are_right_in_every_order(rungs: RungModules) -> None:
    report = graded(TAKING_TICKETS, rungs)
    assert report.verdict is Verdict.ACCEPTED, report.reason


@pytest.mark.parametrize(("lab", "rung", "language"), RUNGS)
def test_correct_rungs_give_the_same_bytes_in_every_order(
    lab: Lab, rung: Rung, language: Language, rungs: RungModules
) -> None:
    module = rungs.module(lab, rung, language)
    largest = largest_public(lab.manifest.cases)
    assert largest is not None
    with rungs.environment.session() as session:
        for case in (lab.manifest.cases[2], largest):
            prepared = prepare(lab, case, seed=3)
            loose = {name for name, answer in prepared.expected.items() if answer.unordered}
            for kernel in rung.kernels:
                job = launch_job(lab, module, lab.manifest.spec(kernel), prepared.inputs)
                natural = session.run(job)
                for seed in (SCHEDULE_SEED, 2, 3):
                    other = session.run(job, schedule_seed=seed)
                    assert (
                        judge_run(other, job.plan, prepared, lab.manifest.tolerance.factor).verdict
                        is Verdict.ACCEPTED
                    )
                    assert {name: data for name, data in other.outputs.items() if name not in loose} == {
                        name: data for name, data in natural.outputs.items() if name not in loose
                    }
