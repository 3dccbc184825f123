"""From the files that an archive has of a submission to those that intake reads: zips opened, texts as source files."""

from dataclasses import dataclass, replace
from datetime import tzinfo

from grader.intake.tree import TooLargeError
from grader.languages import by_suffix
from grader.lms.archives.html_text import language_of_text, text_of
from grader.lms.archives.limits import MIB, ArchiveLimits
from grader.lms.archives.nested import bytes_file, unpacked
from grader.lms.archives.received import Received
from grader.lms.archives.tree import ArchiveFile, Ignored
from grader.model.reason import Reason, reason

_MAX_TEXT = MIB


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpacked:
    """A submission with its source files, and what is no part of it."""

    received: Received
    ignored: tuple[Ignored, ...]


def unpack(received: Received, zone: tzinfo, limits: ArchiveLimits) -> Unpacked:
    """Open the zips in ``received``; a text counts if it holds a kernel and no source file came with it."""
    files, refused = unpacked(received.files, zone, limits)
    ignored = [replace(each, path=f"{received.path}/{each.path}") for each in refused]
    has_sources = any(file.suffix in by_suffix() for file in files)
    taken = list(files)
    for text in received.texts:
        source = reason("text-beside-files") if has_sources else _source(text)
        if isinstance(source, Reason):
            ignored.append(Ignored(path=f"{received.path}/{text.path}", why=source))
        else:
            taken.append(source)
    distinct = {file.path: file for file in taken}
    if len(distinct) < len(taken):
        # Systems that keep the student's names apart by a number may give two files one name again.
        ignored.append(Ignored(path=received.path, why=reason("entry-replaced")))
    return Unpacked(
        received=replace(received, files=tuple(distinct.values()), texts=()), ignored=tuple(ignored)
    )


def _source(text: ArchiveFile) -> ArchiveFile | Reason:
    """The source file that was typed, or why it is none."""
    try:
        page = text.read(_MAX_TEXT).decode("utf-8-sig", "replace")
    except TooLargeError:
        return reason("file-too-large", file=text.name, limit=_MAX_TEXT // 1024)
    except OSError as error:
        return reason("submission-unreadable", error=error.strerror)
    code = text_of(page)
    language = language_of_text(code)
    if language is None:
        marks = tuple(each.mark.decode() for each in by_suffix().values())
        return reason("text-without-kernel", marks=marks)
    return bytes_file(f"{text.name.partition('.')[0]}{language.suffix}", code.encode(), text)
