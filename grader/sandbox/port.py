"""The sandbox port: places where a worker can run, and how losing one is told."""

from contextlib import AbstractContextManager
from enum import StrEnum
from typing import Any, Protocol, Self, TypeVar

from grader.errors import GraderError
from grader.worker.messages import Ready, RequestKind, WorkerSettings

T = TypeVar("T")


class LossCause(StrEnum):
    """Why a worker is not there any more."""

    TIMED_OUT = "timed out"
    OVER_MEMORY = "over the memory limit"
    OVER_PROCESSES = "over the process limit"
    DIED = "died"
    GARBLED = "garbled"


class WorkerLostError(GraderError):
    """A worker was lost while it handled a request; it has been killed with everything it started.

    ``detail`` is the end of what it wrote to standard error, for the person who runs the grader: it is student-made
    text and must be shown as such.
    """

    def __init__(self, cause: LossCause, message: str, detail: str = "") -> None:
        self.cause = cause
        self.detail = detail
        super().__init__(message)


class CancelledError(GraderError):
    """The person who runs the grader asked to stop; the worker has been killed."""


class Worker(Protocol):
    """A worker process that answers one request at a time and belongs to one submission.

    As a context manager it is closed at the end.
    """

    ready: Ready

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def exclusive_gpu(self) -> AbstractContextManager[None]:
        """Within it the worker has to itself what it shares with others: its GPU, if it has one. To be had for asking.

        Raises (on entering): ``CancelledError``; ``InfrastructureError`` where nobody can tell whose turn it is.
        """

    def ask(self, kind: RequestKind, body: Any, expected: type[T], *, seconds: float, reply_bytes: int) -> T:
        """Send one request and wait for its answer.

        ``seconds`` is wall time; ``reply_bytes`` bounds the answer. Raises: ``WorkerLostError``;
        ``InfrastructureError`` where the worker reports a fault of the grader's own; ``UserError`` likewise.
        """

    def is_fresh(self) -> bool:
        """Whether it lives and has said nothing since its last answer: one that does not is good for nothing."""

    def close(self) -> None:
        """Kill it with everything it started, and remove what it left behind. May be asked again."""


class ResourceMonitor(Protocol):
    """Sees everything a worker has started, and ends it."""

    def begin(self) -> None:
        """The worker is about to hear of work: what bounds only those that work holds from now on."""

    def breach(self) -> LossCause | None:
        """Which limit they break now, or had broken when they were killed, if any."""

    def kill(self) -> None:
        """Kill the worker and everything it has started; returns once none is left."""


class Sandbox(Protocol):
    """Starts workers. ``name`` is the word in ``grader.toml`` and in reports."""

    @property
    def name(self) -> str:
        """``process``, ``bubblewrap`` or ``docker``."""

    def worker(self, settings: WorkerSettings) -> Worker:
        """A fresh worker, ready to be asked.

        ``parent`` is the sandbox's to set.
        Raises: ``UserError`` where the engine cannot be opened here, ``InfrastructureError`` where it does not start.
        """

    def prepare(self, settings: WorkerSettings) -> None:
        """Such a worker will be asked for soon. A sandbox that can starts it meanwhile; no failure is told here."""

    def close(self) -> None:
        """End every worker that is left, and whatever helped to start them."""
