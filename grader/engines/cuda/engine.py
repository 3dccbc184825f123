"""The engine that is a real GPU, driven through CuPy. Everything runs on one stream of one device."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from typing import Any

from grader.engines.cuda.arena import Arenas
from grader.engines.cuda.baseline_errors import BaselineFailedError
from grader.engines.cuda.buffer_sets import BufferSetRotation
from grader.engines.cuda.cold import ColdCache
from grader.engines.cuda.cupy_access import load_cupy
from grader.engines.cuda.device_info import describe
from grader.engines.cuda.kernels import ReadyLaunch
from grader.engines.cuda.measurement import measured
from grader.engines.cuda.paired_timer import PairedTimer, WrongOutputError
from grader.engines.cuda.prepared import Prepared
from grader.engines.cuda.pristine_inputs import PristineInputs
from grader.engines.cuda.status import NOT_READY, LaunchFailedError, check, checked, out_of_bounds
from grader.engines.cuda.stopwatch import Measurement, Stopwatch
from grader.engines.cuda.trusted import TrustedKernels
from grader.errors import InfrastructureError
from grader.model.device import Device
from grader.model.diagnostic import DiagnosticKind
from grader.model.run import Comparison, EngineKind, Fault, LaunchJob, OutputCheck, RunOptions, RunResult
from grader.model.verdict import Verdict

BUDGET = 3.0
"""Seconds after which no further pair is begun, as a multiple of the timeout of one run; the first always is."""

FIRST_PAUSE, LONGEST_PAUSE = 20e-6, 200e-6
"""Seconds between two looks at a running kernel; the pause doubles from the first to the longest."""


class CudaEngine:
    """``Engine`` on the GPU numbered ``ordinal``.

    ``poisoned`` turns true when a kernel has taken the CUDA context with it or would not end: nothing more can run in
    this process, which must leave by ``os._exit`` (a normal exit would wait for the kernel).
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
            self._stream = self._cupy.cuda.Stream()  # the default stream could not be captured
        # Kept, as unloading their modules would wait for a kernel that never ends.
        self._lost: list[ReadyLaunch] = []

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
        """As the port says; the launches together may take ``options.timeout`` seconds. Counters stay empty."""
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
        """As the port says, in randomised pairs timed by events.

        Before every launch inputs are drawn anew, outputs poisoned and the L2 emptied; answers are looked at and wiped
        after it. Short launches are timed several at a time, each pair in another place of the memory.
        Raises: as the port says, also where another process uses the GPU meanwhile or its clock does not stay the same.
        """
        self._empty_pool()
        try:
            return self._compared(baseline, submission, options, checks)
        except BaselineFailedError as failed:
            msg = f"the baseline does not run: {failed.fault.reason}"
            raise InfrastructureError(msg) from failed
        except (LaunchFailedError, WrongOutputError) as failed:
            return Comparison(pairs=(), modelled=False, fault=failed.fault)
        finally:
            self._empty_pool()

    def close(self) -> None:
        """Give back what was needed to empty the cache; nothing can be given back once the engine is poisoned."""
        if "_cache" in vars(self) and not self.poisoned:
            self._cache.close()
            del self._cache

    def _ran(self, job: LaunchJob, options: RunOptions) -> RunResult:
        with self._stream, self._arenas(job) as arenas, self._prepared(job) as prepared:
            prepared.add(arenas.add(), job.inputs)
            self._launch_and_wait(prepared, options)
            damage = arenas.damage()
            if damage is not None:
                raise out_of_bounds(damage)
            (copy,) = prepared.copies
            return RunResult(
                outputs=copy.memory.outputs(), changed_inputs=copy.memory.changed_inputs(job.inputs)
            )

    def _compared(
        self, baseline: LaunchJob, submission: LaunchJob, options: RunOptions, checks: Sequence[OutputCheck]
    ) -> Comparison:
        with (
            self._stream,
            self._arenas(baseline, submission) as arenas,
            self._prepared(baseline) as first,
            self._prepared(submission) as second,
            PristineInputs(self._cupy, self._trusted, baseline, submission) as originals,
        ):
            places = BufferSetRotation(self._cupy, arenas, first, second)
            clocked = partial(self._clocked, options=options)
            duel = PairedTimer(places, originals, self._trusted, clocked, checks)
            comparison = measured(duel, self._trusted, options.targets, BUDGET * options.timeout)
            duel.check_guards()
            return comparison

    def _empty_pool(self) -> None:
        """Give back what CuPy keeps for the next use: textures and answers may have taken much of the memory.

        What an error passed by is held as long as the error is, so this is done before a request as well as after it.
        """
        if not self.poisoned:
            self._cupy.get_default_memory_pool().free_all_blocks()

    @contextmanager
    def _arenas(self, *jobs: LaunchJob) -> Iterator[Arenas]:
        """Memory that ``jobs`` share, none yet. What there is in the end is wiped and freed. Notes what was lethal."""
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
    def _prepared(self, job: LaunchJob) -> Iterator[Prepared]:
        """``job``, without a copy yet. Notes what was lethal."""
        if self.poisoned:
            msg = "the CUDA context is lost; this process can launch nothing any more"
            raise InfrastructureError(msg)
        prepared = Prepared(self._cupy, self.device, job)
        try:
            yield prepared
        except LaunchFailedError as failed:
            self.poisoned |= failed.lethal
            raise
        except ValueError as error:  # work that contradicts itself: the grader's mistake, not the student's
            raise InfrastructureError(str(error)) from error
        finally:
            if self.poisoned:
                self._lost += (launch for copy in prepared.copies for launch in copy.launches)

    def _launch_and_wait(self, prepared: Prepared, options: RunOptions) -> None:
        with checked(self._cupy):
            prepared.queue()
            done = self._cupy.cuda.Event()
            done.record()
        self._wait(done, options.timeout)

    def _clocked(self, queue: Callable[[], None], options: RunOptions) -> Measurement:
        self._cache.flush_l2()
        return self._stopwatch.time(queue, partial(self._wait, timeout=options.timeout))

    def _wait(self, event: Any, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        pause = FIRST_PAUSE
        while (status := int(self._runtime.eventQuery(event.ptr))) == NOT_READY:
            if time.monotonic() > deadline:
                reason = f"still running after {timeout:g} s; look for a loop that never ends or a barrier not reached"
                fault = Fault(verdict=Verdict.TIMED_OUT, reason=reason)
                raise LaunchFailedError(fault, DiagnosticKind.ENDLESS_LOOP, lethal=True)
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        check(status)
