"""The surface of PTX beyond arithmetic, from real CUDA C."""

import numpy as np
import pytest

from grader.model.diagnostic import DiagnosticKind, Severity
from tests.engines.emulator.surface_kernels import SurfaceCase, emulated, surface_cases
from tests.engines.emulator.texture_kernels import texture_cases

_ABOUT_SPEED = {
    DiagnosticKind.UNCOALESCED,
    DiagnosticKind.BANK_CONFLICT,
    DiagnosticKind.ATOMIC_CONTENTION,
    DiagnosticKind.DIVERGENCE,
}
CASES = [*surface_cases(), *texture_cases()]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_emulator_gives_the_right_answer_and_no_complaint(case: SurfaceCase) -> None:
    ran = emulated(case)
    for name, wanted in case.expected.items():
        difference = np.abs(ran[name].astype(np.float64) - wanted.astype(np.float64))
        assert difference.max() <= case.tolerance, (name, ran[name], wanted)
    found = [
        d for d in ran.result.diagnostics if d.severity is not Severity.NOTE and d.kind not in _ABOUT_SPEED
    ]
    assert found == []
