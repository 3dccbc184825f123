"""Apply a staff decision to a suspicious report."""

from dataclasses import replace

from grader.model.reason import Reason, reason
from grader.model.report import KernelReport, Part, Report
from grader.model.review import Decision, Review
from grader.model.verdict import Verdict, all_cases_passed, most_severe


def apply_review(report: Report, review: Review) -> Report:
    """``report`` after ``review``: a cleared speed counts like any other, a confirmed flag removes its points for good.

    Raises: ``ValueError`` if no kernel of ``report`` is suspicious.
    """
    if not report.flag_reason:
        msg = f"nothing to decide about a submission that is {report.verdict}"
        raise ValueError(msg)
    if review.decision is Decision.CONFIRMED:
        return replace(report, parts=tuple(map(_refused, report.parts)), review=review)
    parts = tuple(map(_granted, report.parts))
    kernels = tuple(map(_cleared, report.kernels))
    verdict = most_severe([kernel.verdict for kernel in kernels])
    passed = _cleared_reason(sum(len(kernel.cases) for kernel in kernels))
    return replace(
        report,
        verdict=verdict,
        reason=passed if verdict is Verdict.ACCEPTED else report.reason,
        score=round(sum(part.score for part in parts), 2),
        parts=parts,
        kernels=kernels,
        review=review,
    )


def _cleared(kernel: KernelReport) -> KernelReport:
    if kernel.verdict is not Verdict.SUSPICIOUS:
        return kernel
    return replace(kernel, verdict=Verdict.ACCEPTED, reason=_cleared_reason(len(kernel.cases)))


def _cleared_reason(cases: int) -> Reason:
    return reason("cleared-by-staff", reason=all_cases_passed(cases))


def _granted(part: Part) -> Part:
    if part.withheld is None:
        return part
    return replace(part, score=part.withheld.score, reason=part.withheld.reason, withheld=None)


def _refused(part: Part) -> Part:
    if part.withheld is None:
        return part
    return replace(part, reason=reason("flag-confirmed-by-staff"), withheld=None)
