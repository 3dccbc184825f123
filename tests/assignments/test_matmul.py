"""The product's best rung has two tile sizes; it takes the larger for a C that no emulator case reaches."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from grader.config.settings import LimitSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules, rung_files, submission_of
from grader.grading.submission import grade
from grader.model.devices import TESLA_T4
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tools.labs import built_in_labs

LAB = built_in_labs().get("matmul")
CHOICE = b"constexpr int ENOUGH = 240;"


@pytest.fixture(scope="module")
def modules() -> Iterator[RungModules]:
    with ProcessSandbox() as sandbox:
        yield RungModules(
            GradingEnvironment.open(
                sandbox, EngineKind.EMULATOR, TESLA_T4.name, LimitSettings(), modelled_counts=True
            )
        )


def choosing(enough: int) -> Submission:
    """Return the rung, modified so that ``enough`` large tiles suffice."""
    submission = submission_of(
        LAB, rung_files(LAB, LAB.manifest.rung("expert"), Language.CUDA_C), Language.CUDA_C, "expert"
    )
    (own,) = (file for file in submission.files if CHOICE in file.data)
    changed = SourceFile(name=own.name, data=own.data.replace(CHOICE, b"constexpr int ENOUGH = %d;" % enough))
    others = tuple(file for file in submission.files if file is not own)
    return replace(submission, files=(changed, *others))


@pytest.mark.parametrize("enough", [0, 2**31 - 1], ids=["large tiles", "small tiles"])
def test_either_size_of_tiles_gives_every_element(modules: RungModules, enough: int) -> None:
    report = grade(LAB, choosing(enough), modules, seed=5)
    assert report.verdict is Verdict.ACCEPTED
    assert [case.verdict for kernel in report.kernels for case in kernel.cases] == [Verdict.ACCEPTED] * 15
