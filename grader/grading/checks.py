"""Running every kernel on every case and judging what comes out."""

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from grader.grading.cases import PreparedCase, draw_inputs
from grader.grading.context import GradingContext, KernelRecord
from grader.grading.diagnostics import race_reason
from grader.grading.judging import judged
from grader.grading.session import RunSession
from grader.judge.agreement import disagreement
from grader.judge.outputs import arrays_of, is_written
from grader.labs.geometry import GeometryError
from grader.labs.manifest import Use
from grader.model.diagnostic import DiagnosticKind
from grader.model.run import EngineKind
from grader.model.verdict import Verdict

_UNENDING = {DiagnosticKind.ENDLESS_LOOP, DiagnosticKind.ENDLESS_WAIT}
"""A kernel may do worse than not to end, and be named for that; it would still use up its time in every case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Whether all kernels finished all cases, and the first two that gave different results."""

    complete: bool
    disagreement: str | None


def run_checks(context: GradingContext, session: RunSession) -> Agreement:
    """Run and judge the checking cases in ``session``; what is found goes into the subject's records."""
    complete, flaws = True, []
    for case in context.cases_for(Use.CHECK):
        prepared = context.prepared(case)
        outputs: dict[str, dict[str, NDArray[Any]]] = {}
        for record in context.kernels.values():
            if record.fault is None and (arrays := _check(context, session, record, prepared)) is not None:
                outputs[record.spec.name] = arrays
        if len(outputs) < len(context.kernels):
            complete = False
        elif flaw := disagreement(outputs, prepared.expected, context.lab.manifest.tolerance.factor):
            flaws.append(f"{flaw} (case {case.name})")
    return Agreement(complete=complete and bool(context.cases), disagreement=next(iter(flaws), None))


def observe(context: GradingContext, emulator: RunSession) -> None:
    """See on the emulator what a GPU does not tell: how right kernels use the memory, why others go wrong.

    A race there makes a kernel wrong whose answers came out right, as it does where the emulator grades.
    """
    cases = {case.name: case for case in context.lab.manifest.cases if EngineKind.EMULATOR in case.engines}
    for record in context.kernels.values():
        bad = (case.name for case in record.cases if not case.verdict.earns_correctness)
        name = context.observed.name if record.all_cases_passed and context.observed else next(bad, None)
        if record.fault is None and name in cases:
            inputs = draw_inputs(context.lab, cases[name], context.seed)
            try:
                job = context.job(record.spec, inputs)
            except GeometryError:
                continue  # the case's verdict says it already, and there is nothing to see
            result = emulator.run(job)
            record.add_run(cases[name], result, context.observed)
            if record.all_cases_passed and (race := race_reason(result.diagnostics)):
                record.replace_verdict(cases[name], Verdict.WRONG, race)


def _check(
    context: GradingContext, session: RunSession, record: KernelRecord, prepared: PreparedCase
) -> dict[str, NDArray[Any]] | None:
    """One kernel on one case; what it wrote, if it came to an end and wrote it all."""
    case = prepared.inputs.case
    if record.timed_out_in is not None:
        record.add_case(case, Verdict.TIMED_OUT, f"not run: it timed out in case {record.timed_out_in}")
        return None
    try:
        job = context.job(record.spec, prepared.inputs)
    except GeometryError as error:
        record.add_case(case, Verdict.CRASHED, f"invalid launch: {error}")
        return None
    result = session.run(job)
    record.add_run(case, result, context.observed)
    verdict, reason = judged(result, job.plan, prepared, context.lab.manifest.tolerance.factor)
    record.add_case(case, verdict, reason)
    if verdict is Verdict.TIMED_OUT or any(found.kind in _UNENDING for found in result.diagnostics):
        record.timed_out_in = case.name
    arrays = {} if result.fault else arrays_of(result.outputs, job.plan)
    return arrays if arrays and all(map(is_written, arrays.values())) else None
