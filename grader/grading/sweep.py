"""Parameter sweeps: a macro or a size of a kernel takes several values; each is checked, timed and explained."""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median

from grader.compile.occupancy import occupancy
from grader.compile.translation import unused_macro_note
from grader.engines.cost_model import modelled_seconds
from grader.engines.cost_traffic import SECTOR_BYTES
from grader.errors import InfrastructureError, UserError
from grader.grading.cases import draw_inputs, prepare
from grader.grading.checks import judge_run
from grader.grading.context import launch_job
from grader.grading.launch_geometry import settle_geometries
from grader.grading.rungs import RungModules, build_request
from grader.grading.session import RunSession
from grader.labs.geometry import GeometryError, evaluate
from grader.labs.lab import Lab
from grader.labs.manifest import Case, Use
from grader.model.build import BuildOutcome
from grader.model.diagnostic import DiagnosticKind
from grader.model.kernel import KernelSpec
from grader.model.module import BuiltKernel, DeviceModule
from grader.model.reason import as_written, reason
from grader.model.report import Visibility
from grader.model.run import Counters, EngineKind, Fault, LaunchJob, RunResult
from grader.model.submission import Submission
from grader.model.sweep import SweepFigure, SweepRow
from grader.model.verdict import Verdict

_CHECKS = 3
_SMALL = 200_000
"""How many cases a value is checked on, and up to which product of sizes a case is small."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variation:
    """Values of ``over`` to try: a size if the lab's cases have one of this name, else a macro."""

    over: str
    values: tuple[int, ...]
    kernel: str
    shows: SweepFigure


def timed_case(lab: Lab, engine: EngineKind) -> Case:
    """The largest public timing case of ``engine``, or else its largest public checking case.

    Raises: ``UserError`` if there is none.
    """
    public = [c for c in lab.manifest.cases if c.visibility is Visibility.PUBLIC and engine in c.engines]
    timed = [case for case in public if Use.TIME in case.use] or public
    if not timed:
        msg = f"Lab {lab.name} has no public case for the {engine} engine."
        raise UserError(msg)
    return max(timed, key=lambda case: case.extent)


def sweep(
    lab: Lab, submission: Submission, variation: Variation, rungs: RungModules, seed: int
) -> Iterator[SweepRow]:
    """Yield one row per value as it finishes. A value that fails gives a row with the reason.

    Raises: ``UserError`` if no macro or size of that name can be varied; ``InfrastructureError``.
    """
    with rungs.environment.within(lab.manifest.limits).session() as session:
        swept = _Sweep(_SweepTarget(lab, submission, variation, seed), rungs, session)
        for value in variation.values:
            yield swept.row(value)


@dataclass(frozen=True, slots=True)
class _SweepTarget:
    """The kernel and variable of a sweep."""

    lab: Lab
    submission: Submission
    variation: Variation
    seed: int


