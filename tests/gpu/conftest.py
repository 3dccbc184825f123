"""What needs a real GPU. Without one the whole folder is skipped, with one reason."""

from collections.abc import Iterator

import pytest

from grader.engines.cuda.cupy_access import load_cupy
from grader.engines.cuda.engine import CudaEngine
from grader.errors import UserError

pytest.register_assert_rewrite("tests.engines.contract")


@pytest.fixture(scope="session", autouse=True)
def _gpu() -> None:
    try:
        load_cupy()
    except UserError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def cuda_engine(_gpu: None) -> Iterator[CudaEngine]:
    """The one engine of this process; tests that could take its CUDA context with them run elsewhere."""
    engine = CudaEngine()
    yield engine
    engine.close()
