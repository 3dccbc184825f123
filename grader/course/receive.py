"""Take in what another system gives: its submissions become attempts of the people of the course."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from grader.config.settings import LimitSettings
from grader.course.assignment_lab import lab_of_assignment, unknown_lab
from grader.course.identify import Identified, Roster, identify
from grader.course.received_files import kept, read_received
from grader.course.reception import Arrival, ReceiveRequest, Reception, notes_of
from grader.course.records import Records
from grader.course.rules import course_of
from grader.course.works import Works
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.intake import LabRules, Rejected
from grader.lms.archives.companion_sheet import CompanionSheet, completed, read_companion
from grader.lms.archives.port import ReadContext
from grader.lms.archives.read_archive import Archive, read_archive
from grader.lms.archives.received import Received, TimeSource
from grader.messages import render
from grader.model.reason import Reason, reason
from grader.model.submission import Submission
from grader.model.text import natural_key, printable
from grader.policy.holding import holding
from grader.policy.rules import Course
from grader.store.attempts import Attempt, Refusal
from grader.store.people import Person


@dataclass(slots=True)
class _Found:
    arrivals: list[Arrival] = field(default_factory=list)
    unknown: list[Reason] = field(default_factory=list)
    ignored: list[Reason] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Matched:
    """A submission with its people and its lab. ``id`` is that of its source; ``dated`` has it for each student."""

    received: Received
    id: str
    lab: str
    who: Identified
    dated: tuple[Received, ...]


def receive(workspace: Workspace, request: ReceiveRequest) -> Reception:
    """Import the archive or folder of ``request``. What is known already changes nothing.

    Each submission is stored as soon as it is read, so that a killed import goes on where it ended.
    Raises: ``UserError`` for an archive that cannot be read or a lab that is not found.
    """
    labs = workspace.registry.labs
    if request.lab is not None:
        workspace.registry.get(request.lab)
    course = course_of(workspace)
    context = ReadContext(zone=course.zone, labs=tuple(labs) if request.lab is None else (request.lab,))
    sheet = None if request.sheet is None else _companion(request.sheet, context)
    with Records(workspace) as records, read_archive(request.path, context, request.system) as archive:
        receiver = _Receiver(workspace, request, records, archive, course)
        received = [receiver.matched(each, sheet) for each in archive.contents.received]
        if receiver.late_by_file and not (request.dry_run or request.file_times):
            raise _late_by_file(receiver.late_by_file)
        for each in received:
            receiver.take(each)
        found = receiver.found
        found.ignored += [
            reason("submission-rejected", path=each.path, reason=each.why)
            for each in archive.contents.ignored
        ]
        return Reception(
            system=archive.format.label,
            why=archive.recognition.why,
            arrivals=tuple(sorted(found.arrivals, key=_order)),
            unknown=tuple(found.unknown),
            ignored=tuple(found.ignored),
            late_by_file=receiver.late_by_file,
        )


class _Receiver:
    """The import of one archive into an open store."""

    def __init__(
        self,
        workspace: Workspace,
        request: ReceiveRequest,
        records: Records,
        archive: Archive,
        course: Course,
    ) -> None:
        self.found = _Found()
        self.late_by_file = 0
        self._request = request
        self._store = records.store
        self._system = archive.format.key
        self._limits: LimitSettings = workspace.config.limits
        self._rules = LabRules.of(workspace.registry)
        self._titles = {name: lab.manifest.title for name, lab in workspace.registry.labs.items()}
        self._course = course
        self._works = Works(workspace, records)
        self._people = {each.id: each for each in self._store.people.list()}
        self._roster = Roster(self._people.values(), course.groups)
        self._known = {(each.student, each.lab, each.source) for each in self._store.attempts.list()}

    def matched(self, raw: Received, sheet: CompanionSheet | None) -> _Matched:
        """``raw`` with what ``sheet`` and the roster know of it. Its id is the same without a sheet."""
        received = raw if sheet is None else completed(raw, sheet)
        who = identify(received, self._roster)
        self.found.unknown += [
            reason("submission-rejected", path=received.path, reason=why) for why in who.unknown
        ]
        lab = self._lab(received)
        dated = tuple(self._dated(received, student, lab) for student in who.students)
        return _Matched(received=received, id=_id(raw), lab=lab, who=who, dated=dated)

    def take(self, matched: _Matched) -> None:
        """Store a submission for each of its students."""
        if not matched.dated:
            return
        at = datetime.now(UTC)
        origin = self._request.path.name
        outcomes = [
            read_received(matched.received, (student, matched.lab), origin, self._limits, self._rules)
            for student in matched.who.students
        ]
        self.found.ignored += outcomes[0].ignored
        submissions = [kept(outcome.result) for outcome in outcomes]
        attempts = [
            self._attempt(matched, own, outcome.result, at)
            for own, outcome in zip(matched.dated, outcomes, strict=True)
        ]
        if not self._request.dry_run:
            for submission in submissions:
                self._store.submissions.put(submission, at)
            self._store.attempts.put_all(attempts)
        for own, submission, attempt in zip(matched.dated, submissions, attempts, strict=True):
            self.found.arrivals.append(self._arrival(own, submission, attempt))

    def _lab(self, received: Received) -> str:
        if self._request.lab is not None:
            return self._request.lab
        path = self._request.path.absolute()
        lab = lab_of_assignment([received.assignment, path.stem, path.parent.name], self._titles)
        if lab is None:
            raise unknown_lab(received.path, received.assignment, self._titles)
        return lab

    def _dated(self, received: Received, student: str, lab: str) -> Received:
        """``received`` as submitted when it was due, if its system marks it not late and has no other time."""
        if received.time_source not in {TimeSource.FILE, TimeSource.UNKNOWN}:
            return received
        person = self._people.get(student, Person(id=student))
        rules = self._course.student(student, person.section, person.groups, person.labels)
        due = holding(self._course, rules, lab, self._works.of(student, [lab]).exemptions).rule.due
        if due is None or (received.submitted_at or datetime.now(UTC)) <= due:
            return received
        if received.late is False:
            return replace(received, submitted_at=due, time_source=TimeSource.IN_TIME)
        self.late_by_file += received.late is None
        return received

    def _attempt(
        self, matched: _Matched, received: Received, result: Submission | Rejected, at: datetime
    ) -> Attempt:
        refusal = None
        if isinstance(result, Rejected):
            refusal = Refusal(verdict=result.verdict, reason=result.reason)
        submission = kept(result)
        return Attempt(
            student=submission.student,
            lab=submission.lab,
            source=f"{self._system} {matched.id} {received.key or submission.digest}",
            submission=submission.digest,
            submitted_at=(received.submitted_at or at).astimezone(self._course.zone),
            received_at=at,
            number=received.number,
            group=matched.who.group,
            note="; ".join(map(render, notes_of(received))),
            refusal=refusal,
        )

    def _arrival(self, received: Received, submission: Submission, attempt: Attempt) -> Arrival:
        person = self._people.get(attempt.student)
        key = (attempt.student, attempt.lab, attempt.source)
        is_new = key not in self._known
        self._known.add(key)
        return Arrival(
            attempt=attempt,
            name=person.name if person else ", ".join(each.name for each in received.submitters),
            files=tuple(file.name for file in submission.files),
            is_new=is_new,
            notes=tuple(notes_of(received)),
        )


def _id(received: Received) -> str:
    """The ids by which the system itself knows who submitted."""
    ids = [each.ids[0].value if each.ids else each.email for each in received.submitters]
    return "+".join(ids) or received.group


def _late_by_file(count: int) -> UserError:
    msg = f"Late only by the times of files, which may be that of the download: {count} of the submissions."
    return UserError(
        msg, hint="Name the sheet with the times with --sheet, or accept these with --file-times."
    )


def _companion(path: Path, context: ReadContext) -> CompanionSheet:
    try:
        return read_companion(path.read_bytes(), context.zone)
    except OSError as error:
        msg = f"{printable(str(path))} cannot be read: {error.strerror}."
        raise UserError(msg, hint="Check the path and its permissions.") from error


def _order(arrival: Arrival) -> tuple[object, ...]:
    return arrival.attempt.lab, natural_key(arrival.attempt.student), arrival.attempt.submitted_at
