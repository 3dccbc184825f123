"""What becomes of a suspicious report once a person has decided about it."""

from dataclasses import replace

from grader.model.report import KernelReport, Part, Report
from grader.model.review import Decision, Review
from grader.model.verdict import Verdict, all_cases_passed_text, most_severe


def apply_review(report: Report, review: Review) -> Report:
    """``report`` with ``review``: cleared, its speed counts as any other; confirmed, it never will.

    Raises: ``ValueError`` where nothing about it is suspicious.
    """
    if not report.flag_reason:
        msg = f"nothing to decide about a submission that is {report.verdict}"
        raise ValueError(msg)
    if review.decision is Decision.CONFIRMED:
        return replace(report, parts=tuple(map(_refused, report.parts)), review=review)
    parts = tuple(map(_given, report.parts))
    kernels = tuple(map(_cleared, report.kernels))
    verdict = most_severe([kernel.verdict for kernel in kernels])
    right = _reason(sum(len(kernel.cases) for kernel in kernels))
    return replace(
        report,
        verdict=verdict,
        reason=right if verdict is Verdict.ACCEPTED else report.reason,
        score=round(sum(part.score for part in parts), 2),
        parts=parts,
        kernels=kernels,
        review=review,
    )


def _cleared(kernel: KernelReport) -> KernelReport:
    if kernel.verdict is not Verdict.SUSPICIOUS:
        return kernel
    return replace(kernel, verdict=Verdict.ACCEPTED, reason=_reason(len(kernel.cases)))


def _reason(cases: int) -> str:
    return f"{all_cases_passed_text(cases)}; a person has cleared its times"


def _given(part: Part) -> Part:
    if part.withheld is None:
        return part
    return replace(part, score=part.withheld.score, reason=part.withheld.reason, withheld=None)


def _refused(part: Part) -> Part:
    if part.withheld is None:
        return part
    return replace(part, reason="not given: a person has looked, and its times stay in doubt", withheld=None)
