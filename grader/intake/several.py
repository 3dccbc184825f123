"""Choose one of several files that may be a student's submission: the newest."""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass

from grader.intake.names import shown
from grader.intake.read_submission import Candidate, RejectedError, walk
from grader.intake.rule import FileRule
from grader.intake.tree import Entry, Kind, SourceTree
from grader.model.reason import Reason, reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The candidate to grade, and a warning that names the others."""

    candidate: Candidate
    warning: Reason


def choose(folder: SourceTree, candidates: Collection[Candidate], rule: FileRule) -> Choice:
    """The newest of ``candidates``, which have the same student; ``folder`` contains all of them.

    Links and special files come last, since they are never opened, and before them the files that ``rule`` excludes.
    Equally new ones are ordered by name.
    """
    by_name = sorted(candidates, key=lambda candidate: candidate.path)
    ranked = sorted(
        by_name,
        key=lambda candidate: (_rank(candidate.entry, rule), modified(folder, candidate.entry)),
        reverse=True,
    )
    chosen, *others = ranked
    newest = _rank(chosen.entry, rule) == _rank(others[0].entry, rule)
    warning = reason(
        "newest-graded" if newest else "only-taken-graded",
        path=chosen.path,
        student=chosen.student,
        others=shown(sorted(other.entry.name for other in others)),
    )
    return Choice(candidate=chosen, warning=warning)


def modified(folder: SourceTree, entry: Entry) -> int:
    """When ``entry`` was last written, in nanoseconds; for a folder, when the newest file inside was.

    What cannot be read is older than everything else.
    """
    newest = 0
    with suppress(OSError, RejectedError):
        newest = folder.modified(entry.name)
        if entry.kind is Kind.FOLDER:
            with folder.folder(entry.name) as inner:
                inside = (inner.modified(file.name) for file in walk(inner) if file.kind is Kind.FILE)
                newest = max(inside, default=newest)
    return newest


def _rank(entry: Entry, rule: FileRule) -> int:
    if entry.kind is Kind.FOLDER:
        return 2
    if entry.kind is not Kind.FILE:
        return 0
    return 2 if rule.takes_alone(entry) else 1
