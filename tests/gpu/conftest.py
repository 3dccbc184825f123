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
def _rungs_built_ahead(request: pytest.FixtureRequest, _gpu: None) -> None:
    """The rungs that this session's tests are given, built on all cores before the first test."""
    calls = (getattr(item, "callspec", None) for item in request.session.items)
    given = {
        value for call in calls if call for value in call.params.values() if isinstance(value, RungKernel)
    }
    if given:
        engine: CudaEngine = request.getfixturevalue("cuda_engine")
        build_ahead(given | {baseline_of(entry) for entry in given}, engine.device.arch)
