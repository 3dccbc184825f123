"""The attack corpus in plain processes without isolation, and a check that the corpus detects a disabled judge."""

from pathlib import Path

import pytest

from grader.sandbox.builtin import PROCESS
from grader.sandbox.process import ProcessSandbox
from tests.attacks.contract import CorpusContract, Grading, assert_no_gain, honest_work, hostile
from tests.attacks.entries import attempts


class TestInProcesses(CorpusContract):
    """No attack gains anything even if limits are the only protection."""

    kind = PROCESS


def test_a_judge_that_accepts_everything_would_be_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.grading.checks.mismatch", lambda *_: None)
    monkeypatch.setattr("grader.grading.timing.output_checks", lambda *_: ())
    letter, attempt = next(
        (letter, attempt) for letter, attempt in attempts() if attempt.file == "36-constant.cu"
    )
    submission = hostile(letter, attempt, tmp_path, tmp_path)
    with ProcessSandbox() as sandbox, honest_work() as honest:
        report = Grading(sandbox).report(submission, {})
        with pytest.raises(AssertionError):
            assert_no_gain(attempt, report, honest(attempt, submission.language))
