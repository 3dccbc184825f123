"""A folder of files from an archive instead of a disk."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import islice

from grader.intake.tree import Entry, Kind, SourceTree, is_clutter


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """A file: ``read`` takes the most bytes that are wanted and raises as ``SourceTree.read`` does."""

    read: Callable[[int], bytes]
    modified: int = 0


@dataclass(frozen=True, slots=True)
class MemoryTree:
    """``SourceTree`` over files by path (``inner/a.cu``)."""

    files: Mapping[str, MemoryFile]

    def folder(self, name: str) -> AbstractContextManager[SourceTree]:
        """See ``SourceTree.folder``."""
        start = f"{name}/"
        inside = {
            path.removeprefix(start): file for path, file in self.files.items() if path.startswith(start)
        }
        return nullcontext(MemoryTree(inside))

    def entries(self, at_most: int | None = None) -> list[Entry]:
        """See ``SourceTree.entries``."""
        found: dict[str, Kind] = {}
        for path in self.files:
            name, slash, _ = path.partition("/")
            if not is_clutter(name):
                found[name] = Kind.FOLDER if slash else Kind.FILE
        return [Entry(name, found[name]) for name in islice(sorted(found), at_most)]

    def modified(self, name: str) -> int:
        """See ``SourceTree.modified``; for a folder, when its newest file was written."""
        start = f"{name}/"
        return max(
            file.modified for path, file in self.files.items() if path == name or path.startswith(start)
        )

    def read(self, name: str, at_most: int) -> bytes:
        """See ``SourceTree.read``."""
        return self.files[name].read(at_most)
