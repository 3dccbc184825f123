"""Talking to a worker over its pipes with a deadline, a size cap and an eye on what it uses."""

import contextlib
import os
import secrets
import selectors
import threading
import time
from typing import Any, TypeVar

import msgspec

from grader.errors import InfrastructureError, UserError
from grader.sandbox.child import Child, Pipes
from grader.sandbox.port import CancelledError, LossCause, WorkerLostError
from grader.sandbox.watch import ProcessTree
from grader.worker import wire
from grader.worker.messages import Ready, RequestKind

T = TypeVar("T")

_TICK_SECONDS = 0.1
_CHUNK = 2**18
_HEAD_BYTES = 8
_STDERR_KEPT = 16 * 2**10
_READY_BYTES = 2**20

_LOSS_MESSAGES = {
    LossCause.TIMED_OUT: "no answer within {seconds:g} s",
    LossCause.OVER_MEMORY: "it used more memory than allowed",
    LossCause.OVER_PROCESSES: "it started more processes than allowed",
}


class Conversation:
    """A worker's three pipes. Not thread-safe: one request at a time."""

    def __init__(self, child: Child, pipes: Pipes, tree: ProcessTree, cancelled: threading.Event) -> None:
        self._child = child
        self._pipes = pipes
        self._tree = tree
        self._cancelled = cancelled
        self._detail = bytearray()
        self.ready = Ready()

    def await_ready(self, seconds: float) -> None:
        """Wait for the worker's first word. Raises: ``UserError``, ``InfrastructureError``."""
        try:
            payload = self._exchange(b"", seconds, _READY_BYTES)
            self.ready = self._body(wire.decode(payload, wire.Reply), Ready)
        except (WorkerLostError, wire.WireError) as error:
            msg = f"a worker did not start: {error}: {self.detail}"
            raise InfrastructureError(msg) from error

    def ask(self, kind: RequestKind, body: Any, expected: type[T], *, seconds: float, reply_bytes: int) -> T:
        """One request, one answer; see the port."""
        nonce = secrets.token_hex(16)
        request = wire.Request(nonce=nonce, kind=kind, body=msgspec.Raw(wire.encode(body)))
        payload = self._exchange(wire.encode(request), seconds, reply_bytes)
        try:
            reply = wire.decode(payload, wire.Reply)
            if reply.nonce != nonce:
                msg = "an answer to another request"
                raise wire.WireError(msg)
            return self._body(reply, expected)
        except wire.WireError as error:
            raise self._lost(LossCause.GARBLED, str(error)) from error

    @property
    def detail(self) -> str:
        """The end of what the worker wrote to standard error."""
        return self._detail.decode("utf-8", "replace").strip()

    def _body(self, reply: wire.Reply, expected: type[T]) -> T:
        if reply.error is not None:
            if reply.mend is not None:
                raise UserError(reply.error, mend=reply.mend)
            msg = f"the worker reports: {reply.error}"
            raise InfrastructureError(msg)
        return wire.decode(reply.body, expected)

    def _exchange(self, payload: bytes, seconds: float, limit: int) -> bytes:
        """Send ``payload`` (nothing, if empty) as a frame and receive one; both sides may be slow, neither may hang."""
        outgoing = memoryview(len(payload).to_bytes(_HEAD_BYTES) + payload) if payload else memoryview(b"")
        incoming = bytearray()
        deadline = time.monotonic() + seconds
        next_check = 0.0
        with selectors.DefaultSelector() as selector:
            selector.register(self._pipes.replies, selectors.EVENT_READ)
            selector.register(self._pipes.errors, selectors.EVENT_READ)
            if outgoing:
                selector.register(self._pipes.requests, selectors.EVENT_WRITE)
            while True:
                now = time.monotonic()
                if now >= deadline:
                    raise self._lost(LossCause.TIMED_OUT, _LOSS_MESSAGES[LossCause.TIMED_OUT].format(seconds=seconds))
                if now >= next_check:
                    next_check = now + _TICK_SECONDS
                    if self._cancelled.is_set():
                        self._tree.kill()
                        raise CancelledError
                    if (cause := self._tree.breach()) is not None:
                        raise self._lost(cause, _LOSS_MESSAGES[cause])
                for key, _ in selector.select(min(_TICK_SECONDS, deadline - now)):
                    if key.fd == self._pipes.requests:
                        outgoing = self._send(outgoing)
                        if not outgoing:
                            selector.unregister(self._pipes.requests)
                    elif key.fd == self._pipes.errors:
                        if not self._keep_errors():
                            selector.unregister(self._pipes.errors)
                    else:
                        self._receive(incoming)
                        if (complete := self._complete(incoming, limit)) is not None:
                            return complete

    def _send(self, outgoing: memoryview) -> memoryview:
        try:
            return outgoing[os.write(self._pipes.requests, outgoing[:_CHUNK]) :]
        except BlockingIOError:
            return outgoing
        except OSError:
            # Its end is told by the reply pipe, with the exit code.
            return outgoing[:0]

    def _keep_errors(self) -> bool:
        """Read what is there of standard error and keep its end; false at end of file."""
        try:
            data = os.read(self._pipes.errors, _CHUNK)
        except BlockingIOError:
            return True
        self._keep(data)
        return bool(data)

    def _keep(self, data: bytes) -> None:
        self._detail += data
        del self._detail[:-_STDERR_KEPT]

    def _receive(self, incoming: bytearray) -> None:
        try:
            data = os.read(self._pipes.replies, _CHUNK)
        except BlockingIOError:
            return
        if not data:
            raise self._death()
        incoming += data

    def _complete(self, incoming: bytearray, limit: int) -> bytes | None:
        if len(incoming) < _HEAD_BYTES:
            return None
        try:
            length = wire.frame_length(bytes(incoming[:_HEAD_BYTES]), limit)
        except wire.WireError as error:
            raise self._lost(LossCause.GARBLED, str(error)) from error
        if len(incoming) < _HEAD_BYTES + length:
            return None
        if len(incoming) > _HEAD_BYTES + length:
            raise self._lost(LossCause.GARBLED, "more than one answer to one request")
        return bytes(incoming[_HEAD_BYTES:])

    def _death(self) -> WorkerLostError:
        self._tree.kill()
        code = self._child.wait()
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._pipes.errors, _CHUNK):
                self._keep(data)
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        cause = LossCause.OVER_MEMORY if "MemoryError" in self.detail[-400:] else LossCause.DIED
        return WorkerLostError(cause, f"the worker ended with {how}", self.detail)

    def _lost(self, cause: LossCause, message: str) -> WorkerLostError:
        self._tree.kill()
        return WorkerLostError(cause, message, self.detail)
