"""Lead the reason of a wrong result with what host code does for the kernel, where that explains the result."""

from dataclasses import replace

from grader.model.facts import CaseOutcome
from grader.model.module import BuiltKernel, DeviceModule
from grader.model.plan import Launch, LaunchPlan
from grader.model.reason import Reason, reason
from grader.model.verdict import Verdict

_FAILED = frozenset({Verdict.WRONG, Verdict.CRASHED})
_OF_A_LAUNCH = frozenset(
    {
        "output-never-written",
        "output-partly-written",
        "no-dynamic-shared-memory",
        "invalid-launch",
        "gpu-refused-launch",
    }
)
"""Results that the geometry of a launch explains."""


def with_host_cause(outcome: CaseOutcome, module: DeviceModule, plan: LaunchPlan) -> CaseOutcome:
    """``outcome`` with the likely cause first: a variable that only host code sets, or the launch in host code.

    Of several kernels, the first launched with such a cause.
    """
    first = {launch.kernel: launch for launch in reversed(plan.launches)}
    for launch in dict.fromkeys(first[each.kernel] for each in plan.launches):
        led = _with_cause(outcome, module.kernel(launch.kernel), launch)
        if led is not outcome:
            return led
    return outcome


def _with_cause(outcome: CaseOutcome, kernel: BuiltKernel, launch: Launch) -> CaseOutcome:
    if outcome.verdict not in _FAILED:
        return outcome
    symptom = outcome.reason
    if kernel.unset_symbols:
        return replace(outcome, reason=_after(kernel.unset_symbols[0], symptom))
    if _OF_A_LAUNCH.isdisjoint(_codes(symptom)):
        return outcome
    if kernel.unread_launch is not None:
        return replace(outcome, reason=_after(kernel.unread_launch, symptom))
    if kernel.host_origin is None or kernel.geometry is None:
        return outcome
    shape = launch.shape
    cause = reason(
        "launch-of-case",
        location=kernel.host_origin.location,
        blocks=shape.grid.size,
        threads=shape.block.size,
        grid=", ".join(kernel.geometry.grid),
    )
    return replace(outcome, reason=_after(cause, symptom))


def _codes(said: Reason) -> set[str]:
    """The codes of a statement and of those in it."""
    return {said.code}.union(*map(_codes, said.nested()))


def _after(cause: Reason, symptom: Reason) -> Reason:
    return reason("host-code-is-cause", cause=cause, reason=symptom)
