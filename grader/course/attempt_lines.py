"""A student's attempts for a lab in a few words each, as the student or staff may see them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from grader.course.live_state import LiveState, live_states
from grader.course.records import Records, Result
from grader.model.reason import Reason
from grader.model.report import Report
from grader.model.verdict import Verdict
from grader.policy.grade import CountedGrade
from grader.report.progress_of_attempts import progress
from grader.report.redact import Audience, for_audience
from grader.report.summary import has_score
from grader.store.attempts import RecordedAttempt
from grader.store.values import Score


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptLine:
    """One attempt: its ``id``, and its ``number`` among those of the student for the lab.

    Without a result that the reader may see, ``verdict`` and ``points`` are ``None``. ``changed`` says what it shows
    that the one before did not. ``counts``: it is the one that counts.
    """

    id: int
    number: int
    submitted_at: datetime
    state: LiveState
    verdict: Verdict | None = None
    points: float | None = None
    max_points: float = 0.0
    changed: Reason | None = None
    counts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """The attempts of one student for one lab, the oldest first, and the newest result of each submission."""

    lines: tuple[AttemptLine, ...]
    recorded: tuple[RecordedAttempt, ...]
    results: Mapping[str, Result]


def attempts_of(
    records: Records, student: str, lab: str, grade: CountedGrade, audience: Audience
) -> Attempts:
    """The attempts of ``student`` for ``lab``; ``grade`` says whether the student may see results."""
    recorded = records.store.attempts.recorded(student, lab)
    states = live_states(records, [each.id for each in recorded])
    shown = audience is Audience.STAFF or grade.visible
    results = _results(records, student, lab, audience) if shown else {}
    lines: list[AttemptLine] = []
    before: Report | None = None
    for number, each in enumerate(recorded, start=1):
        result = results.get(each.attempt.submission or "")
        report = None if result is None else result.report
        lines.append(
            AttemptLine(
                id=each.id,
                number=number,
                submitted_at=each.attempt.submitted_at,
                state=states[each.id],
                verdict=None if report is None else report.verdict,
                points=report.score if report is not None and has_score(report) else None,
                max_points=0.0 if report is None else report.max_score,
                changed=None if report is None else progress(before, report),
                counts=grade.kept is not None and grade.kept.source == each.attempt.source and shown,
            )
        )
        before = report or before
    return Attempts(lines=tuple(lines), recorded=recorded, results=results)


def _results(records: Records, student: str, lab: str, audience: Audience) -> Mapping[str, Result]:
    """The newest result of each submission as ``audience`` may read it, by its digest."""
    newest: dict[str, Score] = {}
    for score in records.store.scores.history(lab, student):
        newest.setdefault(score.key.digest, score)
    return {
        each.score.key.digest: replace(each, report=for_audience(each.report, audience))
        for each in records.results(newest.values())
    }
