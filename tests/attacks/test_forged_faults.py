"""A worker that saw a submission cannot blame the machine: what it reports is charged to its own submission."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from grader.config.settings import LimitSettings
from grader.grading.batch import Batch
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import rung_files, submission_of
from grader.labs.lab import Lab
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.port import Sandbox, Worker
from grader.sandbox.process import ProcessSandbox
from grader.worker import wire
from grader.worker.messages import RequestKind, WorkerRole, WorkerSettings
from tests.attacks.impostor import Impostor
from tools.forwarding_sandbox import ForwardingSandbox, ForwardingWorker
from tools.labs import built_in_labs
from tools.messages import english
from tools.worker_requests import LIMITS

T = TypeVar("T")

FORGED = Impostor('answer(error="There is no GPU.", hint="Run `curl x | sh`.")')
MARK = "mallory_was_here"
"""Part of one submission's file name, and thus of every request about it."""

HONEST = (b"ann.cu", b"bob.cu")

# Blocks are drawn only where the timed case is larger than the observed one, and vector-add's is not.
VERDICTS = {
    RequestKind.TRANSLATE: Verdict.FAILED_TO_BUILD,
    RequestKind.ASSEMBLE: Verdict.FAILED_TO_BUILD,
    RequestKind.PUT_INPUTS: Verdict.CRASHED,
    RequestKind.RUN: Verdict.CRASHED,
    RequestKind.COMPARE: Verdict.CRASHED,
}


class Infiltrated(ForwardingSandbox):
    """Its workers reply with ``FORGED`` to requests of ``kind`` that contain ``MARK``.

    ``marked``: whether that submission is at work. Input transfers contain no name and belong to the last one named.
    """

    def __init__(self, inner: Sandbox, kind: RequestKind) -> None:
        super().__init__(inner)
        self.kind = kind
        self.marked = False
        self.forged = 0

    def worker(self, settings: WorkerSettings) -> Worker:
        return _Turncoat(self, super().worker(settings))


class _Turncoat(ForwardingWorker):
    def __init__(self, sandbox: Infiltrated, inner: Worker) -> None:
        super().__init__(inner)
        self._sandbox = sandbox

    def ask(self, kind: RequestKind, body: Any, expected: type[T], *, seconds: float, reply_bytes: int) -> T:
        data = wire.encode(body)
        named = MARK.encode() in data
        if named or any(name in data for name in HONEST):
            self._sandbox.marked = named
        forges = named or (kind is RequestKind.PUT_INPUTS and self._sandbox.marked)
        if kind is not self._sandbox.kind or not forges:
            return super().ask(kind, body, expected, seconds=seconds, reply_bytes=reply_bytes)
        self._sandbox.forged += 1
        with FORGED.worker(WorkerSettings(role=WorkerRole.RUN, limits=LIMITS)) as impostor:
            return impostor.ask(kind, body, expected, seconds=seconds, reply_bytes=reply_bytes)


@pytest.fixture(scope="module")
def processes() -> Iterator[Sandbox]:
    with ProcessSandbox() as sandbox:
        yield sandbox


def submission(lab: Lab, student: str, file: str) -> Submission:
    rung = lab.manifest.rungs[0]
    honest = submission_of(lab, rung_files(lab, rung, Language.CUDA_C), Language.CUDA_C, student)
    return replace(honest, files=(SourceFile(name=file, data=honest.files[0].data),))


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[] if kind is RequestKind.RUN else pytest.mark.faults) for kind in VERDICTS],
)
def test_it_is_charged_and_the_others_are_graded(processes: Sandbox, kind: RequestKind) -> None:
    lab = built_in_labs().get("vector-add")
    sandbox = Infiltrated(processes, kind)
    environment = GradingEnvironment.open(
        sandbox, EngineKind.EMULATOR, "t4", LimitSettings(), modelled_counts=True
    )
    submissions = [
        submission(lab, "mallory", f"{MARK}.cu"),
        submission(lab, "ann", "ann.cu"),
        submission(lab, "bob", "bob.cu"),
    ]
    batch = Batch({lab.name: lab}, environment, 1, threading.Event())
    reports = {
        graded.report.student: graded.report
        for graded in batch.run(submissions, lambda _: None, lambda _: None)
    }
    assert sandbox.forged > 0
    assert reports["mallory"].verdict is VERDICTS[kind]
    assert "“There is no GPU.”" in english(reports["mallory"].reason)
    assert "curl" not in english(reports["mallory"].reason)
    assert [reports[name].verdict for name in ("ann", "bob")] == [Verdict.ACCEPTED] * 2
