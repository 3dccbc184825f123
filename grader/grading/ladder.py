"""Time the ladder of a lab: every rung in every language against the rungs that grading compares with."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from grader.digests import folder_digest
from grader.errors import InfrastructureError
from grader.grading.cases import REFERENCE_SEED, PreparedCase, draw_inputs, prepare
from grader.grading.context import GradingContext
from grader.grading.environment import GradingEnvironment
from grader.grading.kernel_facts import built_facts, with_run
from grader.grading.programs.ladder import program_ladder
from grader.grading.rungs import RungModules, rung_sources
from grader.grading.session import RunSession
from grader.grading.timed_samples import sample_judge
from grader.grading.timing import compared_rungs, with_timed_bytes
from grader.judge.kernel_report import launch_of
from grader.judge.resources import resources
from grader.judge.roofline import roofline
from grader.judge.speed import speedup
from grader.judge.timed_outputs import output_checks
from grader.labs.lab import Lab
from grader.labs.manifest import Case, Rung, Use, largest_public
from grader.model.device import Device
from grader.model.facts import Facts, KernelFacts
from grader.model.ladder import LadderReport, RungTiming
from grader.model.performance_bounds import attainable
from grader.model.reason import as_written, reason
from grader.model.report import Roofline, Visibility
from grader.model.run import EngineKind, TimedComparison
from grader.model.submission import Language


def time_ladder(lab: Lab, environment: GradingEnvironment, *, every_case: bool) -> LadderReport:
    """Time every rung of ``lab`` on the case that grading times; with ``every_case``, on all timing cases.

    Building and counting need no timing device and finish before one is locked. A rung that cannot be timed gives a
    row with the reason. Raises: ``OSError`` if the lab cannot be read.
    """
    environment = environment.within(lab.manifest.limits)
    rungs = RungModules(environment)
    cases = timing_cases(lab, environment.engine_support.cases)
    chosen = cases if every_case else cases[-1:]
    if lab.manifest.program is not None:
        return program_ladder(lab, rungs, chosen)
    climb = _Climb(lab, rungs)
    with environment.emulating().own_session() as emulator:
        ready = {case.name: list(climb.steps(case, emulator)) for case in chosen}
    with environment.own_session() as session:
        rows = [row for case in chosen for row in climb.timed(case, ready[case.name], session)]
    return LadderReport(
        lab=lab.name,
        version=lab.manifest.version,
        digest=folder_digest(*lab.folders),
        engine=environment.engine_info,
        kind=environment.speedup_kind,
        baseline=lab.manifest.baseline,
        rows=tuple(rows),
    )


def timing_cases(lab: Lab, engine: EngineKind) -> list[Case]:
    """The timing cases that ``engine`` supports, in grading's order: public cases first."""
    cases = [case for case in lab.manifest.cases if engine in case.engines and Use.TIME in case.use]
    return sorted(cases, key=lambda case: case.visibility is Visibility.HIDDEN)


@dataclass(frozen=True, slots=True)
class _Counted:
    """A built rung on one timing case, and the facts about its kernel."""

    context: GradingContext
    kernel: KernelFacts


@dataclass(frozen=True, slots=True)
class _Step:
    """A row before timing. ``counted`` is the built and counted rung; ``None`` if ``row`` has a reason instead."""

    row: RungTiming
    counted: _Counted | None = None


