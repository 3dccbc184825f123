"""An executor with devices that only let time pass: each job takes the seconds that its order says."""

import heapq
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import msgspec

from grader.execution.port import Outcome, OutcomeKind, WorkerState
from grader.execution.progress import Progress
from grader.execution.ticket import Reply, Ticket
from grader.model.needs import ComputeDevice
from tools.fake_work import Found, Order


class FakeExecutor:
    """``Executor`` with one job at a time on each of ``devices``."""

    def __init__(self, devices: Sequence[ComputeDevice]) -> None:
        self._free = list(devices)
        self._devices = tuple(devices)
        self._running: list[tuple[float, int, int, ComputeDevice, bytes]] = []
        self._since = datetime.now(UTC)
        self.busy_seconds = 0.0
        """The time of all jobs so far."""

    def start(self) -> None:
        """See the port."""

    def room(self) -> Sequence[ComputeDevice]:
        """See the port."""
        return tuple(self._free)

    def hand(self, ticket: bytes, job: int, attempt: int, device: ComputeDevice) -> None:
        """See the port."""
        self._free.remove(device)
        asked = Ticket.decode(ticket)
        seconds = msgspec.json.decode(asked.files[0].data, type=Order).seconds
        self.busy_seconds += seconds
        found = Found(device=device.id, visible=device.id, host="fake", pid=0, seed=asked.seed, shared=False)
        reply = Reply(
            job=job, attempt=attempt, host="fake", seconds=seconds, facts=msgspec.json.encode(found)
        )
        heapq.heappush(self._running, (time.monotonic() + seconds, job, attempt, device, reply.encode()))

    def outcomes(self, seconds: float) -> Iterator[Outcome]:
        """See the port."""
        if self._running:
            until = min(self._running[0][0], time.monotonic() + seconds)
            time.sleep(max(0.0, until - time.monotonic()))
        while self._running and self._running[0][0] <= time.monotonic():
            _, job, attempt, device, reply = heapq.heappop(self._running)
            self._free.append(device)
            yield Outcome(job=job, attempt=attempt, kind=OutcomeKind.DONE, device=device, reply=reply)

    def progress(self) -> Sequence[Progress]:
        """See the port."""
        return ()

    def workers(self) -> Sequence[WorkerState]:
        """See the port."""
        return [
            WorkerState(name=device.id, host="fake", device=device, since=self._since)
            for device in self._devices
        ]

    def close(self) -> None:
        """See the port."""
        self._running.clear()
