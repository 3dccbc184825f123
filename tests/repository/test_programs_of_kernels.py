"""The lab of "Several kernels as one program", copied out of the page: its rung is right and gets every point."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from grader.config.settings import LimitSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules, rung_files, submission_of
from grader.grading.submission import grade
from grader.labs.folder import load_lab
from grader.labs.lab import Lab
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tests.repository.project import captioned_files
from tools.paths import CHECKOUT


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    folder = tmp_path_factory.mktemp("course")
    page = CHECKOUT / "docs" / "lab-author" / "programs-of-kernels.md"
    for name, code in captioned_files(page).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code, encoding="utf-8")
    return load_lab(folder / "course" / "assignments" / "heat", folder / "course" / "reference" / "heat")


@pytest.fixture(scope="module")
def rungs() -> Iterator[RungModules]:
    with ProcessSandbox() as sandbox:
        yield RungModules(
            GradingEnvironment.open(sandbox, EngineKind.EMULATOR, "t4", LimitSettings(), modelled_counts=True)
        )


def test_the_rung_of_the_page_gets_every_point(lab: Lab, rungs: RungModules) -> None:
    (rung,) = lab.manifest.rungs
    files = rung_files(lab, rung, Language.CUDA_C)
    report = grade(lab, submission_of(lab, files, Language.CUDA_C, "rung"), rungs, 7)
    assert report.verdict is Verdict.ACCEPTED, report.reason
    assert report.score == report.max_score


def test_a_rod_that_stops_too_early_is_found(lab: Lab, rungs: RungModules) -> None:
    (rung,) = lab.manifest.rungs
    submission = submission_of(lab, rung_files(lab, rung, Language.CUDA_C), Language.CUDA_C, "hasty")
    (file,) = submission.files
    hasty = replace(file, data=file.data.replace(b"0.9f * least", b"20.0f * least"))
    report = grade(lab, replace(submission, files=(hasty,)), rungs, 7)
    assert {kernel.name: kernel.verdict for kernel in report.kernels}["until_rest"] is Verdict.WRONG
