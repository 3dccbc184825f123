"""The declared sweeps of labs run with the rungs that they name."""

from collections.abc import Iterator

import pytest

from grader.config.settings import LimitSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules, rung_files, rung_sources, submission_of
from grader.grading.sweep import Variation, sweep
from grader.labs.lab import Lab
from grader.labs.manifest import Sweep
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tools.labs import kernel_labs

DECLARED = [
    pytest.param(lab, known, language, id=f"{lab.name}-{known.rung}-{known.over}-{language}")
    for lab in kernel_labs().values()
    for known in lab.manifest.sweeps
    for language in rung_sources(lab, lab.manifest.rung(known.rung))
]


@pytest.fixture(scope="module")
def rungs() -> Iterator[RungModules]:
    with ProcessSandbox() as sandbox:
        yield RungModules(
            GradingEnvironment.open(
                sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True
            )
        )


@pytest.mark.parametrize(("lab", "known", "language"), DECLARED)
def test_two_values_in_its_middle_are_right_and_timed(
    rungs: RungModules, lab: Lab, known: Sweep, language: Language
) -> None:
    middle = len(known.values) // 2
    values = known.values[middle - 1 : middle + 1]
    variation = Variation(over=known.over, values=values, kernel=known.kernel, shows=known.shows)
    files = rung_files(lab, lab.manifest.rung(known.rung), language)
    rows = list(sweep(lab, submission_of(lab, files, language, "s"), variation, rungs, seed=7))
    assert [(row.value, row.verdict, row.reason.code) for row in rows] == [
        (value, Verdict.ACCEPTED, "case-right") for value in values
    ]
    assert all(row.seconds is not None for row in rows)
