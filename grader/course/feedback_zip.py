"""Pack feedback files as Moodle takes them back: under the folder names of its own download."""

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from grader.course.destination import require_free
from grader.course.entries import entries
from grader.course.feedback import nothing_to_write, student_feedback
from grader.course.records import Records
from grader.course.select import require_exists
from grader.course.workspace import Workspace
from grader.lms.archives.moodle import ParticipantFolder, participant_folders
from grader.lms.archives.open_tree import open_tree
from grader.lms.gradebooks.moodle import participants
from grader.lms.gradebooks.people import AmbiguousError, Key, People
from grader.lms.sheets import read_sheet
from grader.lms.words import System
from grader.model.reason import Reason, first_of, reason
from grader.model.text import printable
from grader.report.files import plain_name, write_atomically

_LISTED = 10
"""How many folders a note names."""

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip file can hold: feedback has no time of its own."""

Recipients = tuple[tuple[ParticipantFolder, tuple[Key, ...]], ...]
"""Folders, and what identifies the person of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackZip:
    """The file that was written, for how many ``people``, and notes about folders without feedback."""

    file: Path
    people: int
    notes: tuple[Reason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ZipRequest:
    """What to pack, and where to.

    ``download`` is what Moodle gave out for the assignment of ``lab``: the submissions as a zip or a folder, or the
    grading worksheet, which has the members of teams too. ``language`` is that of all, by default each student's own.
    """

    download: Path
    file: Path
    lab: str
    language: str | None = None
    overwrite: bool = False


def feedback_zip(workspace: Workspace, request: ZipRequest) -> FeedbackZip:
    """Write a file that Moodle takes under "Upload multiple feedback files in a zip".

    Raises: ``UserError`` for another download, without results, or if the file is there already.
    """
    recipients = _recipients(require_exists(request.download))
    require_free(request.file, overwrite=request.overwrite)
    with Records(workspace) as records:
        found = {
            each.student: each
            for each in student_feedback(workspace, records, request.language, labs=[request.lab])
        }
        people = People(entries(workspace, records, request.lab, request.language))
        teams = {group for person in records.store.people.list() for group in person.groups}
    name = f"{plain_name(request.lab)}-feedback"
    packed: dict[str, bytes] = {}
    served, unknown, of_teams = set(), [], []
    for folder, keys in recipients:
        if folder.name in teams or folder.number is None:
            of_teams.append(folder.name)
        elif (student := _student(people, keys)) is None:
            unknown.append(folder.name)
        elif student in found:
            served.add(student)
            packed |= {folder.path(f"{name}{suffix}"): data for suffix, data in found[student].by_suffix}
    if not packed:
        raise nothing_to_write()
    write_atomically(request.file, _zipped(packed))
    missing = [student for student in found if student not in served]
    notes = tuple(_notes(unknown=unknown, of_teams=of_teams, missing=missing))
    return FeedbackZip(file=request.file, people=len(served), notes=notes)


def _recipients(download: Path) -> Recipients:
    if download.is_dir() or zipfile.is_zipfile(download):
        # No time of a file is used, so that its zone does not matter.
        with open_tree(download, UTC) as tree:
            return tuple(
                (folder, (Key(System.MOODLE, folder.number),) if folder.number else ())
                for folder in participant_folders(tree)
            )
    return participants(read_sheet(download.read_bytes(), any_legacy=True))


def _student(people: People, keys: tuple[Key, ...]) -> str | None:
    try:
        entry = people.find(keys)
    except AmbiguousError:
        return None
    return None if entry is None else entry.student


def _zipped(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path, _EPOCH), data, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _notes(*, unknown: list[str], of_teams: list[str], missing: list[str]) -> Iterator[Reason]:
    yield reason("feedback-after-grades")
    if unknown:
        yield reason("feedback-unknown", count=len(unknown), people=_listed(unknown))
    if of_teams:
        yield reason("feedback-of-teams", count=len(of_teams), teams=_listed(of_teams))
    if missing:
        yield reason("feedback-without-folder", count=len(missing), people=_listed(missing))


def _listed(names: list[str]) -> tuple[str | int | float | Reason, ...]:
    return first_of([printable(name) for name in names], _LISTED)
