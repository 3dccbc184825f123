"""Every hostile submission is graded like a student's and gains nothing."""

import functools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from grader.config.settings import LimitSettings, SandboxChoice
from grader.grading.bench import Bench
from grader.grading.rungs import RungModules, rung_files, submission_of
from grader.grading.submission import grade
from grader.labs.builtin import catalogue
from grader.labs.lab import Lab
from grader.labs.registry import discover
from grader.model.report import Report
from grader.model.run import EngineKind
from grader.model.submission import HEADER_SUFFIXES, LANGUAGE_OF_SUFFIX, Language, SourceFile, Submission
from grader.model.verdict import Verdict
from tests.attacks.entries import Attempt, attempts, folder
from tests.attacks.sandboxes import KINDS, opened, skip_unless_isolating

SEED = 20_261_123
CANARY = "the-judge-s-own-words-9c1f27"
SECRET_PLACE = b"/the/judge/secret.txt"
MARKER_PLACE = b"/the/judge/marker.txt"
"""Hostile files name these paths; the test puts real ones of the machine in their place."""

ATTEMPTS = [pytest.param(letter, attempt, id=f"{letter}-{attempt.file}") for letter, attempt in attempts()]


@functools.cache
def lab_called(name: str) -> Lab:
    return discover([catalogue()]).labs[name]


class Grading:
    """One bench for the whole corpus, and what honest submissions get on it."""

    def __init__(self, bench: Bench) -> None:
        self._rungs = RungModules(bench)
        self._honest: dict[tuple[str, str, Language], Report] = {}

    def report(self, submission: Submission, limits: dict[str, int]) -> Report:
        rungs = self._rungs
        if limits:
            bench = replace(rungs.bench, limits=replace(rungs.bench.limits, **limits))
            rungs = RungModules(bench)
        return grade(lab_called(submission.lab), submission, rungs, SEED)

    def honest(self, attempt: Attempt, language: Language) -> Report:
        key = (attempt.lab, attempt.honest, language)
        if key not in self._honest:
            lab = lab_called(attempt.lab)
            rung = next(rung for rung in lab.manifest.rungs if rung.name == attempt.honest)
            submission = submission_of(lab, rung_files(lab, rung, language), language, "honest")
            self._honest[key] = self.report(submission, {})
        return self._honest[key]


@pytest.fixture(scope="module", params=KINDS)
def sandbox_kind(request: pytest.FixtureRequest) -> SandboxChoice:
    return SandboxChoice(request.param)


@pytest.fixture(scope="module")
def grading(sandbox_kind: SandboxChoice) -> Iterator[Grading]:
    with opened(sandbox_kind) as sandbox:
        yield Grading(
            Bench.open(sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True)
        )


@pytest.mark.parametrize(("letter", "attempt"), ATTEMPTS)
def test_an_attack_gains_nothing(
    grading: Grading, sandbox_kind: SandboxChoice, letter: str, attempt: Attempt, tmp_path: Path
) -> None:
    if attempt.isolated:
        skip_unless_isolating(sandbox_kind)
    secret, marker = tmp_path / "secret.txt", tmp_path / "marker.txt"
    secret.write_text(f'#define SECRET "{CANARY}"\n', encoding="utf-8")
    submission = hostile(letter, attempt, secret, marker)
    report = grading.report(submission, attempt.limits)
    honest = grading.honest(attempt, submission.language)

    assert honest.verdict is Verdict.ACCEPTED, honest.reason
    assert report.verdict in attempt.verdict, report.reason
    if report.verdict is Verdict.ACCEPTED:
        assert report.score <= honest.score, report.parts
    else:
        assert report.score < honest.score, report.parts
    assert speedups(report).keys() <= speedups(honest).keys()
    for name, speedup in speedups(report).items():
        assert speedup <= speedups(honest)[name] * 1.01, name
    assert CANARY.encode() not in msgspec.json.encode(report)
    assert sorted(tmp_path.iterdir()) == [secret]


def hostile(letter: str, attempt: Attempt, secret: Path, marker: Path) -> Submission:
    """The attempt's files as a student would hand them in, aimed at this machine's ``secret`` and ``marker``."""
    top = folder(letter) / attempt.file
    paths = sorted(top.iterdir()) if top.is_dir() else [top]
    places = {SECRET_PLACE: bytes(secret), MARKER_PLACE: bytes(marker)}
    files = tuple(SourceFile(name=path.name, data=aimed(path.read_bytes(), places)) for path in paths)
    (language,) = {LANGUAGE_OF_SUFFIX[path.suffix] for path in paths if path.suffix not in HEADER_SUFFIXES}
    return Submission(student="mallory", lab=attempt.lab, language=language, files=files, path=str(top))


def aimed(data: bytes, places: dict[bytes, bytes]) -> bytes:
    for place, real in places.items():
        data = data.replace(place, real)
    return data


def speedups(report: Report) -> dict[str, float]:
    return {kernel.name: kernel.speedup.value for kernel in report.kernels if kernel.speedup}
