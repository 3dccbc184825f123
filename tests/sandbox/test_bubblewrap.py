"""The bubblewrap sandbox keeps the contract; from inside, only the worker itself can be seen or reached."""

import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import psutil
import pytest

from grader.sandbox.bubblewrap import BubblewrapSandbox, unavailable, weaknesses
from grader.sandbox.port import Sandbox
from tests.sandbox.bubblewrap_needed import needs_bubblewrap
from tests.sandbox.isolation import IsolationContract, probe_output
from tools.hostile.sandboxes import hostile_bubblewrap
from tools.worker_requests import BUILD

CHECKOUT = Path(__file__).parents[2]
PACKAGE = CHECKOUT / "grader"


@needs_bubblewrap
class TestBubblewrapSandbox(IsolationContract):
    """The contract for the namespace sandbox."""

    hidden = (
        "/etc/shadow",
        "/etc/passwd",
        "/sys",
        "/run",
        "/var",
        "/mnt",
        str(PACKAGE / "labs" / "builtin.py"),
    )
    written = ("/dev/shm/new", "/proc/self/oom_score_adj")  # noqa: S108 - paths that must not be writable

    @pytest.fixture(scope="class")
    @classmethod
    def sandbox(cls) -> Iterator[Sandbox]:
        with hostile_bubblewrap() as sandbox:
            yield sandbox

    def test_only_the_host_files_to_start_programs_are_visible(self, sandbox: Sandbox) -> None:
        found = probe_output(sandbox, "seen['etc'] = sorted(os.listdir('/etc'))")
        assert set(found["etc"]) <= {"alternatives", "ld.so.cache"}

    def test_buffers_of_the_kernel_hold_no_memory_beyond_the_limit(self, sandbox: Sandbox) -> None:
        found = probe_output(
            sandbox,
            """
            import fcntl
            seen['pair'] = outcome(socket.socketpair)
            seen['socket'] = outcome(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
            reading, writing = os.pipe()
            seen['enlarged'] = outcome(lambda: fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 2**20))
            seen['capacity'] = fcntl.fcntl(writing, fcntl.F_GETPIPE_SZ)
            """,
        )
        assert found["capacity"] <= 2**16
        assert {found[name] for name in ("pair", "socket", "enlarged")} == {"EPERM"}

    def test_no_other_program_of_the_system_is_visible(self, sandbox: Sandbox) -> None:
        found = probe_output(
            sandbox,
            """
            seen['usr'] = sorted(os.listdir('/usr'))
            seen['programs'] = [
                folder + '/' + name
                for folder in ("/usr/bin", "/usr/sbin", "/usr/local/bin", "/bin", "/sbin", sys.prefix + "/bin")
                if os.path.isdir(folder)
                for name in os.listdir(folder)
            ]
            seen['there'] = [name for name in ('/usr/share', '/usr/src', '/usr/include', '/usr/libexec')
                             if os.path.exists(name)]
            """,
        )
        assert set(found["usr"]) <= {"bin", "lib", "lib64", "local"}
        assert all(Path(name).name.startswith("python") for name in found["programs"])
        assert found["there"] == []

    def test_nothing_on_the_machine_is_read_from_proc(self, sandbox: Sandbox) -> None:
        hidden = ("keys", "key-users", "kallsyms", "timer_list", "interrupts")
        found = probe_output(
            sandbox,
            f"""
            seen['read'] = [name for name in {hidden!r} if outcome(lambda: open('/proc/' + name).read(1)) == 'done']
            seen['folders'] = {{name: os.listdir('/proc/' + name) for name in ('acpi', 'scsi', 'asound')
                                if os.path.exists('/proc/' + name)}}
            """,
        )
        assert found["read"] == []
        assert not any(found["folders"].values())

    def test_no_list_of_the_files_of_graders_packages_is_read(self, sandbox: Sandbox) -> None:
        ours = [str(file.locate()) for file in distribution("grader").files or () if file.name == "RECORD"]
        assert ours
        found = probe_output(
            sandbox, f"seen['read'] = [outcome(lambda: open(name).read(1)) for name in {ours!r}]"
        )
        assert set(found["read"]) == {"EACCES"}

    def test_the_first_process_beside_it_is_confined_alike(self, sandbox: Sandbox) -> None:
        found = probe_output(sandbox, "seen['first'], seen['own'] = status(1), status('self')")
        confinement = ("CapEff", "CapPrm", "CapBnd", "NoNewPrivs", "Seccomp", "Uid")
        assert [found["first"][name] for name in confinement] == [found["own"][name] for name in confinement]

    def test_installed_packages_of_labs_are_covered(
        self, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
        found = probe_output(
            sandbox,
            f"""
            seen['packages'] = {{name: os.listdir({str(installed)!r} + '/' + name) for name in ('course', 'library')}}
            seen['file'] = outcome(lambda: open({str(installed / "one_file.py")!r}))
            """,
        )
        assert found == {"packages": {"course": [], "library": ["__init__.py"]}, "file": "EACCES"}


@needs_bubblewrap
def test_closing_the_sandbox_ends_a_worker_that_is_left() -> None:
    sandbox = BubblewrapSandbox()
    worker = sandbox.worker(BUILD)
    inside = psutil.Process(worker.pid).children(recursive=True)
    assert inside
    sandbox.close()
    _, alive = psutil.wait_procs(inside, timeout=600)
    worker.close()
    assert not alive


WAITING = """
import time
from grader.sandbox.bubblewrap import BubblewrapSandbox
from tools.hostile.sandboxes import hostile_bubblewrap
from tools.worker_requests import BUILD
with BubblewrapSandbox().worker(BUILD) as worker:
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
    _, alive = psutil.wait_procs(processes, timeout=600)
    assert not alive


AS_NOBODY = """
import os
from grader.sandbox.bubblewrap import BubblewrapSandbox, unavailable
from tests.sandbox.contract import SandboxContract
from tools.worker_requests import FILL_CU
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
        timeout=600,
    )
    assert done.stdout == "True\n", done.stderr


def test_without_bubblewrap_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert "install" in str(unavailable())


def test_forbidden_namespaces_give_a_hint_to_allow_them(
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
