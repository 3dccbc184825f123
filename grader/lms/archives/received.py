"""What an archive says: who submitted what and when, and what was left aside. Pure values."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from grader.lms.archives.tree import ArchiveFile, Ignored
from grader.model.reason import Reason

OWN = ""
"""The system of an id that is the course's own: a login, a student number, the name of a folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalId:
    """An id of a person in ``system``. Text: leading zeros count."""

    system: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitter:
    """A person as the archive names them. The first of ``ids`` is the surest; the others may be theirs as well."""

    ids: tuple[ExternalId, ...] = ()
    name: str = ""
    email: str = ""


class TimeSource(StrEnum):
    """How far the time of a submission can be trusted.

    ``STATED``: with its time zone. ``LOCAL``: without one, so that the zone of the course was assumed. ``COMMIT``: the
    author's own clock. ``FILE``: the system names no time; that of the newest file, often that of the download.
    ``IN_TIME``: not marked late, and no other time is known than that. ``UNKNOWN``: no time at all.
    """

    STATED = "stated"
    LOCAL = "local"
    COMMIT = "commit"
    FILE = "file"
    IN_TIME = "in-time"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """One submission of one person or group.

    A group has its name in ``group`` if the archive has it, and its members in ``submitters`` if it names them.
    ``key`` distinguishes submissions of one person, and is empty if only the content does. ``number`` is the
    system's count of attempts. ``late`` is the system's own mark, ``None`` if it sets none. ``assignment`` is what the
    system calls the lab. ``texts`` were typed into a form and are HTML.
    """

    path: str
    submitters: tuple[Submitter, ...]
    files: tuple[ArchiveFile, ...]
    texts: tuple[ArchiveFile, ...] = ()
    group: str = ""
    key: str = ""
    number: int | None = None
    late: bool | None = None
    assignment: str = ""
    submitted_at: datetime | None = None
    time_source: TimeSource = TimeSource.UNKNOWN
    notes: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """Everything in an archive: what was submitted, and each entry that is no part of it."""

    received: tuple[Received, ...]
    ignored: tuple[Ignored, ...] = ()


def file_time(files: tuple[ArchiveFile, ...]) -> datetime | None:
    """The time of the newest of ``files``, if any has one."""
    return max((file.modified for file in files if file.modified is not None), default=None)


def time_of_files(files: tuple[ArchiveFile, ...]) -> tuple[datetime | None, TimeSource]:
    """``file_time`` and its source."""
    newest = file_time(files)
    return newest, TimeSource.UNKNOWN if newest is None else TimeSource.FILE
