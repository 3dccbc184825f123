"""Run one submission's kernels, one request at a time."""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, TypeVar

from grader.config.settings import MIB, LimitSettings
from grader.engines.registry import support
from grader.errors import InfrastructureError
from grader.grading.budget import Budget
from grader.grading.run_answers import proven_run, proven_sample, proven_samples
from grader.grading.worker_failures import Control, blame_machine, proven_in_run, run_fault
from grader.messages import render
from grader.model.block_sample import SampledJob, SampledRun
from grader.model.reason import reason
from grader.model.run import (
    EngineKind,
    Fault,
    LaunchJob,
    OutputCheck,
    RunOptions,
    RunResult,
    SampledComparison,
    TimedComparison,
    TimedSample,
)
from grader.sandbox.port import LossCause, Worker, WorkerLostError
from grader.worker.input_transfer import Sender
from grader.worker.messages import (
    CompareRequest,
    InputsStored,
    PutInputsRequest,
    RequestKind,
    RunBlocksRequest,
    RunRequest,
    SentJob,
)

T = TypeVar("T")

_GRACE_SECONDS = 5.0
"""Extra seconds after an engine's own deadline, in which it reports the time-out."""

_PUT_INPUTS_SECONDS = 120.0
"""Time limit for the transfer of a case's inputs, up to gigabytes, to a worker."""

_PUT_INPUTS_REPLY_BYTES = 2**12

_SAMPLES = 3
"""Timed launches of a comparison that the grader judges itself, where it must."""

_COMPARE_FACTOR = 6.0
"""Time limit of a comparison in run limits: it runs both sides many times."""


