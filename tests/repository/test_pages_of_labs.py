"""The labs of the pages about programs of kernels and about frames, copied and graded."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.config.settings import LimitSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules, rung_files, rung_sources, submission_of
from grader.grading.submission import grade
from grader.labs.folder import load_lab
from grader.labs.lab import Lab
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tests.repository.project import captioned_files
from tools.paths import CHECKOUT

LABS = {"heat": "programs-of-kernels.md", "guard": "frames.md"}


@pytest.fixture(scope="module")
def labs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Lab]:
    return {name: lab_of(tmp_path_factory.mktemp("course"), name) for name in LABS}


def lab_of(folder: Path, lab: str) -> Lab:
    for name, code in captioned_files(CHECKOUT / "docs" / "lab-author" / LABS[lab]).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code, encoding="utf-8")
    return load_lab(folder / "course" / "assignments" / lab, folder / "course" / "reference" / lab)


@pytest.fixture(scope="module")
def rungs() -> Iterator[RungModules]:
    with ProcessSandbox() as sandbox:
        yield RungModules(
            GradingEnvironment.open(sandbox, EngineKind.EMULATOR, "t4", LimitSettings(), modelled_counts=True)
        )


@pytest.mark.parametrize("name", LABS)
def test_the_rung_of_a_page_gets_every_point(labs: dict[str, Lab], rungs: RungModules, name: str) -> None:
    lab = labs[name]
    (rung,) = lab.manifest.rungs
    for language in rung_sources(lab, rung):
        files = rung_files(lab, rung, language)
        report = grade(lab, submission_of(lab, files, language, "rung"), rungs, 7)
        assert report.verdict is Verdict.ACCEPTED, report.reason
        assert report.score == report.max_score


def test_a_rod_that_stops_too_early_is_found(labs: dict[str, Lab], rungs: RungModules) -> None:
    lab = labs["heat"]
    (rung,) = lab.manifest.rungs
    submission = submission_of(lab, rung_files(lab, rung, Language.CUDA_C), Language.CUDA_C, "hasty")
    (file,) = submission.files
    hasty = replace(file, data=file.data.replace(b"0.9f * least", b"20.0f * least"))
    report = grade(lab, replace(submission, files=(hasty,)), rungs, 7)
    assert {kernel.name: kernel.verdict for kernel in report.kernels}["until_rest"] is Verdict.WRONG
