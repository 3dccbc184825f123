"""The Docker sandbox keeps the contract; from inside, only the worker itself can be seen or reached."""

import contextlib
import dataclasses
import os
import platform
import socket
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from docker.errors import NotFound

from grader.errors import InfrastructureError
from grader.model.build import Translation
from grader.sandbox.docker import DockerSandbox, image, orphans, unavailable
from grader.sandbox.docker.engine import connect
from grader.sandbox.docker.image import digest, tagged
from grader.sandbox.docker.options import gpu_options, host_options, uses_toolkit
from grader.sandbox.docker.orphans import OWNER, is_orphan, labels, remove_orphans
from grader.sandbox.docker.preflight import lacking, weak_points
from grader.sandbox.docker.toolkit import version_problem
from grader.sandbox.gpu import Gpu
from grader.sandbox.port import LossCause, Sandbox, WorkerLostError
from grader.sandbox.process_identity import own_identity
from grader.worker.messages import RequestKind, WorkerRole, WorkerSettings
from tests.docker_engine import needs_docker
from tests.sandbox.contract import SandboxContract
from tests.sandbox.isolation import IsolationContract, probe_output
from tools.hostile.sandboxes import hostile_docker
from tools.worker_requests import BUILD, FILL_CU, HOSTILE_BUILD, LIMITS, MIB, request


def ours() -> list[str]:
    """Return this process's containers that the engine still has."""
    client = connect()
    try:
        wanted = f"{OWNER}={own_identity()}"
        return [found["Id"] for found in client.api.containers(all=True, filters={"label": wanted})]
    finally:
        client.close()


@needs_docker
class TestDockerSandbox(IsolationContract):
    """The contract for the container sandbox."""

    written = ("/opt/grader/cache/new",)

    @pytest.fixture(scope="class")
    @classmethod
    def sandbox(cls) -> Iterator[Sandbox]:
        with hostile_docker() as sandbox:
            yield sandbox

    def test_no_folder_of_the_host_is_mounted(self, seen: dict[str, Any]) -> None:
        from_disk = {target for source, target, _ in seen["mounts"] if source.startswith("/dev/")}
        # The engine creates these three for each container; docker-init is the engine's program.
        assert from_disk <= {"/etc/resolv.conf", "/etc/hostname", "/etc/hosts", "/usr/sbin/docker-init"}

    def test_the_image_holds_the_rooms_of_a_worker_and_no_other(self, seen: dict[str, Any]) -> None:
        assert {name for name in seen["package"] if not name.startswith("__")} == {
            *("cache.py", "compile", "engines", "errors.py", "languages", "messages", "model"),
            *("plugins.py", "references.py", "worker"),
        }

    def test_memory_of_all_processes_together_is_bounded(self, sandbox: Sandbox) -> None:
        # Each process stays below the limit of one process; their sum exceeds the total limit.
        source = """
        import time
        for _ in range(4):
            if os.fork() == 0:
                hoard = b'x' * (450 * 2**20)
                time.sleep(30)
                os._exit(0)
        seen['ended'] = os.waitstatus_to_exitcode(os.wait()[1])
        """
        limits = dataclasses.replace(LIMITS, memory_bytes=1536 * MIB)
        assert probe_output(sandbox, source, limits) == {"ended": -9}

    def test_buffers_of_the_kernel_count_as_memory(self, sandbox: Sandbox) -> None:
        # Buffers of local sockets, which no limit of a process counts, up to four times the limit of the worker.
        source = textwrap.dedent(
            """
            import os, socket, time
            for _ in range(8):
                if os.fork() == 0:
                    kept, held = [], 0
                    while held < 320 * 2**20:
                        kept.append(socket.socketpair())
                        for side in kept[-1]:
                            side.setblocking(False)
                            try:
                                while True:
                                    held += side.send(b'x' * 2**14)
                            except BlockingIOError:
                                pass
                    break
            time.sleep(60)
            """
        )
        limits = dataclasses.replace(LIMITS, memory_bytes=640 * MIB, open_files=4096)
        with (
            sandbox.worker(dataclasses.replace(HOSTILE_BUILD, limits=limits)) as worker,
            pytest.raises(WorkerLostError) as caught,
        ):
            worker.ask(
                RequestKind.TRANSLATE,
                request(source, "fill.py"),
                Translation,
                seconds=45,
                reply_bytes=64 * MIB,
            )
        assert caught.value.cause is LossCause.OVER_MEMORY

    def test_nothing_is_left_of_them(self) -> None:
        assert ours() == []


@needs_docker
def test_closing_the_sandbox_ends_a_worker_that_is_left() -> None:
    sandbox = DockerSandbox()
    worker = sandbox.worker(BUILD)
    assert len(ours()) == 1
    sandbox.close()
    assert ours() == []
    worker.close()


