"""The emulator's findings count the same whether a GPU or the emulator grades."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar, cast

import pytest

from grader.engines.builtin import EMULATOR
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.model.devices import H200
from grader.model.reason import reason
from grader.model.report import Part, Report
from grader.model.run import Fault, RunResult
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.port import Sandbox, Worker
from grader.sandbox.process import ProcessSandbox
from grader.worker.messages import RequestKind, WorkerSettings
from tests.grading.fake_gpu import FakeGpuSandbox, fake_gpu_environment, lab_on_a_gpu
from tests.grading.order_dependent_kernels import IN_ORDER_OF_ARRIVAL
from tools.forwarding_sandbox import ForwardingWorker
from tools.messages import english
from tools.paths import CHECKOUT

T = TypeVar("T")

LAB = lab_on_a_gpu("transpose", {"rows": 768, "cols": 512})
GLOBAL = (CHECKOUT / "reference" / "transpose" / "global.cu").read_text()
RACING = GLOBAL.replace("{\n", "{\n    __shared__ volatile int last;\n    last = threadIdx.x;\n", 1)
"""All threads of a block write to one variable that is never read."""
MUCH_SHARED = f"// launch: transpose block=32,8 grid=ceil(cols/32),ceil(rows/32) shared=100000\n{GLOBAL}"


class _Blind(ForwardingWorker):
    """Returns only what a GPU reports of a run."""

    def ask(self, kind: RequestKind, body: Any, expected: type[T], *, seconds: float, reply_bytes: int) -> T:
        answer: Any = super().ask(kind, body, expected, seconds=seconds, reply_bytes=reply_bytes)
        if kind is RequestKind.RUN:
            answer = replace(answer, diagnostics=(), counters=())
        return cast("T", answer)


class _Unable(ForwardingWorker):
    """Rejects every run."""

    def ask(self, kind: RequestKind, body: Any, expected: type[T], *, seconds: float, reply_bytes: int) -> T:
        if kind is not RequestKind.RUN:
            return super().ask(kind, body, expected, seconds=seconds, reply_bytes=reply_bytes)
        answer: Any = RunResult(
            outputs={},
            fault=Fault(verdict=Verdict.NOT_GRADABLE, reason=reason("unsupported", what="this instruction")),
        )
        return cast("T", answer)


class _BlindGpu(FakeGpuSandbox):
    def worker(self, settings: WorkerSettings) -> Worker:
        worker = super().worker(settings)
        return _Blind(worker) if settings.needs_gpu else worker


class _UnableEmulator(_BlindGpu):
    def worker(self, settings: WorkerSettings) -> Worker:
        worker = super().worker(settings)
        return _Unable(worker) if settings.engine == EMULATOR else worker


@pytest.fixture
def processes() -> Iterator[ProcessSandbox]:
    with ProcessSandbox() as sandbox:
        yield sandbox


def graded(
    processes: ProcessSandbox, source: str, sandbox: Callable[[Sandbox], FakeGpuSandbox] = _BlindGpu
) -> Report:
    gpu = replace(fake_gpu_environment(processes, H200), sandbox=sandbox(processes))
    files = (SourceFile(name="transpose.cu", data=source.encode()),)
    submission = Submission(
        student="s", lab="transpose", language=Language.CUDA_C, files=files, path="transpose.cu"
    )
    return grade(LAB, submission, RungModules(gpu), seed=7)


def parts(report: Report, word: str) -> list[Part]:
    found = [part for part in report.parts if word in part.name]
    assert found
    return found


def test_a_plain_kernel_is_right_and_timed(processes: ProcessSandbox) -> None:
    report = graded(processes, GLOBAL)
    assert report.verdict is Verdict.ACCEPTED
    assert report.kernels[0].speedup is not None
    assert all(not english(part.reason).startswith("not timed") for part in report.parts)


def test_a_race_makes_it_wrong_whatever_came_out(processes: ProcessSandbox) -> None:
    report = graded(processes, RACING)
    assert report.verdict is Verdict.WRONG
    assert "race" in english(report.reason)
    assert report.kernels[0].speedup is None
    assert {part.score for part in parts(report, "times as fast")} == {0.0}
    assert {part.score for part in parts(report, "coalesced")} == {0.0}


def test_a_kernel_that_is_wrong_in_another_order_has_no_speed(processes: ProcessSandbox) -> None:
    report = graded(processes, IN_ORDER_OF_ARRIVAL)
    assert report.verdict is Verdict.WRONG
    assert "in another order" in english(report.reason)
    assert report.kernels[0].speedup is None
    assert report.kernels[0].timings == ()
    assert {part.score for part in parts(report, "times as fast")} == {0.0}


def test_technique_is_not_judged_by_an_unfinished_run(processes: ProcessSandbox) -> None:
    report = graded(processes, GLOBAL, _UnableEmulator)
    assert report.verdict is Verdict.ACCEPTED
    (coalesced,) = parts(report, "coalesced")
    assert coalesced.score == 0.0
    assert english(coalesced.reason).startswith("not judged")
    assert "emulator" in english(coalesced.reason)


def test_the_emulator_takes_what_the_gpu_takes(processes: ProcessSandbox) -> None:
    report = graded(processes, MUCH_SHARED)
    assert report.verdict is Verdict.ACCEPTED, report.reason
    assert report.kernels[0].resources is not None
    assert report.kernels[0].resources.shared_bytes == 100000
