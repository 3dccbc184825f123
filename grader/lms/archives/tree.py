"""The files of an archive or a folder, with safe relative names; nothing is read before it is asked for."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Self

from grader.model.reason import Reason, reason

GIT = ".git"
"""The folder with the history of a checkout."""

_SYSTEM_FILES = frozenset({"__macosx", "__pycache__", "thumbs.db", "desktop.ini", "ehthumbs.db"})
"""What operating systems and Python leave behind, in lower case; so are hidden files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveFile:
    """A regular file. ``path`` is relative, POSIX, without ``..``; ``modified`` has a time zone.

    ``read`` gives its bytes. It takes the most bytes that are wanted. Raises: ``TooLargeError`` for more, ``OSError``
    for what is damaged.
    """

    path: str
    size: int
    modified: datetime | None
    read: Callable[[int], bytes] = field(repr=False, compare=False)

    @property
    def parts(self) -> tuple[str, ...]:
        """The folders and the name."""
        return tuple(self.path.split("/"))

    @property
    def name(self) -> str:
        """The name without folders."""
        return self.parts[-1]

    @property
    def stem(self) -> str:
        """The name without its suffix."""
        return PurePosixPath(self.path).stem

    @property
    def suffix(self) -> str:
        """The suffix in lower case, with its dot."""
        return PurePosixPath(self.path).suffix.lower()

    def at(self, path: str) -> Self:
        """The same file under another name."""
        return replace(self, path=path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """An entry that is no part of a submission, and why."""

    path: str
    why: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """The files of an archive or a folder, by path. ``name`` is its own name, without a suffix."""

    name: str
    files: tuple[ArchiveFile, ...]
    ignored: tuple[Ignored, ...] = ()

    @property
    def tops(self) -> tuple[str, ...]:
        """The names on the first level, sorted."""
        return tuple(sorted({file.parts[0] for file in self.files}))

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders on the first level, sorted."""
        return tuple(sorted({file.parts[0] for file in self.files if len(file.parts) > 1}))

    @property
    def wrapper(self) -> str | None:
        """The folder that holds everything, if there is one."""
        only = self.tops
        return only[0] if len(only) == 1 and self.folders == only else None

    def below(self, folder: str) -> "Tree":
        """The files below ``folder``, with names relative to it."""
        start = f"{folder}/"
        inside = (
            file.at(file.path.removeprefix(start)) for file in self.files if file.path.startswith(start)
        )
        return Tree(name=folder.rpartition("/")[2], files=tuple(inside))

    def without_wrapper(self, belongs: Callable[[str], object] = lambda _: False) -> "Tree":
        """This tree, or what lies in its only folder if there is nothing beside it, and so on inwards.

        A folder with a name that ``belongs`` to the export wraps nothing: it is the only submission.
        """
        if self.wrapper is None or belongs(self.wrapper):
            return self
        return replace(self.below(self.wrapper), ignored=self.ignored).without_wrapper(belongs)


def tree_of(name: str, files: Iterable[ArchiveFile], ignored: Iterable[Ignored]) -> Tree:
    """A tree of what came out of an archive: clutter and names that come twice are set aside."""
    kept: dict[str, ArchiveFile] = {}
    aside = list(ignored)
    for file in files:
        if (why := _clutter(file.parts)) is not None:
            aside.append(Ignored(path=file.path, why=why))
            continue
        if file.path in kept:
            # As every unpacker does, the later entry wins.
            aside.append(Ignored(path=file.path, why=reason("entry-replaced")))
        kept[file.path] = file
    ordered = tuple(kept[path] for path in sorted(kept))
    return Tree(name=name, files=ordered, ignored=tuple(aside))


def visible(files: Iterable[ArchiveFile]) -> Iterator[ArchiveFile]:
    """``files`` without the history of a checkout."""
    return (file for file in files if GIT not in file.parts)


def _clutter(parts: tuple[str, ...]) -> Reason | None:
    if GIT in parts:
        return None
    for part in parts:
        if part.startswith("._") or part.lower() in _SYSTEM_FILES:
            return reason("entry-of-operating-system")
        if part.startswith("."):
            return reason("entry-hidden")
    return None
