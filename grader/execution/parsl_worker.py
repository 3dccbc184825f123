"""What runs in Parsl's worker processes: a reference and an encoded ticket come, an encoded reply goes."""

import atexit
import os
import socket
from contextlib import ExitStack
from dataclasses import replace
from functools import cache

import msgspec

from grader.errors import GraderError
from grader.execution.port import OpenWork, Work
from grader.execution.ticket import Reply, Ticket
from grader.model.needs import ComputeDevice
from grader.references import resolve
from grader.sandbox.gpu import VISIBLE_VARIABLE
from grader.worker.limits import die_with_parent


def answer(work: str, device: bytes, ticket: bytes) -> bytes:
    """Grade ``ticket`` with the work at the reference ``work``; the first ticket of a process opens it."""
    try:
        return _opened(work, device)(ticket)
    except GraderError as error:
        asked = Ticket.decode(ticket)
        return Reply(
            job=asked.job, attempt=asked.attempt, host=socket.gethostname(), problem=str(error)
        ).encode()


@cache
def _opened(work: str, device: bytes) -> Work:
    """The work on the device that Parsl or the batch system chose for this process, open until it ends."""
    # A pool that was killed would leave its workers behind, and its successor would share their devices.
    die_with_parent(os.getppid())
    found = msgspec.json.decode(device, type=ComputeDevice)
    visible = os.environ.get(VISIBLE_VARIABLE, "")
    if visible:
        found = replace(found, id=visible)
    undo = ExitStack()
    atexit.register(undo.close)
    open_work: OpenWork = resolve(work)
    return undo.enter_context(open_work(found))
