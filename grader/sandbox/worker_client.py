"""Requests to a worker with a deadline, a reply size limit and resource monitoring."""

import secrets
import selectors
import signal
import threading
import time
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Any, Self, TypeVar

from grader.compile.messages import spoken
from grader.errors import InfrastructureError, UserError
from grader.logs import Event, log
from grader.model.reason import Reason, reason
from grader.sandbox.child import Child, Pipes
from grader.sandbox.framed_io import ClosedError, FrameExchange, StderrTail
from grader.sandbox.oom_counter import oom_kills
from grader.sandbox.port import CancelledError, LossCause, ResourceMonitor, WorkerLostError
from grader.worker import wire
from grader.worker.messages import Ready, RequestKind

T = TypeVar("T")

STARTUP_SECONDS = 120.0
"""Longest wait for a worker's first message; the emulator may have to be compiled first."""

_TICK_SECONDS = 0.1
_READY_BYTES = 2**20
_ERROR_CHARACTERS = 400
_LOGGED_CHARACTERS = 200

_BREACHES = {
    LossCause.OVER_MEMORY: reason("memory-limit-exceeded"),
    LossCause.OVER_PROCESSES: reason("process-limit-exceeded"),
}


class WorkerClient:
    """A ``Worker`` behind three pipes. Not thread-safe: one request at a time."""

    def __init__(
        self,
        child: Child,
        pipes: Pipes,
        monitor: ResourceMonitor,
        cancelled: threading.Event,
        scratch: ExitStack,
    ) -> None:
        """``scratch`` is closed after the worker: it holds the pipes and the worker's other resources."""
        self._child = child
        self._pipes = pipes
        self._monitor = monitor
        self._cancelled = cancelled
        self._scratch = scratch
        self._tail = StderrTail()
        self._at_work = False
        self._closed = False
        self.ready = Ready()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The worker's process id."""
        return self._child.pid

    def await_ready(self, seconds: float) -> None:
        """Wait for the worker's first message. Raises: ``UserError``, ``InfrastructureError``."""
        try:
            payload = self._exchange(b"", seconds, _READY_BYTES)
            self.ready = _first_body(wire.decode(payload, wire.Reply))
        except (WorkerLostError, wire.WireError) as error:
            msg = f"a worker did not start: {error}: {self._tail}"
            raise InfrastructureError(msg) from error

    def exclusive_gpu(self) -> AbstractContextManager[None]:
        """Do nothing: this worker shares no GPU; see the port."""
        return nullcontext()

    def ask(self, kind: RequestKind, body: Any, expected: type[T], *, seconds: float, reply_bytes: int) -> T:
        """Send one request and receive one reply; see the port."""
        if not self._at_work:
            self._at_work = True
            self._monitor.begin()
        nonce = secrets.token_hex(16)
        payload = self._exchange(wire.request(nonce, kind, body), seconds, reply_bytes)
        try:
            reply = wire.decode(payload, wire.Reply)
            _match(reply, nonce)
            if reply.error is None:
                return wire.decode(reply.body, expected)
        except wire.WireError as error:
            raise self._lost(LossCause.GARBLED, _unreadable(error)) from error
        raise self._lost(LossCause.REPORTED, reason("worker-reported", words=spoken(reply.error)))

    def is_fresh(self) -> bool:
        """See the port."""
        if self._closed:
            return False
        with selectors.DefaultSelector() as selector:
            # A closed pipe counts as readable as well.
            selector.register(self._pipes.replies, selectors.EVENT_READ)
            return not selector.select(0)

    def close(self) -> None:
        """See the port."""
        if self._closed:
            return
        self._closed = True
        try:
            self._monitor.kill()
            self._child.wait()
        finally:
            self._scratch.close()

    def _exchange(self, frame: bytes | bytearray, seconds: float, limit: int) -> memoryview:
        deadline = time.monotonic() + seconds
        next_check = 0.0
        killed_before = oom_kills()
        with FrameExchange(self._pipes, frame, limit, self._tail) as exchange:
            try:
                while (reply := exchange.pump(_TICK_SECONDS)) is None:
                    now = time.monotonic()
                    if now >= deadline:
                        said = reason("no-answer-in-time", seconds=seconds)
                        raise self._lost(LossCause.TIMED_OUT, said)
                    if now >= next_check:
                        next_check = now + _TICK_SECONDS
                        self._check()
            except ClosedError:
                raise self._death(killed_before) from None
            except wire.WireError as error:
                raise self._lost(LossCause.GARBLED, _unreadable(error)) from error
        return reply

    def _check(self) -> None:
        if self._cancelled.is_set():
            self._monitor.kill()
            raise CancelledError
        if (cause := self._monitor.breach()) is not None:
            raise self._lost(cause, _BREACHES[cause])

    def _death(self, killed_before: int) -> WorkerLostError:
        """The error for a worker that ended. Raises: ``InfrastructureError`` where the machine ran out of memory."""
        self._monitor.kill()
        code = self._child.wait()
        self._tail.drain(self._pipes.errors)
        out_of_memory = MemoryError.__name__ in str(self._tail)[-_ERROR_CHARACTERS:]
        cause = self._monitor.breach() or (LossCause.OVER_MEMORY if out_of_memory else LossCause.DIED)
        if cause is LossCause.DIED and code == -signal.SIGKILL and oom_kills() > killed_before:
            log(Event.MACHINE_OUT_OF_MEMORY)
            msg = "the machine ran out of memory, and its kernel ended a worker that was within its own limit"
            raise InfrastructureError(msg)
        ended = (
            reason("ended-by-signal", signal=-code)
            if code < 0
            else reason("ended-with-exit-code", status=code)
        )
        return self._loss(cause, _BREACHES.get(cause, ended))

    def _lost(self, cause: LossCause, how: Reason) -> WorkerLostError:
        self._monitor.kill()
        return self._loss(cause, how)

    def _loss(self, cause: LossCause, how: Reason) -> WorkerLostError:
        loss = WorkerLostError(cause, how, str(self._tail))
        shown = loss.detail[-_LOGGED_CHARACTERS:]
        log(Event.WORKER_LOST, cause=cause, error=str(loss), stderr=shown)
        return loss


def wait_until_ready(client: WorkerClient) -> WorkerClient:
    """Wait for the worker, and return ``client``. Raises: ``UserError``, ``InfrastructureError``; closes it then."""
    with ExitStack() as undo:
        undo.callback(client.close)
        client.await_ready(STARTUP_SECONDS)
        undo.pop_all()
    return client


def _unreadable(error: wire.WireError) -> Reason:
    return reason("answer-unreadable", problem=str(error))


def _match(reply: wire.Reply, nonce: str) -> None:
    if reply.nonce != nonce:
        msg = "a reply to another request"
        raise wire.WireError(msg)


def _first_body(reply: wire.Reply) -> Ready:
    """The body of a worker's first message, which it sends before it sees a submission.

    Raises: ``UserError``, ``InfrastructureError``, ``WireError``.
    """
    if reply.error is None:
        return wire.decode(reply.body, Ready)
    if reply.hint is not None:
        raise UserError(reply.error, hint=reply.hint)
    msg = f"the worker reports: {reply.error}"
    raise InfrastructureError(msg)
