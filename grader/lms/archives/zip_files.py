"""Read zip files from strangers: no entry is trusted, and nothing is written."""

import errno
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, tzinfo
from functools import partial
from typing import IO

from grader.intake.tree import TooLargeError
from grader.lms.archives.entry_names import encoding_of, inner_path, raw_name, unicode_name
from grader.lms.archives.limits import Budget
from grader.lms.archives.tree import ArchiveFile, Ignored
from grader.model.reason import Reason, reason
from grader.model.text import printable

_ENCRYPTED = 0x1
_UTF8 = 0x800
_NO_TIME = (1980, 1, 1, 0, 0, 0)
"""The first time that a zip can hold."""

DAMAGE = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, struct.error, EOFError),
    *(NotImplementedError, RuntimeError, ValueError, OverflowError, IndexError, OSError),
)
"""What ``zipfile`` raises for files that were cut or changed."""


class DamagedZipError(Exception):
    """The file is no zip, or not a whole one."""


@contextmanager
def opened_zip(file: IO[bytes]) -> Iterator[zipfile.ZipFile]:
    """Context manager: the zip in ``file``. Raises: ``DamagedZipError``."""
    try:
        archive = zipfile.ZipFile(file)
    except DAMAGE as error:
        raise DamagedZipError from error
    with archive:
        yield archive


def files_of(
    archive: zipfile.ZipFile, zone: tzinfo, budget: Budget
) -> tuple[list[ArchiveFile], list[Ignored]]:
    """The regular files of ``archive``, and what is refused. Times have no zone in a zip; they get ``zone``."""
    files, ignored = [], []
    for entry, name in _named(archive.infolist()):
        path = inner_path(name)
        if entry.is_dir() or name.endswith("\\"):
            continue
        why = reason("entry-leads-outside") if path is None else _refused(entry)
        if path is None or why is not None:
            ignored.append(Ignored(path=printable(path or name), why=why or reason("entry-leads-outside")))
            continue
        file = ArchiveFile(
            path=printable(path),
            size=entry.file_size,
            modified=_modified(entry, zone),
            read=partial(_read, archive, entry, budget),
        )
        files.append(file)
    return files, ignored


def _named(entries: list[zipfile.ZipInfo]) -> Iterator[tuple[zipfile.ZipInfo, str]]:
    raw = {id(entry): raw_name(entry.orig_filename, entry.flag_bits) for entry in entries}
    encoding = encoding_of([raw[id(entry)] for entry in entries if not entry.flag_bits & _UTF8])
    for entry in entries:
        plain = raw[id(entry)]
        own = "utf-8" if entry.flag_bits & _UTF8 else encoding
        yield entry, unicode_name(plain, entry.extra) or plain.decode(own, "replace")


def _refused(entry: zipfile.ZipInfo) -> Reason | None:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return reason("entry-is-link")
    if kind not in {0, stat.S_IFREG}:
        return reason("entry-is-special")
    if entry.flag_bits & _ENCRYPTED:
        return reason("entry-encrypted")
    # Of these two a bounded number of bytes can be unpacked; nobody's system writes others.
    if entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        return reason("entry-compression-unknown")
    return None


def _modified(entry: zipfile.ZipInfo, zone: tzinfo) -> datetime | None:
    """The time of ``entry``; ``None`` for one that cannot be, and for that of programs that write none."""
    if entry.date_time == _NO_TIME:
        return None
    try:
        return datetime(*entry.date_time, tzinfo=zone)
    except ValueError:
        return None


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, budget: Budget, at_most: int) -> bytes:
    if entry.file_size > at_most:
        raise TooLargeError
    try:
        with archive.open(entry) as stream:
            data = stream.read(at_most + 1)
    except DAMAGE as error:
        raise OSError(errno.EIO, "its entry in the archive is damaged") from error
    if len(data) > at_most:
        raise TooLargeError
    budget.take(len(data))
    return data
