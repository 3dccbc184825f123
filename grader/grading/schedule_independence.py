"""Check that right kernels stay right in another order of warps and blocks.

A GPU guarantees no order. The emulator's natural order hides mistakes: a list filled by ``atomicAdd`` comes out sorted,
and a reader in a later warp always finds what an earlier warp wrote. So each right kernel runs once more on one case
in a shuffled order. Only its outputs are checked, so the diagnostics stay off.
"""

from grader.grading.cases import PreparedCase, prepare
from grader.grading.checks import judge_run
from grader.grading.context import GradingContext, KernelRecord
from grader.grading.session import RunSession
from grader.labs.manifest import Use, largest_public
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.reason import as_written
from grader.model.verdict import Verdict

SCHEDULE_SEED = 1
"""Seed of the other order; fixed, so that reports are reproducible."""

_ADVICE = (
    "let no result depend on which warp or block comes first: look for a missing barrier, and for a place"
    " in the output that is taken in order of arrival"
)


def check_schedule_independence(context: GradingContext, emulator: RunSession) -> None:
    """Run every right kernel on the largest public case in another order; add the findings to its record."""
    case = largest_public(context.cases_for(Use.CHECK))
    right = [
        record for record in context.kernels.values() if record.fault is None and record.all_cases_passed
    ]
    if case is None or not right:
        return
    prepared = prepare(context.lab, case, context.seed)
    for record in right:
        _check(context, emulator, record, prepared)


def _check(
    context: GradingContext, emulator: RunSession, record: KernelRecord, prepared: PreparedCase
) -> None:
    job = context.job(record.spec, prepared.inputs)
    result = emulator.run(job, schedule_seed=SCHEDULE_SEED)
    verdict, reason = judge_run(result, job.plan, prepared, context.lab.manifest.tolerance.factor)
    if verdict in {Verdict.ACCEPTED, Verdict.NOT_GRADABLE}:
        return
    kernel = context.module.kernel(record.spec.name)
    record.replace_verdict(prepared.inputs.case, verdict, f"in another order of warps and blocks, {reason}")
    record.diagnostics.append(
        Diagnostic(
            kind=DiagnosticKind.ORDER_DEPENDENCE,
            severity=Severity.ERROR,
            message=as_written(
                f"right when warps and blocks run in their natural order, but in another order {reason}"
            ),
            advice=as_written(_ADVICE),
            kernel=kernel.name,
            file=kernel.file,
            line=kernel.line,
        )
    )
