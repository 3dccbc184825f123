"""Send counted grades to the columns of course systems: what changed, once, with retries."""

import math
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from grader.course.gradebook import StudentGrades, student_grades
from grader.course.lti.labs import lab_items
from grader.course.lti.people import subjects
from grader.course.records import Records
from grader.course.rules import course_of
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.lms.lti.port import LmsError, LtiClient, SentScore
from grader.logs import Event, log
from grader.policy.grade import CountedGrade
from grader.store.lti_values import Context, LabLink, Platform, Points, Push
from grader.store.ports import Store

CLAIM = "lti-grades"
"""The claim of the sender: one process at a time, so that none sends what another one is sending."""

_CLAIM_SECONDS = 120.0

_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(seconds=30), timedelta(hours=1)

_DIGITS = 4
"""Decimals of points that are sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pushed:
    """What one round did: grades that were sent, failed and are tried again, and were refused; and what waits."""

    sent: int = 0
    failed: int = 0
    refused: int = 0
    waiting: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A grade that a column shows otherwise than it was sent; ``shown`` is ``None`` for an empty cell."""

    student: str
    lab: str
    sent: Points
    shown: Points | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    link: LabLink
    platform: Platform
    subjects: Mapping[str, str]


def push(workspace: Workspace, client: LtiClient, launch_url: str, *, retry: bool = False) -> Pushed:
    """Note the grades that count now, and send what the columns do not show yet. ``retry``: also what was refused.

    Raises: ``UserError`` if another process is sending.
    """
    owner = uuid.uuid4().hex
    with Records(workspace) as records:
        store = records.store
        if not store.claims.claim(CLAIM, owner, _CLAIM_SECONDS):
            msg = "Another process is sending grades."
            raise UserError(msg, hint="Try again in two minutes.")
        try:
            _make_columns(workspace, store, client, launch_url)
            columns = _columns(store)
            _note(workspace, records, columns)
            if retry:
                store.pushes.retry(datetime.now(UTC))
            return _send(store, client, columns, owner)
        finally:
            store.claims.release(CLAIM, owner)


def is_connected(workspace: Workspace) -> bool:
    """Whether any course of a course system is connected."""
    with Records(workspace) as records:
        return bool(records.store.platforms.contexts())


def compare(workspace: Workspace, client: LtiClient) -> tuple[Difference, ...]:
    """What the columns show otherwise than it was sent, such as a grade that staff changed there.

    Raises: ``UserError`` if a course system does not answer.
    """
    with Records(workspace) as records:
        columns = _columns(records.store)
        found = records.store.pushes.list()
    differences = []
    for column in columns.values():
        try:
            shown = client.results(column.platform, column.link.line_item)
        except LmsError as error:
            raise UserError(str(error), hint="Try again later.") from error
        for each in found:
            if each.link == column.link.id and each.sent is not None:
                there = shown.get(column.subjects.get(each.student, ""))
                if there is None or not _equal(there, each.sent):
                    differences.append(
                        Difference(student=each.student, lab=each.lab, sent=each.sent, shown=there)
                    )
    return tuple(differences)


def _make_columns(workspace: Workspace, store: Store, client: LtiClient, launch_url: str) -> None:
    """Find or make the column of each link that has none. A system that fails is asked again in the next round."""
    contexts: dict[int, Context] = {each.id: each for each in store.platforms.contexts()}
    platforms = {each.id: each for each in store.platforms.list()}
    items = {each.lab: each for each in lab_items(workspace, launch_url)}
    for link in store.platforms.links():
        context = contexts[link.context]
        if not link.line_item and context.line_items_url and link.lab in items:
            try:
                url = client.line_item(platforms[context.platform], context.line_items_url, items[link.lab])
            except LmsError as error:
                log(Event.GRADES_NOT_SENT, lab=link.lab, error=str(error))
            else:
                store.platforms.link(context.id, link.lab, url)


def _columns(store: Store) -> Mapping[int, _Column]:
    contexts = {each.id: each for each in store.platforms.contexts()}
    platforms = {each.id: each for each in store.platforms.list()}
    people = store.people.list()
    known = {name: subjects(each, people) for name, each in platforms.items()}
    columns = {}
    for link in store.platforms.links():
        platform = contexts[link.context].platform
        if link.line_item:
            columns[link.id] = _Column(link=link, platform=platforms[platform], subjects=known[platform])
    return columns


def _note(workspace: Workspace, records: Records, columns: Mapping[int, _Column]) -> None:
    """Note what each column should show now."""
    if not columns:
        return
    now = datetime.now(UTC)
    labs = [column.link.lab for column in columns.values()]
    everybody = student_grades(workspace, records, course_of(workspace), now, labs)
    for column in columns.values():
        records.store.pushes.want(column.link, _wanted(column, everybody), now)


def _wanted(column: _Column, everybody: tuple[StudentGrades, ...]) -> dict[str, Points | None]:
    """The grade of each student whom the system knows, by the course's rules: none before the student may see it."""
    return {
        each.person.id: _points(each.grades[column.link.lab])
        for each in everybody
        if each.person.id in column.subjects
    }


def _points(grade: CountedGrade) -> Points | None:
    if grade.points is None or grade.excused or not grade.visible or not grade.max_points:
        return None
    return Points(points=max(0.0, round(grade.points, _DIGITS)), most=round(grade.max_points, _DIGITS))


def _send(store: Store, client: LtiClient, columns: Mapping[int, _Column], owner: str) -> Pushed:
    counts = dict.fromkeys(("sent", "failed", "refused"), 0)
    down: set[int] = set()
    for due in store.pushes.due(datetime.now(UTC)):
        column = columns.get(due.link)
        if column is None or column.platform.id in down:
            continue
        store.claims.extend(owner, _CLAIM_SECONDS)
        started = store.pushes.start(due, datetime.now(UTC))
        if started is None:
            continue
        try:
            _send_one(client, column, started)
        except LmsError as error:
            counts["refused" if error.lasting else "failed"] += 1
            if not error.lasting:
                # One request that waits for a system that is down is enough for a round.
                down.add(column.platform.id)
            _failed(store, started, error)
        else:
            counts["sent"] += 1
            store.pushes.delivered(started, datetime.now(UTC))
    waiting = len(store.pushes.due(datetime.max.replace(tzinfo=UTC)))
    return Pushed(**counts, waiting=waiting)


def _send_one(client: LtiClient, column: _Column, push: Push) -> None:
    subject = column.subjects.get(push.student)
    if subject is None:
        msg = "The course system has not said who this student is there."
        raise LmsError(msg, lasting=True)
    assert push.stamp is not None  # noqa: S101 - a push that started has one
    client.send(
        column.platform,
        column.link.line_item,
        SentScore(subject=subject, grade=push.wanted, stamp=push.stamp),
    )


def _failed(store: Store, push: Push, error: LmsError) -> None:
    log(Event.GRADES_NOT_SENT, lab=push.lab, error=str(error))
    now = datetime.now(UTC)
    again = None if error.lasting else now + pause_after(push.tries)
    store.pushes.failed(push, str(error), now, again)


def _equal(one: Points, other: Points) -> bool:
    """Whether two grades are the same part of all points: systems scale them to their own."""
    return math.isclose(one.points * other.most, other.points * one.most, rel_tol=1e-3, abs_tol=1e-3)


def pause_after(tries: int) -> timedelta:
    """The pause after a grade failed for the ``tries``-th time."""
    seconds = _FIRST_PAUSE.total_seconds() * math.ldexp(1.0, min(tries - 1, 10))
    return min(timedelta(seconds=seconds), _LONGEST_PAUSE)
