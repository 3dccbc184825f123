"""Timing the ladder of a lab: every rung in every language beside the rungs that grading compares with."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import median

from grader.errors import InfrastructureError
from grader.grading.bench import Bench
from grader.grading.cases import PreparedCase, draw_inputs, largest_public, prepare
from grader.grading.efficiency import roofline
from grader.grading.kernel_report import launched_resources
from grader.grading.rungs import RungModules, rung_sources
from grader.grading.session import RunSession
from grader.grading.subject import KernelRecord, Subject
from grader.grading.timing import opponents, rung_work
from grader.judge.outputs import output_checks
from grader.judge.speed import speedup
from grader.labs.lab import Lab
from grader.labs.manifest import Case, Rung, Use
from grader.model.device import Device
from grader.model.ladder import LadderReport, RungTiming
from grader.model.report import Roofline, SpeedupKind, Visibility
from grader.model.roofline import attainable
from grader.model.run import Comparison, EngineKind
from grader.model.submission import Language
from grader.store.keys import folder_digest

_SEED = 20240229
"""The same inputs every time, so that two tables differ by the device alone."""


def time_ladder(lab: Lab, bench: Bench, *, every_case: bool) -> LadderReport:
    """Time every rung of ``lab`` on the case that grading times, or on ``every_case`` that is for timing.

    A rung that cannot be timed is a row with its reason. Raises: ``OSError`` where the lab cannot be read.
    """
    bench = bench.within(lab.manifest.limits)
    with bench.session() as session, bench.emulating().session() as emulator:
        climb = _Climb(lab, RungModules(bench), session, emulator)
        cases = timing_cases(lab, bench.engine)
        rows = [row for case in (cases if every_case else cases[-1:]) for row in climb.rows(case)]
    return LadderReport(
        lab=lab.name,
        version=lab.manifest.version,
        digest=folder_digest(lab.folder, lab.reference),
        engine=bench.engine_info,
        kind=SpeedupKind.MEASURED if bench.engine is EngineKind.CUDA else SpeedupKind.MODELLED,
        baseline=lab.manifest.baseline,
        rows=tuple(rows),
    )


def timing_cases(lab: Lab, engine: EngineKind) -> list[Case]:
    """The cases for timing that ``engine`` can carry, as grading orders them: public ones first."""
    cases = [case for case in lab.manifest.cases if engine in case.engines and Use.TIME in case.use]
    return sorted(cases, key=lambda case: case.visibility is Visibility.HIDDEN)


@dataclass(frozen=True, slots=True)
class _Climb:
    """One lab on one engine. ``emulator`` counts what a roofline needs; on the emulator it is of the same kind."""

    lab: Lab
    rungs: RungModules
    session: RunSession
    emulator: RunSession

    def rows(self, case: Case) -> Iterator[RungTiming]:
        prepared = prepare(self.lab, case, _SEED)
        for rung in self.lab.manifest.rungs:
            for language in rung_sources(self.lab, rung):
                for kernel in rung.kernels:
                    blank = RungTiming(
                        rung=rung.name, kernel=kernel, language=language, case=case.name, sizes=case.sizes
                    )
                    yield self._timed(blank, rung, prepared)

    def _timed(self, blank: RungTiming, rung: Rung, prepared: PreparedCase) -> RungTiming:
        try:
            subject = self._subject(rung, blank.language, blank.kernel, prepared.inputs.case)
            comparisons = self._compared(subject, blank.kernel, prepared)
        except (InfrastructureError, ValueError) as error:
            return replace(blank, reason=str(error))
        fault = next((known.fault for known in comparisons.values() if known.fault is not None), None)
        if fault is not None:
            return replace(blank, reason=f"{fault.verdict}: {fault.reason}")
        seconds = tuple(pair.submission for pair in comparisons[self.lab.manifest.baseline].pairs)
        timed = replace(
            blank,
            seconds=seconds,
            speedups=tuple(speedup(comparison, over) for over, comparison in comparisons.items()),
        )
        return self._explained(timed, subject)

    def _subject(self, rung: Rung, language: Language, kernel: str, case: Case) -> Subject:
        spec = self.lab.manifest.kernel(kernel).spec
        return Subject(
            lab=self.lab,
            language=language,
            module=self.rungs.module(self.lab, rung, language),
            cases=(case,),
            observed=largest_public(self.lab.manifest.cases),
            seed=_SEED,
            kernels={kernel: KernelRecord(spec=spec)},
        )

    def _compared(self, subject: Subject, kernel: str, prepared: PreparedCase) -> dict[str, Comparison]:
        """By rung; after a fault no more are tried."""
        record = subject.kernels[kernel]
        ours = subject.work(record.spec, prepared.inputs)
        factor = self.lab.manifest.tolerance.factor
        comparisons: dict[str, Comparison] = {}
        for over in opponents(subject, record):
            theirs = rung_work(subject, self.rungs, over, kernel, prepared.inputs)
            checks = output_checks(ours.plan, theirs.plan, prepared.expected, factor)
            targets = self.lab.manifest.rubric.targets(kernel, over)
            comparisons[over] = self.session.compare(theirs, ours, checks, targets)
            if comparisons[over].fault is not None:
                break
        return comparisons

    def _explained(self, timed: RungTiming, subject: Subject) -> RungTiming:
        """With its resources and its share of the roofline, from what the emulator counts."""
        record = subject.kernels[timed.kernel]
        for case in self._counted(subject):
            inputs = draw_inputs(self.lab, case, _SEED)
            record.keep(case, self.emulator.run(subject.work(record.spec, inputs)), subject.observed)
        device = self.rungs.bench.device
        found = roofline(subject, record, device, median(timed.seconds))
        built = subject.module.kernel(timed.kernel)
        return replace(
            timed,
            share=None if found is None else _share(found, device),
            graded_share=None if found is None else found.share,
            resources=launched_resources(built, record, device),
        )

    def _counted(self, subject: Subject) -> list[Case]:
        """The case that is looked at, and the timed one where nothing else tells how much more work it is."""
        cases = [] if subject.observed is None else [subject.observed]
        timed = subject.timing_case
        if timed not in cases and self.lab.manifest.work is None and self._on_emulator(timed):
            cases += [timed] if timed is not None else []
        return cases

    @staticmethod
    def _on_emulator(case: Case | None) -> bool:
        return case is not None and EngineKind.EMULATOR in case.engines


def _share(found: Roofline, device: Device) -> float | None:
    """Of what the device can do if every byte crossed the memory bus once, so that wasteful rungs get no lower roof."""
    if found.operations_per_second:
        return found.operations_per_second / attainable(device, found.arithmetic, found.best_intensity)
    return found.bytes_per_second / found.bandwidth if found.bytes_per_second is not None else None
