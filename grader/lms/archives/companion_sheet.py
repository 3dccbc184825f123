"""The sheet that belongs to an archive: Moodle's grading worksheet knows what the names in its zip leave out.

Each row has a participant's number, name, e-mail address, group and the time of the submission, as prose.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from grader.errors import UserError
from grader.lms.archives.prose_dates import prose_time
from grader.lms.archives.received import OWN, ExternalId, Received, Submitter, TimeSource
from grader.lms.sheets.sheet import Row, read_sheet
from grader.lms.words.columns import Columns, recognise
from grader.lms.words.headers import Role
from grader.lms.words.phrases import Phrase, starts_with_phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetEntry:
    """What a sheet says about one person. ``submitted_at`` is ``None`` if it names no time that can be read."""

    submitter: Submitter
    group: str
    submitted_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanionSheet:
    """The entries of a sheet by the id that its system uses in the archive, and by group."""

    by_id: Mapping[str, SheetEntry]
    by_group: Mapping[str, tuple[SheetEntry, ...]]


def read_companion(data: bytes, zone: tzinfo) -> CompanionSheet:
    """Read a sheet with the times of its rows in ``zone``. Raises: ``UserError`` if it has no ids."""
    sheet = read_sheet(data)
    columns = recognise(sheet.headers)
    if columns is None or Role.IDENTIFIER not in columns:
        msg = "The sheet has no column with ids that any known system writes."
        raise UserError(msg, hint="Download the grading worksheet of the same assignment.")
    entries = [_entry(row, columns, zone) for _, row in sheet.body]
    groups: dict[str, list[SheetEntry]] = defaultdict(list)
    for entry in entries:
        groups[entry.group].append(entry)
    return CompanionSheet(
        by_id={entry.submitter.ids[0].value: entry for entry in entries},
        by_group={group: tuple(members) for group, members in groups.items()},
    )


def completed(received: Received, sheet: CompanionSheet) -> Received:
    """``received`` with the person or the members of the group that ``sheet`` has for it, and with its time."""
    members = sheet.by_group.get(received.group) if received.group and not received.submitters else None
    if len(received.submitters) == 1:
        submitter = received.submitters[0]
        entry = next((sheet.by_id[each.value] for each in submitter.ids if each.value in sheet.by_id), None)
        members = sheet.by_group.get(submitter.name) if entry is None and submitter.name else None
        members = (entry,) if entry is not None else members
    if not members:
        return received
    times = [each.submitted_at for each in members if each.submitted_at is not None]
    done = replace(received, submitters=tuple(each.submitter for each in members))
    if len(members) > 1:
        done = replace(done, group=members[0].group)
    return replace(done, submitted_at=max(times), time_source=TimeSource.LOCAL) if times else done


def _entry(row: Row, columns: Columns, zone: tzinfo) -> SheetEntry:
    def cell(*roles: Role) -> str:
        return " ".join(row[columns[role]].strip() for role in roles if role in columns).strip()

    identifier = cell(Role.IDENTIFIER)
    number = starts_with_phrase(identifier, Phrase.PARTICIPANT)
    own = (cell(Role.USERNAME), cell(Role.ID_NUMBER))
    return SheetEntry(
        submitter=Submitter(
            ids=(
                ExternalId(system=columns.system, value=number or identifier.removeprefix("#")),
                *(ExternalId(system=OWN, value=each) for each in own if each),
            ),
            name=cell(Role.FULL_NAME) or cell(Role.FIRST_NAME, Role.LAST_NAME),
            email=cell(Role.EMAIL),
        ),
        group=cell(Role.GROUP),
        submitted_at=prose_time(cell(Role.SUBMISSION_MODIFIED), zone),
    )


def completed_all(received: Iterable[Received], sheet: CompanionSheet | None) -> tuple[Received, ...]:
    """``received``, completed if there is a sheet."""
    return tuple(each if sheet is None else completed(each, sheet) for each in received)
