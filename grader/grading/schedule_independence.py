"""Check that right kernels stay right in another order of warps and blocks.

A GPU guarantees no order. The emulator's natural order hides mistakes: a list filled by ``atomicAdd`` comes out sorted,
and a reader in a later warp always finds what an earlier warp wrote. So each right kernel runs once more on one case
in a shuffled order. Only its outputs are checked, so the diagnostics stay off.
"""

from collections.abc import Sequence
from dataclasses import replace

from grader.grading.cases import PreparedCase, prepare
from grader.grading.checks import judge_run
from grader.grading.context import GradingContext
from grader.grading.kernel_facts import with_failure
from grader.grading.session import RunSession
from grader.labs.manifest import Use, largest_public
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.facts import KernelFacts
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason
from grader.model.verdict import Verdict

SCHEDULE_SEED = 1
"""Seed of the other order; fixed, so that reports are reproducible."""

_SAYS_NOTHING = {Verdict.ACCEPTED, Verdict.NOT_GRADABLE, Verdict.OVER_THE_LIMIT}
"""Outcomes in another order that are no error of the kernel. A submission without seconds left is judged as a whole."""


def check_schedule_independence(
    context: GradingContext, emulator: RunSession, kernels: Sequence[KernelFacts]
) -> tuple[KernelFacts, ...]:
    """Run every right kernel on the largest public case in another order; add the findings."""
    case = largest_public(context.cases_for(Use.CHECK))
    if case is None or not any(map(_is_right, kernels)):
        return tuple(kernels)
    prepared = prepare(context.lab, case, context.seed)
    return tuple(
        _checked(context, emulator, kernel, prepared) if _is_right(kernel) else kernel for kernel in kernels
    )


def _is_right(kernel: KernelFacts) -> bool:
    return kernel.fault is None and kernel.all_cases_passed


def _checked(
    context: GradingContext, emulator: RunSession, kernel: KernelFacts, prepared: PreparedCase
) -> KernelFacts:
    job = context.job(kernel.name, prepared.inputs)
    result = emulator.run(job, schedule_seed=SCHEDULE_SEED)
    outcome = judge_run(result, job.plan, prepared, context.lab.manifest.tolerance.factor)
    if outcome.verdict in _SAYS_NOTHING:
        return kernel
    failed = replace(outcome, reason=reason("wrong-in-another-order", reason=outcome.reason))
    finding = _finding(kernel, outcome.name, outcome.reason)
    return replace(with_failure(kernel, failed), diagnostics=(*kernel.diagnostics, finding))


def _finding(kernel: KernelFacts, case: str, why: Reason) -> Diagnostic:
    location = kernel.built.location if kernel.built else SourceLocation()
    return Diagnostic(
        kind=DiagnosticKind.ORDER_DEPENDENCE,
        severity=Severity.ERROR,
        message=reason("order-dependence", reason=why),
        advice=reason("order-dependence-advice"),
        kernel=kernel.name,
        file=location.file,
        line=location.line,
        case=case,
    )
