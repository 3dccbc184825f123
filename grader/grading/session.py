"""Run one submission's kernels, one request at a time."""

import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from grader.config.settings import MIB, LimitSettings
from grader.engines.registry import support
from grader.errors import InfrastructureError
from grader.grading.worker_failures import as_infrastructure_error, run_fault
from grader.model.run import (
    Comparison,
    EngineKind,
    Fault,
    LaunchJob,
    OutputCheck,
    RunOptions,
    RunResult,
    TimedComparison,
)
from grader.sandbox.port import Worker, WorkerLostError
from grader.worker.input_transfer import Sender
from grader.worker.messages import (
    CompareRequest,
    InputsStored,
    PutInputsRequest,
    RequestKind,
    RunRequest,
    SentJob,
)

T = TypeVar("T")

_GRACE_SECONDS = 5.0
"""Extra seconds after an engine's own deadline, in which it reports the time-out."""

_PUT_INPUTS_SECONDS = 120.0
"""Time limit for the transfer of a case's inputs, up to gigabytes, to a worker."""

_PUT_INPUTS_REPLY_BYTES = 2**12

_COMPARE_FACTOR = 6.0
"""Time limit of a comparison in run limits: it runs both sides many times."""


class RunSession:
    """One submission's run worker; every fault replaces the worker, so no state carries over."""

    def __init__(self, limits: LimitSettings, engine: EngineKind, start: Callable[[], Worker]) -> None:
        """``start`` returns a worker of this engine for this session only."""
        self._limits = limits
        self._modelled = support(engine).modelled
        self._start = start
        self._worker: Worker | None = None
        self._inputs = Sender()

    def run(self, job: LaunchJob, *, schedule_seed: int = 0) -> RunResult:
        """Run ``job``. A ``schedule_seed`` other than 0 selects another schedule and turns the diagnostics off.

        Raises: ``InfrastructureError``.
        """
        options = dataclasses.replace(
            self._options(), schedule_seed=schedule_seed, diagnostics=schedule_seed == 0
        )
        (sent,) = self._with_inputs_sent(job)
        request = RunRequest(job=sent, options=options)
        seconds = self._limits.run_seconds + _GRACE_SECONDS
        try:
            result, _ = self._ask(RequestKind.RUN, request, RunResult, seconds, _written_bytes(job))
        except WorkerLostError as loss:
            return RunResult(outputs={}, fault=self._fault(loss))
        if result.fault is not None:
            self.close()
        return result

    def compare(
        self,
        baseline: LaunchJob,
        submission: LaunchJob,
        checks: Sequence[OutputCheck] = (),
        targets: Sequence[float] = (),
    ) -> TimedComparison:
        """Time ``submission`` against ``baseline``, with ``checks`` of its outputs.

        ``targets`` are the speedups over this baseline that earn points. Raises: ``InfrastructureError``.
        """
        options = dataclasses.replace(self._options(), targets=tuple(targets))
        first, second = self._with_inputs_sent(baseline, submission)
        request = CompareRequest(baseline=first, submission=second, options=options, checks=tuple(checks))
        seconds = self._limits.run_seconds * _COMPARE_FACTOR + _GRACE_SECONDS
        try:
            reply, elapsed = self._ask(RequestKind.COMPARE, request, Comparison, seconds, 0)
        except WorkerLostError as loss:
            return TimedComparison(pairs=(), modelled=False, fault=self._fault(loss))
        if reply.fault is not None:
            self.close()
        elif reply.modelled is not self._modelled:
            expected, sent = ("modelled", "measured") if self._modelled else ("measured", "modelled")
            msg = f"a run worker sent {sent} times where {expected} ones were asked for"
            raise InfrastructureError(msg)
        return TimedComparison(
            pairs=reply.pairs,
            modelled=reply.modelled,
            fault=reply.fault,
            launches=reply.launches,
            dropped=reply.dropped,
            clock=reply.clock,
            wall_seconds=None if reply.modelled else elapsed,
        )

    def close(self) -> None:
        """End the worker, if there is one."""
        worker, self._worker = self._worker, None
        self._inputs = Sender()
        if worker is not None:
            worker.close()

    def _with_inputs_sent(self, *jobs: LaunchJob) -> list[SentJob]:
        """Send the inputs that the worker lacks, without locking the GPU. Returns: ``jobs`` for the next request.

        Raises: ``InfrastructureError``, also if the worker is lost, because no submitted code runs during the transfer.
        """
        worker = self._running_worker()
        sent, fresh = self._inputs.pack(*jobs)
        if fresh:
            kind, request = RequestKind.PUT_INPUTS, PutInputsRequest(fresh=fresh)
            try:
                with as_infrastructure_error(kind):
                    worker.ask(
                        kind,
                        request,
                        InputsStored,
                        seconds=_PUT_INPUTS_SECONDS,
                        reply_bytes=_PUT_INPUTS_REPLY_BYTES,
                    )
            except WorkerLostError as loss:
                self.close()
                msg = f"a run worker was lost during the transfer of its inputs: {loss}"
                raise InfrastructureError(msg) from loss
        return sent

    def _ask(
        self, kind: RequestKind, body: Any, expected: type[T], seconds: float, output_bytes: int
    ) -> tuple[T, float]:
        """The reply, and the seconds it took, excluding the wait for the GPU."""
        worker = self._running_worker()
        reply_bytes = output_bytes + self._limits.output_mib * MIB
        with worker.exclusive_gpu(), as_infrastructure_error(kind):
            asked = time.monotonic()
            reply = worker.ask(kind, body, expected, seconds=seconds, reply_bytes=reply_bytes)
            return reply, time.monotonic() - asked

    def _running_worker(self) -> Worker:
        if self._worker is None:
            self._worker = self._start()
        return self._worker

    def _fault(self, loss: WorkerLostError) -> Fault:
        self.close()
        return run_fault(loss)

    def _options(self) -> RunOptions:
        return RunOptions(max_steps=self._limits.steps, timeout=self._limits.run_seconds)


def _written_bytes(job: LaunchJob) -> int:
    return sum(buffer.nbytes for buffer in job.plan.buffers)
