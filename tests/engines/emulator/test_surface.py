"""PTX beyond arithmetic, compiled from CUDA C, gives the expected outputs."""

import numpy as np
import pytest

from tests.engines.emulator.surface_kernels import SurfaceCase, complaints, emulated, surface_cases
from tests.engines.emulator.texture_kernels import texture_cases

CASES = [*surface_cases(), *texture_cases()]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_emulator_gives_the_right_answer_and_no_complaint(case: SurfaceCase) -> None:
    ran = emulated(case)
    for name, wanted in case.expected.items():
        difference = np.abs(ran[name].astype(np.float64) - wanted.astype(np.float64))
        assert difference.max() <= case.tolerance, (name, ran[name], wanted)
    assert complaints(ran) == []
