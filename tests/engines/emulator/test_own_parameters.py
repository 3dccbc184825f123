"""The emulator passes arguments in the order and the types that a kernel declares."""

import pytest

from grader.engines.emulator.engine import EmulatorEngine
from grader.model.devices import TESLA_T4
from tests.engines.own_parameters import KERNELS, OwnParameters, check


@pytest.mark.parametrize("case", KERNELS, ids=[case.name for case in KERNELS])
def test_the_emulator_passes_what_each_parameter_takes(case: OwnParameters) -> None:
    check(EmulatorEngine(TESLA_T4), case)
