"""Requirements beyond the contract for sandboxes that run untrusted code; Docker and bubblewrap inherit these tests.

A worker that runs hostile code probes what it can see and reach, and reports it as it exits.
"""

import json
import os
import socket
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from grader.model.build import Translation
from grader.sandbox.port import Sandbox, WorkerLostError
from grader.worker.messages import RequestKind, WorkerLimits
from tests.sandbox.contract import SandboxContract
from tools.paths import CHECKOUT
from tools.worker_requests import HOSTILE_BUILD, LIMITS, MIB, SECONDS, request

PROBE = """
import ctypes, errno, importlib.util, json, os, resource, socket, sys
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

def status(process):
    return dict(line.split(':\\t', 1) for line in open(f'/proc/{process}/status').read().splitlines())
"""

INSIDE = """
package = os.path.dirname(importlib.util.find_spec('grader').origin)
seen['package'] = sorted(os.listdir(package))
seen['labs'] = os.listdir(package + '/labs') if os.path.isdir(package + '/labs') else []
seen['there'] = [name for name in HIDDEN if os.path.lexists(name)]
WRITTEN += [package + '/errors.py', package + '/new', sys.executable, os.path.dirname(os.__file__) + '/new']
seen['writable'] = [name for name in WRITTEN if outcome(lambda: open(name, 'a').close()) == 'done']
seen['status'] = status('self')
seen['processes'] = [int(name) for name in os.listdir('/proc') if name.isdigit()]
seen['namespaces'] = {name: os.readlink('/proc/self/ns/' + name) for name in NAMESPACES}
seen['interfaces'] = [line.split(':')[0].strip() for line in open('/proc/net/dev').read().splitlines()[2:]]
seen['internet'] = outcome(lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))
seen['abstract'] = outcome(lambda: socket.socket(socket.AF_UNIX).connect(ABSTRACT))
seen['devices'] = sorted(os.listdir('/dev'))
seen['unshare'] = call(libc.unshare, 0x10000000)
seen['mount'] = call(libc.mount, b'none', b'/tmp', b'tmpfs', 0, None)
seen['ptrace'] = call(libc.ptrace, 16, os.getppid(), 0, 0)
seen['limits'] = {name: resource.getrlimit(getattr(resource, name)) for name in LIMITS}
seen['mounts'] = [line.split()[:3] for line in open('/proc/mounts')]
seen['environment'] = sorted(os.environ)
seen['full'] = fill('/tmp')
seen['full shared memory'] = fill('/dev/shm')
"""

OURS = ("reference", "assignments", "submissions", "tests", "README.md", ".git")
"""Paths of the checkout that hold answers or students' submissions."""

HIDDEN = [
    *(str(CHECKOUT / name) for name in OURS),
    str(Path.home() / ".bashrc"),
    "/var/run/docker.sock",
    "/run/docker.sock",
]

WRITTEN = [
    "/new",
    "/dev/new",
    "/etc/new",
    "/etc/passwd",
    "/usr/new",
    "/sys/new",
    "/proc/sys/kernel/core_pattern",
    "/proc/sysrq-trigger",
]

NAMESPACES = ("ipc", "mnt", "net", "pid", "uts")
HARMLESS = "console core fd full mqueue null ptmx pts random shm stderr stdin stdout tty urandom zero"
KNOWN = "PATH HOME TMPDIR PWD HOSTNAME LANG LC_ALL PYTHONDONTWRITEBYTECODE GRADER_CACHE_DIR LC_CTYPE"


def probe_output(sandbox: Sandbox, source: str, limits: WorkerLimits = LIMITS) -> dict[str, Any]:
    """Return what code in a worker can probe; it prints its results to standard error as it exits."""
    source = f"{PROBE}\n{textwrap.dedent(source)}\nos.write(2, json.dumps(seen).encode())\nos._exit(3)\n"
    body = request(source, "fill.py")
    with (
        sandbox.worker(replace(HOSTILE_BUILD, limits=limits)) as worker,
        pytest.raises(WorkerLostError) as caught,
    ):
        worker.ask(RequestKind.TRANSLATE, body, Translation, seconds=SECONDS, reply_bytes=64 * MIB)
    found: dict[str, Any] = json.loads(caught.value.detail)
    return found


