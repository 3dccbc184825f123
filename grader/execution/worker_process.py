"""A worker process of this host: ``python -m grader.execution.worker_process WORK SLOTS PARENT DEVICE``.

It reads one encoded ticket a line from standard input, grades up to ``SLOTS`` of them at once, and writes one encoded
reply a line to standard output, between them the stages that attempts enter. It ends when its input ends, and is killed
when its parent dies.
"""

import os
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import msgspec

from grader.errors import GraderError
from grader.execution.port import Work
from grader.execution.progress import LISTENERS
from grader.execution.ticket import Reply, Ticket
from grader.model.needs import ComputeDevice
from grader.references import resolve
from grader.worker.limits import die_with_parent


class ReplyStream:
    """Writes replies to the descriptor of standard output, and sends what others print to standard error."""

    def __init__(self) -> None:
        self._descriptor = os.dup(1)
        self._lock = threading.Lock()
        os.dup2(2, 1)

    def write(self, reply: bytes) -> None:
        """Write one line, whole."""
        line = memoryview(reply + b"\n")
        with self._lock:
            while line:
                line = line[os.write(self._descriptor, line) :]


def serve(work: Work, slots: int, replies: ReplyStream) -> None:
    """Answer the tickets on standard input until it ends."""
    with ThreadPoolExecutor(slots, thread_name_prefix="slot") as pool:
        for line in sys.stdin.buffer:
            pool.submit(lambda ticket: replies.write(work(ticket)), line)


def refuse(problem: str, replies: ReplyStream) -> None:
    """Answer every ticket with ``problem``: the device cannot be used."""
    for line in sys.stdin.buffer:
        ticket = Ticket.decode(line)
        reply = Reply(job=ticket.job, attempt=ticket.attempt, host=socket.gethostname(), problem=problem)
        replies.write(reply.encode())


def main(work: str, slots: str, parent: str, device: str) -> None:
    """See the module."""
    die_with_parent(int(parent))
    replies = ReplyStream()
    LISTENERS.add(lambda progress: replies.write(progress.encode()))
    try:
        with resolve(work)(msgspec.json.decode(device, type=ComputeDevice)) as opened:
            serve(opened, int(slots), replies)
    except GraderError as error:
        refuse(str(error), replies)


if __name__ == "__main__":
    main(*sys.argv[1:])