class _Sweep:
    def __init__(self, target: _SweepTarget, rungs: RungModules, session: RunSession) -> None:
        self._lab = target.lab
        self._submission = target.submission
        self._variation = target.variation
        self._rungs = rungs
        self._environment = rungs.environment.within(target.lab.manifest.limits)
        self._seed = target.seed
        self._session = session
        self._spec: KernelSpec = target.lab.manifest.kernel(target.variation.kernel).spec
        self._timed = timed_case(target.lab, self._environment.engine_support.cases)
        self._over_size = target.variation.over in self._timed.sizes
        self._built: BuildOutcome | None = None
        self._baselines: dict[tuple[tuple[str, int], ...], float | None] = {}

    def row(self, value: int) -> SweepRow:
        outcome = self._build(value)
        fault = outcome.problems.get(self._spec.name) or outcome.fault
        if fault is not None or outcome.module is None:
            return _failed(
                value, fault or Fault(verdict=Verdict.FAILED_TO_BUILD, reason=reason("nothing-built"))
            )
        built = outcome.module.kernel(self._spec.name)
        row = SweepRow(
            value=value,
            verdict=Verdict.ACCEPTED,
            reason=reason("case-right"),
            registers=built.resources.registers,
            spill_bytes=built.resources.spill_bytes,
            shared_bytes=built.resources.shared_bytes,
        )
        try:
            timed = self._job(outcome.module, self._timed, value)
            row = self._with_occupancy(row, built, timed)
            for case in self._small_cases():
                row = self._checked(row, outcome.module, case)
                if row.verdict is not Verdict.ACCEPTED:
                    return row
            return self._measured(row, outcome.module, timed)
        except GeometryError as error:
            why = reason("invalid-geometry", problem=error.reason)
            return dataclasses.replace(row, verdict=Verdict.CRASHED, reason=why)
        except InfrastructureError as error:
            # The lab may be unable to draw a case of this size.
            if not self._over_size:
                raise
            return dataclasses.replace(row, verdict=Verdict.NOT_GRADABLE, reason=as_written(str(error)))

    def _build(self, value: int) -> BuildOutcome:
        """The module with ``value`` compiled in; one module for all values of a size. Raises: ``UserError``."""
        if self._built is not None:
            return self._built
        request = build_request(
            self._lab, self._submission, self._environment.device.arch, (self._spec.name,)
        )
        if self._over_size:
            self._built = settle_geometries(self._lab, self._environment.build(request))
            return self._built
        over = self._variation.over
        request = dataclasses.replace(request, macros={over: value})
        outcome = settle_geometries(self._lab, self._environment.build(request))
        if unused_macro_note(over) in outcome.diagnostics:
            known = ", ".join(sorted(self._timed.sizes))
            msg = f"{self._submission.path} does not define {over}, and no size of {self._lab.name} is called so."
            raise UserError(msg, hint=f"Name a macro of the file, or one of the sizes {known}.")
        return outcome

    def _macros(self, value: int) -> Mapping[str, int]:
        return {} if self._over_size else {self._variation.over: value}

    def _case(self, case: Case, value: int) -> Case:
        if not self._over_size:
            return case
        return dataclasses.replace(case, sizes=case.sizes | {self._variation.over: value})

    def _job(self, module: DeviceModule, case: Case, value: int) -> LaunchJob:
        """Raises: ``GeometryError``."""
        inputs = draw_inputs(self._lab, self._case(case, value), self._seed)
        return launch_job(self._lab, module, self._spec, inputs, self._macros(value))

    def _small_cases(self) -> list[Case]:
        """Public checking cases of modest size, the largest first; never the timed case."""
        checking = [
            case
            for case in self._lab.manifest.cases
            if case.visibility is Visibility.PUBLIC
            and Use.CHECK in case.use
            and self._environment.engine_support.cases in case.engines
            and case != self._timed
        ]
        small = [case for case in checking if case.extent <= _SMALL] or checking[:1] or [self._timed]
        return sorted(small, key=lambda case: case.extent, reverse=True)[:_CHECKS]

    def _checked(self, row: SweepRow, module: DeviceModule, case: Case) -> SweepRow:
        """Raises: ``GeometryError``."""
        asked = self._job(module, case, row.value)
        return self._judged(row, case, asked, self._session.run(asked))

    def _judged(self, row: SweepRow, case: Case, asked: LaunchJob, result: RunResult) -> SweepRow:
        prepared = prepare(self._lab, self._case(case, row.value), self._seed)
        outcome = judge_run(result, asked.plan, prepared, self._lab.manifest.tolerance.factor)
        if outcome.verdict is Verdict.ACCEPTED:
            return row
        why = outcome.reason
        if not any(found.kind is DiagnosticKind.INVALID_LAUNCH for found in result.diagnostics):
            why = reason("in-case", case=case.name, reason=why)
        return dataclasses.replace(row, verdict=outcome.verdict, reason=why)

    def _measured(self, row: SweepRow, module: DeviceModule, timed: LaunchJob) -> SweepRow:
        if not self._environment.engine_support.modelled:
            return self._clocked(row, module, timed)
        result = self._session.run(timed)
        row = self._judged(row, self._timed, timed, result)
        if row.verdict is not Verdict.ACCEPTED:
            return row
        try:
            seconds = modelled_seconds(result.counters, self._environment.device)
        except ValueError as error:
            return dataclasses.replace(row, verdict=Verdict.NOT_GRADABLE, reason=as_written(str(error)))
        baseline = self._baseline(row.value)
        return dataclasses.replace(
            row,
            seconds=seconds,
            speedup=baseline / seconds if baseline else None,
            useful_bytes=useful_bytes(result.counters),
        )

    def _clocked(self, row: SweepRow, module: DeviceModule, timed: LaunchJob) -> SweepRow:
        comparison = self._session.compare(self._baseline_work(row.value), timed)
        if comparison.fault is not None:
            why = reason("in-case", case=self._timed.name, reason=comparison.fault.reason)
            return dataclasses.replace(row, verdict=comparison.fault.verdict, reason=why)
        return dataclasses.replace(
            row,
            seconds=median(pair.submission for pair in comparison.pairs),
            speedup=median(pair.baseline / pair.submission for pair in comparison.pairs),
            useful_bytes=self._counted_bytes(row.value, module, timed)
            if self._variation.shows is SweepFigure.BANDWIDTH
            else None,
        )

    def _counted_bytes(self, value: int, module: DeviceModule, timed: LaunchJob) -> int | None:
        """Bytes that the emulator counts on its case, scaled by work or by threads, because a GPU counts none."""
        case = timed_case(self._lab, EngineKind.EMULATOR)
        counted = self._job(module, case, value)
        with self._environment.emulating().session() as emulator:
            result = emulator.run(counted)
        if result.fault is not None:
            return None
        expression = self._lab.manifest.work
        if expression is None:
            scale = _threads(timed) / max(1, _threads(counted))
        else:
            sizes = (self._case(c, value).sizes for c in (self._timed, case))
            whole, part = (evaluate(expression, known) for known in sizes)
            scale = whole / max(1, part)
        return round(useful_bytes(result.counters) * scale)

    def _baseline_work(self, value: int) -> LaunchJob:
        inputs = draw_inputs(self._lab, self._case(self._timed, value), self._seed)
        baseline = self._lab.manifest.baseline
        return self._rungs.job(self._lab, baseline, self._submission.language, self._spec.name, inputs)

    def _baseline(self, value: int) -> float | None:
        """The baseline's modelled time on the case for ``value``."""
        key = tuple(self._case(self._timed, value).sizes.items())
        if key not in self._baselines:
            result = self._session.run(self._baseline_work(value))
            known = result.fault is None
            self._baselines[key] = (
                modelled_seconds(result.counters, self._environment.device) if known else None
            )
        return self._baselines[key]

    def _with_occupancy(self, row: SweepRow, built: BuiltKernel, timed: LaunchJob) -> SweepRow:
        shape = timed.plan.launches[0].shape
        shared = built.resources.shared_bytes + shape.shared_bytes
        row = dataclasses.replace(row, shared_bytes=shared, threads_per_block=shape.block.size)
        if shape.block.size < 1:
            return row
        fit = occupancy(self._environment.device, shape.block.size, built.resources.registers, shared)
        return dataclasses.replace(row, occupancy=fit.fraction, limiter=fit.limiter.value)


def useful_bytes(counters: tuple[Counters, ...]) -> int:
    """Bytes that the threads requested from global memory, in whole sectors, with each warp's requests fully packed."""
    sites = (site for kernel in counters for site in kernel.sites if site.space == "global")
    return SECTOR_BYTES * sum(site.ideal for site in sites)


def _failed(value: int, fault: Fault) -> SweepRow:
    return SweepRow(value=value, verdict=fault.verdict, reason=fault.reason)


def _threads(asked: LaunchJob) -> int:
    return sum(launch.shape.grid.size * launch.shape.block.size for launch in asked.plan.launches)
