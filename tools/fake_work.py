"""Work on fake devices: it sleeps, under the lock of its device, and notices when a device is shared.

``FOLDER`` names a folder for locks and for ``log``, a file with one line for each start and end. The ticket's first
file is JSON: ``seconds`` to sleep, and perhaps ``kill``, how many attempts kill their worker, or ``problem``, what the
reply says instead of facts.
"""

import fcntl
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from grader.errors import InfrastructureError
from grader.execution.port import Work
from grader.execution.ticket import Reply, Ticket
from grader.model.needs import ComputeDevice
from grader.sandbox.gpu import VISIBLE_VARIABLE
from grader.sandbox.gpu_lock import locked

FOLDER = "GRADER_FAKE_DEVICES"
"""The environment variable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a fake job does."""

    seconds: float = 0.0
    kill: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What stands in place of facts."""

    device: str
    visible: str
    host: str
    pid: int
    seed: int
    shared: bool


@contextmanager
def open_work(device: ComputeDevice) -> Iterator[Work]:
    """See the module. Raises: ``InfrastructureError`` on a device of the model ``broken``."""
    if device.model == "broken":
        msg = "the device fell off the bus"
        raise InfrastructureError(msg)
    yield lambda ticket: _answer(device, Ticket.decode(ticket))


def _answer(device: ComputeDevice, ticket: Ticket) -> bytes:
    order = msgspec.json.decode(ticket.files[0].data, type=Order)
    folder = Path(os.environ[FOLDER])
    started = time.monotonic()
    with locked(device.id.replace("/", "-"), threading.Event(), folder), _in_use(device, folder) as shared:
        _log(folder, f"start {ticket.job} {ticket.attempt} {device.id} {os.getpid()}")
        time.sleep(order.seconds)
        if ticket.attempt <= order.kill:
            os.kill(os.getpid(), signal.SIGKILL)
        _log(folder, f"end {ticket.job} {ticket.attempt} {device.id} {'shared' if shared else 'alone'}")
    found = Found(
        device=device.id,
        visible=os.environ.get(VISIBLE_VARIABLE, ""),
        host=socket.gethostname(),
        pid=os.getpid(),
        seed=ticket.seed,
        shared=shared,
    )
    return Reply(
        job=ticket.job,
        attempt=ticket.attempt,
        host=socket.gethostname(),
        seconds=time.monotonic() - started,
        facts=b"" if order.problem else msgspec.json.encode(found),
        problem=order.problem,
    ).encode()


@contextmanager
def _in_use(device: ComputeDevice, folder: Path) -> Iterator[bool]:
    """Whether another process uses the device at the same time."""
    with (folder / f"use-{device.id.replace('/', '-')}").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield True
        else:
            yield False


def _log(folder: Path, line: str) -> None:
    with (folder / "log").open("a") as file:
        file.write(f"{time.time():.3f} {line}\n")
