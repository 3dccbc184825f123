"""A sandbox with a script as its worker: the ready message is valid, and the script controls all later output."""

import os
import sys
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path

from grader.sandbox.child import make_pipes, spawn
from grader.sandbox.process_tree import ProcessTree
from grader.sandbox.worker_client import WorkerClient, wait_until_ready
from grader.worker.messages import WorkerSettings

_PRELUDE = """
import os, sys, time
import msgspec
pack = msgspec.msgpack.encode
def send(payload):
    sys.stdout.buffer.write(len(payload).to_bytes(8, "big") + payload)
    sys.stdout.buffer.flush()
def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
def hear():
    length = int.from_bytes(sys.stdin.buffer.read(8), "big")
    if not length:
        sys.exit()
    return msgspec.msgpack.decode(sys.stdin.buffer.read(length))
def answer(body=None, **more):
    send(pack({"nonce": asked["nonce"], "body": body, **more}))
"""

_READY = 'send(pack({"nonce": "", "body": {}}))\n'


class Impostor:
    """Every worker sends that it is ready, reads each request into ``asked`` and then runs ``script``.

    ``ready`` replaces the code that sends the ready message.
    """

    name = "impostor"

    def __init__(self, script: str, ready: str = _READY) -> None:
        looped = "".join(f"    {line}\n" for line in script.splitlines())
        self._code = f"{_PRELUDE}{ready}\nwhile True:\n    asked = hear()\n{looped}"

    def worker(self, settings: WorkerSettings) -> WorkerClient:
        """See the port."""
        limits = settings.limits
        with ExitStack() as undo:
            folder = undo.enter_context(tempfile.TemporaryDirectory())
            pipes, streams = make_pipes()
            undo.callback(pipes.close)
            with streams:
                command = [sys.executable, "-I", "-c", self._code]
                child = spawn(command, streams, Path(folder), {"PATH": os.environ["PATH"]})
            tree = ProcessTree(child.pid, memory_bytes=limits.memory_bytes, processes=limits.processes)
            client = WorkerClient(child, pipes, tree, threading.Event(), undo.pop_all())
        return wait_until_ready(client)

    def prepare(self, settings: WorkerSettings) -> None:
        """Nothing is started ahead."""

    def close(self) -> None:
        """The caller closes the workers."""
