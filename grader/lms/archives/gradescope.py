"""Gradescope: "Export Submissions" of a programming assignment.

``submission_metadata.yml`` lists each active submission with its submitters; ``submission_<id>/`` has its files. Keys
of the upper levels are Ruby symbols (``:name``). ``:history`` lists other submissions of the same people, without
files; one may be newer than the active one, which a student can choose.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import yaml

from grader.errors import UserError
from grader.intake.tree import TooLargeError
from grader.lms.archives.port import ArchiveFormat, Certainty, ReadContext, Recognition
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
from grader.model.reason import Reason, reason
from grader.model.text import printable

_KEY = "gradescope"
_METADATA = "submission_metadata.yml"
_FOLDER = re.compile(r"submission_\d+")
_MAX_METADATA = 64 << 20
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?")
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Every scalar stays text, so that an id keeps its zeros, and no tag makes an object."""


def recognise(tree: Tree) -> Recognition | None:
    """See ``ArchiveFormat.recognise``."""
    whole = tree.without_wrapper()
    if not any(file.path == _METADATA for file in whole.files):
        return None
    return Recognition(certainty=Certainty.MARK, why=reason("archive-has-name", name=_METADATA))


def read(tree: Tree, context: ReadContext) -> Contents:
    """See ``ArchiveFormat.read``."""
    whole = tree.without_wrapper()
    listed = _metadata(whole)
    files: dict[str, list[ArchiveFile]] = defaultdict(list)
    ignored = list(tree.ignored)
    for file in visible(whole.files):
        folder, _, inside = file.path.partition("/")
        if inside and folder in listed:
            files[folder].append(file.at(inside))
        elif file.path != _METADATA:
            ignored.append(Ignored(path=file.path, why=_why_unlisted(folder)))
    received = []
    for name, entry in listed.items():
        if not files[name]:
            ignored.append(Ignored(path=name, why=reason("gradescope-without-files")))
        elif not _submitters(entry):
            ignored.append(Ignored(path=name, why=reason("gradescope-without-submitters")))
        else:
            received.append(_received(name, entry, tuple(files[name]), context, tree.name))
    return Contents(received=tuple(received), ignored=tuple(ignored))


def _metadata(tree: Tree) -> Mapping[str, Mapping[str, Any]]:
    """What the file lists, by folder. Raises: ``UserError`` if it is damaged."""
    file = next((each for each in tree.files if each.path == _METADATA), None)
    try:
        if file is None:
            msg = f"{printable(tree.name)} has no {_METADATA}."
            raise UserError(msg, hint="Export the submissions again, with their metadata.")
        document = yaml.load(file.read(_MAX_METADATA), Loader=_LOADER)  # noqa: S506 - the base loader makes text only
    except (yaml.YAMLError, ValueError, RecursionError, TooLargeError, OSError) as error:
        msg = f"{_METADATA} in {printable(tree.name)} is damaged."
        raise UserError(msg, hint="Export the submissions again.") from error
    return {str(name): entry for name, entry in _table(document).items() if isinstance(entry, Mapping)}


def _received(
    name: str, entry: Mapping[str, Any], files: tuple[ArchiveFile, ...], context: ReadContext, assignment: str
) -> Received:
    submitters = _submitters(entry)
    at, source = _time(_field(entry, "created_at"), context)
    if at is None:
        at, source = time_of_files(files)
    history = [_time(_field(each, "created_at"), context)[0] for each in _list(_field(entry, "history"))]
    before = [each for each in history if each is not None and at is not None and each < at]
    return Received(
        path=name,
        submitters=submitters,
        group=", ".join(each.name for each in submitters) if len(submitters) > 1 else "",
        files=files,
        key=name,
        number=1 + len(before),
        assignment=assignment,
        submitted_at=at,
        time_source=source,
        notes=tuple(_notes(len(history), newer=len(history) - len(before))),
    )


def _why_unlisted(folder: str) -> Reason:
    if _FOLDER.fullmatch(folder):
        return reason("gradescope-not-listed")
    return reason("entry-of-no-submission", system="Gradescope")


def _notes(history: int, *, newer: int) -> Sequence[Reason]:
    notes = [reason("gradescope-history", count=history)] if history else []
    return [*notes, reason("gradescope-older-active", count=newer)] if newer else notes


def _submitters(entry: Mapping[str, Any]) -> tuple[Submitter, ...]:
    return tuple(
        Submitter(
            ids=tuple(
                ExternalId(system=system, value=sid) for system in (_KEY, OWN) if (sid := _text(each, "sid"))
            ),
            name=_text(each, "name"),
            email=_text(each, "email"),
        )
        for each in _list(_field(entry, "submitters"))
    )


def _time(value: object, context: ReadContext) -> tuple[datetime | None, TimeSource]:
    match = _TIME.fullmatch(str(value).strip())
    if match is None:
        return None, TimeSource.UNKNOWN
    try:
        at = datetime.fromisoformat(f"{match[1]}T{match[2]}{'+00:00' if match[3] == 'Z' else match[3] or ''}")
    except ValueError:
        return None, TimeSource.UNKNOWN
    if at.tzinfo is None:
        return at.replace(tzinfo=context.zone), TimeSource.LOCAL
    return at.astimezone(UTC), TimeSource.STATED


def _field(entry: object, name: str) -> object:
    """The value under ``:name``, as Ruby writes it, or ``name``."""
    table = _table(entry)
    return table.get(f":{name}", table.get(name))


def _text(entry: object, name: str) -> str:
    value = _field(entry, name)
    return printable(value.strip()) if isinstance(value, str) and value not in {"~", "null"} else ""


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


GRADESCOPE = ArchiveFormat(key=_KEY, label="Gradescope", recognise=recognise, read=read)
