"""How closely the outputs of a timed submission must agree with the baseline's."""

from collections.abc import Collection, Mapping

import numpy as np

from grader.judge.numbers import numbers_of
from grader.labs.expected import Expected
from grader.model.plan import Buffer, LaunchPlan
from grader.model.run import OutputCheck

_MARGIN = 3.0
"""Two kernels may each differ from the truth by the allowed error, and by slightly more on other inputs."""


def output_checks(
    submission: LaunchPlan, baseline: LaunchPlan, expected: Mapping[str, Expected], factor: float
) -> tuple[OutputCheck, ...]:
    """How closely the outputs of two plans must agree, by the oracle's bound for inputs like those of ``expected``.

    Outputs are matched by their order in the plans, because the baseline may name one differently. An answer that the
    baseline's output does not decide has no check: see ``needs_samples``.
    Raises: ``ValueError`` if the two plans write different outputs.
    """
    ours, theirs = (
        [each for each in plan.returned if each.name in expected] for plan in (submission, baseline)
    )
    if [(each.dtype, each.shape) for each in ours] != [(each.dtype, each.shape) for each in theirs]:
        msg = "the submission and its baseline write different outputs"
        raise ValueError(msg)
    names = {our.name: their.name for our, their in zip(ours, theirs, strict=True)}
    return tuple(
        _check(our, names, expected[our.name], factor)
        for our in ours
        if _is_decided(expected[our.name], names)
    )


def needs_samples(plan: LaunchPlan, expected: Mapping[str, Expected]) -> bool:
    """Whether a timed launch of ``plan`` has an output that no comparison with the baseline's decides."""
    names = [each.name for each in plan.returned]
    return any(name not in expected or not _is_decided(expected[name], names) for name in names)


def _is_decided(answer: Expected, names: Collection[str]) -> bool:
    return not answer.alternatives and (answer.length is None or answer.counted_by in names)


def _check(ours: Buffer, names: Mapping[str, str], answer: Expected, factor: float) -> OutputCheck:
    errors = [
        np.max(each.answer.allowed(each.dtype, factor), initial=0.0)
        for each in numbers_of(np.empty(0, ours.dtype.numpy), answer)
    ]
    return OutputCheck(
        submission=ours.name,
        baseline=names[ours.name],
        allowed=_MARGIN * float(max(errors)),
        unordered=answer.unordered,
        counted_by=names.get(answer.counted_by, ""),
        mask=b"" if answer.mask is None else np.packbits(answer.mask).tobytes(),
    )
