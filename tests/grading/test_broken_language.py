"""A language that does not work on this machine is found out once a run; submissions in others are graded."""

import threading
import time
from collections.abc import Iterator

import pytest

from grader.config.settings import LimitSettings
from grader.grading.batch import Batch
from grader.grading.environment import GradingEnvironment
from grader.grading.self_test import try_language
from grader.languages.builtin import CUDA_C, NUMBA
from grader.logs import Event
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tools.broken_numba import REASON, break_numba
from tools.labs import built_in_labs
from tools.log_lines import log_lines, of_event
from tools.messages import english
from tools.paths import CHECKOUT

ERRORS: list[type[Exception]] = [ImportError, AttributeError]


@pytest.fixture(params=ERRORS)
def environment(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[GradingEnvironment]:
    break_numba(monkeypatch, request.param)
    with ProcessSandbox() as sandbox:
        yield GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=False
        )


def submission(student: str, name: str) -> Submission:
    language = Language.NUMBA if name.endswith(".py") else Language.CUDA_C
    file = SourceFile(name=name, data=(CHECKOUT / "submissions" / "row-sum" / name).read_bytes())
    return Submission(student=student, lab="row-sum", language=language, files=(file,), path=name)


def test_a_run_finds_out_once_and_grades_the_other_language(environment: GradingEnvironment) -> None:
    warnings: list[str] = []
    started = time.monotonic()
    batch = Batch(built_in_labs().labs, environment, 1, threading.Event(), warnings.append)
    work = [submission(f"student-{i}", "student-07.py") for i in range(3)]
    with log_lines() as lines:
        graded = batch.run([*work, submission("ann", "student-06.cu")], lambda _: None, lambda _: None)
    seconds = {each.submission.student: each.seconds for each in graded}
    reports = {each.report.student: each.report for each in graded}
    assert reports["ann"].verdict is Verdict.ACCEPTED
    assert all(reports[each.student].verdict is Verdict.NOT_GRADABLE for each in work)
    assert all(REASON in english(reports[each.student].reason) for each in work)
    assert len(warnings) == 1
    assert REASON in warnings[0]
    assert [line["language"] for line in of_event(lines, Event.LANGUAGE_UNAVAILABLE)] == ["numba"]
    assert of_event(lines, Event.GRADING_RETRIED) == []
    assert max(seconds["student-1"], seconds["student-2"]) < 0.1 < time.monotonic() - started


def test_a_trial_says_which_language_works(environment: GradingEnvironment) -> None:
    works, fails = (try_language(environment, language) for language in (CUDA_C, NUMBA))
    assert (works.problem, works.hint) == ("", "")
    assert works.seconds > 0
    assert REASON in fails.problem
    assert "constraints.txt" in fails.hint
