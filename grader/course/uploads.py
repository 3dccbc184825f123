"""What a student uploads or pastes, as a submission by the rules of intake."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from pathlib import PurePosixPath

from grader.config.settings import LimitSettings
from grader.course.received_files import read_received
from grader.course.refused import RefusedError
from grader.intake import LabRules, Rejected
from grader.intake.tree import TooLargeError
from grader.languages import by_suffix
from grader.lms.archives.entry_names import inner_path
from grader.lms.archives.html_text import language_of_text
from grader.lms.archives.limits import ArchiveLimits
from grader.lms.archives.received import Received
from grader.lms.archives.submitted_files import unpack
from grader.lms.archives.tree import ArchiveFile
from grader.model.reason import Reason, reason
from grader.model.submission import Submission
from grader.model.text import printable

PASTED = "pasted"
"""The name, without a suffix, of the file with pasted text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadedFile:
    """A file as a browser or a program sends it. The name is not trusted."""

    name: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """Files, of which some may be archives, and pasted ``text``. ``lab``: empty if the names must say it."""

    files: tuple[UploadedFile, ...] = ()
    text: str = ""
    lab: str = ""

    @property
    def name(self) -> str:
        """The name of its first file, for messages."""
        return self.files[0].name if self.files else PASTED


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadUpload:
    """The submission in an upload, and what of the upload is no part of it."""

    submission: Submission
    ignored: tuple[Reason, ...]


def read_upload(  # noqa: PLR0913 - what decides about files, each from another place
    upload: Upload,
    student: str,
    lab: str,
    *,
    at: datetime,
    limits: LimitSettings,
    rules: LabRules,
    zone: tzinfo,
) -> ReadUpload:
    """The work of ``student`` for ``lab`` that arrived ``at`` a time. Raises: ``RefusedError`` if there is none."""
    files = [_file(each, at) for each in upload.files if each.name or each.data]
    if upload.text.strip():
        files.append(_pasted(upload.text, at))
    if not files:
        raise RefusedError(reason("upload-empty"))
    received = Received(path=files[0].path, submitters=(), files=tuple(files), submitted_at=at)
    opened = unpack(received, zone, ArchiveLimits())
    aside = tuple(reason("submission-rejected", path=each.path, reason=each.why) for each in opened.ignored)
    if not opened.received.files:
        raise RefusedError(aside[0] if aside else reason("upload-empty"))
    outcome = read_received(opened.received, (student, lab), "upload", limits, rules)
    if isinstance(outcome.result, Rejected):
        raise RefusedError(reason("upload-refused", why=outcome.result.reason))
    return ReadUpload(submission=outcome.result, ignored=(*aside, *outcome.ignored))


def names_in(upload: Upload) -> Sequence[str]:
    """The names that may say which lab an upload is for, the surest first."""
    return [PurePosixPath(each.name.replace("\\", "/")).stem for each in upload.files]


def _file(uploaded: UploadedFile, at: datetime) -> ArchiveFile:
    path = inner_path(uploaded.name)
    if path is None:
        raise RefusedError(reason("upload-name", name=printable(uploaded.name)))
    return _bytes(printable(path), uploaded.data, at)


def _pasted(text: str, at: datetime) -> ArchiveFile:
    unix = text.replace("\r\n", "\n").replace("\r", "\n")
    language = language_of_text(unix)
    if language is None:
        marks = tuple(each.mark.decode() for each in by_suffix().values())
        raise RefusedError(reason("upload-refused", why=reason("text-without-kernel", marks=marks)))
    return _bytes(f"{PASTED}{language.suffix}", unix.encode("utf-8", "replace"), at)


def _bytes(path: str, data: bytes, at: datetime) -> ArchiveFile:
    def read(at_most: int) -> bytes:
        if len(data) > at_most:
            raise TooLargeError
        return data

    return ArchiveFile(path=path, size=len(data), modified=at, read=read)
