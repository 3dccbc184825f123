"""A PostgreSQL server of one's own, which may be killed and started again. It listens at a socket in its folder."""

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

_PROGRAMS = Path("/usr/lib/postgresql")
_OWNER = "postgres"
_SECONDS = 30.0


class OwnPostgresql:
    """The server with its data in ``folder``, an empty folder that other users can reach. Its URL is ``url``."""

    def __init__(self, folder: Path) -> None:
        versions = sorted(_PROGRAMS.glob("*/bin"), key=lambda path: int(path.parent.name))
        if not versions:
            msg = f"PostgreSQL is not installed below {_PROGRAMS}"
            raise RuntimeError(msg)
        self._programs = versions[-1]
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"postgresql+psycopg://grader@/postgres?host={folder}"
        if os.geteuid() == 0:
            # The server refuses to run as root.
            subprocess.run(["chown", _OWNER, str(folder)], check=True)  # noqa: S607 - the system's own tool
        made = self._command("initdb", "--username=grader", "--auth=trust", "--encoding=UTF8", "--no-sync")
        subprocess.run([*made, f"--pgdata={self._data}"], cwd=folder, check=True, stdout=subprocess.DEVNULL)

    def start(self) -> None:
        """Start, and wait until the database answers; after a kill it recovers first. Raises: ``RuntimeError``."""
        options = (
            "-D",
            self._data,
            "-k",
            str(self._folder),
            "-c",
            "listen_addresses=",
            "-c",
            "max_connections=200",
        )
        with (self._folder / "log").open("ab") as log:
            # A child of ours, because no other process may reap it, and a dead server that is listed holds its lock.
            self._process = subprocess.Popen(
                self._command("postgres", *options), cwd=self._folder, stdout=log, stderr=log
            )
        asked = self._command("pg_isready", "--quiet", f"--host={self._folder}", "--username=grader")
        deadline = time.monotonic() + _SECONDS
        while subprocess.run(asked, cwd=self._folder, check=False).returncode:
            if self._process.poll() is not None or time.monotonic() > deadline:
                msg = f"the database does not start: {(self._folder / 'log').read_text('utf-8')[-2000:]}"
                raise RuntimeError(msg)
            time.sleep(0.1)

    def kill(self) -> None:
        """End the first process with SIGKILL, and wait until those that it started noticed."""
        children = _children(self._process.pid) if self._process else ()
        self._end(signal.SIGKILL)
        deadline = time.monotonic() + _SECONDS
        while any(_is_there(each) for each in children) and time.monotonic() < deadline:
            time.sleep(0.05)

    def stop(self) -> None:
        """End the server at once."""
        self._end(signal.SIGQUIT)

    @property
    def _data(self) -> str:
        return str(self._folder / "data")

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(_SECONDS)

    def _command(self, program: str, *arguments: str) -> list[str]:
        owner = ("setpriv", f"--reuid={_OWNER}", f"--regid={_OWNER}", "--init-groups")
        return [*(owner if os.geteuid() == 0 else ()), str(self._programs / program), *arguments]


def _children(pid: int) -> Sequence[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8")
    return [int(each) for each in listed.split()]


def _is_there(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
