"""Brightspace: "Download" of an assignment's submissions, a folder for each submission.

``<user>-<folder> - <Name> - <Month> <Day>, <Year> <Time>``, with the date in the language of the person who downloads.
"""

import re
from collections import defaultdict

from grader.lms.archives.port import ArchiveFormat, Certainty, ReadContext, Recognition
from grader.lms.archives.prose_dates import prose_time
from grader.lms.archives.received import (
    OWN,
    Contents,
    ExternalId,
    Received,
    Submitter,
    TimeSource,
    time_of_files,
)
from grader.lms.archives.tree import ArchiveFile, Ignored, Tree, visible
from grader.model.reason import reason

_KEY = "brightspace"
_FOLDER = re.compile(r"(?P<user>\w+)-(?P<folder>\d+) - (?P<name>.+) - (?P<date>[^-]*\d{4}.*)")
_INDEX = "index.html"


def recognise(tree: Tree) -> Recognition | None:
    """See ``ArchiveFormat.recognise``."""
    whole = tree.without_wrapper(_FOLDER.fullmatch)
    shown = next((top for top in whole.folders if _FOLDER.fullmatch(top)), None)
    if shown is None:
        return None
    return Recognition(certainty=Certainty.MARK, why=reason("archive-has-name", name=shown))


def read(tree: Tree, context: ReadContext) -> Contents:
    """See ``ArchiveFormat.read``."""
    whole = tree.without_wrapper(_FOLDER.fullmatch)
    folders = {top: match for top in whole.folders if (match := _FOLDER.fullmatch(top)) is not None}
    files: dict[re.Match[str], list[ArchiveFile]] = defaultdict(list)
    ignored = list(tree.ignored)
    for file in visible(whole.files):
        top, _, inside = file.path.partition("/")
        if inside and top in folders:
            files[folders[top]].append(file.at(inside))
        else:
            is_index = file.path == _INDEX
            why = (
                reason("brightspace-index")
                if is_index
                else reason("entry-of-no-submission", system="Brightspace")
            )
            ignored.append(Ignored(path=file.path, why=why))
    received = [_received(folder, tuple(own), context, whole.name) for folder, own in files.items()]
    return Contents(received=tuple(received), ignored=tuple(ignored))


def _received(
    folder: re.Match[str], files: tuple[ArchiveFile, ...], context: ReadContext, assignment: str
) -> Received:
    at = prose_time(folder["date"], context.zone)
    source = TimeSource.LOCAL
    if at is None:
        at, source = time_of_files(files)
    ids = (ExternalId(system=_KEY, value=folder["user"]), ExternalId(system=OWN, value=folder["user"]))
    return Received(
        path=folder[0],
        submitters=(Submitter(ids=ids, name=folder["name"]),),
        files=files,
        key=f"{folder['folder']} {folder['date']}",
        assignment=assignment,
        submitted_at=at,
        time_source=source,
    )


BRIGHTSPACE = ArchiveFormat(key=_KEY, label="Brightspace", recognise=recognise, read=read)
