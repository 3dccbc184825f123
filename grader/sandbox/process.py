"""The process sandbox: limits only. A worker runs as the user, so it protects the machine from accidents, not malice."""

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec

from grader.cache import CACHE_VARIABLE, cache_folder
from grader.errors import InfrastructureError
from grader.model.run import EngineKind
from grader.sandbox.conversation import Conversation
from grader.sandbox.watch import ProcessTree
from grader.worker.messages import WorkerLimits, WorkerRole, WorkerSettings

STARTUP_SECONDS = 120.0
"""Longest wait for a worker's first word; the emulator may have to compile itself first."""

_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "CUDA_PATH", "CUDA_HOME", "CUDA_VISIBLE_DEVICES")


class ProcessSandbox:
    """Workers as plain child processes, each in its own session and scratch folder."""

    name = "process"

    def __init__(self, cancelled: threading.Event | None = None) -> None:
        """``cancelled``: when set, every conversation with a worker of this sandbox ends in ``CancelledError``."""
        self._cancelled = cancelled or threading.Event()

    @contextlib.contextmanager
    def worker(
        self, role: WorkerRole, limits: WorkerLimits, *, engine: EngineKind | None = None, device: str = ""
    ) -> Iterator[Conversation]:
        """A fresh worker; see the port."""
        settings = WorkerSettings(role=role, limits=limits, engine=engine, device=device, parent=os.getpid())
        with tempfile.TemporaryDirectory(prefix="grader-worker-", ignore_cleanup_errors=True) as scratch:
            process = _start(settings, Path(scratch))
            tree = ProcessTree(process.pid, memory_bytes=limits.memory_bytes, processes=limits.processes)
            conversation = Conversation(process, tree, self._cancelled)
            try:
                conversation.await_ready(STARTUP_SECONDS)
                yield conversation
            finally:
                tree.kill()
                conversation.close()


def _start(settings: WorkerSettings, scratch: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-I", "-m", "grader.worker", msgspec.json.encode(settings).decode()]
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=scratch,
            env=_environment(settings.role, scratch),
            start_new_session=True,
        )
    except OSError as error:
        msg = f"a worker process could not be started: {error.strerror}"
        raise InfrastructureError(msg) from error


def _environment(role: WorkerRole, scratch: Path) -> dict[str, str]:
    environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    environment |= {"HOME": str(scratch), "TMPDIR": str(scratch), "PYTHONDONTWRITEBYTECODE": "1"}
    if role is WorkerRole.RUN:
        environment[CACHE_VARIABLE] = str(cache_folder())
    return environment
