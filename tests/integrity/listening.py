"""A sandbox that records the requests to its workers."""

from dataclasses import dataclass
from typing import Any, TypeVar

from grader.sandbox.port import Sandbox, Worker
from grader.worker import wire
from grader.worker.messages import RequestKind, WorkerRole, WorkerSettings
from tools.forwarding_sandbox import ForwardingSandbox, ForwardingWorker

T = TypeVar("T")


@dataclass(frozen=True)
class Asked:
    """One request: the index of its worker in start order, and its body as sent."""

    worker: int
    role: WorkerRole
    kind: RequestKind
    body: Any

    @property
    def sent(self) -> bytes:
        """Return the encoded body."""
        return wire.encode(self.body)


class ListeningSandbox(ForwardingSandbox):
    """Records every request to a worker of ``inner``."""

    def __init__(self, inner: Sandbox) -> None:
        super().__init__(inner)
        self.asked: list[Asked] = []
        self.started = 0

    def worker(self, settings: WorkerSettings) -> Worker:
        """Return a worker of the inner sandbox and record its requests."""
        self.started += 1
        return _ListeningWorker(self, super().worker(settings), self.started, settings.role)


class _ListeningWorker(ForwardingWorker):
    def __init__(self, sandbox: ListeningSandbox, inner: Worker, number: int, role: WorkerRole) -> None:
        super().__init__(inner)
        self._sandbox = sandbox
        self._number = number
        self._role = role

    def ask(self, kind: RequestKind, body: Any, expected: type[T], *, seconds: float, reply_bytes: int) -> T:
        self._sandbox.asked.append(Asked(self._number, self._role, kind, body))
        return super().ask(kind, body, expected, seconds=seconds, reply_bytes=reply_bytes)
