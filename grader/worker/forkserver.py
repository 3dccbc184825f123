"""``python -m grader.worker.forkserver SETTINGS``: loads a role once and forks a worker for each spawn request.

It never handles a worker's requests itself, so no student code runs in it: each worker starts from the same clean
state, without waiting for imports. It and its workers end when the grader closes the control socket (standard input).
"""

import dataclasses
import gc
import os
import socket
import sys
from typing import NoReturn

import msgspec
import psutil

from grader.errors import UserError
from grader.worker.limits import adopt_orphans, die_with_parent
from grader.worker.messages import FORKSERVER_MESSAGE_BYTES, Exit, SpawnReply, SpawnRequest, WorkerSettings
from grader.worker.process import run_worker
from grader.worker.roles import Loaded, load, warm_up

_STREAMS = 3
_FAILED = 70


def main() -> None:
    """Load the role, then reply: to a ``SpawnRequest`` with three streams by a pid, to a pid by an exit code."""
    settings = msgspec.json.decode(sys.argv[1], type=WorkerSettings)
    loaded = _loaded(settings)
    adopt_orphans()
    with socket.socket(fileno=os.dup(0)) as control:
        _ForkServer(settings, loaded, control).serve()


def _loaded(settings: WorkerSettings) -> Loaded | None:
    """The loaded role for all workers; ``None`` where this machine lacks something, which each worker then reports."""
    # What is loaded stays: collections while it loads, and of it in every worker, would free nothing and copy pages.
    gc.disable()
    try:
        loaded = load(settings)
        warm_up(settings)
    except UserError:
        return None
    finally:
        gc.freeze()
        gc.enable()
    return loaded


class _ForkServer:
    def __init__(self, settings: WorkerSettings, loaded: Loaded | None, control: socket.socket) -> None:
        self._settings = settings
        self._loaded = loaded
        self._control = control
        self._workers: set[int] = set()

    def serve(self) -> None:
        while True:
            message, streams, _, _ = socket.recv_fds(self._control, FORKSERVER_MESSAGE_BYTES, _STREAMS)
            if not message:
                return
            if streams:
                reply: SpawnReply | Exit = self._spawn(
                    msgspec.json.decode(message, type=SpawnRequest), streams
                )
            else:
                reply = self._reap(msgspec.json.decode(message, type=SpawnReply).pid)
            self._control.send(msgspec.json.encode(reply))

    def _spawn(self, request: SpawnRequest, streams: list[int]) -> SpawnReply:
        forkserver = os.getpid()
        pid = os.fork()
        if pid == 0:
            self._control.close()
            _run_child(request, streams, self._settings, self._loaded, forkserver)
        self._workers.add(pid)
        for stream in streams:
            os.close(stream)
        return SpawnReply(pid=pid)

    def _reap(self, pid: int) -> Exit:
        _, status = os.waitpid(pid, 0)
        self._workers.discard(pid)
        # A living worker adopts its own orphans, so a child that is not a worker is an ended worker's orphan.
        while left := [child for child in psutil.Process().children() if child.pid not in self._workers]:
            for child in left:
                child.kill()
                child.wait()
        return Exit(code=os.waitstatus_to_exitcode(status))


def _run_child(
    spawn: SpawnRequest, streams: list[int], settings: WorkerSettings, loaded: Loaded | None, forkserver: int
) -> NoReturn:
    """Run the forked worker, then exit."""
    code = _FAILED
    try:
        os.setsid()
        adopt_orphans()
        die_with_parent(forkserver)
        for target, stream in enumerate(streams):
            os.dup2(stream, target)
            os.close(stream)
        os.chdir(spawn.folder)
        os.environ.update(HOME=spawn.folder, TMPDIR=spawn.folder)
        run_worker(dataclasses.replace(settings, limits=spawn.limits), loaded)
        code = 0
    except SystemExit as request:
        code = request.code if isinstance(request.code, int) else 1
    except BaseException:  # noqa: BLE001 - the last frame of this process: print the error, then exit
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
