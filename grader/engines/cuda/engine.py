"""The engine that is a real GPU, driven through CuPy. Everything runs on the default stream of one device."""

import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from typing import Any, NoReturn

from grader.engines.cuda.cupy_access import load_cupy
from grader.engines.cuda.device_info import describe
from grader.engines.cuda.duel import BaselineFailedError, Duel, Prepared, WrongWhileTimedError
from grader.engines.cuda.kernels import ReadyLaunch, make_ready, refuse_bad_launches
from grader.engines.cuda.memory import DeviceMemory
from grader.engines.cuda.originals import Originals
from grader.engines.cuda.pairs import Side
from grader.engines.cuda.sampling import sampled
from grader.engines.cuda.status import NOT_READY, LaunchFailedError, check, checked
from grader.engines.cuda.trusted import TrustedKernels
from grader.errors import InfrastructureError
from grader.model.device import Device
from grader.model.diagnostic import DiagnosticKind
from grader.model.run import (
    Comparison,
    EngineKind,
    Fault,
    OutputCheck,
    RunOptions,
    RunResult,
    TimedPair,
    Work,
)
from grader.model.verdict import Verdict

BUDGET = 3.0
"""Seconds after which no further pair is begun, as a multiple of the timeout of one run; the first always is."""

FIRST_PAUSE, LONGEST_PAUSE = 20e-6, 2e-3
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
        self._flush_bytes = 2 * self.device.l2_bytes
        self._flush_address = 0
        # Kept, as unloading their modules would wait for a kernel that never ends.
        self._lost: list[ReadyLaunch] = []

    @cached_property
    def _trusted(self) -> TrustedKernels:
        return TrustedKernels(self._cupy)

    def run(self, work: Work, options: RunOptions) -> RunResult:
        """As the port says; the launches together may take ``options.timeout`` seconds. Counters stay empty."""
        try:
            with self._prepared(work) as prepared:
                self._launch_and_wait(prepared, options)
                return _looked_over(prepared)
        except LaunchFailedError as failed:
            return RunResult(outputs={}, fault=failed.fault, diagnostics=(failed.diagnostic,))

    def compare(
        self, baseline: Work, submission: Work, options: RunOptions, checks: Sequence[OutputCheck] = ()
    ) -> Comparison:
        """As the port says, in randomised pairs timed by events, after one that is not timed.

        Before every launch inputs are drawn anew, outputs poisoned and the L2 flushed; answers are looked at and wiped
        after it. Below about 20 microseconds the launch itself is a good part of what is timed.
        """
        try:
            with (
                self._prepared(baseline, filled=False) as first,
                self._prepared(submission, filled=False) as second,
                Originals(self._cupy, self._trusted, baseline, submission) as originals,
            ):
                launch = partial(self._launch_cold, options=options)
                duel = Duel((first, second), originals, self._trusted, launch, checks)
                pairs = _timed_pairs(duel, options)
                # Guards are whole before the first launch and never mended, so one look covers every launch.
                _refuse_damage(second)
                if not originals.are_untouched():
                    _refuse("the kernel wrote into memory that it was not given")
                return Comparison(pairs=pairs, modelled=False)
        except BaselineFailedError as failed:
            msg = f"the baseline does not run: {failed.fault.reason}"
            raise InfrastructureError(msg) from failed
        except (LaunchFailedError, WrongWhileTimedError) as failed:
            return Comparison(pairs=(), modelled=False, fault=failed.fault)

    def close(self) -> None:
        """Give the flushing buffer back; nothing can be given back once the engine is poisoned."""
        if self._flush_address and not self.poisoned:
            with checked(self._cupy):
                self._runtime.free(self._flush_address)
        self._flush_address = 0

    @contextmanager
    def _prepared(self, work: Work, *, filled: bool = True) -> Iterator[Prepared]:
        """``work`` in guarded memory, which is wiped and freed in the end. Notes what was lethal.

        ``filled`` with its inputs, or with nothing yet.
        """
        if self.poisoned:
            msg = "the CUDA context is lost; this process can launch nothing any more"
            raise InfrastructureError(msg)
        refuse_bad_launches(self.device, work.module, work.plan)
        memory = DeviceMemory(self._cupy, work.plan)
        launches: list[ReadyLaunch] = []
        try:
            memory.guard()
            if filled:
                memory.fill(work.inputs)
            launches += make_ready(self._cupy, self.device, work.module, work.plan, memory)
            yield Prepared(work, memory, launches)
        except LaunchFailedError as failed:
            self.poisoned |= failed.lethal
            raise
        except ValueError as error:  # work that contradicts itself: the grader's mistake, not the student's
            raise InfrastructureError(str(error)) from error
        finally:
            if self.poisoned:
                self._lost += launches
            else:
                memory.close()

    def _launch_and_wait(self, prepared: Prepared, options: RunOptions) -> float:
        """Run all launches once and return the seconds between the events around them."""
        cuda = self._cupy.cuda
        with checked(self._cupy):
            start, stop = cuda.Event(), cuda.Event()
            start.record(cuda.Stream.null)
            for launch in prepared.launches:
                launch.start()
            stop.record(cuda.Stream.null)
        self._wait(stop, options.timeout)
        with checked(self._cupy):
            return float(cuda.get_elapsed_time(start, stop)) / 1e3

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

    def _launch_cold(self, prepared: Prepared, options: RunOptions) -> float:
        # The flush is queued, not waited for: while it runs, the launches queue up behind it and their overhead hides.
        self._flush_l2()
        return self._launch_and_wait(prepared, options)

    def _flush_l2(self) -> None:
        with checked(self._cupy):
            if not self._flush_address:
                self._flush_address = int(self._runtime.malloc(self._flush_bytes))
            self._runtime.memsetAsync(self._flush_address, 0, self._flush_bytes, 0)


def _timed_pairs(duel: Duel, options: RunOptions) -> tuple[TimedPair, ...]:
    deadline = time.monotonic() + BUDGET * options.timeout
    duel.pair((Side.SUBMISSION, Side.BASELINE))  # untimed: clocks rise, code reaches the instruction cache
    return sampled(duel.pair, options.targets, lambda: time.monotonic() > deadline, random.SystemRandom())


def _looked_over(prepared: Prepared) -> RunResult:
    _refuse_damage(prepared)
    return RunResult(
        outputs=prepared.memory.outputs(),
        changed_inputs=prepared.memory.changed_inputs(prepared.work.inputs),
    )


def _refuse_damage(prepared: Prepared) -> None:
    """Raises: ``LaunchFailedError`` where a guard zone was written to."""
    damage = prepared.memory.damage()
    if damage is not None:
        _refuse(damage)


def _refuse(damage: str) -> NoReturn:
    fault = Fault(verdict=Verdict.CRASHED, reason=f"out of bounds: {damage}")
    raise LaunchFailedError(fault, DiagnosticKind.OUT_OF_BOUNDS, lethal=False)
