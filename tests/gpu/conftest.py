"""What needs a real GPU. Without one the whole folder is skipped, with one reason.

With pytest-xdist (``-n 12 --dist loadgroup``) what is only right or wrong runs side by side, and then, one after the
other in one process, what is ``alone``.
"""

import fcntl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.engines.cuda.cupy_access import load_cupy
from grader.engines.cuda.engine import CudaEngine
from grader.errors import UserError
from tests.gpu.ladder import RungKernel, build_ahead
from tests.gpu.recording import Recorder

pytest.register_assert_rewrite("tests.engines.contract")


def pytest_configure(config: pytest.Config) -> None:
    """Where tests run side by side, the process that hears of all of them keeps the record."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(), "gpu-figures")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests that share something large, the inputs of a case or the device's silence, go to one process."""
    if config.pluginmanager.hasplugin("xdist"):
        for item in items:
            item.add_marker(pytest.mark.xdist_group(_group(item)))


def _group(item: pytest.Item) -> str:
    if item.get_closest_marker("alone"):
        return "alone"
    given: dict[str, Any] = item.callspec.params if hasattr(item, "callspec") else {}
    if "entry" in given:
        return f"{given['entry'].lab.name} {given['case'].name}"
    if "hand_in" in given:
        return f"hand-ins of {given['hand_in'].lab.name}"
    return item.path.stem


@pytest.fixture(scope="session", autouse=True)
def _gpu() -> None:
    try:
        load_cupy()
    except UserError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of this session see."""
    return tmp_path_factory.getbasetemp().parent


@pytest.fixture(autouse=True)
def _turn(request: pytest.FixtureRequest, shared_folder: Path, _gpu: None) -> Iterator[None]:
    """Within it a test that is ``alone`` is, whatever other processes of the session would do."""
    alone = request.node.get_closest_marker("alone")
    with (shared_folder / "gpu.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        yield


@pytest.fixture(scope="session")
def cuda_engine(_gpu: None) -> Iterator[CudaEngine]:
    """The one engine of this process; tests that could take its CUDA context with them run elsewhere."""
    engine = CudaEngine()
    yield engine
    engine.close()


@pytest.fixture(scope="session", autouse=True)
def _rungs_built_ahead(request: pytest.FixtureRequest, shared_folder: Path, _gpu: None) -> None:
    """The rungs that this session's tests are given, built on all cores before the first test."""
    calls = (getattr(item, "callspec", None) for item in request.session.items)
    given = {
        value for call in calls if call for value in call.params.values() if isinstance(value, RungKernel)
    }
    if given:
        engine: CudaEngine = request.getfixturevalue("cuda_engine")
        session = getattr(request.config, "workerinput", {}).get("testrunuid")
        build_ahead(given, engine.device.arch, session and shared_folder / f"rungs-{session}")
