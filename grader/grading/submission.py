"""One submission to one report."""

import dataclasses
import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from grader.build.occupancy import occupancy
from grader.grading.bench import Bench, RunSession
from grader.grading.cases import PreparedCase, prepare
from grader.grading.diagnostics import merged, race_reason
from grader.grading.rungs import RungModules, build_request
from grader.judge.agreement import disagreement
from grader.judge.outputs import arrays_of, mismatch
from grader.judge.score import Findings, score
from grader.judge.speed import seconds, speedup
from grader.judge.technique import Evidence, technique_flaw
from grader.labs.geometry import GeometryError, launch_shape
from grader.labs.lab import Lab
from grader.labs.manifest import Case, TechniqueRule, Use
from grader.model.build import BuildOutcome
from grader.model.device import Device
from grader.model.diagnostic import Diagnostic
from grader.model.kernel import KernelSpec
from grader.model.module import BuiltKernel, DeviceModule
from grader.model.plan import LaunchPlan
from grader.model.report import CaseReport, KernelReport, Report, Resources, Visibility
from grader.model.run import Comparison, Counters, EngineKind, Fault, RunResult, Work
from grader.model.submission import Submission
from grader.model.verdict import Verdict, gravest


def grade(lab: Lab, submission: Submission, bench: Bench, rungs: RungModules, seed: int, *, record: bool = True) -> Report:
    """Build, run, judge and score ``submission``.

    ``seed`` decides the inputs. ``record=False`` runs the public cases only, as a student may.
    Raises: ``InfrastructureError``, ``UserError``: then nothing is known of the submission.
    """
    with bench.session() as session:
        device = session.device
        outcome = bench.build(build_request(lab, submission, device.arch))
        return _Grading(lab, submission, bench, rungs, session, device, outcome, seed, record).report()