@dataclass(frozen=True, slots=True)
class _Climb:
    """One lab and its rungs, built for one engine."""

    lab: Lab
    rungs: RungModules

    def steps(self, case: Case, emulator: RunSession) -> Iterator[_Step]:
        """The rows of ``case`` before timing; ``emulator`` counts what the roofline needs."""
        for rung in self.lab.manifest.rungs:
            for language in rung_sources(self.lab, rung):
                for kernel in rung.kernels:
                    row = RungTiming(
                        rung=rung.name, kernel=kernel, language=language, case=case.name, sizes=case.sizes
                    )
                    try:
                        counted = self._count(self._context(rung, language, case), kernel, emulator)
                    except (InfrastructureError, ValueError) as error:
                        yield _Step(replace(row, reason=as_written(str(error))))
                    else:
                        yield _Step(row, counted)

    def timed(self, case: Case, steps: Sequence[_Step], session: RunSession) -> Iterator[RungTiming]:
        """Time the rows of ``case``."""
        prepared = prepare(self.lab, case, REFERENCE_SEED)
        for step in steps:
            yield step.row if step.counted is None else self._timed(step.row, step.counted, prepared, session)

    def _timed(
        self, row: RungTiming, counted: _Counted, prepared: PreparedCase, session: RunSession
    ) -> RungTiming:
        try:
            comparisons = self._compared(counted.context, row.kernel, prepared, session)
        except (InfrastructureError, ValueError) as error:
            return replace(row, reason=as_written(str(error)))
        fault = next((known.fault for known in comparisons.values() if known.fault is not None), None)
        if fault is not None:
            said = reason("fault", verdict=fault.verdict.value, reason=fault.reason)
            return replace(row, reason=said)
        seconds = tuple(pair.submission for pair in comparisons[self.lab.manifest.baseline].pairs)
        timed = replace(
            row,
            seconds=seconds,
            speedups=tuple(speedup(comparison, over) for over, comparison in comparisons.items()),
        )
        return self._explained(timed, counted, comparisons)

    def _context(self, rung: Rung, language: Language, case: Case) -> GradingContext:
        return GradingContext(
            lab=self.lab,
            language=language,
            module=self.rungs.module(self.lab, rung, language),
            cases=(case,),
            observed=largest_public(self.lab.manifest.cases),
            seed=REFERENCE_SEED,
        )

    def _compared(
        self, context: GradingContext, kernel: str, prepared: PreparedCase, session: RunSession
    ) -> dict[str, TimedComparison]:
        """Comparisons by rung; stop after the first fault."""
        ours = context.job(kernel, prepared.inputs)
        factor = self.lab.manifest.tolerance.factor
        comparisons: dict[str, TimedComparison] = {}
        for over in compared_rungs(self.lab.manifest, kernel):
            theirs = self.rungs.job(context.lab, over, context.language, kernel, prepared.inputs)
            checks = output_checks(ours.plan, theirs.plan, prepared.expected, factor)
            targets = self.lab.manifest.rubric.targets(kernel, over)
            comparisons[over] = session.compare(
                theirs, ours, checks, targets, sample_judge(context, ours, prepared.inputs, prepared.expected)
            )
            if comparisons[over].fault is not None:
                break
        return comparisons

    def _explained(
        self, timed: RungTiming, counted: _Counted, comparisons: Mapping[str, TimedComparison]
    ) -> RungTiming:
        """Add the rung's resources and its share of the roofline, from the emulator's counters."""
        manifest, environment = self.lab.manifest, self.rungs.environment
        kernel = replace(counted.kernel, comparisons=comparisons)
        facts = _facts(counted.context, kernel, environment)
        found = roofline(facts, kernel, manifest, median(timed.seconds))
        launch = launch_of(facts, kernel, manifest)
        return replace(
            timed,
            share=None if found is None else _share(found, environment.device),
            graded_share=None if found is None else found.share,
            resources=resources(kernel.built, launch, environment.device) if kernel.built else None,
        )

    def _count(self, context: GradingContext, kernel: str, emulator: RunSession) -> _Counted:
        parts = context.lab.manifest.parts(kernel)
        built = built_facts([each for each in context.module.kernels if each.name in parts])
        facts = KernelFacts(name=kernel, built=built)
        for case in self._counted_cases(context):
            result = emulator.run(context.job(kernel, draw_inputs(self.lab, case, REFERENCE_SEED)))
            facts = with_run(facts, case, result, context.observed)
        return _Counted(context, with_timed_bytes(context, facts))

    def _counted_cases(self, context: GradingContext) -> list[Case]:
        """Cases to count: the observed one, and the timed one if nothing else gives the ratio of their work."""
        cases = [] if context.observed is None else [context.observed]
        timed = context.timing_case
        if timed not in cases and self.lab.manifest.work is None and self._on_emulator(timed):
            cases += [timed] if timed is not None else []
        return cases

    @staticmethod
    def _on_emulator(case: Case | None) -> bool:
        return case is not None and EngineKind.EMULATOR in case.engines


def _facts(context: GradingContext, kernel: KernelFacts, environment: GradingEnvironment) -> Facts:
    """The facts about one rung on its timing case."""
    return Facts(
        lab=context.lab.name,
        language=context.language,
        engine=environment.engine,
        device=environment.device,
        isolation=environment.isolation,
        seed=context.seed,
        kernels=(kernel,),
        timing_case=context.timing_case.name if context.timing_case else None,
        observed_case=context.observed.name if context.observed else None,
    )


def _share(found: Roofline, device: Device) -> float | None:
    """Share of the roofline if every byte crosses the memory bus once, so that wasteful rungs get no lower bound."""
    if found.best_intensity:
        rate = found.operations_per_second
        return None if rate is None else rate / attainable(device, found.arithmetic, found.best_intensity)
    return found.bytes_per_second / found.bandwidth if found.bytes_per_second is not None else None
