"""Every hostile submission is graded like a student's and gains nothing. One test module per sandbox inherits this."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import msgspec
import pytest

from grader.config.settings import LimitSettings
from grader.grading.cases import EVERY_CASE, PUBLIC_CASES
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules, rung_files, submission_of
from grader.grading.submission import grade
from grader.labs.builtin import catalogue
from grader.labs.lab import Lab
from grader.labs.registry import discover
from grader.languages import by_suffix
from grader.model.report import Report
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.port import Sandbox
from grader.sandbox.process import ProcessSandbox
from tests.attacks.entries import Attempt, attempts, folder
from tests.attacks.sandboxes import opened, skip_unless_isolating

SEED = 20_261_123
NOISE = 1.01
"""Largest difference in modelled speed between two ways to write the same kernel."""

CANARY = "the-judge-s-own-words-9c1f27"
SECRET_PLACE = b"/the/judge/secret.txt"
MARKER_PLACE = b"/the/judge/marker.txt"
"""Hostile files contain these paths; the test replaces them with real paths of the machine."""

QUICK = {
    "04-lazy-result.py",
    "22-table.cu",
    "25-sampled-by-import.py",
    "36-constant.cu",
    "54-pickle.py",
    "58-include-reference.cu",
    "71-endless.cu",
    "91-forged-code.py",
    "113-forged-words.cu",
}
"""Files of the corpus that are graded in well under a second, one per section: the quick tests use these."""

ATTEMPTS = [
    pytest.param(
        letter,
        attempt,
        id=f"{letter}-{attempt.file}",
        marks=[] if attempt.file in QUICK else pytest.mark.corpus,
    )
    for letter, attempt in attempts()
]


@functools.cache
def lab_called(name: str) -> Lab:
    return discover([catalogue()]).labs[name]


class Grading:
    """One grading environment for many submissions."""

    def __init__(self, sandbox: Sandbox) -> None:
        environment = GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True
        )
        self._rungs = RungModules(environment)

    def report(self, submission: Submission, limits: dict[str, int], *, hidden: bool = True) -> Report:
        rungs = self._rungs
        if limits:
            environment = replace(rungs.environment, limits=replace(rungs.environment.limits, **limits))
            rungs = RungModules(environment)
        return grade(
            lab_called(submission.lab), submission, rungs, SEED, EVERY_CASE if hidden else PUBLIC_CASES
        )


@contextmanager
def honest_work() -> Iterator[Callable[[Attempt, Language], Report]]:
    """Results of the honest submissions in any sandbox: the emulator's times do not depend on it."""
    with ProcessSandbox() as sandbox:
        grading = Grading(sandbox)

        @functools.cache
        def graded(lab_name: str, rung_name: str, language: Language) -> Report:
            lab = lab_called(lab_name)
            files = rung_files(lab, lab.manifest.rung(rung_name), language)
            return grading.report(submission_of(lab, files, language, "honest"), {})

        yield lambda attempt, language: graded(attempt.lab, attempt.honest, language)


class CorpusContract:
    """A subclass names its sandbox in ``kind``. One subclass per module, so that they run in parallel."""

    kind: ClassVar[str]

    @pytest.fixture(scope="class")
    @classmethod
    def honest(cls) -> Iterator[Callable[[Attempt, Language], Report]]:
        with honest_work() as graded:
            yield graded

    @pytest.fixture(scope="class")
    @classmethod
    def grading(cls) -> Iterator[Grading]:
        with opened(cls.kind) as sandbox:
            yield Grading(sandbox)

    @pytest.mark.parametrize(("letter", "attempt"), ATTEMPTS)
    def test_an_attack_gains_nothing(
        self,
        grading: Grading,
        honest: Callable[[Attempt, Language], Report],
        letter: str,
        attempt: Attempt,
        tmp_path: Path,
    ) -> None:
        if attempt.isolated:
            skip_unless_isolating(self.kind)
        secret, marker = tmp_path / "secret.txt", tmp_path / "marker.txt"
        secret.write_text(f'#define SECRET "{CANARY}"\n', encoding="utf-8")
        submission = hostile(letter, attempt, secret, marker)
        report = grading.report(submission, attempt.limits, hidden=attempt.hidden)
        fair = honest(attempt, submission.language)

        assert_no_gain(attempt, report, fair)
        assert CANARY.encode() not in msgspec.json.encode(report)
        assert sorted(tmp_path.iterdir()) == [secret]


def assert_no_gain(attempt: Attempt, report: Report, fair: Report) -> None:
    assert fair.verdict is Verdict.ACCEPTED, fair.reason
    assert report.verdict in attempt.verdict, report.reason
    if report.verdict is Verdict.ACCEPTED:
        assert report.score <= fair.score, report.parts
    else:
        assert report.score < fair.score, report.parts
    assert speedups(report).keys() <= speedups(fair).keys()
    for name, speedup in speedups(report).items():
        assert speedup <= speedups(fair)[name] * NOISE, name


def hostile(letter: str, attempt: Attempt, secret: Path, marker: Path) -> Submission:
    """The attempt's files as a student would submit them, aimed at this machine's ``secret`` and ``marker``."""
    top = folder(letter) / attempt.file
    paths = sorted(top.iterdir()) if top.is_dir() else [top]
    places = {SECRET_PLACE: bytes(secret), MARKER_PLACE: bytes(marker)}
    files = tuple(SourceFile(name=path.name, data=aimed(path.read_bytes(), places)) for path in paths)
    (language,) = {by_suffix()[path.suffix].key for path in paths if path.suffix in by_suffix()}
    return Submission(student="mallory", lab=attempt.lab, language=language, files=files, path=str(top))


def aimed(data: bytes, places: dict[bytes, bytes]) -> bytes:
    for place, real in places.items():
        data = data.replace(place, real)
    return data


def speedups(report: Report) -> dict[str, float]:
    return {kernel.name: kernel.speedup.value for kernel in report.kernels if kernel.speedup}
