"""Exercises of public courses, and five that no list named, as manifests, short classes and kernels."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.config.settings import LimitSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules, rung_files, submission_of
from grader.grading.submission import grade
from grader.labs.folder import load_lab
from grader.labs.lab import Lab
from grader.model.report import Report
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox

COURSES = Path(__file__).parent / "data" / "courses"
MISTAKES = {
    "conv2d": ("r < rows && c >= 0", "r < rows && c >= 1"),
    "ell-spmv": ("k < width", "k + 1 < width"),
    "exclusive-scan": ("y[i] = sum;\n        sum += x[i];", "sum += x[i];\n        y[i] = sum;"),
    "find-repeats": ("] = i;", "] = i + 1;"),
    "floyd-warshall": ("through < ", "through + 1 < "),
    "game-of-life": ("around == 2 &&", "around == 4 &&"),
    "histogram": ("data[i]]", "data[i] / 2]"),
    "k-means": ("fmaxf(sums[3 * c + 2], 1.0f)", "(sums[3 * c + 2] + 1.0f)"),
    "mandelbrot": ("<= 4.0", "<= 2.0"),
    "monte-carlo-pi": ("hits[t] = count;", "hits[t] = points * 0.7853982f;"),
    "odd-even-sort": ("+ phase;", "+ 0;"),
    "rgba-to-grey": ("0.587f", "0.5f"),
    "stencil3d": ("+ u[i + dx]", "+ u[i]"),
}
"""For each exercise, what a wrong kernel has in place of its rung."""


@pytest.fixture(scope="module")
def rungs() -> Iterator[RungModules]:
    with ProcessSandbox() as sandbox:
        yield RungModules(
            GradingEnvironment.open(sandbox, EngineKind.EMULATOR, "t4", LimitSettings(), modelled_counts=True)
        )


def report(lab: Lab, rungs: RungModules, old: str = "", new: str = "") -> Report:
    own = submission_of(lab, rung_files(lab, lab.manifest.rungs[0], Language.CUDA_C), Language.CUDA_C, "rung")
    (file,) = own.files
    assert old in file.data.decode()
    files = (SourceFile(name=file.name, data=file.data.decode().replace(old, new).encode()),)
    changed = Submission(student="ann", lab=lab.name, language=own.language, files=files, path=own.path)
    return grade(lab, changed, rungs, 7)


@pytest.mark.parametrize("name", MISTAKES)
def test_an_exercise_takes_right_kernels_and_no_wrong_ones(rungs: RungModules, name: str) -> None:
    lab = load_lab(COURSES / name, COURSES / name)
    right = report(lab, rungs)
    assert right.verdict is Verdict.ACCEPTED, right.reason
    assert all(kernel.speedup is not None for kernel in right.kernels)
    assert report(lab, rungs, *MISTAKES[name]).verdict is Verdict.WRONG


def test_each_exercise_is_shown() -> None:
    assert sorted(MISTAKES) == sorted(path.name for path in COURSES.iterdir())