@needs_docker
def test_no_container_is_left_where_one_does_not_start() -> None:
    with DockerSandbox() as sandbox, pytest.raises(InfrastructureError, match="did not start"):
        sandbox.worker(WorkerSettings(role=WorkerRole.RUN, limits=LIMITS))
    assert ours() == []


WAITING = """
import time
from grader.sandbox.docker import DockerSandbox
from tools.worker_requests import BUILD
with DockerSandbox().worker(BUILD) as worker:
    print(worker._child.name, flush=True)
    time.sleep(60)
"""


@needs_docker
def test_containers_of_a_killed_grader_are_removed() -> None:
    with subprocess.Popen([sys.executable, "-c", WAITING], stdout=subprocess.PIPE, text=True) as grader:
        assert grader.stdout is not None
        left = grader.stdout.readline().strip()
        with DockerSandbox() as sandbox:
            client = connect()
            # The containers of a live grader are kept.
            assert client.api.inspect_container(left)["State"]["Running"]
            grader.kill()
            grader.wait()
            assert remove_orphans(client) >= 1
            with pytest.raises(NotFound):
                client.api.inspect_container(left)
            client.close()
            assert sandbox.name == "docker"


def test_a_container_belongs_to_a_process_not_to_a_number() -> None:
    own = labels()
    assert not is_orphan(own)
    host, pid, start = own[OWNER].rsplit("-", 2)
    boot, namespace = host.split("-")
    assert is_orphan(own | {OWNER: f"{host}-{pid}-{int(start) + 1}"})
    assert is_orphan(own | {OWNER: f"{boot[::-1]}-{namespace}-{pid}-{start}"})
    assert is_orphan(own | {OWNER: "not a name"})


