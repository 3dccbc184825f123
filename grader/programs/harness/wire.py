"""The protocol between the judge and a program with our ``main``: fixed structures over a local stream socket.

The program sends ``READY`` once. The judge sends requests, each with one file by ``SCM_RIGHTS``. The first file has the
sizes of all parameters and no inputs: the program maps it and calls the student's function that prepares. A later one
has the inputs, and only then does the program see them: it reads them into the same memory and calls the student's
function. It answers each request with its nonce, and ends where the judge closes its end.
"""

import os
import socket
import struct
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum

from grader.model.reason import Reason, reason

VARIABLE = "GRADER_JUDGE"
"""The environment variable with the number of the program's descriptor."""

DESCRIPTION = "GRADER_CALL"
"""The environment variable that says what an interpreter calls, as JSON: ``function``, ``parameters`` with their types
and shapes, ``null`` for a number, and ``returned``, the indices of the outputs."""

READY = b"GRD2"
NONCE_BYTES = 16
PREPARE, CALL = 0, 1


class Clock(IntEnum):
    """What our ``main`` says to the device process: the preparation has ended, the function begins, it has returned."""

    PREPARED = 0
    RUNS = 1
    STOPPED = 2


_PAGE = 4096
HEAD = struct.Struct(f"<{NONCE_BYTES}sII")
PLACE = struct.Struct("<QQ")
ANSWER = struct.Struct(f"<{NONCE_BYTES}siI")
SIZE = struct.Struct("<Q")


class NoAnswerError(Exception):
    """The program gave no valid answer."""

    def __init__(self, why: Reason) -> None:
        self.reason = why
        super().__init__(why.code)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramCall:
    """One call: the bytes of every parameter in order. Outputs hold what shows that nothing was written."""

    values: tuple[bytes, ...]
    nonce: bytes = field(default_factory=lambda: os.urandom(NONCE_BYTES))


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramAnswer:
    """The number that the function returned, and the bytes of its outputs in order."""

    status: int
    outputs: tuple[bytes, ...]


def await_ready(judge: socket.socket) -> None:
    """Wait until the program has started. Raises: ``NoAnswerError``, ``TimeoutError``."""
    if _received(judge, len(READY)) != READY:
        raise NoAnswerError(reason("program-answer-invalid"))


def prepare(judge: socket.socket, values: tuple[bytes, ...]) -> int:
    """Let the program prepare for calls with arguments of the sizes of ``values``, which hold no inputs.

    Returns: 0, or the number with which it says that it failed. Raises: ``NoAnswerError``, ``TimeoutError``.
    """
    call = ProgramCall(values=values)
    _send(judge, call, PREPARE)
    return receive_answer(judge, call, ()).status


def send_call(judge: socket.socket, call: ProgramCall) -> None:
    """Send a call. Raises: ``NoAnswerError`` where the program is gone, ``TimeoutError``."""
    _send(judge, call, CALL)


def _send(judge: socket.socket, call: ProgramCall, kind: int) -> None:
    places, end = [], 0
    with os.fdopen(os.memfd_create("inputs"), "wb") as file:
        for value in call.values:
            places.append(PLACE.pack(end, len(value)))
            file.seek(end)
            file.write(value)
            end += -(-len(value) // _PAGE) * _PAGE or _PAGE
        file.truncate(end)
        try:
            socket.send_fds(judge, [HEAD.pack(call.nonce, len(places), kind)], [file.fileno()])
            judge.sendall(b"".join(places))
        except ConnectionError:
            raise NoAnswerError(reason("program-left")) from None


def receive_answer(judge: socket.socket, call: ProgramCall, sizes: Sequence[int]) -> ProgramAnswer:
    """The answer to ``call``, with outputs of ``sizes`` bytes. Raises: ``NoAnswerError``, ``TimeoutError``."""
    nonce, status, count = ANSWER.unpack(_received(judge, ANSWER.size))
    if nonce != call.nonce or count != len(sizes):
        raise NoAnswerError(reason("program-answer-invalid"))
    outputs = []
    for size in sizes:
        (stated,) = SIZE.unpack(_received(judge, SIZE.size))
        if stated != size:
            raise NoAnswerError(reason("program-answer-invalid"))
        outputs.append(_received(judge, size))
    return ProgramAnswer(status=status, outputs=tuple(outputs))


def _received(judge: socket.socket, size: int) -> bytes:
    data = bytearray(size)
    view = memoryview(data)
    while view:
        count = 0
        with suppress(ConnectionError):
            count = judge.recv_into(view)
        if not count:
            raise NoAnswerError(reason("program-left"))
        view = view[count:]
    return bytes(data)
