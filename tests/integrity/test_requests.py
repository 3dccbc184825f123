"""Invariants 2, 4 and 10 for workers: the content and the order of the requests that they receive.

One submission, the best rung of a lab, is graded on the emulator while the sandbox records all requests.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from grader.config.settings import LimitSettings
from grader.grading.batch import Batch
from grader.grading.cases import prepare
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules, rung_files, submission_of
from grader.grading.submission import grade
from grader.labs.lab import Lab
from grader.model.report import Report
from grader.model.run import EngineKind
from grader.model.submission import Language, Submission
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from grader.worker.messages import RequestKind, WorkerRole
from tests.integrity.listening import Asked, ListeningSandbox
from tools.labs import built_in_labs

SEED = 0xC0FFEE_5EED_0123_4567_89AB_CDEF_0246_8ACE % 2**128
LAB = "vector-add"
CHUNK = 32
"""The length in bytes of a sequence that does not occur by chance."""


@dataclass(frozen=True)
class Heard:
    """The requests that one grading sent to its workers, and its final report."""

    lab: Lab
    asked: list[Asked]
    report: Report

    def to_run_workers(self) -> list[Asked]:
        return [request for request in self.asked if request.role is WorkerRole.RUN]


def submission(lab: Lab) -> Submission:
    rung = lab.manifest.rungs[-1]
    return submission_of(lab, rung_files(lab, rung, Language.CUDA_C), Language.CUDA_C, "student-01")


def environment(sandbox: ListeningSandbox) -> GradingEnvironment:
    return GradingEnvironment.open(sandbox, EngineKind.EMULATOR, "t4", LimitSettings(), modelled_counts=True)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[ListeningSandbox]:
    with ProcessSandbox() as inner:
        yield ListeningSandbox(inner)


@pytest.fixture(scope="module")
def heard(sandbox: ListeningSandbox) -> Heard:
    return listen(sandbox)


def listen(sandbox: ListeningSandbox) -> Heard:
    lab = built_in_labs().get(LAB)
    graded_in = environment(sandbox)
    sandbox.asked.clear()
    report = grade(lab, submission(lab), RungModules(graded_in), SEED)
    return Heard(lab=lab, asked=list(sandbox.asked), report=report)


def test_the_grading_is_a_whole_one(heard: Heard) -> None:
    assert heard.report.verdict is Verdict.ACCEPTED
    kinds = {request.kind for request in heard.asked}
    assert kinds == {
        RequestKind.TRANSLATE,
        RequestKind.ASSEMBLE,
        RequestKind.PUT_INPUTS,
        RequestKind.RUN,
        RequestKind.COMPARE,
    }


def test_no_worker_receives_a_right_answer(heard: Heard) -> None:
    for case in heard.lab.manifest.cases:
        for expected in prepare(heard.lab, case, SEED).expected.values():
            value = np.asarray(expected.value)
            pieces = [value.astype(kind).tobytes()[:CHUNK] for kind in (np.float32, np.float64)]
            for piece in pieces:
                if len(piece) == CHUNK and any(piece):
                    assert not any(piece in request.sent for request in heard.asked), case.name


def test_only_run_workers_get_inputs(heard: Heard) -> None:
    case = heard.lab.manifest.cases[0]
    pieces = [array.tobytes()[:CHUNK] for array in prepare(heard.lab, case, SEED).inputs.arrays.values()]
    roles = {request.role for request in heard.asked if any(piece in request.sent for piece in pieces)}
    assert roles == {WorkerRole.RUN}


def test_no_worker_receives_the_seed(heard: Heard) -> None:
    spellings = [
        str(SEED).encode(),
        f"{SEED:x}".encode(),
        SEED.to_bytes(16, "big"),
        SEED.to_bytes(16, "little"),
    ]
    for half in (SEED >> 64, SEED % 2**64):
        spellings += [half.to_bytes(8, "big"), half.to_bytes(8, "little")]
    for request in heard.asked:
        assert not any(spelling in request.sent for spelling in spellings)
    assert str(SEED) not in repr(heard.report)


def test_rungs_run_only_after_the_submission_was_checked(heard: Heard) -> None:
    """No reference answer is in memory, registers or caches while a student's kernel is checked."""
    kinds = [request.kind for request in heard.to_run_workers()]
    assert kinds.index(RequestKind.COMPARE) >= len(heard.lab.manifest.cases) - 1
    assembled = [request.body.module for request in heard.asked if request.kind is RequestKind.ASSEMBLE]
    mine = assembled[0].units[0].ptx
    ran = [r for r in heard.to_run_workers()[: kinds.index(RequestKind.COMPARE)] if r.kind is RequestKind.RUN]
    for request in ran:
        assert [unit.ptx for unit in request.body.job.module.units] == [mine]


def test_build_and_run_workers_have_separate_requests(heard: Heard) -> None:
    builders = [request.worker for request in heard.asked if request.role is not WorkerRole.RUN]
    assert len(set(builders)) == len(builders)
    assert not set(builders) & {request.worker for request in heard.to_run_workers()}


def test_the_same_seed_asks_the_same_again(heard: Heard, sandbox: ListeningSandbox) -> None:
    again = listen(sandbox)
    first, second = ([request.sent for request in heard.to_run_workers()] for heard in (heard, again))
    assert first == second


def test_every_grading_has_a_seed_and_a_run_worker_of_its_own(sandbox: ListeningSandbox) -> None:
    lab = built_in_labs().get(LAB)
    graded_in = environment(sandbox)
    sandbox.asked.clear()
    batch = Batch({LAB: lab}, graded_in, 1, threading.Event())
    finished = batch.run([submission(lab)] * 2, lambda _: None, lambda _: None)
    assert len({graded.seed for graded in finished}) == 2
    assert all(graded.seed.bit_length() > 64 for graded in finished)
    supplied = [request for request in sandbox.asked if request.kind is RequestKind.PUT_INPUTS]
    inputs = {request.worker: request.body.fresh for request in supplied}
    assert len(inputs) == 2
    assert len({tuple(given.values()) for given in inputs.values()}) == 2
