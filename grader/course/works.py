"""What the rules of a course look at: attempts with their points, and what staff decided."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from grader.course.publish import EVERYBODY, published
from grader.course.records import Records
from grader.course.requests import unanswered
from grader.course.rulings import decided
from grader.course.workspace import Workspace
from grader.model.report import Report
from grader.model.verdict import Verdict
from grader.policy.rules import Exemption, Scope
from grader.policy.work import PointsOverride, ScoredAttempt, Work
from grader.store.attempts import Attempt
from grader.store.job_values import JobState
from grader.store.rulings import Excuse, Extension, FlagReview, Override
from grader.store.values import Decision, Score, Students, SubmissionKey

_T = TypeVar("_T")

ENDED = (JobState.FAILED, JobState.CANCELLED, JobState.SUPERSEDED)
"""Jobs in these states ended without a result: the student learned nothing from the attempt."""

_OPEN = (JobState.WAITING, JobState.RUNNING)

STORED = "stored"
"""The source of an attempt of which only the submission is known: older releases recorded no attempts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentWork:
    """The work of one student by lab, and what staff decided about dates.

    ``former`` are overrides of work that is not the student's newest, by lab.
    """

    works: Mapping[str, Work]
    exemptions: tuple[Exemption, ...]
    former: Mapping[str, PointsOverride]


class Works:
    """What is stored about everybody, or about ``students``, arranged by student and lab. It is read once."""

    def __init__(self, workspace: Workspace, records: Records, students: Students = None) -> None:
        self._workspace = workspace
        self._records = records
        store = records.store
        attempts = store.attempts.list(student=students)
        scores = store.scores.history(student=students)
        submissions = store.submissions.list(student=students)
        decisions = store.decisions.list(student=students)
        about_labs = () if students is None else store.decisions.list(student=EVERYBODY)
        self._attempts = _by_work(attempts, lambda each: (each.student, each.lab))
        self._scores = _by_work(scores, lambda each: (each.key.student, each.key.lab))
        self._decisions = _by_work(decisions, lambda each: (each.student, each.lab))
        self._submissions = _by_work(submissions, lambda each: (each.key.student, each.key.lab))
        self._published = published((*decisions, *about_labs))
        jobs = store.jobs.list((*ENDED, *_OPEN), student=students)
        ended = [each for each in jobs if each.state in ENDED]
        self._ended_at = {(each.key, each.submitted_at) for each in ended}
        self._ended = {each.key for each in ended} - {each.key for each in jobs if each.state in _OPEN}

    @property
    def students(self) -> frozenset[str]:
        """Everybody who submitted, or about whom staff decided."""
        return frozenset(
            student for student, _ in (*self._attempts, *self._scores, *self._decisions) if student
        )

    @property
    def labs(self) -> frozenset[str]:
        """Every lab that somebody submitted to."""
        return frozenset(lab for _, lab in (*self._attempts, *self._scores))

    def of(self, student: str, labs: Iterable[str]) -> StudentWork:
        """The work of ``student`` for ``labs``."""
        works: dict[str, Work] = {}
        exemptions: list[Exemption] = []
        former: dict[str, PointsOverride] = {}
        for lab in labs:
            found = self._decisions.get((student, lab), [])
            work = self._work(student, lab)
            last = _last_by_submission(found)
            newest = self._newest(student, lab)
            holding = [each for submission, each in last.items() if submission in {None, newest}]
            ruling = max(holding, key=found.index, default=None)
            if ruling is not None and (override := _points(ruling)) is not None:
                work = replace(work, override=override)
            elif earlier := [override for each in last.values() if (override := _points(each)) is not None]:
                former[lab] = max(earlier, key=lambda each: each.points)
            exemptions += _exemptions(student, lab, found, ruling)
            works[lab] = work
        return StudentWork(works=works, exemptions=tuple(exemptions), former=former)

    def verdict(self, student: str, lab: str, submission: str | None) -> Verdict | None:
        """The verdict on a submission, or on the newest one, after decisions; ``None``: it has no score."""
        scores = self._scores.get((student, lab), ())
        score = next((each for each in scores if submission in {None, each.key.digest}), None)
        if score is None:
            return None
        holding = [each for each in self._about(score) if isinstance(each.ruling, FlagReview | Override)]
        return self._decided(score, holding).verdict if holding else score.verdict

    def awaits_review(self, student: str, lab: str) -> bool:
        """Whether a submission has a flag without a review."""
        newest: dict[str, Score] = {}
        for score in self._scores.get((student, lab), ()):
            newest.setdefault(score.key.digest, score)
        return any(score.flag is not None and not _reviews(self._about(score)) for score in newest.values())

    def awaits_answer(self, student: str, lab: str) -> bool:
        """Whether the student asked for another look and has no answer."""
        return bool(unanswered(self._decisions.get((student, lab), ())))

    def _about(self, score: Score) -> list[Decision]:
        found = self._decisions.get((score.key.student, score.key.lab), ())
        return [each for each in found if each.applies_to(score)]

    def _decided(self, score: Score, decisions: Iterable[Decision]) -> Report:
        return decided(self._records.store.scores.report(score), score, decisions)

    def _newest(self, student: str, lab: str) -> str | None:
        scores = self._scores.get((student, lab), ())
        return scores[0].key.digest if scores else None

    def _work(self, student: str, lab: str) -> Work:
        newest: dict[str, Score] = {}
        first: dict[str, Score] = {}
        for score in self._scores.get((student, lab), ()):
            newest.setdefault(score.key.digest, score)
            first[score.key.digest] = score
        known = self._known_attempts(student, lab)
        return Work(
            max_points=self._most(lab),
            published=lab in self._published,
            attempts=tuple(
                ScoredAttempt(
                    source=each.source,
                    submission=each.submission,
                    submitted_at=each.submitted_at,
                    points=self._points(newest.get(each.submission or "")),
                    max_points=self._most(lab, newest.get(each.submission or "")),
                    grader_failed=self._grader_failed(each, first.get(each.submission or "")),
                )
                for each in known
            ),
        )

    def _grader_failed(self, attempt: Attempt, first: Score | None) -> bool:
        """Whether the grader failed on the ``first`` run of an attempt, or it never ran.

        The attempt never ran if its own job ended without a result, even if another one of the same content did.
        """
        key = SubmissionKey(student=attempt.student, lab=attempt.lab, digest=attempt.submission or "")
        if (key, attempt.received_at) in self._ended_at:
            return True
        return key in self._ended if first is None else first.verdict is Verdict.NOT_GRADABLE

    def _known_attempts(self, student: str, lab: str) -> Sequence[Attempt]:
        """The recorded attempts, and one for each submission without any."""
        recorded = self._attempts.get((student, lab), ())
        with_time = {each.submission for each in recorded}
        others = (
            Attempt(
                student=student,
                lab=lab,
                source=f"{STORED} {each.key.digest}",
                submission=each.key.digest,
                submitted_at=each.submitted_at,
                received_at=each.submitted_at,
            )
            for each in self._submissions.get((student, lab), ())
            if each.key.digest not in with_time
        )
        return (*recorded, *others)

    def _points(self, score: Score | None) -> float | None:
        """What ``score`` gives after reviews of its flag; the rules know about other decisions themselves."""
        if score is None or score.verdict is Verdict.NOT_GRADABLE:
            return None
        reviews = [] if score.flag is None else _reviews(self._about(score))
        return self._decided(score, reviews).score if reviews else score.score

    def _most(self, lab: str, score: Score | None = None) -> float:
        if score is not None:
            return score.max_score
        known = self._workspace.registry.labs.find(lab)
        if known is not None:
            return known.manifest.rubric.max_score
        scores = next((listed for (_, of), listed in self._scores.items() if of == lab), ())
        return scores[0].max_score if scores else 0.0


