"""Take in what another system gives: its submissions become attempts of the people of the course."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from grader.config.settings import LimitSettings
from grader.course.assignment_lab import lab_of_assignment, unknown_lab
from grader.course.identify import Identified, Roster, identify
from grader.course.records import Records
from grader.course.rules import course_of
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.intake import LabRules, Rejected
from grader.intake.memory_tree import MemoryFile, MemoryTree
from grader.intake.read_submission import Candidate, SubmissionResult, read_submission
from grader.intake.tree import Entry, Kind
from grader.languages import by_suffix
from grader.lms.archives.companion_sheet import CompanionSheet, completed_all, read_companion
from grader.lms.archives.port import ReadContext
from grader.lms.archives.read_archive import Archive, read_archive
from grader.lms.archives.received import Received, TimeSource
from grader.messages import render
from grader.model.reason import Reason, reason
from grader.model.submission import Submission
from grader.model.text import printable
from grader.policy.rules import Course
from grader.store.attempts import Attempt, Refusal
from grader.store.ports import Store

_FOLDER = "submission"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiveRequest:
    """What to import. ``None``: found out. ``sheet`` is the worksheet of the same assignment.

    ``dry_run``: store nothing.
    """

    path: Path
    lab: str | None = None
    system: str | None = None
    sheet: Path | None = None
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """One attempt of one student in an archive, with the names of its ``files``. ``is_new``: the store lacks it."""

    attempt: Attempt
    name: str
    files: tuple[str, ...]
    time_source: TimeSource
    late: bool | None
    is_new: bool
    notes: tuple[Reason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reception:
    """What an archive holds: its ``system`` and what shows it, attempts, unknown people, and what is left aside."""

    system: str
    why: Reason
    arrivals: tuple[Arrival, ...]
    unknown: tuple[Reason, ...]
    ignored: tuple[Reason, ...]


@dataclass(slots=True)
class _Found:
    arrivals: list[Arrival] = field(default_factory=list)
    unknown: list[Reason] = field(default_factory=list)
    ignored: list[Reason] = field(default_factory=list)


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
        receiver = _Receiver(workspace, request, records.store, archive, course)
        for received in completed_all(archive.contents.received, sheet):
            receiver.take(received)
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
        )


class _Receiver:
    """The import of one archive into an open store."""

    def __init__(
        self, workspace: Workspace, request: ReceiveRequest, store: Store, archive: Archive, course: Course
    ) -> None:
        self.found = _Found()
        self._request = request
        self._store = store
        self._system = archive.format.key
        self._limits: LimitSettings = workspace.config.limits
        self._rules = LabRules.of(workspace.registry)
        self._titles = {name: lab.manifest.title for name, lab in workspace.registry.labs.items()}
        self._roster = Roster(store.people.list(), course.groups)
        self._known = {(each.student, each.lab, each.source) for each in store.attempts.list()}

    def take(self, received: Received) -> None:
        """Store ``received`` for each of its students."""
        who = identify(received, self._roster)
        self.found.unknown += [
            reason("submission-rejected", path=received.path, reason=why) for why in who.unknown
        ]
        if not who.students:
            return
        lab = self._lab(received)
        at = datetime.now(UTC)
        outcomes = [self._read(received, student, lab) for student in who.students]
        self.found.ignored += outcomes[0].ignored
        submissions = [_stored(outcome.result) for outcome in outcomes]
        attempts = [
            self._attempt(received, who, submission, outcome.result, at)
            for submission, outcome in zip(submissions, outcomes, strict=True)
        ]
        if not self._request.dry_run:
            for submission in submissions:
                self._store.submissions.put(submission, at)
            self._store.attempts.put_all(attempts)
        for submission, attempt in zip(submissions, attempts, strict=True):
            self.found.arrivals.append(self._arrival(received, submission, attempt))

    def _lab(self, received: Received) -> str:
        if self._request.lab is not None:
            return self._request.lab
        path = self._request.path.absolute()
        lab = lab_of_assignment([received.assignment, path.stem, path.parent.name], self._titles)
        if lab is None:
            raise unknown_lab(received.path, received.assignment, self._titles)
        return lab

    def _read(self, received: Received, student: str, lab: str) -> SubmissionResult:
        """The files of ``received`` by the rules of intake."""
        modified = 0 if received.submitted_at is None else int(received.submitted_at.timestamp() * 1e9)
        path = printable(f"{self._request.path.name}/{received.path}")
        only = received.files[0].path if len(received.files) == 1 else ""
        alone = "/" not in only and Entry(only, Kind.FILE).suffix in by_suffix()
        entry = Entry(only, Kind.FILE) if alone else Entry(_FOLDER, Kind.FOLDER)
        start = "" if alone else f"{_FOLDER}/"
        tree = MemoryTree({f"{start}{file.path}": MemoryFile(file.read, modified) for file in received.files})
        candidate = Candidate(student=student, lab=lab, entry=entry, path=path)
        return read_submission(candidate, tree, self._limits, self._rules.files(lab))

    def _attempt(
        self,
        received: Received,
        who: Identified,
        submission: Submission,
        result: Submission | Rejected,
        at: datetime,
    ) -> Attempt:
        refusal = (
            Refusal(verdict=result.verdict, reason=result.reason) if isinstance(result, Rejected) else None
        )
        return Attempt(
            student=submission.student,
            lab=submission.lab,
            source=f"{self._system} {_id(received)} {received.key or submission.digest}",
            submission=submission.digest,
            submitted_at=received.submitted_at or at,
            received_at=at,
            number=received.number,
            group=who.group,
            note="; ".join(map(render, _notes(received))),
            refusal=refusal,
        )

    def _arrival(self, received: Received, submission: Submission, attempt: Attempt) -> Arrival:
        person = next((each for each in self._roster.people if each.id == attempt.student), None)
        key = (attempt.student, attempt.lab, attempt.source)
        is_new = key not in self._known
        self._known.add(key)
        return Arrival(
            attempt=attempt,
            name=person.name if person else ", ".join(each.name for each in received.submitters),
            files=tuple(file.name for file in submission.files),
            time_source=received.time_source,
            late=received.late,
            is_new=is_new,
            notes=tuple(_notes(received)),
        )


_TIME_NOTES = {
    TimeSource.LOCAL: "time-zone-assumed",
    TimeSource.COMMIT: "time-of-commit",
    TimeSource.FILE: "time-of-file",
    TimeSource.UNKNOWN: "time-of-import",
}


def _notes(received: Received) -> Iterator[Reason]:
    if received.time_source in _TIME_NOTES:
        yield reason(_TIME_NOTES[received.time_source])
    if received.late:
        yield reason("marked-late")
    yield from received.notes


def _id(received: Received) -> str:
    """The ids by which the system itself knows who submitted."""
    ids = [each.ids[0].value if each.ids else each.email for each in received.submitters]
    return "+".join(ids) or received.group


def _stored(result: Submission | Rejected) -> Submission:
    """What is kept of ``result``: the work, or that there was none."""
    if isinstance(result, Submission):
        return result
    return Submission(
        student=result.student, lab=result.lab, language=result.language, files=(), path=result.path
    )


def _companion(path: Path, context: ReadContext) -> CompanionSheet:
    try:
        return read_companion(path.read_bytes(), context.zone)
    except OSError as error:
        msg = f"{printable(str(path))} cannot be read: {error.strerror}."
        raise UserError(msg, hint="Check the path and its permissions.") from error


def _order(arrival: Arrival) -> tuple[str, str, datetime]:
    return arrival.attempt.lab, arrival.attempt.student, arrival.attempt.submitted_at
