"""The executor of this host: one worker process for each device, started when the device gets its first ticket."""

import os
import queue
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import IO

import msgspec

from grader.errors import InfrastructureError
from grader.execution.port import ExecutorRequest, Outcome, OutcomeKind, WorkerState
from grader.execution.progress import Progress
from grader.execution.ticket import Reply
from grader.model.needs import ComputeDevice
from grader.sandbox.gpu import VISIBLE_VARIABLE

_MODULE = "grader.execution.worker_process"

_GRACE_SECONDS = 5.0
"""A worker that was asked to end is killed after this time."""


@dataclass(eq=False, kw_only=True)
class _Worker:
    """A worker process and the attempts that it runs."""

    device: ComputeDevice
    process: "subprocess.Popen[bytes]"
    tickets: IO[bytes]
    replies: IO[bytes]
    running: set[tuple[int, int]] = field(default_factory=set)
    last_used: float = field(default_factory=time.monotonic)

    def send(self, ticket: bytes) -> None:
        """Write one line. A worker that has died cannot take it; its end is noticed elsewhere."""
        with suppress(BrokenPipeError):
            self.tickets.write(ticket + b"\n")
            self.tickets.flush()

    def end(self) -> None:
        """Close its input, wait, and kill it if it does not end."""
        with suppress(BrokenPipeError):
            self.tickets.close()
        self.process.terminate()
        try:
            self.process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class LocalExecutor:
    """``Executor`` on the devices of this host. A worker that was idle for ``idle_seconds`` is ended."""

    def __init__(self, request: ExecutorRequest) -> None:
        self._request = request
        self._slots: Mapping[ComputeDevice, int] = {
            device: request.slots(device) for device in request.devices
        }
        self._workers: dict[ComputeDevice, _Worker] = {}
        self._entered: list[Progress] = []
        self._since = datetime.now(UTC)
        self._came: queue.SimpleQueue[tuple[_Worker, bytes | None]] = queue.SimpleQueue()

    def start(self) -> None:
        """See the port."""

    def room(self) -> Sequence[ComputeDevice]:
        """See the port: in turns over the devices, so that each gets its first ticket before one gets two."""
        free = {device: slots - len(self._running(device)) for device, slots in self._slots.items()}
        most = max(free.values(), default=0)
        return [device for turn in range(most) for device, count in free.items() if turn < count]

    def hand(self, ticket: bytes, job: int, attempt: int, device: ComputeDevice) -> None:
        """See the port."""
        worker = self._workers.get(device)
        if worker is None:
            worker = self._workers[device] = self._started(device)
        worker.running.add((job, attempt))
        worker.last_used = time.monotonic()
        worker.send(ticket)

    def outcomes(self, seconds: float) -> Iterator[Outcome]:
        """See the port."""
        self._end_idle()
        while True:
            try:
                worker, line = self._came.get(timeout=seconds) if seconds else self._came.get_nowait()
            except queue.Empty:
                return
            seconds = 0.0
            if line is None:
                yield from self._lost(worker)
            elif (progress := Progress.decode(line)) is not None:
                self._entered.append(progress)
            else:
                yield from self._replied(worker, line)

    def progress(self) -> Sequence[Progress]:
        """See the port."""
        entered, self._entered = self._entered, []
        return entered

    def workers(self) -> Sequence[WorkerState]:
        """See the port. A device without a process is a worker too: it gets one with its next ticket."""
        host = socket.gethostname()
        return [
            WorkerState(
                name=f"{host}/{device.id}",
                host=host,
                device=device,
                since=self._since,
                jobs=tuple(job for job, _ in self._running(device)),
            )
            for device in self._slots
        ]

    def close(self) -> None:
        """See the port."""
        workers, self._workers = self._workers, {}
        for worker in workers.values():
            worker.end()

    def _running(self, device: ComputeDevice) -> set[tuple[int, int]]:
        worker = self._workers.get(device)
        return set() if worker is None else worker.running

    def _started(self, device: ComputeDevice) -> _Worker:
        words = (self._request.work, str(self._slots[device]), str(os.getpid()))
        command = [sys.executable, "-m", _MODULE, *words, msgspec.json.encode(device).decode()]
        # What the environment chooses from outside would hide the device.
        environment = {name: value for name, value in os.environ.items() if name != VISIBLE_VARIABLE}
        if device.is_gpu:
            environment[VISIBLE_VARIABLE] = device.id
        try:
            process = subprocess.Popen(  # noqa: S603 - this interpreter with a module of ours
                command,
                cwd=self._request.folder,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                # Ctrl-C in a terminal is for the dispatcher, which ends its workers.
                start_new_session=True,
            )
        except OSError as error:
            msg = f"a worker cannot be started: {error.strerror}"
            raise InfrastructureError(msg) from error
        if process.stdin is None or process.stdout is None:
            msg = "a worker has no pipes"
            raise InfrastructureError(msg)
        worker = _Worker(
            device=device,
            process=process,
            tickets=process.stdin,
            replies=process.stdout,
        )
        threading.Thread(target=self._listen, args=(worker,), name="replies", daemon=True).start()
        return worker

    def _listen(self, worker: _Worker) -> None:
        with worker.replies as replies:
            for line in replies:
                self._came.put((worker, line))
        self._came.put((worker, None))

    def _replied(self, worker: _Worker, line: bytes) -> Iterator[Outcome]:
        try:
            reply = Reply.decode(line)
        except InfrastructureError:
            # Its end comes next, and with it that of all that it runs.
            worker.process.kill()
            return
        if (reply.job, reply.attempt) in worker.running:
            worker.running.discard((reply.job, reply.attempt))
            worker.last_used = time.monotonic()
            yield Outcome(
                job=reply.job,
                attempt=reply.attempt,
                kind=OutcomeKind.DONE,
                device=worker.device,
                reply=line,
            )

    def _lost(self, worker: _Worker) -> Iterator[Outcome]:
        if self._workers.get(worker.device) is worker:
            del self._workers[worker.device]
        code = worker.process.wait()
        with suppress(BrokenPipeError):
            worker.tickets.close()
        why = f"the worker on {worker.device.id} ended with code {code}"
        for job, attempt in sorted(worker.running):
            yield Outcome(job=job, attempt=attempt, kind=OutcomeKind.LOST, device=worker.device, why=why)
        worker.running.clear()

    def _end_idle(self) -> None:
        longest = self._request.settings.idle_seconds
        for worker in list(self._workers.values()):
            if not worker.running and time.monotonic() - worker.last_used > longest:
                del self._workers[worker.device]
                worker.end()
