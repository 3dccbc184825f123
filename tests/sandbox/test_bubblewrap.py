"""The bubblewrap sandbox keeps the contract, and from inside nothing is to be seen or reached but the worker itself."""

import json
import os
import platform
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from grader.model.build import Translation
from grader.model.run import EngineKind
from grader.sandbox.bubblewrap import BubblewrapSandbox, unavailable, weaknesses
from grader.sandbox.port import Sandbox, WorkerLostError
from grader.worker.messages import RequestKind, WorkerRole
from tests.sandbox.contract import FILL_CU, LIMITS, MIB, SECONDS, SandboxContract, request

CHECKOUT = Path(__file__).parents[2]
PACKAGE = CHECKOUT / "grader"

needs_bubblewrap = pytest.mark.skipif((_reason := unavailable()) is not None, reason=str(_reason))

PROBE = """
import ctypes, errno, json, os, signal, socket, sys
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
seen['status'] = dict(line.split(':\\t', 1) for line in open('/proc/self/status').read().splitlines())
seen['processes'] = [int(name) for name in os.listdir('/proc') if name.isdigit()]
seen['interfaces'] = [line.split(':')[0].strip() for line in open('/proc/net/dev').read().splitlines()[2:]]
seen['internet'] = outcome(lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))
seen['abstract'] = outcome(lambda: socket.socket(socket.AF_UNIX).connect(ABSTRACT))
seen['files'] = {name: os.path.exists(name) for name in HIDDEN}
seen['package'] = sorted(os.listdir(PACKAGE))
seen['labs'] = os.listdir(PACKAGE + '/labs')
seen['etc'] = sorted(os.listdir('/etc'))
seen['devices'] = sorted(os.listdir('/dev'))
seen['unshare'] = call(libc.unshare, 0x10000000)
seen['mount'] = call(libc.mount, b'none', b'/tmp', b'tmpfs', 0, None)
seen['ptrace'] = call(libc.ptrace, 16, os.getppid(), 0, 0)
seen['first'] = dict(line.split(':\\t', 1) for line in open('/proc/1/status').read().splitlines())
seen['writable'] = [name for name in WRITTEN if outcome(lambda: open(name, 'a').close()) == 'done']
seen['full'] = fill('/tmp')
seen['environment'] = sorted(os.environ)
"""

WRITTEN = [
    "/new",
    "/dev/new",
    "/dev/shm/new",  # noqa: S108 - a place where nothing must be written
    "/etc/new",
    "/usr/new",
    "/proc/sys/kernel/core_pattern",
    "/proc/sysrq-trigger",
    "/proc/self/oom_score_adj",
    f"{PACKAGE}/errors.py",
    sys.executable,
    f"{sys.prefix}/new",
]


def told(sandbox: Sandbox, source: str) -> dict[str, Any]:
    """What student code finds out, which is all it can do, and says on standard error as it dies."""
    source = f"{PROBE}\n{textwrap.dedent(source)}\nos.write(2, json.dumps(seen).encode())\nos._exit(3)\n"
    with pytest.raises(WorkerLostError) as caught:
        SandboxContract().build(sandbox, source, "fill.py")
    found: dict[str, Any] = json.loads(caught.value.detail)
    return found


@pytest.fixture(scope="module")
def bubble() -> Iterator[Sandbox]:
    with BubblewrapSandbox() as sandbox:
        yield sandbox


@needs_bubblewrap
class TestBubblewrapSandbox(SandboxContract):
    """The contract, kept by namespaces."""

    @pytest.fixture(scope="class")
    @classmethod
    def sandbox(cls) -> Iterator[Sandbox]:
        with BubblewrapSandbox() as sandbox:
            yield sandbox


