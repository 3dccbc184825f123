"""Fixtures for tests that need a real GPU. Without a GPU, the whole folder is skipped with one reason.

With pytest-xdist (``-n 24``), tests run side by side. While a test marked ``alone`` has the GPU, the others wait, so
there may be more workers than cores.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from grader.engines.cuda.device import load_cupy
from grader.engines.cuda.engine import CudaEngine
from grader.errors import UserError
from tests.gpu.recording import Recorder
from tests.gpu.session_lock import GpuLock, LockMode, session_lock
from tools.rung_kernels import RungKernel, build_ahead

pytest.register_assert_rewrite("tests.engines.contract")


def pytest_configure(config: pytest.Config) -> None:
    """With pytest-xdist, register the recorder in the controller process, which receives all test reports."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(), "gpu-figures")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """Keep tests that share something large in one process."""
    from tests.gpu.side_by_side import ByCase  # noqa: PLC0415 - a GPU host may have only pytest

    return ByCase(config, log)


@pytest.fixture(scope="session", autouse=True)
def _gpu() -> None:
    try:
        load_cupy()
    except UserError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all processes of this session share."""
    return tmp_path_factory.getbasetemp().parent


@pytest.fixture(autouse=True)
def _gpu_lock(request: pytest.FixtureRequest, shared_folder: Path, _gpu: None) -> Iterator[None]:
    """Hold the session lock during each test: exclusive for tests marked ``alone``, shared otherwise."""
    alone = request.node.get_closest_marker("alone")
    with session_lock(shared_folder, LockMode.EXCLUSIVE if alone else LockMode.SHARED):
        yield


@pytest.fixture(scope="session")
def alone(shared_folder: Path, _gpu: None) -> GpuLock:
    """Take the exclusive lock, for module fixtures that use the GPU before their first test holds it."""
    return partial(session_lock, shared_folder, LockMode.EXCLUSIVE)


@pytest.fixture(scope="session")
def cuda_engine(shared_folder: Path, _gpu: None) -> Iterator[CudaEngine]:
    """Return this process's engine; tests that could destroy its CUDA context run in another process."""
    # The engine starts before the first test takes the lock, and creating a context uses the device.
    with session_lock(shared_folder, LockMode.SHARED):
        engine = CudaEngine()
    yield engine
    engine.close()


@pytest.fixture(scope="session", autouse=True)
def _rungs_built_ahead(request: pytest.FixtureRequest, shared_folder: Path, _gpu: None) -> None:
    """Build the rungs that this session's tests need on all cores before the first test."""
    calls = (getattr(item, "callspec", None) for item in request.session.items)
    given = {
        value for call in calls if call for value in call.params.values() if isinstance(value, RungKernel)
    }
    if given:
        engine: CudaEngine = request.getfixturevalue("cuda_engine")
        session = getattr(request.config, "workerinput", {}).get("testrunuid")
        build_ahead(given, engine.device.arch, session and shared_folder / f"rungs-{session}")
