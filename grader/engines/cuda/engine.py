"""The engine for a real GPU, through CuPy. Everything runs on one stream of one device."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from typing import Any

from grader.engines.baseline import baseline_failed
from grader.engines.cuda.arena import Arenas
from grader.engines.cuda.baseline_errors import BaselineFailedError
from grader.engines.cuda.buffer_sets import BufferSetRotation
from grader.engines.cuda.device import describe, load_cupy
from grader.engines.cuda.input_digests import InputDigests
from grader.engines.cuda.kernels import ReadyLaunch
from grader.engines.cuda.launch_sampler import LaunchSampler
from grader.engines.cuda.measurement import measure
from grader.engines.cuda.output_comparison import WrongOutputError
from grader.engines.cuda.paired_timer import PairedTimer
from grader.engines.cuda.prepared import Prepared
from grader.engines.cuda.status import NOT_READY, LaunchFailedError, check, checked, out_of_bounds
from grader.engines.cuda.timed_data import PristineInputs
from grader.engines.cuda.timing import ColdCache, Measurement, Stopwatch
from grader.engines.cuda.trusted import TrustedKernels
from grader.errors import InfrastructureError
from grader.model.device import Device
from grader.model.diagnostic import DiagnosticKind
from grader.model.reason import reason
from grader.model.run import Comparison, EngineKind, Fault, LaunchJob, OutputCheck, RunOptions, RunResult
from grader.model.verdict import Verdict

BUDGET = 3.0
"""No further pair begins after this multiple of the timeout of one run; the first always does."""

FIRST_PAUSE, LONGEST_PAUSE = 20e-6, 200e-6
"""Seconds between two polls of a running kernel; the pause doubles from the first to the longest."""


def open_first_gpu(_: Device) -> "CudaEngine":
    """The engine on the first GPU that this process may use, ready to time. Raises: ``UserError``."""
    engine = CudaEngine()
    engine.load_trusted()  # now, because requests hold the GPU
    return engine


class CudaEngine:
    """``Engine`` on the GPU with this ordinal.

    ``poisoned`` becomes true when a kernel destroys the CUDA context or does not end. Nothing more can run in this
    process then, and it must leave by ``os._exit`` (a normal exit would wait for the kernel).
    """

    kind = EngineKind.CUDA

    def __init__(self, ordinal: int = 0) -> None:
        """Raises: ``UserError`` where CuPy or a usable GPU is missing."""
        self._cupy = load_cupy()
        self._runtime = self._cupy.cuda.runtime
        self._runtime.setDevice(ordinal)
        self.device: Device = describe(self._cupy, ordinal)
        self.poisoned = False
        with checked(self._cupy):
            self._stream = self._cupy.cuda.Stream()  # the default stream cannot be captured
        # Kept: unloading their modules would wait for a kernel that never ends.
        self._lost: list[ReadyLaunch] = []

    def load_trusted(self) -> None:
        """Compile and load the kernels of Grader's own. Raises: as ``status.checked``."""
        self._trusted.load()

    @cached_property
    def _trusted(self) -> TrustedKernels:
        return TrustedKernels(self._cupy)

    @cached_property
    def _stopwatch(self) -> Stopwatch:
        return Stopwatch(self._cupy, self._trusted)

    @cached_property
    def _cache(self) -> ColdCache:
        return ColdCache(self._cupy, self._trusted, self.device.l2_bytes)

    def run(self, job: LaunchJob, options: RunOptions) -> RunResult:
        """See the port. ``options.timeout`` bounds all launches together. Counters stay empty."""
        self._empty_pool()
        try:
            return self._ran(job, options)
        except LaunchFailedError as failed:
            return RunResult(outputs={}, fault=failed.fault, diagnostics=(failed.diagnostic,))
        finally:
            self._empty_pool()

    def compare(
        self,
        baseline: LaunchJob,
        submission: LaunchJob,
        options: RunOptions,
        checks: Sequence[OutputCheck] = (),
    ) -> Comparison:
        """See the port. Times randomised pairs with CUDA events.

        Before each launch, inputs are drawn, outputs poisoned and the L2 flushed. After it, outputs are checked and
        wiped. Short launches are timed in batches, and each pair uses another set of buffers.
        Raises: see the port; also where another process uses the GPU, or its clock does not stay the same.
        """
        self._empty_pool()
        try:
            return self._compared(baseline, submission, options, checks)
        except BaselineFailedError as failed:
            raise baseline_failed(failed.fault) from failed
        except (LaunchFailedError, WrongOutputError) as failed:
            return Comparison(pairs=(), modelled=False, fault=failed.fault)
        finally:
            self._empty_pool()

    def close(self) -> None:
        """Free the memory for cache flushes; a poisoned engine cannot free anything."""
        if "_cache" in vars(self) and not self.poisoned:
            self._cache.close()
            del self._cache

    def _ran(self, job: LaunchJob, options: RunOptions) -> RunResult:
        with self._stream, self._arenas(job) as arenas, self._prepared(job, options) as prepared:
            prepared.add(arenas.add(), job.inputs)
            (copy,) = prepared.copies
            inputs = InputDigests(self._cupy, self._trusted, copy.memory, job.plan)
            self._launch_and_wait(prepared, options)
            damage = arenas.damage()
            if damage is not None:
                raise out_of_bounds(damage)
            return RunResult(outputs=copy.memory.outputs(), changed_inputs=inputs.changed())

    def _compared(
        self, baseline: LaunchJob, submission: LaunchJob, options: RunOptions, checks: Sequence[OutputCheck]
    ) -> Comparison:
        with (
            self._stream,
            self._arenas(baseline, submission) as arenas,
            self._prepared(baseline, options) as first,
            self._prepared(submission, options) as second,
            PristineInputs(self._cupy, self._trusted, baseline, submission) as originals,
        ):
            buffer_sets = BufferSetRotation(self._cupy, arenas, first, second)
            # A loop that ends by what kernels write waits for them, so the stream must run while it is queued.
            waits = bool(baseline.plan.loops or submission.plan.loops)
            measure_queued = partial(self._measure, options=options, held=not waits)
            timer = PairedTimer(buffer_sets, originals, self._trusted, measure_queued, checks)
            timer.sampler = LaunchSampler(options.samples)
            most_seconds = BUDGET * options.timeout
            comparison = measure(timer, self._trusted, options.targets, most_seconds, batched=not waits)
            timer.check_guards()
            return timer.sampler.with_samples(comparison)

    def _empty_pool(self) -> None:
        """Free the memory that CuPy's pool caches: textures and output snapshots may have used much of it.

        An exception keeps its frames' objects alive, so the pool is emptied before a request as well as after it.
        """
        if not self.poisoned:
            self._cupy.get_default_memory_pool().free_all_blocks()

    @contextmanager
    def _arenas(self, *jobs: LaunchJob) -> Iterator[Arenas]:
        """Arenas that ``jobs`` share, wiped and freed at the end. Sets ``poisoned`` after a lethal failure."""
        arenas = Arenas(self._cupy, [job.plan for job in jobs])
        try:
            try:
                yield arenas
            finally:
                if not self.poisoned:
                    arenas.close()
        except LaunchFailedError as failed:
            self.poisoned |= failed.lethal
            raise

    @contextmanager
    def _prepared(self, job: LaunchJob, options: RunOptions) -> Iterator[Prepared]:
        """``job`` without copies. Sets ``poisoned`` after a lethal failure."""
        if self.poisoned:
            msg = "the CUDA context is lost, so this process cannot launch anything any more"
            raise InfrastructureError(msg)
        prepared = Prepared(self._cupy, self.device, job, partial(self._wait_for_queue, options.timeout))
        try:
            yield prepared
        except LaunchFailedError as failed:
            self.poisoned |= failed.lethal
            raise
        except ValueError as error:  # an inconsistent job is the grader's mistake, not the student's
            raise InfrastructureError(str(error)) from error
        finally:
            if self.poisoned:
                self._lost += (launch for copy in prepared.copies for launch in copy.launches)

    def _launch_and_wait(self, prepared: Prepared, options: RunOptions) -> None:
        with checked(self._cupy):
            prepared.queue()
        self._wait_for_queue(options.timeout)

    def _wait_for_queue(self, timeout: float) -> None:
        with checked(self._cupy):
            done = self._cupy.cuda.Event()
            done.record()
        self._wait(done, timeout)

    def _measure(self, queue: Callable[[], None], options: RunOptions, *, held: bool) -> Measurement:
        self._cache.flush_l2()
        return self._stopwatch.time(queue, partial(self._wait, timeout=options.timeout), held=held)

    def _wait(self, event: Any, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        pause = FIRST_PAUSE
        while (status := int(self._runtime.eventQuery(event.ptr))) == NOT_READY:
            if time.monotonic() > deadline:
                fault = Fault(verdict=Verdict.TIMED_OUT, reason=reason("gpu-time-out", seconds=timeout))
                raise LaunchFailedError(fault, DiagnosticKind.ENDLESS_LOOP, lethal=True)
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        check(status)
