"""The emulator as an engine: runs launch plans of PTX kernels on the CPU."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from grader.engines.arguments import flatten, pack
from grader.engines.baseline import baseline_failed
from grader.engines.cooperative import waits_for_grid
from grader.engines.cost_model import NoDoublePrecisionError, modelled_seconds
from grader.engines.emulator.block_sample import of_sample, run_sample
from grader.engines.emulator.core.codes import Space
from grader.engines.emulator.decode.program import UnsupportedError
from grader.engines.emulator.device_face import face_of
from grader.engines.emulator.findings.event_diagnostics import event_diagnostics
from grader.engines.emulator.findings.launch_failures import fault_at, launch_failure, memory_fault
from grader.engines.emulator.findings.launch_rejections import invalid_launch, too_many_blocks, unsupported
from grader.engines.emulator.findings.merging import merged
from grader.engines.emulator.findings.speed import speed_diagnostics
from grader.engines.emulator.launch import MAX_BLOCKS, Execution, Limits
from grader.engines.emulator.memory_map import DeviceMemory
from grader.engines.emulator.module_cache import ModuleCache
from grader.engines.emulator.order import drawn_blocks, order_of
from grader.engines.emulator.parallel import finish
from grader.engines.emulator.profile import Profiled, counters_of, executed_instructions
from grader.engines.emulator.sampled_memory import SampledMemory
from grader.engines.emulator.services.handler import ServiceHandler
from grader.engines.emulator.warm_up import warm_up
from grader.engines.launch_limits import launch_problem
from grader.engines.plan_walk import EndlessLoopError, walk
from grader.engines.symbols import symbol_in
from grader.engines.timed_output_check import OutputPair, count_wrong, wrong_output_fault
from grader.errors import InfrastructureError
from grader.model.block_sample import BlockSample, SampledJob, SampledRun
from grader.model.device import Device
from grader.model.diagnostic import Diagnostic
from grader.model.module import BuiltKernel
from grader.model.plan import Launch, Transfer
from grader.model.reason import reason
from grader.model.run import (
    Comparison,
    EngineKind,
    Fault,
    LaunchJob,
    OutputCheck,
    RunOptions,
    RunResult,
    SampledComparison,
    TimedPair,
    TimedSample,
)
from grader.model.verdict import Verdict


@dataclass(slots=True)
class _Progress:
    """State of a running plan: its findings so far, and the fault that ended it, if any.

    ``sample``: which blocks run, if not all.
    """

    memory: DeviceMemory
    services: ServiceHandler
    options: RunOptions
    deadline: float
    sample: BlockSample | None = None
    steps: int = 0
    fault: Fault | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)
    launches: list[Profiled] = field(default_factory=list)

    def fail(self, verdict: Verdict, diagnostic: Diagnostic) -> None:
        """End the plan; the diagnostic's message, with its line, is the fault's reason."""
        self.fault = Fault(verdict=verdict, reason=fault_at(diagnostic))
        self.diagnostics.append(diagnostic)


class EmulatorEngine:
    """Runs PTX on the CPU deterministically and reports findings. Times come from the cost model."""

    def __init__(self, device: Device) -> None:
        """``device`` sets the launch limits and the parameters of the cost model."""
        self._device = device
        self._modules = ModuleCache()

    @property
    def kind(self) -> EngineKind:
        """The emulator's engine kind."""
        return EngineKind.EMULATOR

    @property
    def device(self) -> Device:
        """The device that the emulator models."""
        return self._device

    def run(self, job: LaunchJob, options: RunOptions) -> RunResult:
        """Run ``job.plan`` once; see the ``Engine`` protocol. With ``options.diagnostics`` the counters are exact."""
        warm_up()
        try:
            memory = DeviceMemory(job.plan, job.inputs, track=options.diagnostics)
        except ValueError as error:
            raise InfrastructureError(str(error)) from error
        progress = _Progress(memory, ServiceHandler(memory), options, time.monotonic() + options.timeout)
        try:
            for step in walk(job.plan, memory.is_set):
                if step.transfer is not None:
                    self._carry(job, step.transfer, progress)
                else:
                    self._launch(job, job.plan.launches[step.launch], progress)
                if progress.fault is not None:
                    break
        except EndlessLoopError as error:
            progress.fault = error.fault
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
            printed=progress.services.printed,
        )

    def run_blocks(self, sampled: SampledJob, options: RunOptions) -> SampledRun:
        """Run some blocks of each launch; see the ``BlockSampler`` protocol."""
        warm_up()
        seed = sampled.sample.seed
        try:
            memory = SampledMemory(sampled.plan, sampled.pieces, seed=seed, track=options.diagnostics)
        except (MemoryError, OSError):
            fault = Fault(verdict=Verdict.OVER_THE_LIMIT, reason=reason("sample-lacks-memory"))
            return SampledRun(result=RunResult(outputs={}, fault=fault))
        deadline = time.monotonic() + options.timeout
        progress = _Progress(memory, ServiceHandler(memory), options, deadline, sampled.sample)
        job = LaunchJob(module=sampled.module, plan=sampled.plan, inputs={})
        for index, launch in enumerate(sampled.plan.launches):
            found = len(progress.diagnostics)
            self._launch(job, launch, progress)
            if index > 0:
                del progress.diagnostics[found:]
            if progress.fault is not None:
                break
        counters = counters_of(progress.launches, sampled.plan)
        result = RunResult(
            outputs={},
            fault=progress.fault,
            diagnostics=tuple(sorted(merged(progress.diagnostics), key=lambda d: d.order)),
            counters=of_sample(counters, sampled.plan),
        )
        missing = memory.missing()
        memory.free()
        return SampledRun(result=result, executed=executed_instructions(progress.launches), missing=missing)

    def compare(
        self,
        baseline: LaunchJob,
        submission: LaunchJob,
        options: RunOptions,
        checks: Sequence[OutputCheck] = (),
    ) -> Comparison:
        """Run both jobs once with all counters; the cost model computes the device time of each.

        Raises: ``InfrastructureError`` if the baseline fails.
        """
        counting = RunOptions(diagnostics=True, max_steps=options.max_steps, timeout=options.timeout)
        reference, candidate = self.run(baseline, counting), self.run(submission, counting)
        if reference.fault is not None:
            raise baseline_failed(reference.fault)
        if candidate.fault is not None:
            return Comparison(pairs=(), modelled=True, fault=candidate.fault)
        for each in checks:
            wrong = count_wrong(
                each,
                OutputPair(
                    buffer=submission.plan.buffer(each.submission),
                    ours=candidate.outputs[each.submission],
                    theirs=reference.outputs[each.baseline],
                    baseline_output=lambda name: baseline.plan.buffer(name).array(reference.outputs[name]),
                ),
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
        except NoDoublePrecisionError:
            lacking = reason("no-double-precision", device=self._device.name)
            return Comparison(
                pairs=(), modelled=True, fault=Fault(verdict=Verdict.NOT_GRADABLE, reason=lacking)
            )
        samples = (TimedSample(outputs=candidate.outputs),) if options.samples else ()
        return SampledComparison(pairs=(pair,), modelled=True, samples=samples)

    def close(self) -> None:
        """Drop all decoded kernels."""
        self._modules.clear()

    def _carry(self, job: LaunchJob, transfer: Transfer, progress: _Progress) -> None:
        if not transfer.symbol_of:
            progress.memory.carry(transfer)
            return
        kernel = job.module.kernel(transfer.symbol_of)
        symbol = symbol_in(job.module.units[kernel.unit].ptx, transfer.target)
        if symbol is None:
            msg = f"{kernel.name} has no variable {transfer.target}"
            raise InfrastructureError(msg)
        try:
            progress.memory.map_module(kernel.unit, self._modules.unit(job.module, kernel).module)
        except UnsupportedError as error:
            progress.fail(Verdict.NOT_GRADABLE, unsupported(error, kernel))
            return
        progress.memory.fill_variable(kernel.unit, symbol.name, transfer.source)

    def _launch(self, job: LaunchJob, launch: Launch, progress: _Progress) -> None:
        kernel = job.module.kernel(launch.kernel)
        cooperative = waits_for_grid(job.module.units[kernel.unit].ptx, kernel.symbol)
        problem = launch_problem(self._device, launch.shape, kernel.resources, cooperative=cooperative)
        if problem is not None:
            progress.fail(Verdict.CRASHED, invalid_launch(problem, kernel))
            return
        if launch.shape.grid.size > MAX_BLOCKS:
            progress.fail(Verdict.OVER_THE_LIMIT, too_many_blocks(launch.shape.grid.size, kernel))
            return
        limits = Limits(steps=progress.options.max_steps - progress.steps, deadline=progress.deadline)
        cores = 1 if progress.options.diagnostics else progress.options.cores
        try:
            prepare = self._preparation(job, launch, kernel, progress)
            if progress.sample is None:
                outcome = finish(prepare, progress.memory, limits, cores)
            else:
                outcome = run_sample(prepare(), progress.sample, limits, progress.steps)
        except UnsupportedError as error:
            progress.fail(Verdict.NOT_GRADABLE, unsupported(error, kernel))
            return
        progress.steps += outcome.steps
        progress.launches.append(Profiled(kernel, outcome))
        found = event_diagnostics(outcome, progress.memory, kernel.name)
        progress.diagnostics += found
        stopped = launch_failure(outcome, progress.options.timeout, kernel.name)
        progress.fault = memory_fault(found)
        if stopped is not None:
            fault, diagnostic = stopped
            progress.diagnostics.append(diagnostic)
            progress.fault = progress.fault or fault

    def _preparation(
        self, job: LaunchJob, launch: Launch, kernel: BuiltKernel, progress: _Progress
    ) -> Callable[[], Execution]:
        """A function that prepares an execution of ``launch``. Raises: ``UnsupportedError``; so does the function."""
        unit = self._modules.unit(job.module, kernel)
        program = unit.program(kernel.symbol)
        memory = progress.memory
        memory.map_module(kernel.unit, unit.module)
        if progress.options.diagnostics and program.has_narrow_accesses(Space.GLOBAL):
            memory.track_bytes()
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
        shape, resources, sample = launch.shape, kernel.resources, progress.sample
        draw, seed = (
            (order_of, progress.options.schedule_seed) if sample is None else (drawn_blocks, sample.seed)
        )
        warps = -(-shape.block.size // self._device.warp_size)
        return partial(
            Execution,
            program,
            shape,
            memory,
            progress.services,
            parameters,
            diagnose=progress.options.diagnostics,
            order=draw(seed, len(progress.launches), shape.grid.size, warps),
            face=face_of(
                self._device,
                shape,
                registers=resources.registers,
                shared_bytes=resources.shared_bytes,
            ),
        )
