"""A real GPU gets arguments in the order and the types that a kernel declares."""

import pytest

from grader.engines.cuda.engine import CudaEngine
from tests.engines.own_parameters import KERNELS, OwnParameters, check

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("case", KERNELS, ids=[case.name for case in KERNELS])
def test_a_gpu_gets_what_each_parameter_takes(cuda_engine: CudaEngine, case: OwnParameters) -> None:
    check(cuda_engine, case)
