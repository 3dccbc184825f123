"""A real GPU carries out programs of several kernels: loops on flags, copies, symbols, and their times."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.config.settings import LimitSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.model.report import KernelReport
from grader.model.run import EngineKind
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tests.labs.pipelines_lab import RUNG, lab_of, submission

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def rungs() -> Iterator[RungModules]:
    with ProcessSandbox() as sandbox:
        yield RungModules(
            GradingEnvironment.open(sandbox, EngineKind.CUDA, "t4", LimitSettings(), modelled_counts=False)
        )


def kernels(root: Path, rungs: RungModules, text: str) -> dict[str, KernelReport]:
    lab = lab_of(root, lambda toml: toml.replace("n = 100,", "n = 1000,"))
    return {each.name: each for each in grade(lab, submission(lab, text), rungs, 7).kernels}


@pytest.mark.alone
def test_programs_are_right_and_timed_on_a_gpu(tmp_path: Path, rungs: RungModules) -> None:
    found = kernels(tmp_path, rungs, RUNG)
    assert {name: each.verdict for name, each in found.items()} == dict.fromkeys(
        ("scan", "smooth", "largest"), Verdict.ACCEPTED
    ), [each.reason for each in found.values()]
    for each in found.values():
        assert each.speedup is not None
        assert 0.5 < each.speedup.value < 2


def test_a_flag_that_ends_no_loop_times_out_on_a_gpu(tmp_path: Path, rungs: RungModules) -> None:
    endless = RUNG.replace("    if (i + 1 < n && z", "    atomicExch(changed, 1);\n    if (i + 1 < n && z")
    found = kernels(tmp_path, rungs, endless)["largest"]
    assert found.verdict is Verdict.TIMED_OUT
    assert found.cases[0].reason.code == "plan-loop-endless"


def test_a_missing_variable_fails_to_build_on_a_gpu(tmp_path: Path, rungs: RungModules) -> None:
    found = kernels(tmp_path, rungs, RUNG.replace("weights", "factors"))
    assert found["smooth"].verdict is Verdict.FAILED_TO_BUILD
    assert found["scan"].verdict is Verdict.ACCEPTED
