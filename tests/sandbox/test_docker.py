"""The Docker sandbox keeps the contract, and from inside nothing is to be seen or reached but the worker itself."""

import contextlib
import dataclasses
import json
import os
import socket
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from docker.errors import NotFound

from grader.errors import InfrastructureError
from grader.model.build import Translation
from grader.model.run import EngineKind
from grader.sandbox.docker import DockerSandbox, unavailable
from grader.sandbox.docker.engine import connect
from grader.sandbox.docker.image import digest, tagged
from grader.sandbox.docker.options import gpu_options, host_options
from grader.sandbox.docker.owner import OWNER, is_orphan, labels, sweep
from grader.sandbox.docker.preflight import lacking, weak_points
from grader.sandbox.docker.toolkit import judged
from grader.sandbox.gpu import Gpu
from grader.sandbox.owner import this_process
from grader.sandbox.port import LossCause, Sandbox, WorkerLostError
from grader.worker.messages import RequestKind, WorkerLimits, WorkerRole
from tests.engine import needs_docker
from tests.sandbox.contract import FILL_CU, LIMITS, MIB, SECONDS, SandboxContract, request

PROBE = """
import ctypes, errno, json, os, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
seen = {}

def outcome(action):
    try:
        action()
    except OSError as error:
        return errno.errorcode[error.errno]
    return 'done'

def call(function, *arguments):
    ctypes.set_errno(0)
    return 'done' if function(*arguments) != -1 else errno.errorcode[ctypes.get_errno()]

def fill(folder):
    total = 0
    try:
        for number in range(1000):
            with open(f'{folder}/{number}', 'wb', buffering=0) as file:
                total += file.write(bytes(2**20))
    except OSError as error:
        return total, errno.errorcode[error.errno]
    return total, 'done'
"""

INSIDE = """
import importlib.util, pathlib, resource
seen['status'] = dict(line.split(':\\t', 1) for line in open('/proc/self/status').read().splitlines())
seen['processes'] = [int(name) for name in os.listdir('/proc') if name.isdigit()]
seen['interfaces'] = [line.split(':')[0].strip() for line in open('/proc/net/dev').read().splitlines()[2:]]
seen['internet'] = outcome(lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))
seen['engine'] = os.path.exists('/var/run/docker.sock') or os.path.exists('/run/docker.sock')
seen['mounts'] = [line.split()[:3] for line in open('/proc/mounts')]
seen['labs'] = [str(path) for path in pathlib.Path('/').glob('opt/grader/**/labs')]
seen['package'] = sorted(os.listdir(pathlib.Path(importlib.util.find_spec('grader').origin).parent))
seen['devices'] = sorted(os.listdir('/dev'))
seen['unshare'] = call(libc.unshare, 0x10000000)
seen['mount'] = call(libc.mount, b'none', b'/tmp', b'tmpfs', 0, None)
seen['writable'] = [name for name in WRITTEN if outcome(lambda: open(name, 'a').close()) == 'done']
seen['limits'] = {name: resource.getrlimit(getattr(resource, name)) for name in LIMITS}
seen['full'] = fill('/tmp')
seen['full shared memory'] = fill('/dev/shm')
seen['environment'] = dict(os.environ)
"""

WRITTEN = (
    "/new",
    "/dev/new",
    "/etc/passwd",
    "/usr/new",
    "/opt/grader/cache/new",
    "/opt/grader/code/grader/errors.py",
    "/proc/sys/kernel/core_pattern",
    "/proc/sysrq-trigger",
    "/sys/new",
)


def told(sandbox: Sandbox, source: str, limits: WorkerLimits = LIMITS) -> dict[str, Any]:
    """What student code finds out, which is all it can do, and says on standard error as it dies."""
    source = f"{PROBE}\n{textwrap.dedent(source)}\nos.write(2, json.dumps(seen).encode())\nos._exit(3)\n"
    body = request(source, "fill.py")
    with sandbox.worker(WorkerRole.BUILD, limits) as worker, pytest.raises(WorkerLostError) as caught:
        worker.ask(RequestKind.TRANSLATE, body, Translation, seconds=SECONDS, reply_bytes=64 * MIB)
    found: dict[str, Any] = json.loads(caught.value.detail)
    return found


