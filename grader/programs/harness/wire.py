"""The protocol between the judge and a program with our ``main``: fixed structures over a local stream socket.

The program sends ``READY`` once. The judge sends a request with one file by ``SCM_RIGHTS``; only from then on does the
program see its inputs. The program maps the file, calls the student's function, and sends the answer with the nonce of
the request. A program ends where the judge closes its end.
"""

import os
import socket
import struct
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from grader.model.reason import Reason, reason

VARIABLE = "GRADER_JUDGE"
"""The environment variable with the number of the program's descriptor."""

READY = b"GRD1"
NONCE_BYTES = 16

_PAGE = 4096
_HEAD = struct.Struct(f"<{NONCE_BYTES}sII")
_PLACE = struct.Struct("<QQ")
_ANSWER = struct.Struct(f"<{NONCE_BYTES}siI")
_SIZE = struct.Struct("<Q")


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


def send_call(judge: socket.socket, call: ProgramCall) -> None:
    """Send a call. Raises: ``NoAnswerError`` where the program is gone, ``TimeoutError``."""
    places, end = [], 0
    with os.fdopen(os.memfd_create("inputs"), "wb") as file:
        for value in call.values:
            places.append(_PLACE.pack(end, len(value)))
            file.seek(end)
            file.write(value)
            end += -(-len(value) // _PAGE) * _PAGE or _PAGE
        file.truncate(end)
        try:
            socket.send_fds(judge, [_HEAD.pack(call.nonce, len(places), 0)], [file.fileno()])
            judge.sendall(b"".join(places))
        except ConnectionError:
            raise NoAnswerError(reason("program-left")) from None


def receive_answer(judge: socket.socket, call: ProgramCall, sizes: Sequence[int]) -> ProgramAnswer:
    """The answer to ``call``, with outputs of ``sizes`` bytes. Raises: ``NoAnswerError``, ``TimeoutError``."""
    nonce, status, count = _ANSWER.unpack(_received(judge, _ANSWER.size))
    if nonce != call.nonce or count != len(sizes):
        raise NoAnswerError(reason("program-answer-invalid"))
    outputs = []
    for size in sizes:
        (stated,) = _SIZE.unpack(_received(judge, _SIZE.size))
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
