"""Kernels with one face for the emulator and one for the GPU, graded on a GPU at the timed size."""

import time
from collections.abc import Iterator

import pytest

from grader.config.settings import LimitSettings
from grader.grading.context import GradingContext
from grader.grading.drawn_blocks import compare_code, observe_drawn_blocks
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.labs.manifest import largest_public
from grader.model.facts import CaseOutcome, KernelFacts
from grader.model.reason import reason
from grader.model.report import Report
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tests.attacks.entries import folder
from tests.gpu.session_lock import GpuLock
from tools.labs import built_in_labs
from tools.paths import CHECKOUT
from tools.rung_kernels import module

pytestmark = pytest.mark.gpu

MOST_SECONDS = 2.0
"""Aim for the observation of one submission, outside the lock of the GPU."""

TECHNIQUE = ("part-uses-shared-memory", "part-is-coalesced", "part-has-no-bank-conflicts")
FLAGS = {
    "104-by-size.cu": "other-code-when-timed",
    "105-by-multiprocessors.cu": "reads-multiprocessor",
    "106-by-addresses.cu": "decides-by-address",
    "124-by-unwritten.cu": "depends-on-unwritten-memory",
    "124-by-own-array.cu": "depends-on-unwritten-memory",
}
"""The attempts of sections J and K, and the reason for which each is flagged."""


@pytest.fixture(scope="module")
def environment(alone: GpuLock) -> Iterator[GradingEnvironment]:
    with ProcessSandbox() as sandbox:
        with alone():
            opened = GradingEnvironment.open(
                sandbox, EngineKind.CUDA, "Tesla T4", LimitSettings(), modelled_counts=False
            )
        yield opened


def graded(environment: GradingEnvironment, lab: str, name: str, source: bytes) -> Report:
    submission = Submission(
        student="mallory",
        lab=lab,
        language=Language.CUDA_C,
        files=(SourceFile(name=name, data=source),),
        path=name,
    )
    return grade(built_in_labs().get(lab), submission, RungModules(environment), seed=7)


def technique(report: Report) -> list[float]:
    return [part.score for part in report.parts if part.title and part.title.code in TECHNIQUE]


@pytest.mark.alone
def test_one_face_earns_the_points_for_technique(environment: GradingEnvironment) -> None:
    source = (CHECKOUT / "reference" / "transpose" / "shared_padded.cu").read_bytes()
    report = graded(environment, "transpose", "shared_padded.cu", source)
    assert report.verdict is Verdict.ACCEPTED, report.reason
    assert all(technique(report))


@pytest.mark.alone
@pytest.mark.parametrize("name", FLAGS)
def test_a_second_face_earns_no_points_for_technique(environment: GradingEnvironment, name: str) -> None:
    (path,) = (folder(letter) / name for letter in "JK" if (folder(letter) / name).exists())
    report = graded(environment, "transpose", name, path.read_bytes())
    assert technique(report) == [0.0, 0.0, 0.0]
    assert report.verdict is Verdict.SUSPICIOUS
    assert report.kernels[0].suspicion is not None
    assert report.kernels[0].suspicion.code == FLAGS[name]


@pytest.mark.alone
def test_a_kernel_that_marks_the_heap_gains_nothing(environment: GradingEnvironment) -> None:
    name = "108-counts-launches.cu"
    report = graded(environment, "vector-add", name, (folder("J") / name).read_bytes())
    assert report.verdict in {Verdict.SUSPICIOUS, Verdict.WRONG}
    speed = (part for part in report.parts if part.title and part.title.code.startswith("part-speed"))
    assert not any(part.score for part in speed)


@pytest.mark.parametrize("lab_name", ["transpose", "matmul", "vector-add", "row-sum", "reduction"])
def test_observing_a_submission_takes_at_most_two_seconds(
    environment: GradingEnvironment, lab_name: str
) -> None:
    lab = built_in_labs().get(lab_name)
    rung = lab.manifest.rungs[-1]
    context = GradingContext(
        lab=lab,
        language=Language.CUDA_C,
        module=module(lab, rung.name, Language.CUDA_C, environment.device.arch),
        cases=tuple(case for case in lab.manifest.cases if EngineKind.CUDA in case.engines),
        observed=largest_public(lab.manifest.cases),
        seed=7,
    )
    context.prepare_timing_case()
    assumed = CaseOutcome(name="assumed", verdict=Verdict.ACCEPTED, reason=reason("case-right"))
    kernels = [KernelFacts(name=name, cases=(assumed,)) for name in rung.kernels]
    with environment.emulating().session() as emulator:
        observe_drawn_blocks(context, emulator, kernels)  # a worker that has loaded the emulator
        began = time.monotonic()
        found = compare_code(context, emulator, observe_drawn_blocks(context, emulator, kernels))
        seconds = time.monotonic() - began
    assert all(kernel.drawn is not None and kernel.drawn.unfinished is None for kernel in found)
    assert seconds <= MOST_SECONDS
