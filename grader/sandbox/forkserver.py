"""The grader's side of a forkserver: a loaded process that forks a clean worker in milliseconds."""

import socket
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import TypeVar

import msgspec

from grader.errors import InfrastructureError
from grader.logs import Event, log
from grader.sandbox.child import Streams, os_operation
from grader.worker.messages import FORKSERVER_MESSAGE_BYTES, Exit, SpawnReply, SpawnRequest, WorkerLimits

T = TypeVar("T")

REPLY_SECONDS = 120.0
"""Longest wait for a forkserver's reply; it may have to load and to compile the emulator first."""


_LOGGED_CHARACTERS = 200


class ForkServer:
    """One forkserver process. Safe to share between threads.

    ``lost``: it failed to reply and spawns no more workers.
    """

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        """Start it; it loads in the background. Raises: ``InfrastructureError``."""
        self._lock = threading.Lock()
        self.lost = False
        self._control, theirs = socket.socketpair()
        with theirs, os_operation("start a worker process"):
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the forkserver
            self._process = subprocess.Popen(  # noqa: S603 - the grader builds the command
                command,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                env=environment,
                # The grader handles Ctrl-C and ends its workers itself.
                start_new_session=True,
            )

    def spawn(self, folder: Path, limits: WorkerLimits, streams: Streams) -> "ForkedChild":
        """Fork a worker in ``folder``. Raises: ``InfrastructureError`` where the forkserver is lost."""
        request = SpawnRequest(folder=str(folder), limits=limits)
        return ForkedChild(self, self._ask(request, SpawnReply, streams.descriptors).pid)

    def exit_code(self, pid: int) -> int:
        """The exit code of the worker ``pid``, which must have ended or be ending."""
        return self._ask(SpawnReply(pid=pid), Exit, []).code

    def close(self) -> None:
        """End it and all its remaining workers."""
        self._control.close()
        # Killed: it has no state to save, and unloading all its modules would take long.
        self._process.kill()
        self._process.wait()
        self._errors.close()

    def _ask(self, message: SpawnRequest | SpawnReply, expected: type[T], streams: list[int]) -> T:
        with self._lock:
            if self.lost:
                msg = "the process that starts workers has ended or hangs"
                raise InfrastructureError(msg)
            try:
                self._control.settimeout(REPLY_SECONDS)
                socket.send_fds(self._control, [msgspec.json.encode(message)], streams)
                reply = self._control.recv(FORKSERVER_MESSAGE_BYTES)
                problem = "it ended"
            except OSError as error:
                reply, problem = b"", str(error)
            self.lost = not reply
        if self.lost:
            stderr = self._stderr_tail()
            log(Event.FORKSERVER_LOST, error=problem, stderr=stderr[-_LOGGED_CHARACTERS:])
            msg = f"the process that starts workers does not answer: {problem}: {stderr}"
            raise InfrastructureError(msg)
        return msgspec.json.decode(reply, type=expected)

    def _stderr_tail(self) -> str:
        if self._errors.closed:
            return ""
        self._errors.seek(0)
        return self._errors.read()[-2000:].decode("utf-8", "replace").strip()


class ForkedChild:
    """A worker that a forkserver forked."""

    def __init__(self, forkserver: ForkServer, pid: int) -> None:
        self.pid = pid
        self._forkserver = forkserver
        self._code: int | None = None

    def wait(self) -> int:
        """See ``Child.wait``."""
        if self._code is None:
            self._code = self._forkserver.exit_code(self.pid)
        return self._code