def _by_work(found: Iterable[_T], key: Callable[[_T], tuple[str, str]]) -> dict[tuple[str, str], list[_T]]:
    arranged: dict[tuple[str, str], list[_T]] = defaultdict(list)
    for each in found:
        arranged[key(each)].append(each)
    return dict(arranged)


def _reviews(decisions: Iterable[Decision]) -> list[Decision]:
    return [each for each in decisions if isinstance(each.ruling, FlagReview)]


def _last_by_submission(decisions: Iterable[Decision]) -> dict[str | None, Decision]:
    """The last override or excuse about each submission, and about all of them."""
    return {each.submission: each for each in decisions if isinstance(each.ruling, Override | Excuse)}


def _points(decision: Decision) -> PointsOverride | None:
    ruling = decision.ruling
    if not isinstance(ruling, Override) or ruling.points is None:
        return None
    return PointsOverride(
        points=ruling.points, max_points=ruling.max_points, who=decision.who, why=decision.why
    )


def _exemptions(
    student: str, lab: str, decisions: Sequence[Decision], ruling: Decision | None
) -> Iterable[Exemption]:
    """The extension that staff gave last, and the excuse that holds."""
    if ruling is not None and isinstance(ruling.ruling, Excuse):
        yield _exemption(student, lab, ruling, excused=True)
    last = next((each for each in reversed(decisions) if isinstance(each.ruling, Extension)), None)
    if last is not None and isinstance(last.ruling, Extension) and (last.ruling.until or last.ruling.days):
        yield replace(_exemption(student, lab, last), due=last.ruling.until, days=last.ruling.days)


def _exemption(student: str, lab: str, decision: Decision, *, excused: bool = False) -> Exemption:
    return Exemption(
        scope=Scope.STUDENT,
        name=student,
        lab=lab,
        excused=excused,
        reason=decision.why,
        by=decision.who,
    )