@needs_bubblewrap
class TestFromInside:
    """What a student's file sees and reaches while it is built."""

    HIDDEN = (
        "/etc/shadow",
        "/etc/passwd",
        "/sys",
        "/run",
        "/var",
        "/mnt",
        *(
            str(CHECKOUT / name)
            for name in ("reference", "assignments", "submissions", "tests", "README.md", ".git")
        ),
        str(PACKAGE / "labs" / "builtin.py"),
        str(Path.home() / ".bashrc"),
    )

    @pytest.fixture(scope="class")
    @classmethod
    def seen(cls, bubble: Sandbox) -> dict[str, Any]:
        given = {
            "HIDDEN": cls.HIDDEN,
            "WRITTEN": WRITTEN,
            "PACKAGE": str(PACKAGE),
            "ABSTRACT": "\0grader-test",
        }
        values = "".join(f"{name} = {json.dumps(value)}\n" for name, value in given.items())
        return told(bubble, values + INSIDE)

    def test_there_is_no_network(self, seen: dict[str, Any]) -> None:
        assert seen["interfaces"] == ["lo"]
        assert seen["internet"] == "EPERM"
        assert seen["abstract"] == "ECONNREFUSED"

    def test_no_file_of_the_host_is_there_but_the_software(self, seen: dict[str, Any]) -> None:
        assert not [name for name, there in seen["files"].items() if there]
        assert set(seen["etc"]) <= {"alternatives", "ld.so.cache"}

    def test_no_lab_and_no_model_answer_is_there(self, seen: dict[str, Any]) -> None:
        assert seen["labs"] == []
        assert "worker" in seen["package"]

    def test_nothing_can_be_written_but_the_scratch(self, seen: dict[str, Any]) -> None:
        assert seen["writable"] == []

    def test_the_scratch_is_bounded_and_not_the_hosts(self, seen: dict[str, Any]) -> None:
        written, ending = seen["full"]
        assert ending == "ENOSPC"
        assert LIMITS.scratch_bytes * 0.9 < written <= LIMITS.scratch_bytes
        assert not Path("/tmp/200").exists()  # noqa: S108 - the name that the worker wrote

    def test_it_has_no_privilege_and_cannot_get_one(self, seen: dict[str, Any]) -> None:
        status = seen["status"]
        capabilities = {name: int(value, 16) for name, value in status.items() if name.startswith("Cap")}
        assert not any(capabilities.values()), capabilities
        assert status["NoNewPrivs"] == "1"
        assert set(status["Uid"].split()) == {"65534"}

    def test_it_runs_under_the_filter(self, seen: dict[str, Any]) -> None:
        assert seen["status"]["Seccomp"] == "2"
        assert [seen[call] for call in ("unshare", "mount", "ptrace")] == ["EPERM"] * 3

    def test_it_sees_no_process_but_its_own(self, seen: dict[str, Any]) -> None:
        assert sorted(seen["processes"]) == [1, int(seen["status"]["Pid"])]

    def test_the_first_process_beside_it_is_confined_alike(self, seen: dict[str, Any]) -> None:
        confinement = ("CapEff", "CapPrm", "CapBnd", "NoNewPrivs", "Seccomp", "Uid")
        assert [seen["first"][name] for name in confinement] == [seen["status"][name] for name in confinement]

    def test_no_device_is_there_that_reaches_the_machine(self, seen: dict[str, Any]) -> None:
        harmless = "core fd full null ptmx pts random shm stderr stdin stdout tty urandom zero console"
        assert set(seen["devices"]) <= set(harmless.split())


@needs_bubblewrap
def test_a_second_worker_finds_nothing_of_the_first(bubble: Sandbox) -> None:
    told(bubble, "open('/tmp/left', 'w').write('x')")
    assert told(bubble, "seen['left'] = os.path.exists('/tmp/left')") == {"left": False}


