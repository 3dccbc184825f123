"""Names that Canvas changed: it appends ``-1`` to the name of a file that the student has submitted before."""

import re
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import PurePosixPath

from grader.intake.tree import TooLargeError
from grader.lms.archives.tree import ArchiveFile

_AGAIN = re.compile(r"(?P<stem>.+)-(?P<count>[1-9]\d?)")
_MAX_READ = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Uploads:
    """The files of one attempt under the names that the student gave, and its number."""

    number: int
    files: tuple[ArchiveFile, ...]


@dataclass(frozen=True, slots=True)
class _Named:
    first: str
    count: int
    file: ArchiveFile


def attempts_of(files: Collection[ArchiveFile]) -> tuple[Uploads, ...]:
    """The attempts in the ``files`` of one user, which are in the order of their uploads; the oldest first.

    An export has one attempt. In several that were unpacked together, an attempt has the newest copy of each name.
    """
    included = b"\n".join(map(_content, files))
    named = [_named(file, included) for file in files]
    counts = defaultdict(set)
    for each in named:
        counts[each.first].add(each.count)
    repeated = set().union(*(found for found in counts.values() if len(found) > 1))
    return tuple(
        _attempt([each for each in named if each.count <= last])
        for last in sorted(repeated or {max(each.count for each in named)})
    )


def _attempt(named: Collection[_Named]) -> Uploads:
    newest = {each.first: each for each in sorted(named, key=lambda each: each.count)}
    return Uploads(
        number=1 + max(each.count for each in newest.values()),
        files=tuple(each.file.at(each.first) for each in newest.values()),
    )


def _named(file: ArchiveFile, included: bytes) -> _Named:
    """``file`` without its number, unless another file includes it with the number."""
    name = PurePosixPath(file.path)
    match = _AGAIN.fullmatch(name.stem)
    if match is None or f'"{file.path}"'.encode() in included:
        return _Named(file.path, 0, file)
    return _Named(f"{match['stem']}{name.suffix}", int(match["count"]), file)


def _content(file: ArchiveFile) -> bytes:
    try:
        return file.read(_MAX_READ)
    except (TooLargeError, OSError):
        return b""
