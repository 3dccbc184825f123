"""If a machine or an image lacks what a worker needs, Grader reports it once, for any number of submissions."""

import re
import sys
import threading
import uuid
from collections.abc import Iterator
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from docker.errors import APIError

from grader.config.settings import LimitSettings
from grader.engines.builtin import CUDA
from grader.errors import InfrastructureError, UserError
from grader.grading.batch import Batch
from grader.grading.environment import GradingEnvironment
from grader.labs.registry import discover
from grader.model.devices import TESLA_T4
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox import process
from grader.sandbox.docker import DockerSandbox, sandbox
from grader.sandbox.docker.container import Container
from grader.sandbox.docker.engine import connect
from grader.sandbox.docker.image import DEFAULT_IMAGE, GPU_LABEL, tagged
from grader.sandbox.docker.preflight import unfit_for_a_gpu
from grader.sandbox.gpu import Gpu
from grader.sandbox.pool import PooledSandbox
from grader.sandbox.process import ProcessSandbox
from grader.worker.messages import WorkerRole, WorkerSettings
from tests.docker_engine import needs_docker
from tools.worker_requests import BUILD, LIMITS

LAB = "vector-add"
LACKING = """
from grader import compile
from grader.engines.builtin import CUDA
from grader.errors import UserError
from grader.worker import forkserver

def load_compilers(*_):
    raise UserError("this machine lacks it.", hint="Install it.")

compile.load_compilers = load_compilers
forkserver.main()
"""
WITHOUT_A_COMPILER = f"""
FROM {tagged(DEFAULT_IMAGE)}
USER 0
RUN find / -xdev -name 'libnvrtc.so*' -delete
USER 65534:65534
"""


@pytest.fixture
def without_a_compiler() -> Iterator[str]:
    client = connect()
    name = f"grader-worker-without-a-compiler:{uuid.uuid4().hex[:8]}"
    client.images.build(fileobj=BytesIO(WITHOUT_A_COMPILER.encode()), tag=name, rm=True, network_mode="none")
    yield name
    client.images.remove(name, force=True)
    client.close()


@needs_docker
def test_a_missing_compiler_is_found_out_once_with_one_line(without_a_compiler: str) -> None:
    file = SourceFile(name="a.cu", data=b"__global__ void nothing() {}\n")
    handed_in = [
        Submission(student=name, lab=LAB, language=Language.CUDA_C, files=(file,), path="a.cu")
        for name in ("ada", "bob")
    ]
    warnings: list[str] = []
    with PooledSandbox(DockerSandbox(image=without_a_compiler), 0) as pool:
        environment = GradingEnvironment.open(
            pool, EngineKind.EMULATOR, TESLA_T4.name, LimitSettings(), modelled_counts=True
        )
        batch = Batch({LAB: discover().get(LAB)}, environment, 1, threading.Event(), warnings.append)
        graded = batch.run(handed_in, lambda _: None, lambda _: None)
    assert [each.report.verdict for each in graded] == [Verdict.NOT_GRADABLE] * 2
    (warning,) = warnings
    assert re.search(r"nvrtc, is not installed.*nvidia-cuda-nvrtc", warning)
    assert "\n" not in warning


def test_a_process_worker_that_lacks_something_says_what(monkeypatch: pytest.MonkeyPatch) -> None:
    """The forkserver, which forks the worker, lacks the same requirement."""
    settings = msgspec.json.encode(BUILD).decode()
    monkeypatch.setattr(process, "_command", lambda *_: [sys.executable, "-I", "-c", LACKING, settings])
    with ProcessSandbox() as processes, pytest.raises(UserError, match="this machine lacks it"):
        processes.worker(BUILD)


@needs_docker
def test_an_image_without_gpu_packages_gets_no_gpu(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sandbox, "chosen_gpu", lambda: Gpu("GPU-8f2b", 0))
    with (
        DockerSandbox() as containers,
        pytest.raises(UserError, match=r"does not hold CuPy.*make image IMAGE=.*sandbox\.image"),
    ):
        containers.worker(WorkerSettings(role=WorkerRole.RUN, limits=LIMITS, engine=CUDA))


@pytest.mark.parametrize("labels", [{GPU_LABEL: "cupy-cuda13x"}, {}, None])
def test_an_image_with_or_without_gpu_label_is_tried(labels: dict[str, str] | None) -> None:
    engine: Any = SimpleNamespace(api=_Engine(labels=labels))
    assert unfit_for_a_gpu(engine, "grader-worker:mine") is None


def test_a_failed_container_removal_is_retried() -> None:
    api = _Engine(refusals=1)
    engine: Any = SimpleNamespace(api=api)
    container = Container(engine, "one")
    with pytest.raises(InfrastructureError, match="did not remove a container"):
        container.kill()
    for _ in range(3):
        container.kill()
    assert api.removed == 1


class _Engine:
    """The part of an engine that these tests use; it refuses to remove a container a given number of times."""

    def __init__(self, labels: dict[str, str] | None = None, refusals: int = 0) -> None:
        self._labels = labels
        self._refusals = refusals
        self.removed = 0

    def inspect_image(self, _: str) -> dict[str, Any]:
        return {"Config": {"Labels": self._labels}}

    def inspect_container(self, _: str) -> dict[str, Any]:
        return {"State": {"Running": True}}

    def remove_container(self, _: str, **__: bool) -> None:
        if self._refusals:
            self._refusals -= 1
            msg = "device or resource busy"
            raise APIError(msg)
        self.removed += 1