class IsolationContract(SandboxContract):
    """Tests of isolation. Subclasses provide the fixture ``sandbox``, and list more paths to hide or write-protect."""

    hidden: ClassVar[tuple[str, ...]] = ()
    written: ClassVar[tuple[str, ...]] = ()

    @pytest.fixture(scope="class")
    @classmethod
    def seen(cls, sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
        of_the_host = tmp_path_factory.mktemp("host") / "somebody-s"
        of_the_host.touch()
        abstract = f"\0{of_the_host}"
        given = {
            "HIDDEN": [*HIDDEN, str(of_the_host), *cls.hidden],
            "WRITTEN": [*WRITTEN, *cls.written],
            "NAMESPACES": NAMESPACES,
            "ABSTRACT": abstract,
            "LIMITS": ("RLIMIT_CORE", "RLIMIT_FSIZE", "RLIMIT_NOFILE"),
        }
        values = "".join(f"{name} = {json.dumps(value)}\n" for name, value in given.items())
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(abstract)
            listening.listen()
            yield probe_output(sandbox, values + INSIDE)

    def test_there_is_no_network(self, seen: dict[str, Any]) -> None:
        assert seen["interfaces"] == ["lo"]
        assert seen["internet"] == "EPERM"

    def test_no_listener_on_the_host_is_reached(self, seen: dict[str, Any]) -> None:
        assert seen["abstract"] in {"ECONNREFUSED", "EPERM"}

    def test_nothing_of_the_host_is_there_but_the_software(self, seen: dict[str, Any]) -> None:
        assert seen["there"] == []

    def test_no_lab_and_no_model_answer_is_there(self, seen: dict[str, Any]) -> None:
        assert seen["labs"] == []
        assert "worker" in seen["package"]

    def test_nothing_can_be_written_but_the_scratch(self, seen: dict[str, Any]) -> None:
        assert seen["writable"] == []

    def test_the_scratch_is_bounded_and_not_the_hosts(self, seen: dict[str, Any]) -> None:
        written, ending = seen["full"]
        assert ending == "ENOSPC"
        assert LIMITS.scratch_bytes * 0.8 < written <= LIMITS.scratch_bytes
        assert not Path("/tmp/200").exists()  # noqa: S108 - the name that the worker wrote

    def test_shared_memory_is_bounded_where_there_is_any(self, seen: dict[str, Any]) -> None:
        written, ending = seen["full shared memory"]
        assert ending != "done"
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
        assert [seen[call] for call in ("unshare", "mount", "ptrace")] == ["EPERM"] * 3

    def test_it_sees_no_process_but_its_own(self, seen: dict[str, Any]) -> None:
        assert sorted(seen["processes"]) == [1, int(seen["status"]["Pid"])]

    def test_it_shares_no_namespace_with_the_host(self, seen: dict[str, Any]) -> None:
        ours = {name: os.readlink(f"/proc/self/ns/{name}") for name in NAMESPACES}  # noqa: PTH115 - not a path
        assert seen["namespaces"].keys() == ours.keys()
        assert not seen["namespaces"].items() & ours.items()

    def test_files_are_limited(self, seen: dict[str, Any]) -> None:
        assert seen["limits"] == {
            "RLIMIT_CORE": [0, 0],
            "RLIMIT_FSIZE": [LIMITS.file_bytes] * 2,
            "RLIMIT_NOFILE": [LIMITS.open_files] * 2,
        }

    def test_no_gpu_and_no_device_is_there_that_reaches_the_machine(self, seen: dict[str, Any]) -> None:
        assert set(seen["devices"]) <= set(HARMLESS.split())

    def test_its_environment_is_its_own(self, seen: dict[str, Any]) -> None:
        assert set(seen["environment"]) <= set(KNOWN.split())

    def test_a_second_worker_finds_nothing_of_the_first(self, sandbox: Sandbox) -> None:
        leave = (
            "for folder in ('/tmp', '/dev/shm'):\n    outcome(lambda: open(folder + '/left', 'w').close())"
        )
        probe_output(sandbox, leave)
        found = probe_output(
            sandbox, "seen['left'] = [os.path.exists(f + '/left') for f in ('/tmp', '/dev/shm')]"
        )
        assert found == {"left": [False, False]}
