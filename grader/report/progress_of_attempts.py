"""What changed between two attempts of one student, in a few words."""

from grader.model.diagnostic import Severity
from grader.model.reason import Reason, reason
from grader.model.report import Report
from grader.report.annotate import Finding, findings
from grader.report.summary import has_score

_MOST = 2
"""So many mistakes that are gone, or new, are named."""


def progress(before: Report | None, after: Report) -> Reason:
    """What ``after`` shows that ``before``, the attempt before it, did not; both as their reader may see them.

    A mistake is the same if its kind, kernel and statement are; its line may move with an edit.
    """
    new = _mistakes(after)
    if before is None:
        return _first(after, new)
    old = _mistakes(before)
    gone = [reason("progress-gone", kind=_kind(each)) for key, each in old.items() if key not in new]
    came = [_at(each) for key, each in new.items() if key not in old]
    stays = [reason("progress-stays", kind=_kind(each)) for key, each in new.items() if key in old]
    parts = [*came[:_MOST], *gone[:_MOST], *([] if came or gone else stays[:1]), *_points(before, after)]
    if not parts:
        return reason("progress-none")
    return reason("progress", parts=tuple(parts))


def _first(report: Report, mistakes: dict[object, Finding]) -> Reason:
    if mistakes:
        return _at(next(iter(mistakes.values())))
    return report.reason


def _mistakes(report: Report) -> dict[object, Finding]:
    errors = (each for each in findings(report) if each.diagnostic.severity is Severity.ERROR)
    found: dict[object, Finding] = {}
    for each in errors:
        what = each.diagnostic
        key = (what.kind, each.kernel, what.message.code, str(what.message.params.get("subject", "")))
        found.setdefault(key, each)
    return found


def _kind(found: Finding) -> str:
    return found.diagnostic.kind.value


def _at(found: Finding) -> Reason:
    line = found.diagnostic.line
    if line is None:
        return reason("progress-new", kind=_kind(found))
    return reason("progress-new-at", kind=_kind(found), line=line)


def _points(before: Report, after: Report) -> list[Reason]:
    if not (has_score(before) and has_score(after)) or before.score == after.score:
        return []
    more = after.score - before.score
    return [reason("progress-up", points=more) if more > 0 else reason("progress-down", points=-more)]
