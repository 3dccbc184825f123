"""Read untrusted folders: no link is followed, and only regular files are opened.

Every step uses the descriptor of the parent folder. So a folder that is replaced by a link during the walk is not
followed, and no depth makes a path too long.
"""

import errno
import os
import stat
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import Enum, auto
from itertools import islice
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Protocol, Self


class Kind(Enum):
    """The kind of a directory entry."""

    FILE = auto()
    FOLDER = auto()
    LINK = auto()
    SPECIAL = auto()


@dataclass(frozen=True, slots=True)
class Entry:
    """A directory entry; bytes of its name that are not UTF-8 are kept by ``surrogateescape``."""

    name: str
    kind: Kind

    @property
    def suffix(self) -> str:
        """The suffix in lower case, with its dot; empty if there is none."""
        return PurePosixPath(self.name).suffix.lower()

    @property
    def stem(self) -> str:
        """The name without its suffix."""
        return PurePosixPath(self.name).stem


_CLUTTER = frozenset({"__pycache__", "__macosx", "thumbs.db", "desktop.ini"})
"""Files that Python, archivers and file managers create, in lower case; hidden files are ignored anyway."""


class TooLargeError(Exception):
    """A file has more bytes than the reader allows."""


class SourceTree(Protocol):
    """A folder of readable files: on disk, or inside an archive. Every method may raise ``OSError``."""

    def folder(self, name: str) -> "AbstractContextManager[SourceTree]":
        """The subfolder called ``name``."""

    def entries(self, at_most: int | None = None) -> list[Entry]:
        """The entries sorted by name, without hidden files and clutter; only the first ``at_most`` found."""

    def modified(self, name: str) -> int:
        """When the entry ``name`` was last written, in nanoseconds."""

    def read(self, name: str, at_most: int) -> bytes:
        """The bytes of the file ``name``. Raises: ``TooLargeError`` above ``at_most`` bytes."""


class Folder:
    """An open folder. Use as a context manager. Every method may raise ``OSError``."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def at(cls, path: Path) -> Self:
        """The folder at a path given by the user; links in that path are followed."""
        return cls(os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)

    def folder(self, name: str) -> "Folder":
        """The subfolder called ``name``; a link raises ``OSError``."""
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        return Folder(os.open(name, flags, dir_fd=self._descriptor))

    def entries(self, at_most: int | None = None) -> list[Entry]:
        """The entries sorted by name, without hidden files and clutter; only the first ``at_most`` found."""
        with os.scandir(self._descriptor) as found:
            seen = (Entry(entry.name, _kind(entry)) for entry in found if not is_clutter(entry.name))
            return sorted(islice(seen, at_most), key=lambda entry: os.fsencode(entry.name))

    def everything(self) -> list[Entry]:
        """The entries sorted by name, hidden files and clutter included."""
        with os.scandir(self._descriptor) as found:
            return sorted((Entry(entry.name, _kind(entry)) for entry in found), key=lambda entry: entry.name)

    def modified(self, name: str) -> int:
        """When the entry ``name`` was last written, in nanoseconds: a link itself, not its target."""
        inner, slash, rest = name.partition("/")
        if slash:
            with self.folder(inner) as folder:
                return folder.modified(rest)
        return os.stat(name, dir_fd=self._descriptor, follow_symlinks=False).st_mtime_ns

    def size(self, name: str) -> int:
        """The size of the entry ``name`` in bytes."""
        return os.stat(name, dir_fd=self._descriptor, follow_symlinks=False).st_size

    def read(self, name: str, at_most: int) -> bytes:
        """The bytes of the regular file ``name``, which may lie folders down (``inner/a.cu``).

        Raises: ``TooLargeError`` above ``at_most`` bytes; ``OSError`` for anything but a regular file.
        """
        inner, slash, rest = name.partition("/")
        if slash:
            with self.folder(inner) as folder:
                return folder.read(rest, at_most)
        # O_NONBLOCK: opening a FIFO must not wait for a writer.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(name, flags, dir_fd=self._descriptor)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise OSError(errno.EINVAL, "not a regular file")
            if status.st_size > at_most:
                raise TooLargeError
            data = file.read(at_most + 1)
        # The file may have grown since, and some file systems report no size.
        if len(data) > at_most:
            raise TooLargeError
        return data


def _kind(entry: os.DirEntry[str]) -> Kind:
    if entry.is_symlink():
        return Kind.LINK
    if entry.is_dir(follow_symlinks=False):
        return Kind.FOLDER
    return Kind.FILE if entry.is_file(follow_symlinks=False) else Kind.SPECIAL


def is_clutter(name: str) -> bool:
    """Whether a file or folder of this name belongs to no submission."""
    return name.startswith(".") or name.lower() in _CLUTTER
