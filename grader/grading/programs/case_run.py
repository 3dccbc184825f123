"""One run of a program on one case: its trace, what was found, and its outcome."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from grader.compile.messages import clean
from grader.config.settings import MIB
from grader.errors import UserError
from grader.grading.cases import PreparedCase, lab_error
from grader.grading.checks import judge_run
from grader.grading.programs.forms import Form, Inputs
from grader.grading.programs.languages import Built
from grader.grading.programs.sandbox import ProgramSandbox
from grader.judge.findings import as_reason
from grader.labs.lab import Lab
from grader.labs.manifest import Case
from grader.labs.program import ProgramRequest
from grader.model.device import Device
from grader.model.diagnostic import Severity
from grader.model.facts import CaseOutcome
from grader.model.plan import Dim3, LaunchPlan, LaunchShape
from grader.model.program import ProgramRun
from grader.model.reason import Reason, as_written, reason
from grader.model.run import Fault, RunResult
from grader.model.verdict import Verdict
from grader.programs.allocations import DEVICE_BYTES
from grader.programs.call_window import CallWindow
from grader.programs.run import RunRequest, run
from grader.programs.start import Start
from grader.programs.wire import ProtocolError

_PATIENCE = 4.0
"""How much longer than its limit a run may take while the machine is busy, or while it waits."""

_SIGNALLED = 128
"""A sandbox reports the death of a program by a signal as this number plus the signal's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A built program of a lab, and where and on which device it runs."""

    lab: Lab
    request: ProgramRequest
    form: Form
    built: Built
    sandbox: ProgramSandbox
    device: Device


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRun:
    """A run on a case. ``result`` has its outputs, or the fault because of which there are none."""

    run: ProgramRun
    plan: LaunchPlan
    result: RunResult


def io_plan(lab: Lab, program: ProgramRequest, case: Case) -> LaunchPlan:
    """The program's inputs and outputs on ``case``, as the buffers of a plan. Raises: ``LabError``."""
    try:
        return lab.plan(program.spec, case, LaunchShape(grid=Dim3(), block=Dim3()))
    except Exception as error:
        raise lab_error(lab, case, error) from error


def run_case(
    program: Program, prepared: PreparedCase, seconds: float, *, fails: int | None = None
) -> CaseRun:
    """Run ``program`` for at most ``seconds``, which count as ``TimeLimit`` says. ``fails``: see ``RunRequest``."""
    case = prepared.inputs.case
    plan = io_plan(program.lab, program.request, case)
    inputs = Inputs(plan=plan, data=prepared.inputs.data, sizes=case.sizes)

    def execute(start: Start, arguments: Sequence[str], window: CallWindow | None = None) -> ProgramRun:
        request = RunRequest(
            device=program.device,
            arguments=arguments,
            seconds=seconds,
            patience=_PATIENCE,
            diagnose=fails is None,
            fails=fails,
            device_bytes=min(DEVICE_BYTES, program.sandbox.limits.memory_mib * MIB),
            window=window,
        )
        return run(program.built.program, program.built.sources, request, start)

    begin = time.monotonic()
    try:
        done, answer = program.form.run(inputs, program.sandbox.start, execute, _PATIENCE * seconds)
    except ProtocolError:
        return _unfinished(
            plan, begin, Fault(verdict=Verdict.CRASHED, reason=reason("program-breaks-protocol"))
        )
    except UserError as error:  # its PTX cannot be read: no reason to stop grading others
        unreadable = Fault(verdict=Verdict.NOT_GRADABLE, reason=as_written(clean(error.problem)))
        return _unfinished(plan, begin, unreadable)
    said = program.built.program.failure(answer.printed, program.built.sources)
    fault = _fault(done, answer.missing, said, seconds)
    if fault is None and answer.status:
        fault = Fault(
            verdict=Verdict.WRONG,
            reason=reason("function-reports-failure", function=program.request.name, status=answer.status),
        )
    outputs = {} if fault else dict(answer.outputs)
    result = RunResult(outputs=outputs, fault=fault, diagnostics=done.diagnostics, printed=answer.printed)
    return CaseRun(run=done, plan=plan, result=result)


def _unfinished(plan: LaunchPlan, begin: float, fault: Fault) -> CaseRun:
    run = ProgramRun(exit_code=1, counted_seconds=time.monotonic() - begin)
    return CaseRun(run=run, plan=plan, result=RunResult(outputs={}, fault=fault))


def judged(case_run: CaseRun, prepared: PreparedCase, factor: float) -> CaseOutcome:
    """The outcome of a run; a right answer does not make up for what CUDA does not allow."""
    outcome = judge_run(case_run.result, case_run.plan, prepared, factor)
    if outcome.verdict is Verdict.ACCEPTED and not case_run.run.launches:
        return CaseOutcome(name=outcome.name, verdict=Verdict.WRONG, reason=reason("no-kernel-launched"))
    errors = [found for found in case_run.run.diagnostics if found.severity is Severity.ERROR]
    if outcome.verdict is not Verdict.ACCEPTED or not errors:
        return outcome
    why = as_reason(replace(min(errors, key=lambda found: found.order), case=outcome.name))
    return CaseOutcome(name=outcome.name, verdict=Verdict.WRONG, reason=why)


def _fault(done: ProgramRun, missing: Reason | None, said: Reason | None, seconds: float) -> Fault | None:
    """Why the run is no valid one; ``None`` if it ended well with an answer. ``said``: what it printed of its end."""
    if done.refused is not None:
        return Fault(verdict=Verdict.NOT_GRADABLE, reason=done.refused)
    if done.exit_code and done.is_late:
        return Fault(verdict=Verdict.TIMED_OUT, reason=reason("program-timed-out", seconds=seconds))
    signal = -done.exit_code if done.exit_code < 0 else done.exit_code - _SIGNALLED
    if signal > 0:
        return Fault(verdict=Verdict.CRASHED, reason=reason("program-crashed", signal=signal))
    if done.exit_code:
        return Fault(verdict=Verdict.CRASHED, reason=said or reason("program-exit-code", code=done.exit_code))
    if missing is not None:
        return Fault(verdict=Verdict.WRONG, reason=missing)
    return None
