"""What needs a real GPU. Without one the whole folder is skipped, with one reason."""

from collections.abc import Iterator

import pytest

from grader.engines.cuda.cupy_access import load_cupy
from grader.engines.cuda.engine import CudaEngine
from grader.errors import UserError
from tests.gpu.ladder import RungKernel, baseline_of, build_ahead

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


@pytest.fixture(scope="session", autouse=True)
def _rungs_built_ahead(request: pytest.FixtureRequest, cuda_engine: CudaEngine) -> None:
    calls = (getattr(item, "callspec", None) for item in request.session.items)
    given = {
        value for call in calls if call for value in call.params.values() if isinstance(value, RungKernel)
    }
    build_ahead(given | {baseline_of(entry) for entry in given}, cuda_engine.device.arch)
