"""Read what a course downloaded: open it, recognise its system, and give its submissions with their source files."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader.lms.archives.limits import ArchiveLimits
from grader.lms.archives.open_tree import open_tree
from grader.lms.archives.port import ArchiveFormat, Certainty, ReadContext, Recognition
from grader.lms.archives.received import Contents, Received
from grader.lms.archives.registry import named, recognised
from grader.lms.archives.submitted_files import unpack
from grader.lms.archives.tree import Ignored
from grader.model.reason import reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """The contents of an archive, and the format that it has."""

    format: ArchiveFormat
    recognition: Recognition
    contents: Contents


@contextmanager
def read_archive(path: Path, context: ReadContext, system: str | None = None) -> Iterator[Archive]:
    """Context manager: the contents of the archive or folder at ``path``; its files can be read until it ends.

    ``system`` is the format, if it must not be recognised. Raises: ``UserError``.
    """
    limits = ArchiveLimits()
    with open_tree(path, context.zone, limits) as tree:
        if system is None:
            chosen, recognition = recognised(tree)
        else:
            chosen = named(system)
            recognition = Recognition(certainty=Certainty.MARK, why=reason("archive-as-asked"))
        contents = chosen.read(tree, context)
        received: list[Received] = []
        ignored: list[Ignored] = list(contents.ignored)
        for each in contents.received:
            done = unpack(each, context.zone, limits)
            received.append(done.received)
            ignored += done.ignored
        yield Archive(
            format=chosen,
            recognition=recognition,
            contents=Contents(received=tuple(received), ignored=tuple(ignored)),
        )
