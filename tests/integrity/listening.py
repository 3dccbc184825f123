"""A sandbox that listens to what its workers are asked."""

from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

from grader.sandbox.port import Sandbox, Worker
from grader.worker import wire
from grader.worker.messages import RequestKind, WorkerRole, WorkerSettings

T = TypeVar("T")


@dataclass(frozen=True)
class Asked:
    """One request: which worker got it, in the order in which they were started, and its body as it was sent."""

    worker: int
    role: WorkerRole
    kind: RequestKind
    body: Any

    @property
    def sent(self) -> bytes:
        """The body on the wire."""
        return wire.encode(self.body)


@dataclass
class ListeningSandbox:
    """Hands every request on to a worker of ``inner``, and remembers it."""

    inner: Sandbox
    asked: list[Asked] = field(default_factory=list)
    started: int = 0

    @property
    def name(self) -> str:
        """That of the sandbox inside."""
        return self.inner.name

    def worker(self, settings: WorkerSettings) -> Worker:
        """A worker of the sandbox inside, listened to."""
        self.started += 1
        inner = self.inner.worker(settings)
        return _ListeningWorker(self, inner, self.started, settings.role)

    def prepare(self, settings: WorkerSettings) -> None:
        """Handed on."""
        self.inner.prepare(settings)

    def close(self) -> None:
        """Close the sandbox inside."""
        self.inner.close()


class _ListeningWorker:
    def __init__(self, sandbox: ListeningSandbox, inner: Worker, number: int, role: WorkerRole) -> None:
        self._sandbox = sandbox
        self._inner = inner
        self._number = number
        self._role = role
        self.ready = inner.ready

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def is_fresh(self) -> bool:
        return self._inner.is_fresh()

    def close(self) -> None:
        self._inner.close()

    def ask(self, kind: RequestKind, body: Any, expected: type[T], *, seconds: float, reply_bytes: int) -> T:
        self._sandbox.asked.append(Asked(self._number, self._role, kind, body))
        return self._inner.ask(kind, body, expected, seconds=seconds, reply_bytes=reply_bytes)