def test_machines_of_one_name_are_distinguished(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = set()
    for number in ("aa", "bb", ""):
        (tmp_path / number).mkdir(exist_ok=True)
        (tmp_path / number / "machine-id").write_text(f"{number}\n")
        monkeypatch.setattr(orphans, "_MACHINE_ID", tmp_path / number / "machine-id")
        found.add(labels()["grader.host"])
    assert len(found) == 3
    assert platform.node() in found


@pytest.fixture
def remote(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Serve the engine's socket on a TCP port, like a remote engine's."""
    local = connect()
    path = str(local.api.base_url).removeprefix("http+docker://")
    local.close()
    assert path.startswith("localhost"), path
    with socket.create_server(("127.0.0.1", 0)) as server:
        forwarding = threading.Thread(target=_forward, args=(server,))
        forwarding.start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        monkeypatch.setenv("DOCKER_HOST", address)
        yield address
        server.shutdown(socket.SHUT_RDWR)
        forwarding.join()


def _forward(server: socket.socket) -> None:
    bridges = []
    while True:
        try:
            near, _ = server.accept()
        except OSError:
            break
        bridges.append(threading.Thread(target=_bridge, args=(near,)))
        bridges[-1].start()
    for bridge in bridges:
        bridge.join(10)


def _bridge(near: socket.socket) -> None:
    with near, socket.socket(socket.AF_UNIX) as far:
        far.connect("/var/run/docker.sock")
        back = threading.Thread(target=_copy, args=(far, near))
        back.start()
        _copy(near, far)
        back.join()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


@needs_docker
@pytest.mark.skipif("DOCKER_HOST" in os.environ, reason="the engine is a remote one already")
def test_a_remote_engine_gets_data_by_its_connection_only(remote: str) -> None:
    assert remote
    with DockerSandbox() as sandbox:
        assert SandboxContract().build(sandbox, FILL_CU, "fill.cu").module is not None


def test_without_an_engine_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody.sock")
    assert "DOCKER_HOST" in str(unavailable())
    with pytest.raises(InfrastructureError, match="cannot be reached"):
        DockerSandbox()


@needs_docker
def test_without_an_image_it_says_how_to_build_it() -> None:
    assert "make image" in str(unavailable("grader-worker:of-another-day"))
    assert "make image" in str(unavailable("never-made"))


def test_an_image_without_a_tag_is_this_versions() -> None:
    assert tagged("grader-worker") == f"grader-worker:{digest()}"
    assert tagged("host:5000/grader-worker") == f"host:5000/grader-worker:{digest()}"
    assert tagged("grader-worker:mine") == "grader-worker:mine"


def test_an_image_with_other_compilers_is_not_this_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = digest()
    monkeypatch.setattr(image, "toolchain", lambda: {"nvrtc": "1.0"})
    digest.cache_clear()
    other = digest()
    digest.cache_clear()
    assert other != ours


ABLE = {
    "OSType": "linux",
    "NCPU": 2,
    "MemoryLimit": True,
    "SwapLimit": True,
    "PidsLimit": True,
    "CpuCfsQuota": True,
    "SecurityOptions": ["name=seccomp,profile=default", "name=userns"],
}


def test_an_engine_that_can_keep_every_promise_is_taken() -> None:
    assert lacking(ABLE) is None
    assert weak_points(ABLE) == []


@pytest.mark.parametrize(
    ("missing", "word"),
    [
        ({"MemoryLimit": False}, "memory"),
        ({"PidsLimit": False}, "processes"),
        ({"CpuCfsQuota": False}, "processors"),
        ({"SecurityOptions": []}, "system calls"),
        ({"OSType": "windows"}, "linux"),
    ],
)
def test_an_engine_that_cannot_is_refused(missing: dict[str, Any], word: str) -> None:
    assert word in str(lacking(ABLE | missing))


def test_swap_is_bounded_where_the_engine_can() -> None:
    assert host_options(LIMITS, ABLE)["memswap_limit"] == LIMITS.memory_bytes
    unable = ABLE | {"SwapLimit": False}
    assert "memswap_limit" not in host_options(LIMITS, unable)
    assert any("swap" in weakness for weakness in weak_points(unable))


def test_no_worker_gets_more_processors_than_there_are() -> None:
    assert host_options(LIMITS, ABLE | {"NCPU": 1})["nano_cpus"] == 10**9


GPU = Gpu("GPU-8f2b", 3)


def test_a_gpu_is_named_never_all_of_them() -> None:
    options = gpu_options(GPU, ABLE | {"Runtimes": {"runc": {}, "nvidia": {}}})
    (request,) = options["device_requests"]
    assert request["DeviceIDs"] == ["GPU-8f2b"]
    assert request["Count"] == 0
    assert "devices" not in options


def told_of(name: str, source: str = "cdi") -> dict[str, Any]:
    """Return an engine that has NVIDIA's runtime, and a device named ``name``."""
    return ABLE | {"Runtimes": {"nvidia": {}}, "DiscoveredDevices": [{"Source": source, "ID": name}]}


def test_a_gpu_with_a_cdi_specification_is_requested_by_name() -> None:
    options = gpu_options(GPU, told_of("nvidia.com/gpu=GPU-8f2b"))
    (request,) = options["device_requests"]
    assert (request["Driver"], request["DeviceIDs"]) == ("cdi", ["nvidia.com/gpu=GPU-8f2b"])
    assert not {"runtime", "devices", "mounts"} & set(options)


@pytest.mark.parametrize(
    "info",
    [told_of("nvidia.com/gpu=all"), told_of("nvidia.com/gpu=0"), told_of("nvidia.com/gpu=GPU-8f2b", "?")],
)
def test_no_other_specification_is_taken_for_it(info: dict[str, Any]) -> None:
    assert gpu_options(GPU, info)["runtime"] == "nvidia"


def test_the_toolkit_is_looked_at_wherever_it_has_a_part() -> None:
    assert uses_toolkit(GPU, told_of("nvidia.com/gpu=GPU-8f2b") | {"Runtimes": {}})
    assert uses_toolkit(GPU, ABLE | {"Runtimes": {"nvidia": {}}})
    assert not uses_toolkit(GPU, ABLE)


def test_without_nvidias_runtime_driver_libraries_are_mounted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "libcuda.so.580.1").touch()
    (tmp_path / "libcuda.so.1").symlink_to("libcuda.so.580.1")
    (tmp_path / "libssl.so.3").touch()
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    (mount,) = (m for m in gpu_options(GPU, ABLE)["mounts"] if m["Source"].startswith(str(tmp_path)))
    assert mount["Source"] == str(tmp_path / "libcuda.so.580.1")
    assert mount["Target"].endswith("/libcuda.so.1")
    assert mount["ReadOnly"]


def test_a_worker_without_a_gpu_is_given_no_device() -> None:
    assert not {"devices", "device_requests", "mounts", "runtime"} & set(host_options(LIMITS, ABLE))


@pytest.mark.parametrize(
    "told_version", ["NVIDIA Container Toolkit CLI version 1.18.1", "cli-version: 1.9.0", "?"]
)
def test_a_toolkit_with_known_ways_out_is_refused(told_version: str) -> None:
    assert "Toolkit" in str(version_problem(told_version))


def test_a_toolkit_without_known_ways_out_is_used() -> None:
    assert version_problem("NVIDIA Container Toolkit CLI version 1.18.2\ncommit: 0") is None
    assert version_problem("NVIDIA Container Toolkit CLI version 1.20.0") is None
