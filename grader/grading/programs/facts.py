"""Collect the facts about a submission to a program lab."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from grader.errors import LabError
from grader.grading.cases import CaseChoice, PreparedCase, prepare
from grader.grading.environment import GradingEnvironment
from grader.grading.kernel_facts import stopped, with_outcome, with_run
from grader.grading.programs.case_run import CaseRun, Program, judged, run_case
from grader.grading.programs.error_checks import error_checks
from grader.grading.programs.forms import Form
from grader.grading.programs.function_form import FunctionForm
from grader.grading.programs.host_work import uncounted_work
from grader.grading.programs.languages import BUILDS
from grader.grading.programs.main_form import MainForm
from grader.grading.programs.measured import measured
from grader.grading.programs.repeats import is_enough
from grader.grading.programs.sandbox import ProgramSandbox
from grader.labs.lab import Lab
from grader.labs.manifest import Case, Use, largest_public
from grader.labs.program import ProgramRequest, StructureCheck
from grader.model.devices import by_name
from grader.model.diagnostic import Diagnostic
from grader.model.facts import Facts, KernelFacts, ProgramFacts
from grader.model.plan import LaunchPlan, Role
from grader.model.program import CheckableCall
from grader.model.reason import reason
from grader.model.report import Visibility
from grader.model.run import EngineKind, Fault, TimedComparison, TimedPair
from grader.model.stage import Entered, Stage
from grader.model.submission import Submission
from grader.model.trace import trace
from grader.model.verdict import Verdict
from grader.programs.compile_error import CompileError
from grader.sandbox.port import WorkerLostError

_CHECKS = 3.0
"""Time limit of all runs in which a call fails, in run limits."""

MOST_ACTIVITIES = 400
"""The most activities of a timeline that facts keep."""


class RungSeconds(Protocol):
    """The modelled seconds of a rung on a case."""

    def __call__(self, rung: str, case: Case) -> float:
        """The seconds. Raises: ``InfrastructureError`` where the rung fails."""


def program_of(lab: Lab) -> ProgramRequest:
    """The program that a program lab asks for."""
    if lab.manifest.program is None:
        msg = f"{lab.name} asks for kernels, not for a program"
        raise LabError(msg)
    return lab.manifest.program


def compared(lab: Lab) -> tuple[str, ...]:
    """The rungs that a program is compared with: the baseline, then those of speed rules."""
    named = (rule.over for rule in lab.manifest.rubric.speed if rule.over)
    return tuple(dict.fromkeys([lab.manifest.baseline, *named]))


def build_program(lab: Lab, submission: Submission, sandbox: ProgramSandbox) -> Program:
    """Build ``submission``. Raises: ``CompileError``, ``InfrastructureError``."""
    request = program_of(lab)
    form: Form = MainForm(request) if request.function is None else FunctionForm(request)
    files = {file.name: file.data for file in submission.files}
    return Program(
        lab=lab,
        request=request,
        form=form,
        built=BUILDS[submission.language](request, files, sandbox),
        sandbox=sandbox,
        device=by_name(request.device),
    )


def collect_program_facts(  # noqa: PLR0913, PLR0917 - what grading depends on
    lab: Lab,
    submission: Submission,
    environment: GradingEnvironment,
    rung_seconds: RungSeconds,
    seed: int,
    choice: CaseChoice,
    entered: Entered,
) -> Facts:
    """Build ``submission`` and run it on every case; ``rung_seconds`` are those of the rungs to compare with.

    Raises: ``InfrastructureError``: there is no result.
    """
    request = program_of(lab)
    sandbox = ProgramSandbox.of(environment)
    cases = choice.of(lab, EngineKind.EMULATOR)
    timed = [case for case in lab.manifest.cases if case in cases and Use.TIME in case.use]
    observed = largest_public(cases)
    kernel, fault = KernelFacts(name=request.name), _language_fault(submission)
    diagnostics: tuple[Diagnostic, ...] = ()
    if fault is None:
        entered(Stage.COMPILING)
        try:
            with environment.budget.spend(environment.limits.build_seconds):
                program = build_program(lab, submission, sandbox)
        except CompileError as error:
            fault, diagnostics = _build_fault(error), error.diagnostics
        else:
            grading = _Grading(program, environment, seed, observed)
            entered(Stage.CHECKING)
            kernel = grading.checked([case for case in cases if Use.CHECK in case.use], kernel)
            case = timed[-1] if timed else None
            entered(Stage.TIMING)
            kernel = grading.timed(case, rung_seconds, kernel)
            kernel = measured(lab, submission, environment, kernel, case)
    if fault is not None:
        kernel = replace(kernel, build_fault=fault)
    return Facts(
        lab=lab.name,
        language=submission.language,
        engine=EngineKind.EMULATOR,
        device=by_name(request.device),
        isolation=sandbox.isolation,
        seed=seed,
        kernels=(kernel,),
        build_fault=fault,
        diagnostics=diagnostics,
        timing_case=timed[-1].name if timed else None,
        observed_case=observed.name if observed else None,
        seconds=environment.budget.used,
    )


def _language_fault(submission: Submission) -> Fault | None:
    if submission.language in BUILDS:
        return None
    why = reason("program-language-unknown", language=str(submission.language))
    return Fault(verdict=Verdict.FAILED_TO_BUILD, reason=why)


def _build_fault(error: CompileError) -> Fault:
    return Fault(verdict=Verdict.FAILED_TO_BUILD, reason=error.reason)


class _Grading:
    """One built program on the cases of its lab."""

    def __init__(
        self, program: Program, environment: GradingEnvironment, seed: int, observed: Case | None
    ) -> None:
        self._program = program
        self._environment = environment
        self._seed = seed
        self._observed = observed
        self._facts = ProgramFacts(device=program.device.name)

    def checked(self, cases: Sequence[Case], kernel: KernelFacts) -> KernelFacts:
        """Run and judge ``cases``, then let calls fail on a public one."""
        calls: dict[str, tuple[CheckableCall, ...]] = {}
        try:
            for case in cases:
                prepared = self._prepared(case)
                done = self._run(prepared)
                kernel = self._with_run(kernel, prepared, done)
                calls[case.name] = done.run.checkable
            if kernel.all_cases_passed and self._asks_for_checks:
                kernel = replace(kernel, program=self._with_checks(cases, calls))
        except WorkerLostError as lost:
            return self._stopped(kernel, lost)
        return kernel

    def _stopped(self, kernel: KernelFacts, lost: WorkerLostError) -> KernelFacts:
        fault = Fault(verdict=Verdict.OVER_THE_LIMIT, reason=lost.reason)
        return stopped(kernel, self._environment.budget.fault or fault)

    def timed(self, case: Case | None, rung_seconds: RungSeconds, kernel: KernelFacts) -> KernelFacts:
        """Compare the modelled time on ``case`` with that of the rungs, if the program is right."""
        if case is None or kernel.program is None or not kernel.all_cases_passed:
            return kernel
        prepared = self._prepared(case)
        known = kernel.program.traces.get(case.name)
        taken = [] if known is None else [known.seconds]
        while not is_enough(taken, self._program.built.runs):
            try:
                done = self._run(prepared)
            except WorkerLostError as lost:
                return self._stopped(kernel, lost)
            if done.result.fault is not None:
                return replace(kernel, timing_fault=done.result.fault)
            if done.run.seconds < min(taken, default=math.inf):
                self._with_trace(case, done)
            taken.append(done.run.seconds)
        seconds = min(taken)
        rungs = compared(self._program.lab)
        comparisons = {
            rung: TimedComparison(
                pairs=(TimedPair(baseline=rung_seconds(rung, case), submission=seconds),), modelled=True
            )
            for rung in rungs
        }
        return replace(kernel, comparisons=comparisons, program=self._facts)

    @property
    def _asks_for_checks(self) -> bool:
        rules = self._program.lab.manifest.rubric.structure
        return any(rule.check is StructureCheck.ERRORS_CHECKED for rule in rules)

    def _prepared(self, case: Case) -> PreparedCase:
        return prepare(self._program.lab, case, self._seed)

    def _run(self, prepared: PreparedCase) -> CaseRun:
        budget = self._environment.budget
        done = self._counted(prepared, budget.grant(self._environment.limits.run_seconds))
        return replace(done, result=replace(done.result, fault=budget.judged(done.result.fault)))

    def _counted(self, prepared: PreparedCase, seconds: float, *, fails: int | None = None) -> CaseRun:
        done = run_case(self._program, prepared, seconds, fails=fails)
        self._environment.budget.count(done.run.counted_seconds)
        return done

    def _with_run(self, kernel: KernelFacts, prepared: PreparedCase, done: CaseRun) -> KernelFacts:
        case = prepared.inputs.case
        outcome = judged(done, prepared, self._program.lab.manifest.tolerance.factor)
        kernel = with_outcome(with_run(kernel, case, done.result, self._observed), outcome)
        return replace(kernel, program=self._with_trace(case, done))

    def _with_trace(self, case: Case, done: CaseRun) -> ProgramFacts:
        self._facts = replace(self._facts, traces={**self._facts.traces, case.name: trace(done.run)})
        flag = uncounted_work(done.run, self._facts.traces[case.name])
        if flag is not None:
            self._facts = replace(self._facts, flags=tuple(dict.fromkeys((*self._facts.flags, flag))))
        if case == self._observed:
            needed = _needed(done.plan)
            self._facts = replace(
                self._facts,
                activities=done.run.activities[:MOST_ACTIVITIES],
                activity_count=len(done.run.activities),
                needed_in=needed[0],
                needed_out=needed[1],
            )
        return self._facts

    def _with_checks(
        self, cases: Sequence[Case], calls: Mapping[str, Sequence[CheckableCall]]
    ) -> ProgramFacts:
        """Let calls fail on the public case in which most lines call the runtime, the smallest of equals."""
        public = [case for case in cases if case.visibility is Visibility.PUBLIC]
        chosen = max(public, key=lambda case: (len(calls[case.name]), -case.extent), default=None)
        if chosen is not None:
            seconds = self._environment.budget.grant(_CHECKS * self._environment.limits.run_seconds)
            prepared = self._prepared(chosen)

            def run(number: int, left: float) -> CaseRun:
                return self._counted(prepared, left, fails=number)

            found = error_checks(run, calls[chosen.name], seconds)
            self._facts = replace(self._facts, checks=tuple(found))
        return self._facts


def _needed(plan: LaunchPlan) -> tuple[int, int]:
    """Bytes of all inputs, and of all outputs."""
    read = sum(each.nbytes for each in plan.buffers if each.role in {Role.INPUT, Role.INOUT})
    return read, sum(each.nbytes for each in plan.returned)
