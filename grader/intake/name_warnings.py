"""What is said about the names of students: missing, respelled, alike, or of a second download."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from grader.intake.names import (
    MAX_LISTED,
    name_before_copy,
    name_key,
    plainly_spelled,
    shown,
)
from grader.intake.read_submission import Candidate
from grader.intake.result import Rejected
from grader.model.lookalikes import alike
from grader.model.reason import Reason, first_of, reason
from grader.model.text import printable
from grader.model.verdict import Verdict

_MAX_NAMED = 3
"""The most characters of a name that a message names."""


def nameless(candidate: Candidate) -> Rejected:
    """The rejection of a file or folder with a name of which nothing shows; its path stands for the student."""
    unnamed = replace(candidate, student=candidate.path)
    return unnamed.rejected(Verdict.NOT_GRADABLE, reason("student-name-invisible"))


def renamed(candidates: Sequence[tuple[str, Candidate]]) -> list[Reason]:
    """A warning about each name that is not the student's as it is spelled."""
    return [
        reason("student-name-normalised", path=candidate.path, student=candidate.student)
        for spelled, candidate in candidates
        if not plainly_spelled(spelled)
    ]


def one_face(path: Path, candidates: Sequence[Candidate]) -> list[Reason]:
    """A warning about the different students of each group with names that look alike."""
    by_key = {name_key(candidate.student): candidate.student for candidate in candidates}
    return [
        reason("student-names-look-alike", path=printable(str(path)), names=shown(map(_spelled_out, group)))
        for group in alike(by_key.values())
    ]


def _spelled_out(name: str) -> str:
    """``name`` with its characters outside of ASCII named: ``anna (U+0430 CYRILLIC SMALL LETTER A)``."""
    foreign = dict.fromkeys(char for char in name if not char.isascii())
    named = [f"U+{ord(char):04X} {unicodedata.name(char, '')}".strip() for char in foreign]
    return f"{name} ({'; '.join(named[:_MAX_NAMED])})" if named else name


def second_submissions(path: Path, candidates: Mapping[str, list[Candidate]]) -> list[Reason]:
    """One warning about names that look like a second download of another; they may also be other students."""
    copies = []
    for candidate in (candidate for same in candidates.values() for candidate in same):
        name = name_before_copy(candidate.student)
        first = candidates.get(name_key(name)) if name else None
        if first:
            copies.append(
                reason(
                    "file-beside",
                    file=printable(candidate.entry.name),
                    other=printable(first[0].entry.name),
                )
            )
    if not copies:
        return []
    listed = first_of(copies, MAX_LISTED)
    return [reason("maybe-second-submissions", path=printable(str(path)), copies=listed)]
