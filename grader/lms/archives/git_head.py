"""The time of a checkout's newest commit, read from its ``.git`` folder.

No git runs: the configuration of a stranger's repository may name programs to start. What is needed is small: the
reference that ``HEAD`` names, and one commit object, loose or in a pack. Sources: gitformat-pack, gitrepository-layout.
"""

import re
import struct
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone

from grader.intake.tree import TooLargeError
from grader.lms.archives.tree import GIT, ArchiveFile, Tree

_MAX_TEXT = 1 << 20
_MAX_OBJECT = 1 << 20
_MAX_PACK = 64 << 20
_MAX_DELTAS = 50
_OBJECT_ID = re.compile(r"[0-9a-f]{40}")
_COMMITTER = re.compile(rb"^committer [^\n]*> (\d{1,12}) ([+-])(\d\d)(\d\d)$", re.MULTILINE)
_COMMIT, _OFS_DELTA, _REF_DELTA = 1, 6, 7


class _UnreadableError(Exception):
    """The history is damaged, or has a form that is not read here."""


def commit_time(checkout: Tree) -> datetime | None:
    """When the commit that is checked out was made, by the clock of its author; ``None`` if that cannot be read."""
    files = {file.path: file for file in checkout.files if file.parts[0] == GIT}
    try:
        commit = _object(files, _head(files))
        match = _COMMITTER.search(commit.partition(b"\n\n")[0])
        if match is None:
            return None
        east = timedelta(hours=int(match[3]), minutes=int(match[4])) * (1 if match[2] == b"+" else -1)
        return datetime.fromtimestamp(int(match[1]), UTC).astimezone(timezone(east))
    except (
        _UnreadableError,
        TooLargeError,
        zlib.error,
        struct.error,
        IndexError,
        ValueError,
        OverflowError,
        OSError,
    ):
        return None


def _head(files: Mapping[str, ArchiveFile]) -> str:
    """The id of the commit that is checked out."""
    head = _text(files, "HEAD")
    name = head.removeprefix("ref:").strip()
    if head.startswith("ref:"):
        head = _text(files, name) or _packed(files, name)
    if _OBJECT_ID.fullmatch(head.strip()) is None:
        raise _UnreadableError
    return head.strip()


def _packed(files: Mapping[str, ArchiveFile], name: str) -> str:
    for line in _text(files, "packed-refs").splitlines():
        own, _, reference = line.partition(" ")
        if reference == name:
            return own
    raise _UnreadableError


def _text(files: Mapping[str, ArchiveFile], name: str) -> str:
    file = files.get(f"{GIT}/{name}")
    return "" if file is None else file.read(_MAX_TEXT).decode("utf-8", "replace")


def _object(files: Mapping[str, ArchiveFile], own: str) -> bytes:
    """The content of the commit ``own``."""
    loose = files.get(f"{GIT}/objects/{own[:2]}/{own[2:]}")
    if loose is not None:
        head, _, content = _inflated(loose.read(_MAX_OBJECT)).partition(b"\0")
        if head.startswith(b"commit "):
            return content
        raise _UnreadableError
    for path, index in files.items():
        if path.startswith(f"{GIT}/objects/pack/") and path.endswith(".idx"):
            at = _offset(index.read(_MAX_PACK), bytes.fromhex(own))
            pack = files.get(path.removesuffix(".idx") + ".pack")
            if at is not None and pack is not None:
                kind, content = _packed_object(pack.read(_MAX_PACK), at, 0)
                if kind == _COMMIT:
                    return content
    raise _UnreadableError


def _offset(index: bytes, own: bytes) -> int | None:
    """Where the object ``own`` starts in the pack of a version 2 ``index``."""
    if index[:8] != b"\xfftOc\0\0\0\2":
        raise _UnreadableError
    fanout = struct.unpack_from(">256I", index, 8)
    count, names = fanout[255], 8 + 1024
    for at in range(fanout[own[0] - 1] if own[0] else 0, fanout[own[0]]):
        if index[names + 20 * at : names + 20 * (at + 1)] == own:
            (offset,) = struct.unpack_from(">I", index, names + 24 * count + 4 * at)
            if offset >> 31:
                raise _UnreadableError
            return int(offset)
    return None


def _packed_object(pack: bytes, at: int, depth: int) -> tuple[int, bytes]:
    """The type and the content of the object at ``at``; a delta is applied to its base."""
    if depth > _MAX_DELTAS:
        raise _UnreadableError
    start = at
    kind = pack[at] >> 4 & 7
    while pack[at] & 0x80:
        at += 1
    at += 1
    if kind != _OFS_DELTA:
        if kind == _REF_DELTA:
            raise _UnreadableError
        return kind, _inflated(pack[at:])
    back = pack[at] & 0x7F
    while pack[at] & 0x80:
        at += 1
        back = (back + 1) << 7 | pack[at] & 0x7F
    kind, base = _packed_object(pack, start - back if 0 < back <= start else len(pack), depth + 1)
    return kind, _applied(_inflated(pack[at + 1 :]), base)


def _applied(delta: bytes, base: bytes) -> bytes:
    """``base`` with the changes of ``delta``."""
    at = 0
    for _ in range(2):
        while delta[at] & 0x80:
            at += 1
        at += 1
    result = bytearray()
    while at < len(delta) and len(result) <= _MAX_OBJECT:
        command = delta[at]
        at += 1
        if command & 0x80:
            values = [0] * 7
            for bit in range(7):
                if command & 1 << bit:
                    values[bit] = delta[at]
                    at += 1
            offset = int.from_bytes(bytes(values[:4]), "little")
            size = int.from_bytes(bytes(values[4:]), "little") or 0x10000
            result += base[offset : offset + size]
        else:
            result += delta[at : at + command]
            at += command
    return bytes(result)


def _inflated(data: bytes) -> bytes:
    content = zlib.decompressobj().decompress(data, _MAX_OBJECT + 1)
    if len(content) > _MAX_OBJECT:
        raise _UnreadableError
    return content
