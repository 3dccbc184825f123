"""A real server of a small course, in a process of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import requests

from grader.client import credentials
from grader.client.credentials import Login
from grader.config import load
from grader.course.accounts import tokens
from grader.course.accounts.members import set_role
from grader.course.workspace import Workspace
from grader.policy.access import SCOPES_OF, Role
from tests.labs.example_lab import folder_of_labs

RIGHT = """from numba import cuda

@cuda.jit
def scale(x, y, n):
    i = cuda.grid(1)
    if i < n:
        y[i] = x[i] * 2
"""
ADA, BOB = "ada", "bob"

_SECONDS = 60


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@dataclass
class CourseServer:
    """The server of the course in ``folder``, which has the lab ``scale`` and the students Ada and Bob."""

    folder: Path
    port: int = field(default_factory=_free_port)
    _process: subprocess.Popen[bytes] | None = None

    def __post_init__(self) -> None:
        folder_of_labs(self.folder)
        (self.folder / "reference" / "scale" / "global.py").write_text(RIGHT, encoding="utf-8")
        text = (
            '[labs]\nfolders = ["labs"]\n[engine]\nkind = "emulator"\n[jobs]\ncount = 1\n'
            f'[scoring]\nmodelled_speedups = true\n[portal]\nurl = "{self.address}"\n'
        )
        (self.folder / "grader.toml").write_text(text, encoding="utf-8")
        for person in (ADA, BOB):
            set_role(self.workspace, person, Role.STUDENT, person.title())

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def workspace(self) -> Workspace:
        """The course, beside the server."""
        return Workspace(config=load(self.folder))

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        command = [sys.executable, "-m", "grader.cli", "serve", "--port", str(self.port), "--no-workers"]
        self._process = subprocess.Popen(
            command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        ends = time.monotonic() + _SECONDS
        while time.monotonic() < ends:
            try:
                requests.get(f"{self.address}/api/v1/openapi.json", timeout=5)
            except requests.ConnectionError:
                time.sleep(0.05)
            else:
                return
        msg = "the server does not answer"
        raise AssertionError(msg)

    def kill(self) -> None:
        """End the server at once, as a power failure does."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    def token(self, person: str) -> str:
        """A new token of ``person``."""
        scopes = SCOPES_OF[Role.STUDENT]
        return tokens.issue(self.workspace, person, "a test", within=scopes).secret

    def log_in(self, person: str) -> Login:
        """Log the user of the test in as ``person``."""
        login = Login(server=self.address, token=self.token(person), person=person)
        credentials.save(login)
        return login

    def grade(self) -> None:
        """Grade what waits, in a process of its own."""
        command = [sys.executable, "-m", "grader.cli", "workers", "start", "--until-empty"]
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, check=False, env=os.environ, timeout=300
        )
        assert done.returncode == 0, done.stderr