def ours() -> list[str]:
    """The containers of this process that the engine still has."""
    client = connect()
    try:
        wanted = f"{OWNER}={this_process()}"
        return [found["Id"] for found in client.api.containers(all=True, filters={"label": wanted})]
    finally:
        client.close()


@pytest.fixture(scope="module")
def box() -> Iterator[Sandbox]:
    with DockerSandbox() as sandbox:
        yield sandbox


@needs_docker
class TestDockerSandbox(SandboxContract):
    """The contract, kept by containers."""

    @pytest.fixture(scope="class")
    @classmethod
    def sandbox(cls) -> Iterator[Sandbox]:
        with DockerSandbox() as sandbox:
            yield sandbox

    def test_nothing_is_left_of_them(self) -> None:
        assert ours() == []


@needs_docker
class TestFromInside:
    """What a student's file sees and reaches while it is built."""

    @pytest.fixture(scope="class")
    @classmethod
    def seen(cls, box: Sandbox) -> dict[str, Any]:
        limits = ("RLIMIT_CORE", "RLIMIT_FSIZE", "RLIMIT_NOFILE")
        return told(box, f"WRITTEN = {WRITTEN!r}\nLIMITS = {limits!r}\n{INSIDE}")

    def test_there_is_no_network(self, seen: dict[str, Any]) -> None:
        assert seen["interfaces"] == ["lo"]
        assert seen["internet"] == "EPERM"

    def test_the_engine_cannot_be_reached(self, seen: dict[str, Any]) -> None:
        assert seen["engine"] is False

    def test_no_folder_of_the_host_is_mounted(self, seen: dict[str, Any]) -> None:
        from_disk = {place for source, place, _ in seen["mounts"] if source.startswith("/dev/")}
        # The engine makes these three for each container, and docker-init is its own program.
        assert from_disk <= {"/etc/resolv.conf", "/etc/hostname", "/etc/hosts", "/usr/sbin/docker-init"}

    def test_no_lab_and_no_model_answer_is_there(self, seen: dict[str, Any]) -> None:
        assert seen["labs"] == []
        assert {name for name in seen["package"] if not name.startswith("__")} == {
            *("build", "cache.py", "engines", "errors.py", "model", "worker"),
        }

    def test_nothing_can_be_written_but_the_scratch(self, seen: dict[str, Any]) -> None:
        assert seen["writable"] == []

    def test_the_scratch_is_bounded(self, seen: dict[str, Any]) -> None:
        written, ending = seen["full"]
        assert ending == "ENOSPC"
        assert LIMITS.scratch_bytes * 0.8 < written <= LIMITS.scratch_bytes
        written, ending = seen["full shared memory"]
        assert ending == "ENOSPC"
        assert written <= 64 * MIB

    def test_it_has_no_privilege_and_cannot_get_one(self, seen: dict[str, Any]) -> None:
        status = seen["status"]
        capabilities = {name: int(value, 16) for name, value in status.items() if name.startswith("Cap")}
        assert not any(capabilities.values()), capabilities
        assert status["NoNewPrivs"] == "1"
        assert set(status["Uid"].split()) == {"65534"}
        assert set(status["Gid"].split()) == {"65534"}

    def test_it_runs_under_the_filter(self, seen: dict[str, Any]) -> None:
        assert seen["status"]["Seccomp"] == "2"
        assert [seen[call] for call in ("unshare", "mount")] == ["EPERM"] * 2

    def test_it_sees_no_process_but_its_own(self, seen: dict[str, Any]) -> None:
        assert sorted(seen["processes"]) == [1, int(seen["status"]["Pid"])]

    def test_files_are_limited(self, seen: dict[str, Any]) -> None:
        assert seen["limits"] == {
            "RLIMIT_CORE": [0, 0],
            "RLIMIT_FSIZE": [LIMITS.file_bytes] * 2,
            "RLIMIT_NOFILE": [LIMITS.open_files] * 2,
        }

    def test_no_device_is_there_that_reaches_the_machine(self, seen: dict[str, Any]) -> None:
        harmless = "core fd full mqueue null ptmx pts random shm stderr stdin stdout tty urandom zero"
        assert set(seen["devices"]) <= set(harmless.split())

    def test_its_environment_is_the_images(self, seen: dict[str, Any]) -> None:
        known = "PATH HOME TMPDIR HOSTNAME PYTHONDONTWRITEBYTECODE GRADER_CACHE_DIR LC_CTYPE"
        assert set(seen["environment"]) <= set(known.split())


