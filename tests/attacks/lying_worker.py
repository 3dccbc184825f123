"""A sandbox with honest workers that give other answers to requests of one kind."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Self, TypeVar

import msgspec

from grader.model.reason import reason
from grader.sandbox.port import LossCause, Sandbox, Worker, WorkerLostError
from grader.worker import wire
from grader.worker.messages import RequestKind, WorkerSettings

T = TypeVar("T")

KNOWN_GOOD = ("warm_up.cu",)
"""The files of the kernel by which Grader finds out whether the machine works: its worker saw no submission."""

Lie = Callable[[dict[str, Any]], object]
"""Makes the forged answer of an honest one; both are what MessagePack holds."""


class LyingWorker:
    """An honest worker, of which one kind of answer is forged on the wire."""

    def __init__(self, worker: Worker, kind: RequestKind, lie: Lie) -> None:
        self._worker, self._kind, self._lie = worker, kind, lie
        self.ready = worker.ready

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def exclusive_gpu(self) -> AbstractContextManager[None]:
        """See the port."""
        return self._worker.exclusive_gpu()

    def ask(self, kind: RequestKind, body: Any, expected: type[T], *, seconds: float, reply_bytes: int) -> T:
        """See the port."""
        reply = self._worker.ask(kind, body, expected, seconds=seconds, reply_bytes=reply_bytes)
        if kind is not self._kind or body.job.module.user_files == KNOWN_GOOD:
            return reply
        forged = msgspec.msgpack.encode(self._lie(msgspec.msgpack.decode(wire.encode(reply))))
        try:
            return wire.decode(forged, expected)
        except wire.WireError as error:
            raise WorkerLostError(
                LossCause.GARBLED, reason("answer-unreadable", problem=str(error))
            ) from error

    def is_fresh(self) -> bool:
        """See the port."""
        return self._worker.is_fresh()

    def close(self) -> None:
        """See the port."""
        self._worker.close()


class LyingSandbox:
    """``sandbox``, with workers that lie about answers of ``kind`` once ``lie`` is set."""

    name = "lying"

    def __init__(self, sandbox: Sandbox, kind: RequestKind) -> None:
        self._sandbox, self._kind = sandbox, kind
        self.lie: Lie = lambda answer: answer

    def worker(self, settings: WorkerSettings) -> Worker:
        """See the port."""
        return LyingWorker(self._sandbox.worker(settings), self._kind, self._forged)

    def _forged(self, answer: dict[str, Any]) -> object:
        return self.lie(answer)

    def prepare(self, settings: WorkerSettings) -> None:
        """See the port."""
        self._sandbox.prepare(settings)

    def close(self) -> None:
        """The caller closes ``sandbox``."""
