"""The process sandbox: limits only.

A worker runs as the user: this protects the machine from accidents, not from hostile code.
"""

import dataclasses
import os
import sys
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Self

import msgspec

from grader.cache import CACHE_VARIABLE, cache_folder, writable_cache_folder
from grader.engines.support import EngineSupport
from grader.errors import InfrastructureError
from grader.logs import Event, log
from grader.model.device import Device
from grader.sandbox.child import Child, Streams, make_pipes, spawn
from grader.sandbox.forkserver import ForkServer
from grader.sandbox.gpu import VISIBLE_VARIABLE, chosen_uuid
from grader.sandbox.process_tree import ProcessTree
from grader.sandbox.scratch import remove_leftovers, scratch_folder
from grader.sandbox.worker_client import WorkerClient, wait_until_ready
from grader.worker.messages import WorkerRole, WorkerSettings

_KEPT_VARIABLES = (
    "PATH",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "CUDA_PATH",
    "CUDA_HOME",
    VISIBLE_VARIABLE,
)

_ForkServerKey = tuple[WorkerRole, EngineSupport | None, Device | None, tuple[str, ...]]


class ProcessSandbox:
    """Workers as plain processes, each in its own session and scratch folder.

    A forkserver with the role's imports loaded forks workers without a GPU. A CUDA context does not survive a fork, so
    workers with a GPU are started as new processes. Use it as a context manager, or ``close`` it.
    """

    name = "process"

    def __init__(self, cancelled: threading.Event | None = None) -> None:
        """Remove what killed graders left behind.

        ``cancelled``: when set, every request to a worker of this sandbox raises ``CancelledError``.
        """
        if removed := remove_leftovers():
            log(Event.LEFTOVERS_REMOVED, what="scratch folders", count=removed)
        self._cancelled = cancelled or threading.Event()
        self._forkservers: dict[_ForkServerKey, ForkServer] = {}
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the forkservers and the remaining workers."""
        with self._lock:
            for forkserver in self._forkservers.values():
                forkserver.close()
            self._forkservers.clear()

    def worker(self, settings: WorkerSettings) -> WorkerClient:
        """Start a worker; see the port."""
        limits = settings.limits
        with ExitStack() as undo:
            scratch = undo.enter_context(scratch_folder())
            pipes, streams = make_pipes()
            undo.callback(pipes.close)
            with streams:
                child = self._child(settings, streams, Path(scratch))
            tree = ProcessTree(child.pid, memory_bytes=limits.memory_bytes, processes=limits.processes)
            client = WorkerClient(child, pipes, tree, self._cancelled, undo.pop_all())
        return wait_until_ready(client)

    def prepare(self, settings: WorkerSettings) -> None:
        """Start a forkserver, which loads in the background; see the port."""
        if not settings.needs_gpu:
            try:
                self._forkserver(settings)
            except InfrastructureError as error:
                # The request for the worker tries again and reports the error.
                log(Event.WORKER_START_FAILED, role=settings.role, error=str(error))

    def _child(self, settings: WorkerSettings, streams: Streams, scratch: Path) -> Child:
        if settings.needs_gpu:
            command = _command("grader.worker", settings)
            return spawn(command, streams, scratch, _environment(settings.role, scratch))
        return self._forkserver(settings).spawn(scratch, settings.limits, streams)

    def _forkserver(self, settings: WorkerSettings) -> ForkServer:
        key = (settings.role, settings.engine, settings.device, settings.languages)
        with self._lock:
            if key in self._forkservers and self._forkservers[key].lost:
                self._forkservers.pop(key).close()
            if key not in self._forkservers:
                command = _command("grader.worker.forkserver", settings)
                self._forkservers[key] = ForkServer(
                    command, _environment(settings.role, Path(tempfile.gettempdir()))
                )
            return self._forkservers[key]


def _command(module: str, settings: WorkerSettings) -> list[str]:
    ours = dataclasses.replace(settings, parent=os.getpid())
    return [sys.executable, "-I", "-m", module, msgspec.json.encode(ours).decode()]


def _environment(role: WorkerRole, home: Path) -> dict[str, str]:
    environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    environment |= {"HOME": str(home), "TMPDIR": str(home), "PYTHONDONTWRITEBYTECODE": "1"}
    if role is WorkerRole.RUN:
        # A run worker only launches compiled code, so it may keep what it compiles itself in the cache.
        environment[CACHE_VARIABLE] = str(cache_folder())
        if (cache := writable_cache_folder()) is not None:
            environment["CUPY_CACHE_DIR"] = str(cache / "cupy")
        if gpu := chosen_uuid():
            environment[VISIBLE_VARIABLE] = gpu  # the locked GPU, independent of CUDA's numbering
    return environment
