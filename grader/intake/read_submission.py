"""Read one student's file or folder as a ``Submission``, or reject it with a reason."""

import os
import unicodedata
from contextlib import suppress
from dataclasses import dataclass

from grader.config.settings import LimitSettings
from grader.intake.names import shown
from grader.intake.result import Rejected
from grader.intake.rule import FileRule
from grader.intake.tree import Entry, Kind, SourceTree, TooLargeError
from grader.languages import DEFAULT, by_suffix, support
from grader.model.reason import Reason, reason
from grader.model.submission import Language, SourceFile, Submission
from grader.model.text import printable
from grader.model.verdict import Verdict

_MAX_DEPTH = 8
"""The most levels of folders in a submission."""

_MAX_ENTRIES = 2000
"""The most files and folders in one submission, sources or not."""

_REFUSED = {Kind.LINK: reason("submission-is-link"), Kind.SPECIAL: reason("submission-is-special")}
"""Why a submission of that kind is not opened."""

_IGNORED = {Kind.LINK: "link-ignored", Kind.SPECIAL: "special-file-ignored"}
"""The codes why a file of that kind is not opened."""

ARCHIVES = frozenset({".zip", ".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst"})
"""Suffixes of files that are never opened, because the size of their contents is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A file or folder that may be a student's submission; ``path`` is its path in messages."""

    student: str
    lab: str
    entry: Entry
    path: str

    @property
    def spelled(self) -> str:
        """The name as the file system has it, composed (NFC); ``student`` is what reports show of it."""
        return unicodedata.normalize("NFC", self.named)

    @property
    def named(self) -> str:
        """The part of the file's or folder's name that names the student."""
        return self.entry.name if self.entry.kind is Kind.FOLDER else self.entry.stem

    @property
    def language(self) -> Language:
        """The language of the suffix; the default one if there is none."""
        found = by_suffix().get(self.entry.suffix)
        return DEFAULT if found is None else found.key

    def rejected(self, verdict: Verdict, why: Reason) -> Rejected:
        """The rejection of this candidate."""
        return Rejected(
            student=self.student,
            lab=self.lab,
            language=self.language,
            path=self.path,
            reason=why,
            verdict=verdict,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionResult:
    """A submission or its rejection, and warnings about files that were ignored."""

    result: Submission | Rejected
    ignored: tuple[Reason, ...] = ()


class RejectedError(Exception):
    """The submission is rejected with this verdict and reason."""

    def __init__(self, verdict: Verdict, why: Reason) -> None:
        self.verdict = verdict
        self.reason = why
        super().__init__(why.code)


def read_submission(
    candidate: Candidate, folder: SourceTree, limits: LimitSettings, rule: FileRule
) -> SubmissionResult:
    """Read the file or folder of ``candidate``; ``folder`` is its open parent folder."""
    if candidate.entry.kind in _REFUSED:
        refused = candidate.rejected(Verdict.FAILED_TO_BUILD, _REFUSED[candidate.entry.kind])
        return SubmissionResult(result=refused)
    try:
        if candidate.entry.kind is Kind.FOLDER:
            with folder.folder(candidate.entry.name) as own:
                return _from_folder(candidate, own, limits, rule)
        return _from_file(candidate, folder, limits, rule)
    except RejectedError as error:
        return SubmissionResult(result=candidate.rejected(error.verdict, error.reason))
    except OSError as error:
        why = reason("submission-unreadable", error=error.strerror)
        return SubmissionResult(result=candidate.rejected(Verdict.NOT_GRADABLE, why))


def why_ignored(entry: Entry, path: str, otherwise: str) -> Reason:
    """Why ``entry`` is ignored, which ``path`` leads to; ``otherwise`` is the code for a file that could be opened."""
    code = _IGNORED.get(entry.kind) or ("archive-ignored" if entry.suffix in ARCHIVES else otherwise)
    return reason(code, path=path)


def _submission(candidate: Candidate, language: Language, files: tuple[SourceFile, ...]) -> Submission:
    return Submission(
        student=candidate.student, lab=candidate.lab, language=language, files=files, path=candidate.path
    )


def _from_file(
    candidate: Candidate, folder: SourceTree, limits: LimitSettings, rule: FileRule
) -> SubmissionResult:
    if not rule.takes_alone(candidate.entry):
        raise RejectedError(Verdict.FAILED_TO_BUILD, reason("file-not-taken", patterns=rule.patterns))
    files = _read(folder, [candidate.entry.name], limits)
    return SubmissionResult(result=_submission(candidate, candidate.language, files))


def _from_folder(
    candidate: Candidate, folder: SourceTree, limits: LimitSettings, rule: FileRule
) -> SubmissionResult:
    entries = walk(folder)
    language, sources = _sources(folder, entries, limits, rule)
    known = support(language)
    taken = {entry.name for entry in sources}
    for entry in entries:
        is_host_code = rule.host_code and entry.suffix in known.host_suffixes and rule.takes(entry.name)
        if entry.kind is Kind.FILE and (is_host_code or entry.suffix in known.header_suffixes):
            taken.add(entry.name)
    names = [entry.name for entry in entries if entry.name in taken]
    ignored = tuple(
        why_ignored(entry, f"{candidate.path}/{printable(entry.name)}", "file-of-no-submission")
        for entry in entries
        if entry.name not in taken and _is_worth_a_warning(entry, rule)
    )
    files = _read(folder, names, limits)
    return SubmissionResult(result=_submission(candidate, language, files), ignored=ignored)


def _is_worth_a_warning(entry: Entry, rule: FileRule) -> bool:
    """Whether to name an ignored file: where a rule says what belongs, only sources and what is never opened."""
    return not rule.patterns or entry.kind in _IGNORED or entry.suffix in by_suffix()


def _sources(
    folder: SourceTree, entries: list[Entry], limits: LimitSettings, rule: FileRule
) -> tuple[Language, list[Entry]]:
    """The language of a folder, and its source files that ``rule`` takes."""
    found = [entry for entry in entries if entry.kind is Kind.FILE and entry.suffix in by_suffix()]
    sources = [entry for entry in found if rule.takes(entry.name)]
    if found and not sources:
        raise RejectedError(Verdict.FAILED_TO_BUILD, reason("no-file-taken", patterns=rule.patterns))
    languages = {by_suffix()[entry.suffix].key for entry in sources}
    if not languages:
        archives = shown(entry.name for entry in entries if entry.suffix in ARCHIVES)
        suffixes = tuple(by_suffix())
        why = (
            reason("only-archives", suffixes=suffixes, archives=archives)
            if archives
            else reason("no-kernel-file", suffixes=suffixes)
        )
        raise RejectedError(Verdict.FAILED_TO_BUILD, why)
    language = languages.pop() if len(languages) == 1 else _newest_language(folder, sources, limits)
    return language, [entry for entry in sources if by_suffix()[entry.suffix].key == language]


def _newest_language(folder: SourceTree, sources: list[Entry], limits: LimitSettings) -> Language:
    """The language of the newest file with a kernel, so that a plotting script beside a kernel decides nothing."""
    newest_first = sorted(sources, key=lambda entry: folder.modified(entry.name), reverse=True)
    for entry in newest_first[: limits.max_files]:
        language = by_suffix()[entry.suffix]
        with suppress(TooLargeError):
            if language.mark in folder.read(entry.name, limits.max_source_kib * 1024):
                return language.key
    return by_suffix()[newest_first[0].suffix].key


def walk(folder: SourceTree) -> list[Entry]:
    """Every file, link and special file below ``folder``, with relative names, sorted by name.

    Raises: ``RejectedError`` for too many of them, or folders nested too deep.
    """
    found: list[Entry] = []
    _gather(folder, "", 1, found)
    files = (entry for entry in found if entry.kind is not Kind.FOLDER)
    return sorted(files, key=lambda entry: os.fsencode(entry.name))


def _gather(folder: SourceTree, prefix: str, level: int, found: list[Entry]) -> None:
    if level > _MAX_DEPTH:
        raise RejectedError(Verdict.OVER_THE_LIMIT, reason("folders-too-deep", limit=_MAX_DEPTH))
    for entry in folder.entries(_MAX_ENTRIES + 1):
        found.append(Entry(f"{prefix}{entry.name}", entry.kind))
        if len(found) > _MAX_ENTRIES:
            raise RejectedError(Verdict.OVER_THE_LIMIT, reason("too-many-entries", limit=_MAX_ENTRIES))
        if entry.kind is Kind.FOLDER:
            with folder.folder(entry.name) as inner:
                _gather(inner, f"{prefix}{entry.name}/", level + 1, found)


def _read(folder: SourceTree, names: list[str], limits: LimitSettings) -> tuple[SourceFile, ...]:
    if len(names) > limits.max_files:
        why = reason("too-many-sources", count=len(names), limit=limits.max_files)
        raise RejectedError(Verdict.OVER_THE_LIMIT, why)
    files = []
    remaining_bytes = limits.max_source_kib * 1024
    for name in names:
        try:
            data = folder.read(name, remaining_bytes)
        except TooLargeError as error:
            file, limit = printable(name), limits.max_source_kib
            why = (
                reason("file-too-large", file=file, limit=limit)
                if len(names) == 1
                else reason("sources-too-large", file=file, limit=limit)
            )
            raise RejectedError(Verdict.OVER_THE_LIMIT, why) from error
        remaining_bytes -= len(data)
        files.append(SourceFile(name=printable(name), data=data))
    distinct = {file.name for file in files}
    if len(distinct) < len(files):
        raise RejectedError(
            Verdict.FAILED_TO_BUILD, reason("file-names-equal", files=shown(sorted(distinct)))
        )
    return tuple(files)
