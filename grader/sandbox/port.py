"""The sandbox port: what starts workers, how to talk to one, and the errors when one is lost."""

from contextlib import AbstractContextManager
from enum import StrEnum
from typing import Any, Protocol, Self, TypeVar

from grader.errors import GraderError
from grader.messages import render
from grader.model.reason import Reason
from grader.worker.messages import Ready, RequestKind, WorkerSettings

T = TypeVar("T")


class LossCause(StrEnum):
    """Why a worker was lost.

    ``OUT_OF_SECONDS``: the submission has none left. ``IN_TRANSFER``: before it had the inputs of its request.
    ``REPORTED``: it answered with an error. ``GARBLED``: its answer is none.
    """

    TIMED_OUT = "timed out"
    OVER_MEMORY = "over the memory limit"
    OVER_PROCESSES = "over the process limit"
    OUT_OF_SECONDS = "out of seconds"
    IN_TRANSFER = "in transfer"
    REPORTED = "reported"
    DIED = "died"
    GARBLED = "garbled"


class WorkerLostError(GraderError):
    """A worker was lost while it handled a request; it and everything it started have been killed.

    ``reason`` says how, and the text of the error is that in English. ``detail`` is the end of its standard error, for
    the grader's operator. It is text from a student's code and must be shown as such.
    """

    def __init__(self, cause: LossCause, reason: Reason, detail: str = "") -> None:
        self.cause = cause
        self.reason = reason
        self.detail = detail
        super().__init__(render(reason))


class CancelledError(GraderError):
    """The operator cancelled grading; the worker has been killed."""


class Worker(Protocol):
    """A worker process for one submission, which handles one request at a time.

    A context manager that closes it.
    """

    ready: Ready

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def exclusive_gpu(self) -> AbstractContextManager[None]:
        """Context manager: exclusive use of the worker's GPU, if any. Enter it before ``ask``.

        Raises (on entering): ``CancelledError``; ``InfrastructureError`` where the GPU cannot be locked.
        """

    def ask(self, kind: RequestKind, body: Any, expected: type[T], *, seconds: float, reply_bytes: int) -> T:
        """Send one request and wait for its reply.

        ``seconds`` of wall time and ``reply_bytes`` bound the reply. Raises: ``WorkerLostError``, also for an error
        that the worker reports: it has seen a submission, which may have chosen the words.
        """

    def is_fresh(self) -> bool:
        """Whether it lives and has sent nothing since its last reply; otherwise it cannot be used."""

    def close(self) -> None:
        """Kill it and everything it started, and remove what it left behind. Can be called again."""


class ResourceMonitor(Protocol):
    """Monitors and kills the processes that a worker has started."""

    def begin(self) -> None:
        """Apply the limits of a working worker, before its first request."""

    def breach(self) -> LossCause | None:
        """The limit that they exceed now, or exceeded when they were killed, if any."""

    def kill(self) -> None:
        """Kill the worker and everything it has started; returns when none is left."""


class Sandbox(Protocol):
    """Starts workers. ``name`` is the word in ``grader.toml`` and in reports."""

    @property
    def name(self) -> str:
        """``process``, ``bubblewrap`` or ``docker``."""

    def worker(self, settings: WorkerSettings) -> Worker:
        """Start a worker that is ready for requests. The sandbox sets ``settings.parent``.

        Raises: ``UserError`` where the engine cannot be opened here, ``InfrastructureError`` where it does not start.
        """

    def prepare(self, settings: WorkerSettings) -> None:
        """Announce that such a worker is needed soon; a sandbox may start it now. Errors are not reported here."""

    def close(self) -> None:
        """End the remaining workers and any helper processes."""