@needs_docker
def test_a_second_worker_finds_nothing_of_the_first(box: Sandbox) -> None:
    told(box, "open('/tmp/left', 'w').write('x'); open('/dev/shm/left', 'w').write('x')")
    assert told(box, "seen['left'] = os.listdir('/tmp') + os.listdir('/dev/shm')") == {"left": []}


@needs_docker
def test_a_run_worker_finds_the_emulator_compiled(box: Sandbox) -> None:
    begun = time.monotonic()
    with box.worker(WorkerRole.RUN, LIMITS, engine=EngineKind.EMULATOR, device="h200") as worker:
        assert worker.ready.device is not None
    assert time.monotonic() - begun < 10


@needs_docker
def test_memory_of_all_processes_together_is_bounded(box: Sandbox) -> None:
    # Each stays below the bound of one process; together they do not.
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
    assert told(box, source, limits) == {"ended": -9}


@needs_docker
def test_a_crash_is_told_by_its_signal(box: Sandbox) -> None:
    with pytest.raises(WorkerLostError, match="signal 11"):
        SandboxContract().build(box, "import ctypes\nctypes.string_at(0)\n", "fill.py")


@needs_docker
def test_a_flood_that_nobody_reads_is_bounded_and_ended(box: Sandbox) -> None:
    source = "import os\nwhile True:\n    os.write(2, b'x' * 65536)\n"
    before = psutil.Process().memory_info().rss
    assert SandboxContract().ending(box, source, seconds=3) is LossCause.TIMED_OUT
    assert psutil.Process().memory_info().rss - before < 64 * MIB


@needs_docker
def test_closing_the_sandbox_ends_a_worker_that_is_left() -> None:
    sandbox = DockerSandbox()
    worker = sandbox.worker(WorkerRole.BUILD, LIMITS)
    assert len(ours()) == 1
    sandbox.close()
    assert ours() == []
    worker.close()


@needs_docker
def test_no_container_is_left_where_one_does_not_start() -> None:
    with DockerSandbox() as sandbox, pytest.raises(InfrastructureError, match="did not start"):
        sandbox.worker(WorkerRole.RUN, LIMITS)
    assert ours() == []


WAITING = """
import time
from grader.sandbox.docker import DockerSandbox
from grader.worker.messages import WorkerRole
from tests.sandbox.contract import LIMITS
with DockerSandbox().worker(WorkerRole.BUILD, LIMITS) as worker:
    print(worker._child.name, flush=True)
    time.sleep(60)
"""


@needs_docker
def test_what_a_killed_grader_left_behind_is_swept_at_the_next_start() -> None:
    with subprocess.Popen([sys.executable, "-c", WAITING], stdout=subprocess.PIPE, text=True) as grader:
        assert grader.stdout is not None
        left = grader.stdout.readline().strip()
        with DockerSandbox() as sandbox:
            client = connect()
            # A grader that lives keeps its own.
            assert client.api.inspect_container(left)["State"]["Running"]
            grader.kill()
            grader.wait()
            assert sweep(client) >= 1
            with pytest.raises(NotFound):
                client.api.inspect_container(left)
            client.close()
            assert sandbox.name == "docker"


def test_a_container_belongs_to_a_process_not_to_a_number() -> None:
    own = labels()
    assert not is_orphan(own)
    place, pid, start = own[OWNER].rsplit("-", 2)
    boot, namespace = place.split("-")
    assert is_orphan(own | {OWNER: f"{place}-{pid}-{int(start) + 1}"})
    assert is_orphan(own | {OWNER: f"{boot[::-1]}-{namespace}-{pid}-{start}"})
    assert is_orphan(own | {OWNER: "not a name"})


@pytest.fixture
def remote(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The engine's socket behind a port, as a remote one is reached."""
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
def test_a_remote_engine_is_given_nothing_but_what_goes_over_its_connection(remote: str) -> None:
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


def test_without_nvidias_runtime_the_drivers_libraries_are_mounted_read_only(
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
    assert "Toolkit" in str(judged(told_version))


def test_a_toolkit_without_known_ways_out_is_used() -> None:
    assert judged("NVIDIA Container Toolkit CLI version 1.18.2\ncommit: 0") is None
    assert judged("NVIDIA Container Toolkit CLI version 1.20.0") is None
