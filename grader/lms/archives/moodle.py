"""Moodle: "Download all submissions" of an assignment.

A participant's files lie below ``Full Name_12345_assignsubmission_file/``, or flat in
``Full Name_12345_assignsubmission_file_reduce.cu``; text typed online is ``onlinetext.html``. The number is that of the
participant in this assignment, as in the grading worksheet. Source: ``mod/assign/classes/downloader.php``.
"""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass

from grader.lms.archives.port import ArchiveFormat, Certainty, ReadContext, Recognition
from grader.lms.archives.received import OWN, Contents, ExternalId, Received, Submitter, time_of_files
from grader.lms.archives.tree import ArchiveFile, Ignored, Tree, visible
from grader.lms.words.phrases import Phrase, starts_with_phrase
from grader.model.reason import reason

_KEY = "moodle"
_TOP = re.compile(r"(?P<who>.+?)_assignsubmission_(?P<plugin>[a-z0-9]+)(?:_(?P<flat>.*))?", re.DOTALL)
_WHO = re.compile(r"(?P<name>.*)_(?P<id>\d+)", re.DOTALL)
_FILE, _TEXT = "file", "onlinetext"
_PAGES = frozenset({".html", ".htm"})
_BLIND_AT_LEAST = 3
"""So many participants of one name are not namesakes: the name is the language's word for a participant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParticipantFolder:
    """How a download names the work of one participant or team.

    ``number`` is that of the participant, or of the team; a team of those without a group has none. ``flat``: the
    folder's name stands before that of each file instead.
    """

    folder: str
    name: str
    number: str | None
    flat: bool = False

    def path(self, file: str) -> str:
        """Where ``file`` of this participant belongs."""
        return f"{self.folder}_{file}" if self.flat else f"{self.folder}/{file}"


def participant_folders(tree: Tree) -> tuple[ParticipantFolder, ...]:
    """The folders of a download, one for each participant or team, under the names that Moodle gave them."""
    whole = tree.without_wrapper(_TOP.fullmatch)
    found: dict[str, ParticipantFolder] = {}
    for top in whole.tops:
        match = _TOP.fullmatch(top)
        if match is not None:
            flat = top not in whole.folders
            who = _WHO.fullmatch(match["who"])
            folder = ParticipantFolder(
                folder=top[: match.end("plugin")] if flat else top,
                name=match["who"] if who is None else who["name"],
                number=None if who is None else who["id"],
                flat=flat,
            )
            found.setdefault(match["who"], folder)
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class _Entry:
    who: str
    plugin: str
    file: ArchiveFile


def recognise(tree: Tree) -> Recognition | None:
    """See ``ArchiveFormat.recognise``."""
    shown = next((top for top in tree.without_wrapper(_TOP.fullmatch).tops if _TOP.fullmatch(top)), None)
    if shown is None:
        return None
    return Recognition(certainty=Certainty.MARK, why=reason("archive-has-name", name=shown))


def read(tree: Tree, context: ReadContext) -> Contents:
    """See ``ArchiveFormat.read``."""
    del context
    whole = tree.without_wrapper(_TOP.fullmatch)
    by_participant: dict[str, list[_Entry]] = defaultdict(list)
    ignored = list(tree.ignored)
    for file in visible(whole.files):
        entry = _entry(file)
        if entry is None:
            ignored.append(Ignored(path=file.path, why=reason("entry-of-no-submission", system="Moodle")))
        elif entry.plugin == _TEXT and entry.file.suffix not in _PAGES:
            ignored.append(Ignored(path=file.path, why=reason("moodle-text-attachment")))
        elif entry.plugin not in {_FILE, _TEXT}:
            why = reason("moodle-plugin-ignored", plugin=entry.plugin)
            ignored.append(Ignored(path=file.path, why=why))
        else:
            by_participant[entry.who].append(entry)
    names = Counter(_WHO.sub(r"\g<name>", who) for who in by_participant)
    received = tuple(
        _received(who, entries, tree.name, names) for who, entries in sorted(by_participant.items())
    )
    return Contents(received=received, ignored=tuple(ignored))


def _entry(file: ArchiveFile) -> _Entry | None:
    match = _TOP.fullmatch(file.parts[0])
    if match is None:
        return None
    inside = "/".join(file.parts[1:])
    flat = match["flat"] or ""
    name = "/".join(part for part in (flat, inside) if part)
    return _Entry(match["who"], match["plugin"], file.at(name)) if name else None


def _received(who: str, entries: list[_Entry], assignment: str, names: Counter[str]) -> Received:
    files = tuple(entry.file for entry in entries if entry.plugin == _FILE)
    texts = tuple(entry.file for entry in entries if entry.plugin == _TEXT)
    at, source = time_of_files((*files, *texts))
    match = _WHO.fullmatch(who)
    name = who if match is None else match["name"]
    return Received(
        path=f"{who}_assignsubmission_file" if files else f"{who}_assignsubmission_onlinetext",
        # Teams without a group share one folder, which has no number.
        submitters=() if match is None else (_submitter(match, is_blind=_is_blind(name, names[name])),),
        group=name.replace("_", " ").strip() if match is None else "",
        files=files,
        texts=texts,
        assignment=assignment,
        submitted_at=at,
        time_source=source,
    )


def _is_blind(name: str, namesakes: int) -> bool:
    return namesakes >= _BLIND_AT_LEAST or starts_with_phrase(name, Phrase.PARTICIPANT) == ""


def _submitter(match: re.Match[str], *, is_blind: bool) -> Submitter:
    number = ExternalId(system=_KEY, value=match["id"])
    if is_blind:
        return Submitter(ids=(number,))
    # Moodle itself leaves no underscore in a name: one beside blanks ends a login that a site puts in front, and
    # underscores without blanks are an older release's.
    login, underscore, name = match["name"].partition("_")
    if underscore and " " in match["name"]:
        own = (ExternalId(system=_KEY, value=login), ExternalId(system=OWN, value=login))
        return Submitter(ids=(number, *own), name=name)
    return Submitter(ids=(number,), name=match["name"].replace("_", " "))


MOODLE = ArchiveFormat(key=_KEY, label="Moodle", recognise=recognise, read=read)
