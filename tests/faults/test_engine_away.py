"""An outage of the Docker engine for some seconds costs no student a point and leaves no containers."""

import contextlib
import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest

from grader.sandbox.docker.engine import connect
from grader.sandbox.docker.orphans import remove_orphans
from tests.docker_engine import needs_docker
from tools.faults.course import Course

_LOCAL = "unix:///var/run/docker.sock"
_AWAY_SECONDS = 3.0
_CHUNK = 2**16

SECONDS = 900
STUDENTS = 2


class Line:
    """A proxy socket to the engine that can be cut. Use it as a context manager."""

    def __init__(self, folder: Path, engine: Path) -> None:
        self._socket = folder / "engine.sock"
        self._engine = engine
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self.host = f"unix://{self._socket}"

    def __enter__(self) -> Self:
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(self._socket))
        self._server.listen()
        threading.Thread(target=self._serve, args=(self._server,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()

    def cut(self) -> None:
        """Refuse new connections to the engine and close the open ones."""
        self._socket.unlink(missing_ok=True)
        with self._lock:
            for end in (self._server, *self._open):
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()
            self._open.clear()

    def _serve(self, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, far = server.accept()[0], socket.socket(socket.AF_UNIX)
                far.connect(str(self._engine))
                with self._lock:
                    self._open |= {near, far}
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=_carry, args=ends, daemon=True).start()


def _carry(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(_CHUNK):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    host = os.environ.get("DOCKER_HOST") or _LOCAL
    if not host.startswith("unix://"):
        pytest.skip("the engine is not on this machine")
    with Line(tmp_path, Path(host.removeprefix("unix://"))) as made:
        yield made


@needs_docker
@pytest.mark.faults
def test_who_was_being_graded_is_graded_when_it_is_back(line: Line, tmp_path: Path) -> None:
    course = Course.of(tmp_path / "course", STUDENTS, "docker", {"DOCKER_HOST": line.host})
    grader = course.start()
    deadline = time.monotonic() + SECONDS
    while b" to grade " not in (course.folder / "grader.log").read_bytes():
        assert grader.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    # Both submissions are being graded at this point.
    line.cut()
    time.sleep(_AWAY_SECONDS)
    with line:
        assert grader.wait(SECONDS) == 0
    assert {verdict for verdict, _ in course.results().values()} == {"accepted"}
    assert course.left() == []
    with contextlib.closing(connect()) as client:
        # The next grader removes the containers that could not be removed before.
        remove_orphans(client)
        owners = [row["Labels"].get("grader.owner", "") for row in client.api.containers(all=True)]
    assert not [owner for owner in owners if f"-{grader.pid}-" in owner]