class _Grading:
    """The state of grading one submission: what each kernel has shown so far."""

    def __init__(  # noqa: PLR0913, PLR0917 - private, called once, and every one of them is needed
        self,
        lab: Lab,
        submission: Submission,
        bench: Bench,
        rungs: RungModules,
        session: RunSession,
        device: Device,
        outcome: BuildOutcome,
        seed: int,
        record: bool,  # noqa: FBT001
    ) -> None:
        self.lab = lab
        self.submission = submission
        self.bench = bench
        self.rungs = rungs
        self.session = session
        self.device = device
        self.outcome = outcome
        self.seed = seed
        self.specs = [kernel.spec for kernel in lab.manifest.kernels]
        self.cases = [
            case
            for case in lab.manifest.cases
            if bench.engine in case.engines and (record or case.visibility is Visibility.PUBLIC)
        ]
        self.cases.sort(key=lambda case: case.visibility is Visibility.HIDDEN)
        self.case_reports: dict[str, list[CaseReport]] = defaultdict(list)
        self.diagnostics: dict[str, list[Diagnostic]] = defaultdict(list)
        self.counters: dict[str, list[Counters]] = defaultdict(list)
        self.timed_out: dict[str, str] = {}
        self.disagreements: list[str] = []
        self.comparisons: dict[tuple[str, str], Comparison] = {}
        self.timing_faults: dict[str, Fault] = {}
        self.compared_cases = 0

    def report(self) -> Report:
        if self.outcome.module is not None:
            checks = [case for case in self.cases if Use.CHECK in case.use]
            for case in checks:
                self._check(case, self.outcome.module)
            if self.bench.engine is EngineKind.CUDA:
                self._observe(self.outcome.module)
            if timing := [case for case in self.cases if Use.TIME in case.use]:
                self._time(timing[-1], self.outcome.module)
        kernels = [self._kernel_report(spec) for spec in self.specs]
        parts = score(
            self.lab.manifest,
            Findings(
                kernels=kernels,
                flaws=self._flaws(kernels),
                comparisons=self.comparisons,
                disagreement=next(iter(self.disagreements), None),
                agreed=self.compared_cases == sum(Use.CHECK in case.use for case in self.cases) > 0,
                modelled_counts=self.bench.modelled_counts,
            ),
        )
        verdict = gravest([kernel.verdict for kernel in kernels])
        return Report(
            student=self.submission.student,
            lab=self.lab.name,
            file=self.submission.path,
            language=self.submission.language,
            verdict=verdict,
            reason=next((f"{k.name}: {k.reason}" for k in kernels if k.verdict is verdict), ""),
            score=round(sum(part.score for part in parts), 2),
            max_score=self.lab.manifest.rubric.max_score,
            parts=parts,
            kernels=tuple(kernels),
            diagnostics=self.outcome.diagnostics,
        )

    def _check(self, case: Case, module: DeviceModule) -> None:
        prepared = prepare(self.lab, case, self.seed)
        outputs: dict[str, dict[str, NDArray[Any]]] = {}
        for spec in self.specs:
            name = spec.name
            if name in self.outcome.problems:
                continue
            if name in self.timed_out:
                self._record(case, name, Verdict.TIMED_OUT, f"not run: it timed out in case {self.timed_out[name]}")
                continue
            try:
                work = self._work(module, spec, prepared)
            except GeometryError as error:
                self._record(case, name, Verdict.CRASHED, f"invalid launch: {error}")
                continue
            result = self.session.run(work)
            self.diagnostics[name] += result.diagnostics
            self.counters[name] += result.counters
            verdict, reason = self._judge(result, work.plan, prepared)
            self._record(case, name, verdict, reason)
            if verdict is Verdict.TIMED_OUT:
                self.timed_out[name] = case.name
            if result.fault is None:
                outputs[name] = arrays_of(result.outputs, work.plan)
        if len(outputs) == len(self.specs):
            self.compared_cases += 1
            if flaw := disagreement(outputs, prepared.expected, self.lab.manifest.tolerance.factor):
                self.disagreements.append(f"{flaw} (case {case.name})")

    def _judge(self, result: RunResult, plan: LaunchPlan, prepared: PreparedCase) -> tuple[Verdict, str]:
        if result.fault is not None:
            return result.fault.verdict, result.fault.reason
        if result.changed_inputs:
            return Verdict.WRONG, f"it writes to its input {', '.join(result.changed_inputs)}"
        factor = self.lab.manifest.tolerance.factor
        if wrong := mismatch(result.outputs, plan, prepared.expected, factor):
            return Verdict.WRONG, wrong
        if race := race_reason(result.diagnostics):
            return Verdict.WRONG, race
        return Verdict.ACCEPTED, "right"

    def _observe(self, module: DeviceModule) -> None:
        """Count on the emulator what a GPU does not tell: the largest case it can carry shows how a right kernel works."""
        cases = [case for case in self.lab.manifest.cases if EngineKind.EMULATOR in case.engines and Use.CHECK in case.use]
        if not cases:
            return
        prepared = prepare(self.lab, max(cases, key=lambda case: math.prod(case.sizes.values())), self.seed)
        with dataclasses.replace(self.bench, engine=EngineKind.EMULATOR).session() as emulator:
            for spec in self.specs:
                if self._all_right(spec.name):
                    result = emulator.run(self._work(module, spec, prepared))
                    self.diagnostics[spec.name] += result.diagnostics
                    self.counters[spec.name] += result.counters

    def _time(self, case: Case, module: DeviceModule) -> None:
        right = [spec for spec in self.specs if self._all_right(spec.name)]
        if not right:
            return
        prepared = prepare(self.lab, case, self.seed)
        for spec in right:
            work = self._work(module, spec, prepared)
            for rung_name in self._rungs_to_time(spec.name):
                rung = self.lab.manifest.rung(rung_name)
                reference = self.rungs.module(self.lab, rung, self.device.arch)
                kernel = spec.name if spec.name in rung.kernels else rung.kernels[0]
                against = self._work(reference, self.lab.manifest.kernel(kernel).spec, prepared)
                comparison = self.session.compare(against, work)
                if comparison.fault is not None:
                    self.timing_faults[spec.name] = comparison.fault
                    break
                self.comparisons[spec.name, rung_name] = comparison

    def _rungs_to_time(self, kernel: str) -> list[str]:
        rules = [rule.over for rule in self.lab.manifest.rubric.speed if rule.kernel == kernel]
        return list(dict.fromkeys([self.lab.manifest.baseline, *rules]))

    def _work(self, module: DeviceModule, spec: KernelSpec, prepared: PreparedCase) -> Work:
        geometry = module.kernel(spec.name).geometry or self.lab.manifest.kernel(spec.name).launch
        shape = launch_shape(geometry, prepared.case.sizes | self.lab.manifest.macros)
        plan = self.lab.plan(spec, prepared.case, shape)
        needed = {buffer.name for buffer in plan.buffers}
        inputs = {name: data for name, data in prepared.inputs.items() if name in needed}
        return Work(module=module, plan=plan, inputs=inputs)

    def _record(self, case: Case, kernel: str, verdict: Verdict, reason: str) -> None:
        report = CaseReport(name=case.name, visibility=case.visibility, verdict=verdict, reason=reason)
        self.case_reports[kernel].append(report)

    def _all_right(self, kernel: str) -> bool:
        cases = self.case_reports[kernel]
        return bool(cases) and all(case.verdict.earns_correctness for case in cases)

    def _kernel_report(self, spec: KernelSpec) -> KernelReport:
        name = spec.name
        fault = self.outcome.fault or self.outcome.problems.get(name) or self.timing_faults.get(name)
        cases = tuple(self.case_reports[name])
        verdict = fault.verdict if fault else gravest([case.verdict for case in cases])
        if fault:
            reason = fault.reason
        elif verdict is Verdict.ACCEPTED:
            reason = f"right in all {len(cases)} cases"
        else:
            worst = next(case for case in cases if case.verdict is verdict)
            reason = f"case {worst.name}: {worst.reason}"
        comparison = self.comparisons.get((name, self.lab.manifest.baseline))
        return KernelReport(
            name=name,
            verdict=verdict,
            reason=reason,
            cases=cases,
            speedup=speedup(comparison, self.lab.manifest.baseline) if comparison else None,
            seconds=seconds(comparison) if comparison else None,
            resources=self._resources(name),
            diagnostics=merged(self.diagnostics[name]),
        )

    def _resources(self, name: str) -> Resources | None:
        built = self._built(name)
        if built is None:
            return None
        threads = self.counters[name][-1].threads_per_block if self.counters[name] else built.resources.max_threads
        shared = self._shared_bytes(built)
        fit = occupancy(self.device, threads, built.resources.registers, shared)
        return Resources(
            registers=built.resources.registers,
            spill_bytes=built.resources.spill_bytes,
            shared_bytes=shared,
            occupancy=fit.fraction,
            limiter=fit.limiter,
        )

    def _built(self, name: str) -> BuiltKernel | None:
        module = self.outcome.module
        return next((kernel for kernel in module.kernels if kernel.name == name), None) if module else None

    def _shared_bytes(self, built: BuiltKernel) -> int:
        dynamic = max((counters.shared_bytes for counters in self.counters[built.name]), default=0)
        return max(built.resources.shared_bytes, dynamic)

    def _flaws(self, kernels: Sequence[KernelReport]) -> dict[TechniqueRule, str | None]:
        right = {kernel.name for kernel in kernels if kernel.verdict.earns_correctness}
        flaws = {}
        for rule in self.lab.manifest.rubric.technique:
            built = self._built(rule.kernel)
            if rule.kernel in right and built is not None:
                evidence = Evidence(shared_bytes=self._shared_bytes(built), counters=self.counters[rule.kernel])
                flaws[rule] = technique_flaw(rule.check, evidence)
        return flaws


def not_graded(submission: Submission, fault: Fault, max_score: float) -> Report:
    """The report of a submission that could not be graded at all, by the student's doing or by ours."""
    return Report(
        student=submission.student,
        lab=submission.lab,
        file=submission.path,
        language=submission.language,
        verdict=fault.verdict,
        reason=fault.reason,
        score=0.0,
        max_score=max_score,
        parts=(),
        kernels=(),
    )


