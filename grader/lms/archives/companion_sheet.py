"""The sheet that belongs to an archive: Moodle's grading worksheet knows what the names in its zip leave out.

Each row has a participant's number, name, e-mail address, group and the time of the submission, as prose.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from grader.errors import UserError
from grader.lms.archives.prose_dates import prose_time
from grader.lms.archives.received import OWN, ExternalId, Received, Submitter, TimeSource
from grader.lms.rosters import RosterRow, read_roster
from grader.lms.sheets.sheet import read_sheet
from grader.lms.words import Phrase, Role, is_phrase, recognise

_NO_GROUP = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetEntry:
    """What a sheet says about one person. ``submitted_at`` is ``None`` if it names no time that can be read."""

    submitter: Submitter
    group: str
    submitted_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanionSheet:
    """The entries of a sheet by the id that its system uses in the archive, and by group.

    Those without a group share the empty name, if the sheet has groups at all.
    """

    by_id: Mapping[str, SheetEntry]
    by_group: Mapping[str, tuple[SheetEntry, ...]]


def read_companion(data: bytes, zone: tzinfo) -> CompanionSheet:
    """Read a sheet with the times of its rows in ``zone``. Raises: ``UserError`` if it has no ids of a system."""
    roster = read_roster(data)
    if not any(row.issued for row in roster.rows):
        msg = "The sheet has no column with the ids of a system."
        raise UserError(msg, hint="Download the grading worksheet of the same assignment.")
    times, has_groups = _times(data, zone)
    by_id: dict[str, SheetEntry] = {}
    by_group: dict[str, list[SheetEntry]] = defaultdict(list)
    for row in roster.rows:
        entry = _entry(row, times.get(row.line))
        by_id |= {value: entry for _, value in row.issued}
        for group in row.groups or ((_NO_GROUP,) if has_groups else ()):
            by_group[group].append(replace(entry, group=group))
    return CompanionSheet(
        by_id=by_id, by_group={group: tuple(members) for group, members in by_group.items()}
    )


def completed(received: Received, sheet: CompanionSheet) -> Received:
    """``received`` with the person or the members of the group that ``sheet`` has for it, and with its time."""
    members = _members(received, sheet)
    if not members:
        return received
    times = [each.submitted_at for each in members if each.submitted_at is not None]
    done = replace(received, submitters=tuple(each.submitter for each in members))
    if len(members) > 1:
        done = replace(done, group=members[0].group or received.group)
    return replace(done, submitted_at=max(times), time_source=TimeSource.LOCAL) if times else done


def _members(received: Received, sheet: CompanionSheet) -> tuple[SheetEntry, ...]:
    if not received.submitters:
        is_default = is_phrase(received.group, Phrase.DEFAULT_GROUP)
        return sheet.by_group.get(_NO_GROUP if is_default else received.group, ())
    if len(received.submitters) > 1:
        return ()
    (submitter,) = received.submitters
    found = [sheet.by_id[each.value] for each in submitter.ids if each.value in sheet.by_id]
    if found:
        return (found[0],)
    return sheet.by_group.get(submitter.name, ()) if submitter.name else ()


def _entry(row: RosterRow, submitted_at: datetime | None) -> SheetEntry:
    issued = (ExternalId(system=system, value=value) for system, value in row.issued)
    own = (ExternalId(system=OWN, value=value) for value in row.own)
    return SheetEntry(
        submitter=Submitter(ids=(*issued, *own), name=row.name, email=row.email),
        group=_NO_GROUP,
        submitted_at=submitted_at,
    )


def _times(data: bytes, zone: tzinfo) -> tuple[dict[int, datetime], bool]:
    """The time of each submission by the line of its row, and whether the sheet has groups."""
    sheet = read_sheet(data)
    columns = recognise(sheet.headers)
    if columns is None or Role.SUBMISSION_MODIFIED not in columns:
        return {}, columns is not None and Role.GROUP in columns
    column = columns[Role.SUBMISSION_MODIFIED]
    found = ((row.line, prose_time(row[column], zone)) for _, row in sheet.body)
    return {line: at for line, at in found if at is not None}, Role.GROUP in columns
