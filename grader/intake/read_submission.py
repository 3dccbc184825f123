"""Read one student's file or folder as a ``Submission``, or reject it with a reason."""

import os
from dataclasses import dataclass

from grader.config.settings import LimitSettings
from grader.intake.names import listed
from grader.intake.result import Rejected
from grader.intake.tree import Entry, Folder, Kind, TooLargeError
from grader.model.submission import HEADER_SUFFIXES, LANGUAGE_OF_SUFFIX, Language, SourceFile, Submission
from grader.model.text import printable
from grader.model.verdict import Verdict

_MAX_DEPTH = 8
"""The most levels of folders in a submission."""

_MAX_ENTRIES = 2000
"""The most files and folders in one submission, sources or not."""

_TITLES = {Language.CUDA_C: "CUDA C", Language.NUMBA: "Numba"}

NOT_OPENED = {
    Kind.LINK: "is a link, and links are not followed",
    Kind.SPECIAL: "is neither a file nor a folder",
}
"""Why an entry of that kind is not opened."""

ARCHIVES = frozenset({".zip", ".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst"})
"""Suffixes of files that are never opened, because the size of their contents is unknown."""

IS_ARCHIVE = "is an archive, and archives are not opened"
"""Why an archive is not opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A file or folder that may be a student's submission; ``path`` is its path in messages."""

    student: str
    lab: str
    entry: Entry
    path: str

    @property
    def language(self) -> Language:
        """The language of the suffix; CUDA C if there is none."""
        return LANGUAGE_OF_SUFFIX.get(self.entry.suffix, Language.CUDA_C)

    def rejected(self, verdict: Verdict, reason: str) -> Rejected:
        """The rejection of this candidate."""
        return Rejected(
            student=self.student,
            lab=self.lab,
            language=self.language,
            path=self.path,
            reason=reason,
            verdict=verdict,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionResult:
    """A submission or its rejection, and warnings about files that were ignored."""

    result: Submission | Rejected
    ignored: tuple[str, ...] = ()


class _RejectedError(Exception):
    def __init__(self, verdict: Verdict, reason: str) -> None:
        self.verdict = verdict
        self.reason = reason
        super().__init__(reason)


def read_submission(candidate: Candidate, folder: Folder, limits: LimitSettings) -> SubmissionResult:
    """Read the file or folder of ``candidate``; ``folder`` is its open parent folder."""
    if candidate.entry.kind in NOT_OPENED:
        reason = f"it {NOT_OPENED[candidate.entry.kind]}; submit the file itself"
        return SubmissionResult(result=candidate.rejected(Verdict.FAILED_TO_BUILD, reason))
    try:
        if candidate.entry.kind is Kind.FOLDER:
            with folder.folder(candidate.entry.name) as own:
                return _from_folder(candidate, own, limits)
        files = _read(folder, [candidate.entry.name], limits)
        return SubmissionResult(result=_submission(candidate, candidate.language, files))
    except _RejectedError as error:
        return SubmissionResult(result=candidate.rejected(error.verdict, error.reason))
    except OSError as error:
        reason = f"the grader cannot read it: {error.strerror}"
        return SubmissionResult(result=candidate.rejected(Verdict.NOT_GRADABLE, reason))


def why_ignored(entry: Entry, otherwise: str) -> str:
    """Why ``entry`` is ignored, as the rest of a sentence that begins with its name."""
    return NOT_OPENED.get(entry.kind) or (IS_ARCHIVE if entry.suffix in ARCHIVES else otherwise)


def _submission(candidate: Candidate, language: Language, files: tuple[SourceFile, ...]) -> Submission:
    return Submission(
        student=candidate.student, lab=candidate.lab, language=language, files=files, path=candidate.path
    )


def _from_folder(candidate: Candidate, folder: Folder, limits: LimitSettings) -> SubmissionResult:
    entries = _walk(folder)
    sources = [entry for entry in entries if entry.kind is Kind.FILE and entry.suffix in LANGUAGE_OF_SUFFIX]
    archives = [entry.name for entry in entries if entry.suffix in ARCHIVES]
    language = _one_language(sources, archives)
    wanted = {suffix for suffix, its in LANGUAGE_OF_SUFFIX.items() if its is language}
    if language is Language.CUDA_C:
        wanted |= HEADER_SUFFIXES
    names = [entry.name for entry in entries if entry.kind is Kind.FILE and entry.suffix in wanted]
    files = _read(folder, names, limits)
    taken = set(names)
    ignored = tuple(
        f"{candidate.path}/{printable(entry.name)} {why_ignored(entry, 'is not a source file of this submission')}"
        for entry in entries
        if entry.name not in taken
    )
    return SubmissionResult(result=_submission(candidate, language, files), ignored=ignored)


def _walk(folder: Folder) -> list[Entry]:
    """Every file, link and special file below ``folder``, with relative names, sorted by name."""
    found: list[Entry] = []
    _gather(folder, "", 1, found)
    files = (entry for entry in found if entry.kind is not Kind.FOLDER)
    return sorted(files, key=lambda entry: os.fsencode(entry.name))


def _gather(folder: Folder, prefix: str, level: int, found: list[Entry]) -> None:
    if level > _MAX_DEPTH:
        reason = f"its folders are nested more than {_MAX_DEPTH} deep; submit fewer levels"
        raise _RejectedError(Verdict.OVER_THE_LIMIT, reason)
    for entry in folder.entries(_MAX_ENTRIES + 1):
        found.append(Entry(f"{prefix}{entry.name}", entry.kind))
        if len(found) > _MAX_ENTRIES:
            reason = f"it holds more than {_MAX_ENTRIES} files; submit only the kernels"
            raise _RejectedError(Verdict.OVER_THE_LIMIT, reason)
        if entry.kind is Kind.FOLDER:
            with folder.folder(entry.name) as inner:
                _gather(inner, f"{prefix}{entry.name}/", level + 1, found)


def _one_language(sources: list[Entry], archives: list[str]) -> Language:
    examples = {LANGUAGE_OF_SUFFIX[entry.suffix]: entry.name for entry in reversed(sources)}
    if not examples:
        reason = "it contains no CUDA C (.cu) or Numba (.py) file"
        if archives:
            reason += f", and archives are not opened; unpack {listed(archives)}"
        raise _RejectedError(Verdict.FAILED_TO_BUILD, reason)
    if len(examples) > 1:
        mixed = " and ".join(f"{_TITLES[its]} ({printable(examples[its])})" for its in Language)
        reason = f"it mixes {mixed}; submit one language"
        raise _RejectedError(Verdict.FAILED_TO_BUILD, reason)
    (language,) = examples
    return language


def _read(folder: Folder, names: list[str], limits: LimitSettings) -> tuple[SourceFile, ...]:
    if len(names) > limits.max_files:
        reason = f"it has {len(names)} source files; the limit is {limits.max_files}; merge or remove some"
        raise _RejectedError(Verdict.OVER_THE_LIMIT, reason)
    files = []
    remaining_bytes = limits.max_source_kib * 1024
    for name in names:
        try:
            data = folder.read(name, remaining_bytes)
        except TooLargeError as error:
            what = printable(name) if len(names) == 1 else f"with {printable(name)} its source"
            reason = f"{what} is larger than the limit of {limits.max_source_kib} KiB"
            raise _RejectedError(Verdict.OVER_THE_LIMIT, reason) from error
        remaining_bytes -= len(data)
        files.append(SourceFile(name=printable(name), data=data))
    shown = {file.name for file in files}
    if len(shown) < len(files):
        reason = f"two of its files have the same printable name; rename one of {listed(sorted(shown))}"
        raise _RejectedError(Verdict.FAILED_TO_BUILD, reason)
    return tuple(files)
