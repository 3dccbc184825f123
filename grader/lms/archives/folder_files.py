"""Read an unpacked export from a folder: no link is followed."""

import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from grader.errors import UserError
from grader.intake.tree import Folder, Kind
from grader.lms.archives.limits import ArchiveLimits
from grader.lms.archives.tree import ArchiveFile, Ignored
from grader.model.reason import reason
from grader.model.text import printable

_MAX_DEPTH = 40

_REFUSED = {Kind.LINK: reason("entry-is-link"), Kind.SPECIAL: reason("entry-is-special")}


def files_below(path: Path, limits: ArchiveLimits) -> tuple[list[ArchiveFile], list[Ignored]]:
    """The regular files below ``path``, and what is refused. Raises: ``UserError``, ``OSError``."""
    files: list[ArchiveFile] = []
    ignored: list[Ignored] = []
    with Folder.at(path) as folder:
        for each in _walk(folder, path, "", 0):
            if isinstance(each, Ignored):
                ignored.append(each)
            else:
                files.append(each)
            if len(files) + len(ignored) > limits.entries:
                msg = f"{path} holds more than {limits.entries} files."
                raise UserError(msg, hint="Name the folder of one assignment.")
    return files, ignored


def _walk(folder: Folder, root: Path, prefix: str, depth: int) -> Iterator[ArchiveFile | Ignored]:
    for entry in folder.everything():
        path = f"{prefix}{entry.name}"
        if entry.kind in _REFUSED:
            yield Ignored(path=_shown(path), why=_REFUSED[entry.kind])
        elif entry.kind is Kind.FILE:
            yield _file(folder, root, path, entry.name)
        elif depth >= _MAX_DEPTH:
            yield Ignored(path=_shown(path), why=reason("folders-too-deep", limit=_MAX_DEPTH))
        else:
            with folder.folder(entry.name) as inner:
                yield from _walk(inner, root, f"{path}/", depth + 1)


def _file(folder: Folder, root: Path, path: str, name: str) -> ArchiveFile:
    at = datetime.fromtimestamp(folder.modified(name) / 1e9, UTC)
    return ArchiveFile(
        path=_shown(path), size=folder.size(name), modified=at, read=partial(_read, root, path)
    )


def _read(root: Path, path: str, at_most: int) -> bytes:
    with Folder.at(root) as folder:
        return folder.read(path, at_most)


def _shown(path: str) -> str:
    """``path`` with composed letters, as zips have them; some systems unpack into decomposed ones."""
    return printable(unicodedata.normalize("NFC", path))
