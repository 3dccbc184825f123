"""The emulator behind the engine port."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from grader.engines.arguments import flatten, pack
from grader.engines.cost_model import modelled_seconds
from grader.engines.emulator.decode.program import UnsupportedError
from grader.engines.emulator.findings.endings import ending, memory_fault
from grader.engines.emulator.findings.merging import merged
from grader.engines.emulator.findings.speed import speed_diagnostics
from grader.engines.emulator.findings.table import diagnostics_of
from grader.engines.emulator.launch import MAX_BLOCKS, Execution, Limits
from grader.engines.emulator.memory_map import DeviceMemory
from grader.engines.emulator.module_cache import Library
from grader.engines.emulator.order import order_of
from grader.engines.emulator.parallel import finish
from grader.engines.emulator.profile import Profiled, counters_of
from grader.engines.emulator.residency import device_capacity
from grader.engines.emulator.services.handler import ServiceHandler
from grader.engines.emulator.warm_up import warm_up
from grader.engines.launch_limits import launch_problem
from grader.engines.timed_output_check import count_differing, wrong_output_fault
from grader.errors import InfrastructureError
from grader.model.device import Device
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.module import BuiltKernel
from grader.model.plan import Launch
from grader.model.run import (
    Comparison,
    EngineKind,
    Fault,
    LaunchJob,
    OutputCheck,
    RunOptions,
    RunResult,
    TimedPair,
)
from grader.model.verdict import Verdict


@dataclass(slots=True)
class _Progress:
    """A plan under way: what has been seen and what ended it."""

    memory: DeviceMemory
    desk: ServiceHandler
    options: RunOptions
    deadline: float
    steps: int = 0
    fault: Fault | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)
    launches: list[Profiled] = field(default_factory=list)

    def fail(self, verdict: Verdict, reason: str, diagnostic: Diagnostic) -> None:
        """End the plan."""
        self.fault = Fault(verdict=verdict, reason=reason)
        self.diagnostics.append(diagnostic)


class EmulatorEngine:
    """Runs PTX on the CPU, deterministically, and explains what it saw. Times come from the cost model."""

    def __init__(self, device: Device) -> None:
        """``device`` is what launch limits and modelled times are for."""
        self._device = device
        self._library = Library()

    @property
    def kind(self) -> EngineKind:
        """Always the emulator."""
        return EngineKind.EMULATOR

    @property
    def device(self) -> Device:
        """The device it imitates."""
        return self._device

    def run(self, job: LaunchJob, options: RunOptions) -> RunResult:
        """Carry out ``work.plan`` once; see the port. With ``options.diagnostics`` the counters are exact."""
        warm_up()
        try:
            memory = DeviceMemory(job.plan, job.inputs, track=options.diagnostics)
        except ValueError as error:
            raise InfrastructureError(str(error)) from error
        progress = _Progress(memory, ServiceHandler(memory), options, time.monotonic() + options.timeout)
        for launch in job.plan.launches:
            self._launch(job, launch, progress)
            if progress.fault is not None:
                break
        memory.end_tracking()
        counters = counters_of(progress.launches, job.plan) if options.diagnostics else ()
        found = merged(progress.diagnostics) + speed_diagnostics(progress.launches, counters, self._device)
        failed = progress.fault is not None
        return RunResult(
            outputs={} if failed else memory.outputs(),
            fault=progress.fault,
            diagnostics=tuple(sorted(found, key=lambda d: d.order)),
            counters=counters,
            changed_inputs=() if failed else memory.changed_inputs(),
            printed=progress.desk.printed,
        )

    def compare(
        self,
        baseline: LaunchJob,
        submission: LaunchJob,
        options: RunOptions,
        checks: Sequence[OutputCheck] = (),
    ) -> Comparison:
        """Run both once, counting everything, and let the cost model say how long each takes on the device.

        Raises: ``InfrastructureError`` where the baseline itself fails.
        """
        counting = RunOptions(diagnostics=True, max_steps=options.max_steps, timeout=options.timeout)
        reference, candidate = self.run(baseline, counting), self.run(submission, counting)
        if reference.fault is not None:
            msg = f"the baseline does not run on the emulator: {reference.fault.reason}"
            raise InfrastructureError(msg)
        if candidate.fault is not None:
            return Comparison(pairs=(), modelled=True, fault=candidate.fault)
        for each in checks:
            wrong = count_differing(
                candidate.outputs[each.submission],
                reference.outputs[each.baseline],
                submission.plan.buffer(each.submission).dtype,
                each.allowed,
            )
            if wrong:
                return Comparison(
                    pairs=(), modelled=True, fault=wrong_output_fault(each, submission.plan, wrong)
                )
        try:
            pair = TimedPair(
                baseline=modelled_seconds(reference.counters, self._device),
                submission=modelled_seconds(candidate.counters, self._device),
            )
        except ValueError as error:
            return Comparison(
                pairs=(), modelled=True, fault=Fault(verdict=Verdict.NOT_GRADABLE, reason=str(error))
            )
        return Comparison(pairs=(pair,), modelled=True)

    def close(self) -> None:
        """Forget decoded kernels."""
        self._library.clear()

    def _launch(self, job: LaunchJob, launch: Launch, progress: _Progress) -> None:
        kernel = job.module.kernel(launch.kernel)
        problem = launch_problem(self._device, launch.shape, kernel.resources)
        if problem is not None:
            reason = f"invalid launch: {problem}"
            progress.fail(Verdict.CRASHED, reason, _invalid_launch(reason, kernel))
            return
        if launch.shape.grid.size > MAX_BLOCKS:
            reason = _too_many_blocks(launch.shape.grid.size)
            progress.fail(Verdict.OVER_THE_LIMIT, reason, _not_here(reason, kernel))
            return
        limits = Limits(steps=progress.options.max_steps - progress.steps, deadline=progress.deadline)
        cores = 1 if progress.options.diagnostics else progress.options.cores
        try:
            prepare = self._preparation(job, launch, kernel, progress)
            outcome = finish(prepare, progress.memory, limits, cores)
        except UnsupportedError as error:
            _refuse(progress, error, kernel)
            return
        progress.steps += outcome.steps
        progress.launches.append(Profiled(kernel, outcome))
        found = diagnostics_of(outcome, progress.memory, kernel.name)
        progress.diagnostics += found
        stopped = ending(outcome, progress.options.timeout, kernel.name)
        progress.fault = memory_fault(found)
        if stopped is not None:
            fault, diagnostic = stopped
            progress.diagnostics.append(diagnostic)
            progress.fault = progress.fault or fault

    def _preparation(
        self, job: LaunchJob, launch: Launch, kernel: BuiltKernel, progress: _Progress
    ) -> Callable[[], Execution]:
        """What prepares an execution of ``launch``. Raises: ``UnsupportedError``, as that does."""
        unit = self._library.unit(job.module, kernel)
        program = unit.program(kernel.symbol)
        memory = progress.memory
        memory.map_module(kernel.unit, unit.module)
        try:
            parameters = pack(flatten(kernel, launch, job.plan, memory.address))
        except ValueError as error:
            raise InfrastructureError(str(error)) from error
        if len(parameters) != program.parameter_bytes:
            msg = (
                f"{kernel.name} takes {program.parameter_bytes} bytes of parameters,"
                f" the plan passes {len(parameters)}"
            )
            raise InfrastructureError(msg)
        shape, resources = launch.shape, kernel.resources
        return partial(
            Execution,
            program,
            shape,
            memory,
            progress.desk,
            parameters,
            diagnose=progress.options.diagnostics,
            order=order_of(
                progress.options.schedule_seed,
                len(progress.launches),
                shape.grid.size,
                -(-shape.block.size // self._device.warp_size),
            ),
            device_blocks=device_capacity(
                self._device,
                shape,
                registers=resources.registers,
                shared_bytes=resources.shared_bytes,
            ),
        )


def _refuse(progress: _Progress, error: UnsupportedError, kernel: BuiltKernel) -> None:
    """End the plan because the emulator lacks something the kernel uses."""
    place = f" at {error.location.file}:{error.location.line}" if error.location else ""
    reason = f"unsupported on the emulator: {error.what}{place}"
    diagnostic = Diagnostic(
        kind=DiagnosticKind.UNSUPPORTED,
        severity=Severity.ERROR,
        message=reason,
        advice="grade this kernel on a real GPU, or do without the operation",
        kernel=kernel.name,
        file=error.location.file if error.location else kernel.file,
        line=error.location.line if error.location else kernel.line,
    )
    progress.fail(Verdict.NOT_GRADABLE, reason, diagnostic)


def _too_many_blocks(blocks: int) -> str:
    return f"the launch has {blocks:,} blocks; the emulator carries out at most {MAX_BLOCKS:,}"


def _not_here(reason: str, kernel: BuiltKernel) -> Diagnostic:
    return Diagnostic(
        kind=DiagnosticKind.UNSUPPORTED,
        severity=Severity.ERROR,
        message=reason,
        advice="launch fewer blocks, of more threads each or with a loop over the elements",
        kernel=kernel.name,
        file=kernel.file,
        line=kernel.line,
    )


def _invalid_launch(reason: str, kernel: BuiltKernel) -> Diagnostic:
    return Diagnostic(
        kind=DiagnosticKind.INVALID_LAUNCH,
        severity=Severity.ERROR,
        message=reason,
        advice="change the launch line so that the device can carry it out",
        kernel=kernel.name,
        file=kernel.file,
        line=kernel.line,
    )