class RunSession:
    """One submission's run worker; every fault replaces the worker, so no state carries over."""

    def __init__(
        self,
        limits: LimitSettings,
        engine: EngineKind,
        start: Callable[[], Worker],
        budget: Budget | None = None,
        control: Control = blame_machine,
    ) -> None:
        """``start`` returns a worker of this engine for this session only.

        ``budget`` counts the seconds of the requests. ``control`` decides after the loss of a worker whether the
        machine works; without one, all kernels are trusted and the machine is at fault.
        """
        self._limits = limits
        self._engine = engine
        self._start = start
        self._budget = budget or Budget()
        self._control = control
        self._worker: Worker | None = None
        self._inputs = Sender()

    def run(self, job: LaunchJob, *, schedule_seed: int = 0, own: bool = False) -> RunResult:
        """Run ``job``. A ``schedule_seed`` other than 0 selects another schedule and turns the diagnostics off.

        ``own``: the job is Grader's own, which uses no seconds of the submission. Raises: ``InfrastructureError``.
        """
        budget = Budget() if own else self._budget

        def ask() -> RunResult:
            (sent,) = self._with_inputs_sent(job)
            with self._running_worker().exclusive_gpu(), budget.spend(self._limits.run_seconds) as seconds:
                options = RunOptions(
                    max_steps=self._limits.steps,
                    timeout=seconds,
                    schedule_seed=schedule_seed,
                    diagnostics=schedule_seed == 0,
                )
                request = RunRequest(job=sent, options=options)
                answer = self._ask(RequestKind.RUN, request, RunResult, seconds, _written_bytes(job))
                if answer.fault is not None:
                    self.close()  # while the GPU is ours: a kernel may still run
                return proven_run(answer, job.module)

        try:
            result = self._proven(ask, self._control)
        except WorkerLostError as loss:
            return RunResult(outputs={}, fault=run_fault(loss, RequestKind.RUN))
        if result.fault is None:
            return result
        fault = budget.judged(result.fault)
        return result if fault is result.fault else RunResult(outputs={}, fault=fault)

    def run_blocks(self, sampled: SampledJob, options: RunOptions) -> SampledRun:
        """Run some blocks of a job, within ``options`` and this session's limits. Raises: ``InfrastructureError``."""

        def ask() -> SampledRun:
            most = min(options.timeout, self._limits.run_seconds)
            with self._running_worker().exclusive_gpu(), self._budget.spend(most) as seconds:
                limited = replace(
                    options, timeout=seconds, max_steps=min(options.max_steps, self._limits.steps)
                )
                request = RunBlocksRequest(job=sampled, options=limited)
                answer = self._ask(RequestKind.RUN_BLOCKS, request, SampledRun, seconds, 0)
                return proven_sample(answer, sampled.module)

        try:
            return self._proven(ask, self._control)
        except WorkerLostError as loss:
            fault = run_fault(loss, RequestKind.RUN_BLOCKS)
            return SampledRun(result=RunResult(outputs={}, fault=fault))

    def compare(
        self,
        baseline: LaunchJob,
        submission: LaunchJob,
        checks: Sequence[OutputCheck] = (),
        targets: Sequence[float] = (),
        judge: Callable[[TimedSample], Fault | None] | None = None,
    ) -> TimedComparison:
        """Time ``submission`` against ``baseline``, with ``checks`` of its outputs.

        ``targets`` are the speedups over this baseline that earn points. ``judge`` says what is wrong with a launch;
        it gets some of the timed ones. Raises: ``InfrastructureError``; what ``judge`` raises.
        """
        samples = 0 if judge is None else _SAMPLES
        try:
            reply, elapsed = self._proven(
                lambda: self._compared(baseline, submission, checks, targets, samples),
                lambda loss: self._confirm_comparison(loss, baseline),
            )
        except WorkerLostError as loss:
            return TimedComparison(pairs=(), modelled=False, fault=run_fault(loss, RequestKind.COMPARE))
        fault = self._budget.judged(reply.fault)
        if judge is not None and fault is None:
            fault = next(filter(None, map(judge, reply.samples)), None)
        return TimedComparison(
            pairs=reply.pairs,
            modelled=reply.modelled,
            fault=fault,
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

    def _compared(
        self,
        baseline: LaunchJob,
        submission: LaunchJob,
        checks: Sequence[OutputCheck],
        targets: Sequence[float],
        samples: int,
    ) -> tuple[SampledComparison, float]:
        """One comparison, and its seconds without the wait for the GPU."""
        first, second = self._with_inputs_sent(baseline, submission)
        most = self._limits.run_seconds * _COMPARE_FACTOR
        with self._running_worker().exclusive_gpu(), self._budget.spend(most) as seconds:
            options = RunOptions(
                max_steps=self._limits.steps,
                timeout=min(self._limits.run_seconds, seconds),
                targets=tuple(targets),
                samples=samples,
            )
            request = CompareRequest(baseline=first, submission=second, options=options, checks=tuple(checks))
            asked = time.monotonic()
            data = samples * _written_bytes(submission)
            reply = self._ask(RequestKind.COMPARE, request, SampledComparison, seconds, data)
            elapsed = time.monotonic() - asked
            if reply.fault is not None:
                self.close()  # while the GPU is ours: a kernel may still run
        if reply.fault is None and reply.modelled is not support(self._engine).modelled:
            raise WorkerLostError(LossCause.GARBLED, reason("times-of-another-kind"))
        if reply.fault is None:
            proven_samples(reply.samples, submission, samples)
        return reply, elapsed

    def _confirm_comparison(self, loss: WorkerLostError, baseline: LaunchJob) -> None:
        """Time ``baseline`` against itself in a new worker. Raises: ``InfrastructureError`` if that fails."""
        self._control(loss)
        with closing(RunSession(self._limits, self._engine, self._start)) as trusted:
            alone = trusted.compare(baseline, baseline)
        if alone.fault is not None:
            msg = f"a kernel of Grader's own cannot be timed here either: {render(alone.fault.reason)}"
            raise InfrastructureError(msg)

    def _proven(self, ask: Callable[[], T], control: Control) -> T:
        """Result of ``ask``, which starts a worker if there is none. Raises: as ``proven_in_run``."""

        def attempt() -> T:
            try:
                return ask()
            except WorkerLostError:
                self.close()
                raise

        return proven_in_run(attempt, control)

    def _with_inputs_sent(self, *jobs: LaunchJob) -> list[SentJob]:
        """Send the inputs that the worker lacks, without locking the GPU. Returns: ``jobs`` for the next request.

        Raises: ``WorkerLostError``, of one cause only, because no submitted code runs during the transfer.
        """
        worker = self._running_worker()
        sent, fresh = self._inputs.pack(*jobs)
        if fresh:
            try:
                worker.ask(
                    RequestKind.PUT_INPUTS,
                    PutInputsRequest(fresh=fresh),
                    InputsStored,
                    seconds=_PUT_INPUTS_SECONDS,
                    reply_bytes=_PUT_INPUTS_REPLY_BYTES,
                )
            except WorkerLostError as loss:
                said = reason("lost-during-transfer", cause=loss.reason)
                raise WorkerLostError(LossCause.IN_TRANSFER, said, loss.detail) from loss
        return sent

    def _ask(self, kind: RequestKind, body: Any, expected: type[T], seconds: float, output_bytes: int) -> T:
        reply_bytes = output_bytes + self._limits.output_mib * MIB
        return self._running_worker().ask(
            kind, body, expected, seconds=seconds + _GRACE_SECONDS, reply_bytes=reply_bytes
        )

    def _running_worker(self) -> Worker:
        if self._worker is None:
            self._worker = self._start()
        return self._worker


def _written_bytes(job: LaunchJob) -> int:
    return sum(buffer.nbytes for buffer in job.plan.buffers)
