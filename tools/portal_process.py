"""``grader serve`` in a process of its own, which may be killed and started again at the same address."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

_START_SECONDS = 60
_STOP_SECONDS = 60

COURSE = "GRADER_SERVED_COURSE"
"""The environment variable that names the folder of the course in every process of a server."""


def free_port() -> int:
    """A free port of this machine."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class PortalProcess:
    """The server of the course in ``folder``, at ``url``. ``options`` are those of the command.

    A ``grader.toml`` without an address gets this one.
    """

    def __init__(self, folder: Path, *options: str) -> None:
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        self._folder = folder
        self._options = options
        self._process: subprocess.Popen[str] | None = None
        settings = folder / "grader.toml"
        if "[portal]" not in settings.read_text("utf-8"):
            with settings.open("a", encoding="utf-8") as file:
                file.write(f'\n[portal]\nurl = "{self.url}"\n')

    @property
    def process(self) -> "subprocess.Popen[str]":
        """The process that was started last."""
        assert self._process is not None
        return self._process

    @property
    def link(self) -> str:
        """The path of the link for the first instructor, if one was printed."""
        found = re.search(r"/sign-in/link/\S+", self._output.read_text("utf-8"))
        return found[0] if found else ""

    @property
    def _output(self) -> Path:
        return self._folder / "served.txt"

    def start(self) -> float:
        """Start, and wait for the first answer. Returns: the seconds until then. Raises: ``RuntimeError``."""
        started = time.monotonic()
        command = [sys.executable, "-m", "grader.cli", "serve", "--port", str(self._port), *self._options]
        with self._output.open("w", encoding="utf-8") as file:
            self._process = subprocess.Popen(
                command,
                cwd=self._folder,
                env={**os.environ, COURSE: str(self._folder)},
                stdout=file,
                stderr=subprocess.STDOUT,
                text=True,
            )
        while self._process.poll() is None and time.monotonic() - started < _START_SECONDS:
            try:
                httpx2.get(f"{self.url}/sign-in")
            except httpx2.TransportError:
                time.sleep(0.1)
            else:
                return time.monotonic() - started
        msg = f"the server does not answer: {self._output.read_text('utf-8')}"
        raise RuntimeError(msg)

    def kill(self) -> None:
        """End the process with SIGKILL; those that it started live on."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """End the process as an operator does."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(_STOP_SECONDS)


@contextmanager
def served(folder: Path, *options: str) -> Iterator[PortalProcess]:
    """Context manager: the course in ``folder``, served until the end of the block."""
    server = PortalProcess(folder, *options)
    try:
        server.start()
        yield server
    finally:
        server.stop()
