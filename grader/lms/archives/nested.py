"""Archives that students submitted: a zip or tar is opened, one level deep and under limits of its own."""

import io
from collections.abc import Iterable
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from pathlib import PurePosixPath

from grader.intake.read_submission import ARCHIVES
from grader.intake.tree import TooLargeError
from grader.lms.archives.limits import MIB, ArchiveLimits, Budget
from grader.lms.archives.tar_files import SUFFIXES, DamagedTarError, files_of_tar
from grader.lms.archives.tree import ArchiveFile, Ignored, Tree, tree_of
from grader.lms.archives.zip_files import DamagedZipError, files_of, opened_zip
from grader.model.reason import Reason, reason

_ZIP = ".zip"
_OPENED = SUFFIXES | {_ZIP}


class _RefusedError(Exception):
    def __init__(self, why: Reason) -> None:
        self.why = why
        super().__init__(why.code)


def unpacked(
    files: Iterable[ArchiveFile], zone: tzinfo, limits: ArchiveLimits
) -> tuple[tuple[ArchiveFile, ...], tuple[Ignored, ...]]:
    """``files`` with the contents of zips and tars in their place, and what is refused.

    The files of an archive lie in a folder of its name, those of an only one at the top.
    """
    listed = list(files)
    kept: list[ArchiveFile] = []
    ignored: list[Ignored] = []
    for file in listed:
        if file.suffix not in _OPENED:
            # Of other archives intake says that they stay closed.
            kept.append(file)
            continue
        try:
            tree = _opened(file, zone, limits)
        except _RefusedError as refused:
            ignored.append(Ignored(path=file.path, why=refused.why))
            continue
        folder = "" if len(listed) == 1 else f"{file.path.removesuffix(PurePosixPath(file.path).suffix)}/"
        for inner in tree.files:
            if inner.suffix in ARCHIVES:
                ignored.append(Ignored(path=f"{file.path}/{inner.path}", why=reason("archive-in-archive")))
            else:
                kept.append(inner.at(f"{folder}{inner.path}"))
        ignored += [Ignored(path=f"{file.path}/{each.path}", why=each.why) for each in tree.ignored]
    return tuple(kept), tuple(ignored)


def _opened(file: ArchiveFile, zone: tzinfo, limits: ArchiveLimits) -> Tree:
    """The files of the archive ``file``, read into memory. Raises: ``_RefusedError``."""
    try:
        data = file.read(limits.nested_file_bytes)
    except TooLargeError as error:
        why = reason("archive-too-large", limit=limits.nested_file_bytes // MIB)
        raise _RefusedError(why) from error
    except OSError as error:
        raise _RefusedError(reason("submission-unreadable", error=error.strerror)) from error
    found, ignored = (
        _of_zip(data, zone, limits) if file.suffix == _ZIP else _of_tar(data, file.suffix, limits)
    )
    tree = tree_of(file.name, found, ignored)
    # One level: what lies deeper may be what the lab's patterns name.
    return tree if tree.wrapper is None else replace(tree.below(tree.wrapper), ignored=tree.ignored)


def _of_zip(data: bytes, zone: tzinfo, limits: ArchiveLimits) -> tuple[list[ArchiveFile], list[Ignored]]:
    try:
        with opened_zip(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            size = sum(entry.file_size for entry in entries)
            if len(entries) > limits.nested_entries:
                raise _RefusedError(reason("too-many-entries", limit=limits.nested_entries))
            if size > _most_bytes(data, limits):
                raise _RefusedError(_unpacks_too_large(limits))
            found, ignored = files_of(archive, zone, Budget(limits))
            return [_in_memory(each, limits) for each in found], ignored
    except DamagedZipError as error:
        raise _RefusedError(reason("archive-damaged")) from error


def _of_tar(data: bytes, suffix: str, limits: ArchiveLimits) -> tuple[list[ArchiveFile], list[Ignored]]:
    try:
        return files_of_tar(
            data, suffix, most_bytes=_most_bytes(data, limits), most_entries=limits.nested_entries
        )
    except DamagedTarError as error:
        raise _RefusedError(reason("tar-damaged")) from error
    except TooLargeError as error:
        raise _RefusedError(_unpacks_too_large(limits)) from error


def _most_bytes(data: bytes, limits: ArchiveLimits) -> int:
    return min(limits.nested_bytes, limits.ratio * max(len(data), MIB))


def _unpacks_too_large(limits: ArchiveLimits) -> Reason:
    return reason("archive-unpacks-too-large", limit=limits.nested_bytes // MIB)


def _in_memory(file: ArchiveFile, limits: ArchiveLimits) -> ArchiveFile:
    """``file`` with its bytes, because its archive closes. What cannot be read says so when it is asked for."""
    try:
        data = file.read(limits.nested_file_bytes)
    except (TooLargeError, OSError) as error:
        return replace(file, read=partial(_fail, error))
    return bytes_file(file.path, data, file)


def _fail(error: Exception, _at_most: int) -> bytes:
    raise error


def bytes_file(path: str, data: bytes, like: ArchiveFile) -> ArchiveFile:
    """A file with these bytes and the time of ``like``."""

    def read(at_most: int) -> bytes:
        if len(data) > at_most:
            raise TooLargeError
        return data

    return ArchiveFile(path=path, size=len(data), modified=like.modified, read=read)
