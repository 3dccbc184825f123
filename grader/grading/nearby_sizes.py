"""Check right kernels at drawn sizes near those of the timing case, so that no size is special.

The sizes follow from the seed of the inputs, as the inputs do. A lab's own cases say which sizes it allows: names that
are equal in all cases stay equal, and a size is a multiple of what all its values are multiples of.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import replace

from grader.grading.cases import PreparedCase, prepare
from grader.grading.checks import judge_run
from grader.grading.context import GradingContext
from grader.grading.kernel_facts import with_failure
from grader.grading.session import RunSession
from grader.labs.geometry import GeometryError
from grader.labs.manifest import Case
from grader.model.facts import CaseOutcome, KernelFacts
from grader.model.reason import reason
from grader.model.verdict import Verdict

_DISTANCE = 0.03
"""Largest relative distance of a drawn size."""

_LEAST = 64
"""The least size that is drawn; smaller ones are parameters such as a stride."""


def check_nearby_sizes(
    context: GradingContext, session: RunSession, kernels: Sequence[KernelFacts]
) -> tuple[KernelFacts, ...]:
    """Run each right kernel once more, at sizes near those of the timing case, where the lab allows other sizes."""
    timing = context.timing_case
    right = [kernel for kernel in kernels if kernel.fault is None and kernel.all_cases_passed]
    if timing is None or not right or not context.lab.manifest.nearby_sizes:
        return tuple(kernels)
    nearby = nearby_case(timing, context.lab.manifest.cases, context.seed)
    if nearby == timing:
        return tuple(kernels)
    prepared = prepare(context.lab, nearby, context.seed)
    return tuple(
        _checked(context, session, kernel, prepared) if kernel in right else kernel for kernel in kernels
    )


def nearby_case(case: Case, cases: Sequence[Case], seed: int) -> Case:
    """``case`` with other sizes, drawn with ``seed``; ``cases`` show which the lab allows."""
    draw = random.Random(f"{seed} {case.name}")  # noqa: S311 - a reproducible size, no secret
    drawn: dict[tuple[int, ...], int] = {}
    sizes = {}
    for name, size in case.sizes.items():
        values = tuple(other.sizes.get(name, 0) for other in cases)
        if values not in drawn:
            drawn[values] = _drawn(size, math.gcd(*values), draw) if len(set(values)) > 1 else size
        sizes[name] = drawn[values]
    return replace(case, sizes=sizes)


def _drawn(size: int, unit: int, draw: random.Random) -> int:
    steps = int(_DISTANCE * size) // max(unit, 1)
    if size < _LEAST or steps < 1:
        return size
    return size + unit * draw.choice((-1, 1)) * draw.randint(1, steps)


def _checked(
    context: GradingContext, session: RunSession, kernel: KernelFacts, prepared: PreparedCase
) -> KernelFacts:
    case = prepared.inputs.case.name
    try:
        job = context.job(kernel.name, prepared.inputs)
    except GeometryError as error:
        problem = reason("invalid-geometry", problem=error.reason)
        outcome = CaseOutcome(name=case, verdict=Verdict.CRASHED, reason=problem)
    else:
        result = session.run(job)
        outcome = judge_run(result, job.plan, prepared, context.lab.manifest.tolerance.factor)
    if outcome.verdict.earns_correctness or outcome.verdict is Verdict.NOT_GRADABLE:
        return kernel
    why = reason("wrong-at-nearby-sizes", reason=outcome.reason)
    return with_failure(kernel, replace(outcome, reason=why, wrong_map=None))
