"""What a report shows of the rubric: its lines, those that nothing could judge as one, and the next points."""

from collections.abc import Sequence

from grader.model.reason import Reason, plural_of, reason
from grader.model.report import Part, Report
from grader.report import quantities
from grader.report.summary import has_score

UNTIL_RIGHT = frozenset(
    {
        "agreement-not-judged",
        "technique-needs-right-kernel",
        "structure-needs-right-program",
        "speed-needs-right-kernel",
    }
)
"""Codes of lines that are not judged before the kernels are right."""


def rubric_lines(parts: Sequence[Part]) -> tuple[Part, ...]:
    """``parts``, with all that wait for right kernels as one line, where the first of them stands."""
    waiting = [part for part in parts if part.reason.code in UNTIL_RIGHT]
    if len(waiting) <= 1:
        return tuple(parts)
    together = Part(
        name="",
        title=reason("parts-that-wait", count=len(waiting)),
        score=0.0,
        max_score=sum(part.max_score for part in waiting),
        reason=reason("parts-need-right-kernels"),
    )
    first = parts.index(waiting[0])
    others = [part for part in parts[first:] if part.reason.code not in UNTIL_RIGHT]
    return (*parts[:first], together, *others)


def next_step(report: Report) -> Reason | None:
    """The first line of the rubric with points that can still be earned here; ``None`` where a kernel is not right.

    The next step of a submission with wrong kernels is its headline: the fault to correct.
    """
    right = report.kernels and all(kernel.verdict.earns_correctness for kernel in report.kernels)
    if not right or not has_score(report):
        return None
    missing = (part for part in report.parts if part.score < part.max_score)
    part = next((part for part in missing if not part.waits_for_gpu and part.withheld is None), None)
    if part is None:
        return None
    more = part.max_score - part.score
    return reason(
        "next-step",
        points=more,
        count=plural_of(more),
        title=quantities.title(part),
        reason=part.reason,
    )
