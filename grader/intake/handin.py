"""One student's file or folder to a ``Submission``, or to the reason why it is none."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from grader.config.settings import LimitSettings
from grader.intake.names import listed
from grader.intake.result import Rejected
from grader.intake.tree import Entry, Folder, Kind, TooLargeError
from grader.model.submission import HEADER_SUFFIXES, LANGUAGE_OF_SUFFIX, Language, SourceFile, Submission
from grader.model.text import printable
from grader.model.verdict import Verdict

_DEEPEST = 8
"""Levels of folders in a hand-in."""

_MOST_ENTRIES = 2000
"""Files and folders looked at in one hand-in, source or not."""

_TITLES = {Language.CUDA_C: "CUDA C", Language.NUMBA: "Numba"}

NOT_READ = {
    Kind.LINK: "is a link, and links are not followed",
    Kind.SPECIAL: "is neither a file nor a folder",
}
"""Why an entry of that kind is left alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A file or folder that stands for a student's work: ``entry`` lies in the folder at ``parent``."""

    student: str
    lab: str
    entry: Entry
    parent: Path

    @property
    def path(self) -> str:
        """Where it lies, for people to read."""
        return printable(str(self.parent / self.entry.name))

    @property
    def language(self) -> Language:
        """What the suffix says; CUDA C where it says nothing."""
        return LANGUAGE_OF_SUFFIX.get(self.entry.suffix, Language.CUDA_C)

    def rejected(self, verdict: Verdict, reason: str) -> Rejected:
        """This claim, turned down."""
        return Rejected(
            student=self.student,
            lab=self.lab,
            language=self.language,
            path=self.path,
            reason=reason,
            verdict=verdict,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class HandIn:
    """What a claim came to, and its files that belong to nothing, each with the reason."""

    result: Submission | Rejected
    left: tuple[str, ...] = ()


class _RejectedError(Exception):
    def __init__(self, verdict: Verdict, reason: str) -> None:
        self.verdict = verdict
        self.reason = reason
        super().__init__(reason)


def hand_in(claim: Claim, folder: Folder, limits: LimitSettings) -> HandIn:
    """Read what ``claim`` points at; ``folder`` is the open folder it lies in."""
    try:
        if claim.entry.kind in NOT_READ:
            reason = f"{claim.entry.name} {NOT_READ[claim.entry.kind]}; hand in the file itself"
            raise _RejectedError(Verdict.FAILED_TO_BUILD, printable(reason))
        if claim.entry.kind is Kind.FOLDER:
            with folder.folder(claim.entry.name) as own:
                return _from_folder(claim, own, limits)
        files = _read(folder, [claim.entry.name], limits)
        return HandIn(result=_submission(claim, claim.language, files))
    except _RejectedError as error:
        return HandIn(result=claim.rejected(error.verdict, error.reason))
    except OSError as error:
        reason = f"this machine cannot read it: {error.strerror}"
        return HandIn(result=claim.rejected(Verdict.NOT_GRADABLE, reason))


def _submission(claim: Claim, language: Language, files: tuple[SourceFile, ...]) -> Submission:
    return Submission(student=claim.student, lab=claim.lab, language=language, files=files, path=claim.path)


def _from_folder(claim: Claim, folder: Folder, limits: LimitSettings) -> HandIn:
    entries = list(_walk(folder))
    sources = [entry for entry in entries if entry.kind is Kind.FILE and entry.suffix in LANGUAGE_OF_SUFFIX]
    language = _one_language(sources)
    wanted = {suffix for suffix, its in LANGUAGE_OF_SUFFIX.items() if its is language}
    if language is Language.CUDA_C:
        wanted |= HEADER_SUFFIXES
    names = [entry.name for entry in entries if entry.kind is Kind.FILE and entry.suffix in wanted]
    files = _read(folder, names, limits)
    left = tuple(
        f"{claim.path}/{printable(entry.name)} {NOT_READ.get(entry.kind, 'is no source file of this submission')}"
        for entry in entries
        if entry.name not in set(names)
    )
    return HandIn(result=_submission(claim, language, files), left=left)


def _walk(folder: Folder) -> list[Entry]:
    """Every file, link and special file below ``folder``, named relative to it, in the order of their names."""
