"""One student's file or folder to a ``Submission``, or to the reason why it is none."""

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
"""Levels of folders in a hand-in."""

_MAX_ENTRIES = 2000
"""Files and folders looked at in one hand-in, source or not."""

_TITLES = {Language.CUDA_C: "CUDA C", Language.NUMBA: "Numba"}

NOT_OPENED = {
    Kind.LINK: "is a link, and links are not followed",
    Kind.SPECIAL: "is neither a file nor a folder",
}
"""Why an entry of that kind is left alone."""

ARCHIVES = frozenset({".zip", ".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst"})
"""Suffixes of files that are never opened: what one holds, and how much, nobody knows before."""

IS_ARCHIVE = "is an archive, and archives are not opened"
"""Why one is left alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A file or folder that stands for a student's work; ``path`` is where it lies, for people to read."""

    student: str
    lab: str
    entry: Entry
    path: str

    @property
    def language(self) -> Language:
        """What the suffix says; CUDA C where it says nothing."""
        return LANGUAGE_OF_SUFFIX.get(self.entry.suffix, Language.CUDA_C)

    def rejected(self, verdict: Verdict, reason: str) -> Rejected:
        """This candidate, turned down."""
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
    """What a candidate came to, and its files that belong to nothing, each with the reason."""

    result: Submission | Rejected
    left: tuple[str, ...] = ()


class _RejectedError(Exception):
    def __init__(self, verdict: Verdict, reason: str) -> None:
        self.verdict = verdict
        self.reason = reason
        super().__init__(reason)


def read_submission(candidate: Candidate, folder: Folder, limits: LimitSettings) -> SubmissionResult:
    """Read what ``candidate`` points at; ``folder`` is the open folder it lies in."""
    if candidate.entry.kind in NOT_OPENED:
        reason = f"it {NOT_OPENED[candidate.entry.kind]}; hand in the file itself"
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
        reason = f"this machine cannot read it: {error.strerror}"
        return SubmissionResult(result=candidate.rejected(Verdict.NOT_GRADABLE, reason))


def why_ignored(entry: Entry, otherwise: str) -> str:
    """Why ``entry`` is left alone, in words that follow its name."""
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
    left = tuple(
        f"{candidate.path}/{printable(entry.name)} {why_ignored(entry, 'is no source of this submission')}"
        for entry in entries
        if entry.name not in taken
    )
    return SubmissionResult(result=_submission(candidate, language, files), left=left)


def _walk(folder: Folder) -> list[Entry]:
    """Every file, link and special file below ``folder``, named relative to it, in the order of the names."""
    found: list[Entry] = []
    _gather(folder, "", 1, found)
    files = (entry for entry in found if entry.kind is not Kind.FOLDER)
    return sorted(files, key=lambda entry: os.fsencode(entry.name))


def _gather(folder: Folder, prefix: str, level: int, found: list[Entry]) -> None:
    if level > _MAX_DEPTH:
        reason = f"its folders are nested more than {_MAX_DEPTH} deep"
        raise _RejectedError(Verdict.OVER_THE_LIMIT, reason)
    for entry in folder.entries(_MAX_ENTRIES + 1):
        found.append(Entry(f"{prefix}{entry.name}", entry.kind))
        if len(found) > _MAX_ENTRIES:
            reason = f"it holds more than {_MAX_ENTRIES} files; hand in the kernels alone"
            raise _RejectedError(Verdict.OVER_THE_LIMIT, reason)
        if entry.kind is Kind.FOLDER:
            with folder.folder(entry.name) as inner:
                _gather(inner, f"{prefix}{entry.name}/", level + 1, found)


def _one_language(sources: list[Entry], archives: list[str]) -> Language:
    examples = {LANGUAGE_OF_SUFFIX[entry.suffix]: entry.name for entry in reversed(sources)}
    if not examples:
        reason = "there is no CUDA C (.cu) and no Numba (.py) file in it"
        if archives:
            reason += f", and archives are not opened: {listed(archives)}"
        raise _RejectedError(Verdict.FAILED_TO_BUILD, reason)
    if len(examples) > 1:
        mixed = " and ".join(f"{_TITLES[its]} ({printable(examples[its])})" for its in Language)
        reason = f"it mixes {mixed}; hand in one language"
        raise _RejectedError(Verdict.FAILED_TO_BUILD, reason)
    (language,) = examples
    return language


def _read(folder: Folder, names: list[str], limits: LimitSettings) -> tuple[SourceFile, ...]:
    if len(names) > limits.max_files:
        reason = f"it has {len(names)} source files; the limit is {limits.max_files}"
        raise _RejectedError(Verdict.OVER_THE_LIMIT, reason)
    files = []
    left = limits.max_source_kib * 1024
    for name in names:
        try:
            data = folder.read(name, left)
        except TooLargeError as error:
            what = printable(name) if len(names) == 1 else f"with {printable(name)} its source"
            reason = f"{what} is larger than the limit of {limits.max_source_kib} KiB"
            raise _RejectedError(Verdict.OVER_THE_LIMIT, reason) from error
        left -= len(data)
        files.append(SourceFile(name=printable(name), data=data))
    shown = {file.name for file in files}
    if len(shown) < len(files):
        reason = f"two of its files have one name: {listed(sorted(shown))}"
        raise _RejectedError(Verdict.FAILED_TO_BUILD, reason)
    return tuple(files)
