"""The port of executors: how tickets reach workers. The queue is not theirs; they hold only what is in flight.

An executor is an entry point in the group ``grader.executors``: a function from ``ExecutorRequest`` to an ``Executor``.
Importing it must be cheap. It must pass the contract in ``tests/execution/contract.py``.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from grader.config.settings import ExecutionSettings
from grader.execution.progress import Progress
from grader.model.needs import ComputeDevice

GROUP = "grader.executors"
"""The group of entry points."""

Work = Callable[[bytes], bytes]
"""Grades on a worker's host: from an encoded ``Ticket`` to an encoded ``Reply``. Threads may call it at once."""

OpenWork = Callable[[ComputeDevice], AbstractContextManager[Work]]
"""What the reference of an executor's work leads to; it raises ``GraderError`` if the device cannot be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutorRequest:
    """What an executor is made from.

    ``work`` is a reference, ``module:attribute``, to an ``OpenWork`` that the hosts of workers import. ``folder`` is
    the one with ``grader.toml``, in which workers of this host run. ``devices`` are those of this host that may be
    used, ``slots`` says how many jobs run at once on each.
    """

    settings: ExecutionSettings
    work: str
    folder: Path
    devices: Sequence[ComputeDevice]
    slots: Callable[[ComputeDevice], int]


class OutcomeKind(StrEnum):
    """How an attempt ended. ``lost``: its worker or host died, or could not start."""

    DONE = "done"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The end of one attempt: the encoded ``Reply``, or ``why`` the attempt was lost."""

    job: int
    attempt: int
    kind: OutcomeKind
    device: ComputeDevice
    reply: bytes = b""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerState:
    """A worker: where it is, since when, and the jobs that it runs as far as the executor knows."""

    name: str
    host: str
    device: ComputeDevice
    since: datetime
    jobs: tuple[int, ...] = ()


class Executor(Protocol):
    """Carries tickets to workers. One thread uses it. Every ticket that was handed over has exactly one outcome."""

    def start(self) -> None:
        """Begin. Call it from the main thread. Raises: ``UserError`` if this host cannot do it."""

    def room(self) -> Sequence[ComputeDevice]:
        """The devices that want a ticket now; a device that wants several is there several times.

        An executor wants no more than keeps its devices busy, so that urgent jobs need not wait behind others.
        """

    def hand(self, ticket: bytes, job: int, attempt: int, device: ComputeDevice) -> None:
        """Send the encoded ``ticket`` of an attempt to ``device``, one of those in ``room``."""

    def outcomes(self, seconds: float) -> Iterator[Outcome]:
        """Those that ended; wait up to ``seconds`` for the first."""

    def progress(self) -> Sequence[Progress]:
        """The stages that attempts entered since the last call, as far as ``outcomes`` has met them."""

    def workers(self) -> Sequence[WorkerState]:
        """Every worker that is there now."""

    def close(self) -> None:
        """End all workers; what is in flight is lost without an outcome. It may be called twice."""


ExecutorFactory = Callable[[ExecutorRequest], Executor]
"""What an entry point names."""
