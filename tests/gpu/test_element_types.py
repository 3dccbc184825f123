"""A real GPU gets numbers, vectors and structs by value, and elements of every type, in both languages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.config.settings import LimitSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tests.labs.elements_lab import SOURCES, lab_of, submission

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def rungs() -> Iterator[RungModules]:
    with ProcessSandbox() as sandbox:
        yield RungModules(
            GradingEnvironment.open(sandbox, EngineKind.CUDA, "t4", LimitSettings(), modelled_counts=False)
        )


@pytest.mark.parametrize("language", list(SOURCES))
def test_right_kernels_of_every_type_are_accepted(
    tmp_path: Path, rungs: RungModules, language: Language
) -> None:
    lab = lab_of(tmp_path)
    report = grade(lab, submission(lab, language), rungs, 7)
    assert {kernel.name: kernel.verdict for kernel in report.kernels} == dict.fromkeys(
        lab.manifest.graded, Verdict.ACCEPTED
    ), [case.reason for kernel in report.kernels for case in kernel.cases]


def test_a_wrong_member_of_a_struct_by_value_is_seen(tmp_path: Path, rungs: RungModules) -> None:
    lab = lab_of(tmp_path)
    wrong = submission(lab, Language.CUDA_C, "lens.weights[1] + lens.gain", "lens.weights[0] + lens.gain")
    found = {kernel.name: kernel.verdict for kernel in grade(lab, wrong, rungs, 7).kernels}
    assert [name for name, verdict in found.items() if verdict is not Verdict.ACCEPTED] == ["light"]
