"""A tool run completes in its folder; confined, it can see and reach nothing else."""

import socket
import sys
import time
from pathlib import Path

import psutil
import pytest

from grader.errors import InfrastructureError
from grader.sandbox.bubblewrap import unavailable
from grader.sandbox.tool_runner import Confined, Unconfined

needs_bubblewrap = pytest.mark.skipif((_reason := unavailable()) is not None, reason=str(_reason))


def run(job: Unconfined | Confined, folder: Path, code: str, *software: Path, seconds: float = 30) -> int:
    """Return the exit code of a small program."""
    return job.run([sys.executable, "-I", "-c", code], folder, software, seconds)


@pytest.fixture(params=["apart", pytest.param("confined", marks=needs_bubblewrap)])
def job(request: pytest.FixtureRequest) -> Unconfined | Confined:
    return Unconfined() if request.param == "apart" else Confined(None)


def test_it_writes_to_its_folder_and_returns_its_exit_code(
    job: Unconfined | Confined, tmp_path: Path
) -> None:
    assert run(job, tmp_path, f"open({str(tmp_path / 'out')!r}, 'w').write('done'); exit(3)") == 3
    assert (tmp_path / "out").read_text() == "done"


def test_its_folder_is_its_home(job: Unconfined | Confined, tmp_path: Path) -> None:
    code = f"import os; exit(os.environ['HOME'] != os.environ['TMPDIR'] or os.environ['HOME'] != {str(tmp_path)!r})"
    assert run(job, tmp_path, code) == 0


def test_a_tool_over_its_time_is_killed_with_its_children(job: Unconfined | Confined, tmp_path: Path) -> None:
    code = "import subprocess, time; subprocess.Popen(['sleep', '98765']); time.sleep(98765)"
    with pytest.raises(InfrastructureError, match="did not end within 2 s"):
        run(job, tmp_path, code, seconds=2)
    while any(process.info["cmdline"] == ["sleep", "98765"] for process in psutil.process_iter(["cmdline"])):
        time.sleep(0.05)


@needs_bubblewrap
class TestConfined:
    """The limits that bubblewrap puts on a tool."""

    def test_it_sees_only_the_software_that_it_needs(self, tmp_path: Path) -> None:
        folder, software, other = (tmp_path / name for name in ("folder", "software", "other"))
        for path in (folder, software, other):
            path.mkdir()
            (path / "here").touch()
        code = f"""
import os
seen = [os.path.exists(os.path.join(path, "here")) for path in ({str(software)!r}, {str(other)!r})]
try:
    open(os.path.join({str(software)!r}, "new"), "w")
    seen.append("written")
except OSError:
    seen.append("read-only")
exit(seen != [True, False, "read-only"])
"""
        assert run(Confined(None), folder, code, software) == 0

    def test_it_makes_named_pipes_and_no_devices(self, tmp_path: Path) -> None:
        code = """
import os, stat
os.mkfifo("pipe")
for kind in (stat.S_IFCHR, stat.S_IFBLK, stat.S_IFREG):
    try:
        os.mknod(f"node-{kind}", kind | 0o600, os.makedev(1, 3))
        exit(1)
    except PermissionError:
        pass
"""
        assert run(Confined(None), tmp_path, f"import os; os.chdir({str(tmp_path)!r}){code}") == 0

    def test_it_reaches_no_network(self, tmp_path: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            code = f"import socket; socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 2)"
            assert run(Unconfined(), tmp_path, code) == 0
            assert run(Confined(None), tmp_path, code) != 0
