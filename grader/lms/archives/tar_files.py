"""Read tar files from strangers, also compressed ones: no entry is trusted, and nothing is written."""

import bz2
import io
import lzma
import tarfile
import zlib
from collections.abc import Callable
from datetime import UTC, datetime

from grader.intake.tree import TooLargeError
from grader.lms.archives.entry_names import inner_path
from grader.lms.archives.limits import MIB
from grader.lms.archives.tree import ArchiveFile, Ignored
from grader.model.reason import reason
from grader.model.text import printable

_GZIP = zlib.MAX_WBITS + 16
_LZMA_MEMORY = 128 * MIB
_DAMAGE = (tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, ValueError, OverflowError, OSError)


class DamagedTarError(Exception):
    """The file is no tar, or not a whole one."""


_UNPACK: dict[str, Callable[[bytes, int], bytes]] = {
    ".tar": lambda data, most: data[:most],
    ".gz": lambda data, most: zlib.decompressobj(_GZIP).decompress(data, most),
    ".bz2": lambda data, most: bz2.BZ2Decompressor().decompress(data, most),
    ".xz": lambda data, most: lzma.LZMADecompressor(memlimit=_LZMA_MEMORY).decompress(data, most),
}
_UNPACK[".tgz"] = _UNPACK[".gz"]

SUFFIXES = frozenset(_UNPACK)
"""The suffixes of files that are tar files."""


def files_of_tar(
    data: bytes, suffix: str, *, most_bytes: int, most_entries: int
) -> tuple[list[ArchiveFile], list[Ignored]]:
    """The regular files of a tar with this ``suffix``, in memory, and what is refused.

    Raises: ``DamagedTarError``; ``TooLargeError`` for more than ``most_bytes`` unpacked, or more than ``most_entries``.
    """
    try:
        whole = _UNPACK[suffix](data, most_bytes + 1)
        if len(whole) > most_bytes:
            raise TooLargeError
        with tarfile.open(fileobj=io.BytesIO(whole), mode="r:") as archive:
            return _files(archive, most_entries)
    except _DAMAGE as error:
        raise DamagedTarError from error


def _files(archive: tarfile.TarFile, most_entries: int) -> tuple[list[ArchiveFile], list[Ignored]]:
    files: list[ArchiveFile] = []
    ignored: list[Ignored] = []
    for count, entry in enumerate(archive, start=1):
        if count > most_entries:
            raise TooLargeError
        path = inner_path(entry.name)
        if entry.isdir():
            continue
        if path is None:
            ignored.append(Ignored(path=printable(entry.name), why=reason("entry-leads-outside")))
        elif entry.issym() or entry.islnk():
            ignored.append(Ignored(path=printable(path), why=reason("entry-is-link")))
        elif not entry.isreg() or entry.issparse():
            ignored.append(Ignored(path=printable(path), why=reason("entry-is-special")))
        else:
            stream = archive.extractfile(entry)
            files.append(_file(printable(path), b"" if stream is None else stream.read(), entry.mtime))
    return files, ignored


def _file(path: str, data: bytes, modified: float) -> ArchiveFile:
    def read(at_most: int) -> bytes:
        if len(data) > at_most:
            raise TooLargeError
        return data

    try:
        at = datetime.fromtimestamp(modified, UTC)
    except (ValueError, OverflowError, OSError):
        at = None
    return ArchiveFile(path=path, size=len(data), modified=at, read=read)
