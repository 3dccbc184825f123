"""Canvas: "Download Submissions" of an assignment, a zip without folders.

A file is ``NAME[_LATE]_USER_ATTACHMENT_FILE``, with the name in lower case and without blanks; a text entry is
``NAME[_LATE]_USER_text.html``, a web address ``NAME[_LATE]_USER_link.html``. Source: ``lib/content_zipper.rb``.
"""

import re
from collections import defaultdict
from dataclasses import dataclass

from grader.lms.archives.canvas_names import Uploads, attempts_of
from grader.lms.archives.port import ArchiveFormat, Certainty, ReadContext, Recognition
from grader.lms.archives.received import Contents, ExternalId, Received, Submitter, time_of_files
from grader.lms.archives.tree import ArchiveFile, Ignored, Tree
from grader.model.reason import reason

_KEY = "canvas"
_FORMS = tuple(
    re.compile(form, re.DOTALL)
    for form in (
        r"(?:(?P<late>LATE)_)?(?P<name>)(?P<user>anon_[A-Za-z0-9]+)_(?P<attachment>\d+)_(?P<file>.+)",
        r"(?:(?P<late>LATE)_)?(?P<name>)(?P<user>anon_[A-Za-z0-9]+)_(?P<attachment>)(?P<file>(?:text|link)\.html)",
        r"(?P<name>.*?)_(?:(?P<late>LATE)_)?(?P<user>\d+)_(?P<attachment>\d+)_(?P<file>.+)",
        r"(?P<name>.*?)_(?:(?P<late>LATE)_)?(?P<user>\d+)_(?P<attachment>)(?P<file>(?:text|link)\.html)",
    )
)
_LINK = "link.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Upload:
    name: str
    user: str
    is_late: bool
    attachment: int | None
    file: ArchiveFile


def recognise(tree: Tree) -> Recognition | None:
    """See ``ArchiveFormat.recognise``."""
    whole = tree.without_wrapper()
    fitting = [file.path for file in whole.files if _upload(file) is not None]
    if not fitting or len(fitting) * 2 < len(whole.files):
        return None
    return Recognition(certainty=Certainty.NAMES, why=reason("archive-has-name", name=fitting[0]))


def read(tree: Tree, context: ReadContext) -> Contents:
    """See ``ArchiveFormat.read``."""
    del context
    by_user: dict[str, list[_Upload]] = defaultdict(list)
    ignored = list(tree.ignored)
    for file in tree.without_wrapper().files:
        upload = _upload(file)
        if upload is None:
            ignored.append(Ignored(path=file.path, why=reason("entry-of-no-submission", system="Canvas")))
        elif upload.attachment is None and upload.file.path == _LINK:
            ignored.append(Ignored(path=file.path, why=reason("canvas-link-ignored")))
        else:
            by_user[upload.user].append(upload)
    received = [
        attempt for _, uploads in sorted(by_user.items()) for attempt in _attempts(uploads, tree.name)
    ]
    return Contents(received=tuple(received), ignored=tuple(ignored))


def _upload(file: ArchiveFile) -> _Upload | None:
    match = next((found for form in _FORMS if (found := form.fullmatch(file.path))), None)
    if match is None or len(file.parts) > 1:
        return None
    return _Upload(
        name=match["name"],
        user=match["user"],
        is_late=match["late"] is not None,
        attachment=int(match["attachment"]) if match["attachment"] else None,
        file=file.at(match["file"]),
    )


def _attempts(uploads: list[_Upload], assignment: str) -> list[Received]:
    """The submissions of one user, the oldest first."""
    texts = tuple(each.file for each in uploads if each.attachment is None)
    numbered = {each.attachment: each.file for each in uploads if each.attachment is not None}
    ordered = tuple(numbered[number] for number in sorted(numbered))
    if not ordered:
        return [_received(uploads, Uploads(number=1, files=()), texts, assignment)]
    return [_received(uploads, each, texts, assignment) for each in attempts_of(ordered)]


def _received(
    uploads: list[_Upload], attempt: Uploads, texts: tuple[ArchiveFile, ...], assignment: str
) -> Received:
    first = uploads[0]
    at, source = time_of_files((*attempt.files, *texts))
    return Received(
        path="_".join(part for part in (first.name, first.user) if part),
        submitters=(Submitter(ids=(ExternalId(system=_KEY, value=first.user),), name=first.name),),
        files=attempt.files,
        texts=texts,
        number=attempt.number,
        late=any(each.is_late for each in uploads),
        assignment=assignment,
        submitted_at=at,
        time_source=source,
    )


CANVAS = ArchiveFormat(key=_KEY, label="Canvas", recognise=recognise, read=read)
