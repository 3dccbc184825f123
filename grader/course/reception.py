"""What an import is asked for and what it finds, as values."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.lms.archives.received import Received, TimeSource
from grader.model.reason import Reason, reason
from grader.store.attempts import Attempt


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiveRequest:
    """What to import. ``None``: found out. ``sheet`` is the worksheet of the same assignment.

    ``file_times``: accept the times of files although submissions are late by them alone. ``dry_run``: store nothing.
    """

    path: Path
    lab: str | None = None
    system: str | None = None
    sheet: Path | None = None
    file_times: bool = False
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """One attempt of one student in an archive, with the names of its ``files``. ``is_new``: the store lacks it."""

    attempt: Attempt
    name: str
    files: tuple[str, ...]
    is_new: bool
    notes: tuple[Reason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reception:
    """What an archive holds: its ``system`` and what shows it, attempts, unknown people, and what is left aside.

    ``late_by_file`` is how many attempts are late only by the time of a file, which may be that of the download.
    """

    system: str
    why: Reason
    arrivals: tuple[Arrival, ...]
    unknown: tuple[Reason, ...]
    ignored: tuple[Reason, ...]
    late_by_file: int


_TIME_NOTES = {
    TimeSource.LOCAL: "time-zone-assumed",
    TimeSource.COMMIT: "time-of-commit",
    TimeSource.FILE: "time-of-file",
    TimeSource.IN_TIME: "time-when-due",
    TimeSource.UNKNOWN: "time-of-import",
}


def notes_of(received: Received) -> Iterator[Reason]:
    """What to know about the time and the state of ``received``."""
    if received.time_source in _TIME_NOTES:
        yield reason(_TIME_NOTES[received.time_source])
    if received.late:
        yield reason("marked-late")
    yield from received.notes