@needs_bubblewrap
def test_installed_packages_of_labs_are_covered(
    bubble: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = tmp_path / "site-packages"
    for package in ("course", "library"):
        (installed / package).mkdir(parents=True)
        (installed / package / "__init__.py").write_text("answer = 42\n")
    (installed / "one_file.py").write_text("answer = 43\n")
    (installed / "course-1.dist-info").mkdir()
    (installed / "course-1.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: course\nVersion: 1\n"
    )
    (installed / "course-1.dist-info" / "entry_points.txt").write_text(
        "[grader.labs]\nweek1 = course.week1:catalogue\nweek2 = one_file:catalogue\n"
    )
    monkeypatch.syspath_prepend(installed)
    found = told(
        bubble,
        f"""
        seen['packages'] = {{name: os.listdir({str(installed)!r} + '/' + name) for name in ('course', 'library')}}
        seen['file'] = outcome(lambda: open({str(installed / "one_file.py")!r}))
        """,
    )
    assert found == {"packages": {"course": [], "library": ["__init__.py"]}, "file": "EACCES"}


@needs_bubblewrap
def test_a_run_worker_finds_the_emulator_compiled() -> None:
    with (
        BubblewrapSandbox() as sandbox,
        sandbox.worker(WorkerRole.RUN, LIMITS, engine=EngineKind.EMULATOR, device="h200") as worker,
    ):
        assert worker.ready.device is not None


@needs_bubblewrap
def test_a_worker_lives_on_when_the_thread_that_asked_for_it_ends() -> None:
    with BubblewrapSandbox() as sandbox:
        workers = []
        asking = threading.Thread(target=lambda: workers.append(sandbox.worker(WorkerRole.BUILD, LIMITS)))
        asking.start()
        asking.join()
        with workers[0] as worker:
            outcome = worker.ask(
                RequestKind.TRANSLATE,
                request(FILL_CU, "fill.cu"),
                Translation,
                seconds=SECONDS,
                reply_bytes=64 * MIB,
            )
    assert outcome.module is not None


@needs_bubblewrap
def test_closing_the_sandbox_ends_a_worker_that_is_left() -> None:
    sandbox = BubblewrapSandbox()
    worker = sandbox.worker(WorkerRole.BUILD, LIMITS)
    inside = psutil.Process(worker.pid).children(recursive=True)
    assert inside
    sandbox.close()
    _, alive = psutil.wait_procs(inside, timeout=10)
    worker.close()
    assert not alive


WAITING = """
import time
from grader.sandbox.bubblewrap import BubblewrapSandbox
from grader.worker.messages import WorkerRole
from tests.sandbox.contract import LIMITS
with BubblewrapSandbox().worker(WorkerRole.BUILD, LIMITS) as worker:
    print(worker.pid, flush=True)
    time.sleep(60)
"""


@needs_bubblewrap
def test_a_worker_dies_with_a_grader_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", WAITING], stdout=subprocess.PIPE, text=True) as grader:
        assert grader.stdout is not None
        worker = psutil.Process(int(grader.stdout.readline()))
        processes = [worker, *worker.children(recursive=True)]
        grader.kill()
    _, alive = psutil.wait_procs(processes, timeout=10)
    assert not alive


@needs_bubblewrap
def test_a_crash_is_told_by_its_signal(bubble: Sandbox) -> None:
    with pytest.raises(WorkerLostError, match="signal 11"):
        SandboxContract().build(bubble, "import ctypes\nctypes.string_at(0)\n", "fill.py")


AS_NOBODY = """
import os
from grader.sandbox.bubblewrap import BubblewrapSandbox, unavailable
from tests.sandbox.contract import FILL_CU, SandboxContract
assert os.getuid() == 65534
assert unavailable() is None, unavailable()
with BubblewrapSandbox() as sandbox:
    print(SandboxContract().build(sandbox, FILL_CU, "fill.cu").module is not None)
"""


@needs_bubblewrap
def test_a_user_without_any_privilege_can_use_it() -> None:
    outer = "bwrap --unshare-user --unshare-pid --uid 65534 --gid 65534 --cap-drop ALL --die-with-parent"
    done = subprocess.run(
        [*outer.split(), "--dev-bind", "/", "/", "--proc", "/proc", "--", sys.executable, "-c", AS_NOBODY],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stdout == "True\n", done.stderr


def test_without_bubblewrap_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert "install" in str(unavailable())


def test_where_namespaces_are_forbidden_it_says_how_to_allow_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    forbidden = tmp_path / "bwrap"
    forbidden.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    forbidden.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    told_why = str(unavailable())
    assert "No permissions to create new namespace" in told_why
    assert "user.max_user_namespaces" in told_why


def test_what_it_cannot_promise_depends_on_who_runs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    as_root = weaknesses()
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(platform, "release", lambda: "6.1.0-18-amd64")
    as_user = weaknesses()
    assert any("root" in weakness for weakness in as_root)
    assert not any("root" in weakness for weakness in as_user)
    monkeypatch.setattr(platform, "release", lambda: "4.18.0-553.el8")
    assert len(weaknesses()) == len(as_user) + 1
