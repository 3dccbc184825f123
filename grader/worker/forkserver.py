"""``python -m grader.worker.forkserver SETTINGS``: has loaded a role once, and forks a fresh worker whenever asked.

It never handles a request itself, so no student's code ever runs in it: each worker starts from the same clean state,
without waiting for imports. It ends when the grader closes its control socket (standard input), and its workers with
it.
"""

import dataclasses
import os
import socket
import sys
from typing import NoReturn

import msgspec
import psutil

from grader.errors import UserError
from grader.worker.limits import adopt_orphans, die_with_parent
from grader.worker.messages import FORKSERVER_MESSAGE_BYTES, Exit, SpawnReply, SpawnRequest, WorkerSettings
from grader.worker.process import work
from grader.worker.roles import Loaded, load, warm_up

_STREAMS = 3
_FAILED = 70


def main() -> None:
    """Load the role, then answer: a birthplace with three streams gets a pid, a pid gets its exit code."""
    settings = msgspec.json.decode(sys.argv[1], type=WorkerSettings)
    loaded = _loaded(settings)
    adopt_orphans()
    with socket.socket(fileno=os.dup(0)) as control:
        _ForkServer(settings, loaded, control).serve()


def _loaded(settings: WorkerSettings) -> Loaded | None:
    """What every worker starts from; nothing where this machine lacks it: then each worker tells that itself."""
    try:
        loaded = load(settings)
        warm_up(settings)
    except UserError:
        return None
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
                answer: SpawnReply | Exit = self._spawn(
                    msgspec.json.decode(message, type=SpawnRequest), streams
                )
            else:
                answer = self._reap(msgspec.json.decode(message, type=SpawnReply).pid)
            self._control.send(msgspec.json.encode(answer))

    def _spawn(self, place: SpawnRequest, streams: list[int]) -> SpawnReply:
        forkserver = os.getpid()
        pid = os.fork()
        if pid == 0:
            self._control.close()
            _live(place, streams, self._settings, self._loaded, forkserver)
        self._workers.add(pid)
        for stream in streams:
            os.close(stream)
        return SpawnReply(pid=pid)

    def _reap(self, pid: int) -> Exit:
        _, status = os.waitpid(pid, 0)
        self._workers.discard(pid)
        # A living worker adopts its own orphans, so a child that is no worker was left behind by a dead one.
        while left := [child for child in psutil.Process().children() if child.pid not in self._workers]:
            for child in left:
                child.kill()
                child.wait()
        return Exit(code=os.waitstatus_to_exitcode(status))


def _live(
    place: SpawnRequest, streams: list[int], settings: WorkerSettings, loaded: Loaded | None, forkserver: int
) -> NoReturn:
    """The forked worker's whole life."""
    code = _FAILED
    try:
        os.setsid()
        adopt_orphans()
        die_with_parent(forkserver)
        for target, stream in enumerate(streams):
            os.dup2(stream, target)
            os.close(stream)
        os.chdir(place.folder)
        os.environ.update(HOME=place.folder, TMPDIR=place.folder)
        work(dataclasses.replace(settings, limits=place.limits), loaded)
        code = 0
    except SystemExit as request:
        code = request.code if isinstance(request.code, int) else 1
    except BaseException:  # noqa: BLE001 - the last frame of this process: told on standard error, then it ends
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
