"""Reports, ladders and sweeps when a GPU times and the emulator counts, tested without a GPU."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from grader.grading.ladder import time_ladder
from grader.grading.rungs import RungModules, rung_files, rung_sources, submission_of
from grader.grading.submission import grade
from grader.grading.sweep import Variation, sweep, timed_case
from grader.labs.lab import Lab
from grader.model.devices import TESLA_T4
from grader.model.report import Visibility
from grader.model.run import EngineKind
from grader.model.submission import Language, Submission
from grader.model.sweep import SweepFigure, SweepRow
from grader.model.verdict import Verdict
from grader.report.redact import redact
from grader.sandbox.port import Sandbox, Worker
from grader.sandbox.process import ProcessSandbox
from grader.worker.messages import RequestKind, WorkerSettings
from tests.grading.fake_gpu import fake_gpu_environment, lab_on_a_gpu
from tools.forwarding_sandbox import ForwardingSandbox, ForwardingWorker
from tools.messages import english

T = TypeVar("T")

MATMUL = lab_on_a_gpu("matmul", {"m": 160, "n": 160, "k": 320})
TRANSPOSE = lab_on_a_gpu("transpose", {"rows": 768, "cols": 512})


@pytest.fixture
def rungs() -> Iterator[RungModules]:
    """Create new rungs for every lab, because a rung's counters are cached by the lab's name."""
    with ProcessSandbox() as sandbox:
        yield RungModules(fake_gpu_environment(sandbox))


def rung(lab: Lab, name: str) -> Submission:
    files = rung_files(lab, lab.manifest.rung(name), Language.CUDA_C)
    return submission_of(lab, files, Language.CUDA_C, "s")


def swept(
    lab: Lab, name: str, over: str, values: tuple[int, ...], rungs: RungModules, shows: SweepFigure
) -> list[SweepRow]:
    variation = Variation(over=over, values=values, kernel=lab.manifest.kernels[0].spec.name, shows=shows)
    return list(sweep(lab, rung(lab, name), variation, rungs, seed=7))


def test_a_sweep_is_timed_against_the_baseline_on_the_gpu_case(rungs: RungModules) -> None:
    assert timed_case(MATMUL, EngineKind.CUDA).name == "larger"
    rows = swept(MATMUL, "shared", "TILE", (8, 16, 64), rungs, SweepFigure.TIME)
    assert [row.verdict for row in rows] == [Verdict.ACCEPTED, Verdict.ACCEPTED, Verdict.CRASHED]
    for row in rows[:2]:
        assert row.seconds is not None
        assert row.speedup is not None
    assert "4,096 threads" in english(rows[2].reason)


def test_useful_bytes_are_emulated_and_scale_with_the_work(rungs: RungModules) -> None:
    (row,) = swept(TRANSPOSE, "global", "cols", (512,), rungs, SweepFigure.BANDWIDTH)
    assert row.useful_bytes == 2 * 4 * 768 * 512


def test_without_the_labs_work_they_grow_with_the_threads(rungs: RungModules) -> None:
    manifest = replace(TRANSPOSE.manifest, work=None)
    lab = type(TRANSPOSE)(manifest, TRANSPOSE.folder, TRANSPOSE.reference)
    (row,) = swept(lab, "global", "cols", (512,), rungs, SweepFigure.BANDWIDTH)
    assert row.useful_bytes == pytest.approx(2 * 4 * 768 * 512, rel=0.1)


@pytest.mark.parametrize("stated", [True, False])
def test_the_rate_is_of_the_larger_case_if_the_lab_states_work(rungs: RungModules, *, stated: bool) -> None:
    work = MATMUL.manifest.work if stated else None
    lab = type(MATMUL)(replace(MATMUL.manifest, work=work), MATMUL.folder, MATMUL.reference)
    (kernel,) = grade(lab, rung(lab, "shared"), rungs, seed=7).kernels
    assert kernel.verdict is Verdict.ACCEPTED, kernel.reason
    assert kernel.roofline is not None
    assert kernel.seconds is not None
    assert kernel.latency is not None
    if not stated:
        assert kernel.roofline.operations_per_second is None
        assert kernel.roofline.share is None
        return
    rate = 2 * 160 * 160 * 320 / kernel.seconds
    assert kernel.roofline.operations_per_second == pytest.approx(rate, rel=0.2)
    bound = kernel.roofline.intensity * TESLA_T4.dram_bandwidth
    assert kernel.roofline.share == pytest.approx((kernel.roofline.operations_per_second or 0) / bound)
    assert "global" in {point.rung for point in kernel.roofline.rungs}


def test_a_rate_on_a_hidden_case_is_for_staff(rungs: RungModules) -> None:
    cases = [
        replace(case, visibility=Visibility.HIDDEN) if case.name == "larger" else case
        for case in MATMUL.manifest.cases
    ]
    lab = type(MATMUL)(replace(MATMUL.manifest, cases=tuple(cases)), MATMUL.folder, MATMUL.reference)
    report = grade(lab, rung(lab, "global"), rungs, seed=7)
    (staff,), (student,) = report.kernels, redact(report).kernels
    assert staff.roofline is not None
    assert student.roofline is not None
    assert staff.roofline.operations_per_second is not None
    assert student.roofline.operations_per_second is None


class _Overheard(ForwardingSandbox):
    """Records the requests to workers in order."""

    def __init__(self, inner: Sandbox) -> None:
        super().__init__(inner)
        self.asked: list[RequestKind] = []

    def worker(self, settings: WorkerSettings) -> Worker:
        return _Overhearing(super().worker(settings), self.asked)


class _Overhearing(ForwardingWorker):
    def __init__(self, inner: Worker, asked: list[RequestKind]) -> None:
        super().__init__(inner)
        self._asked = asked

    def ask(self, kind: RequestKind, body: Any, expected: type[T], *, seconds: float, reply_bytes: int) -> T:
        self._asked.append(kind)
        return super().ask(kind, body, expected, seconds=seconds, reply_bytes=reply_bytes)


def test_a_ladder_is_built_and_counted_before_it_is_timed() -> None:
    with ProcessSandbox() as inner:
        sandbox = _Overheard(inner)
        found = time_ladder(TRANSPOSE, fake_gpu_environment(sandbox), every_case=False)
    rungs = sum(len(rung_sources(TRANSPOSE, rung)) for rung in TRANSPOSE.manifest.rungs)
    assert [row.reason for row in found.rows] == [None] * rungs
    assert {row.case for row in found.rows} == {"larger"}
    assert all(row.share is not None and row.resources is not None for row in found.rows)
    assert set(sandbox.asked) == {
        RequestKind.TRANSLATE,
        RequestKind.ASSEMBLE,
        RequestKind.PUT_INPUTS,
        RequestKind.RUN,
        RequestKind.COMPARE,
    }
    timing = sandbox.asked[sandbox.asked.index(RequestKind.COMPARE) :]
    assert not {RequestKind.TRANSLATE, RequestKind.ASSEMBLE, RequestKind.RUN}.intersection(timing)
    assert sandbox.asked.count(RequestKind.TRANSLATE) == sandbox.asked.count(RequestKind.RUN) == rungs
