"""The audit list: every decision about submissions, which can only grow."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.model.reason import Reason, reason
from grader.report import quantities
from grader.store.rulings import (
    BoardChoice,
    BoardFreeze,
    Erasure,
    ErasureRequest,
    Excuse,
    Extension,
    FlagReview,
    LineComment,
    Override,
    Publication,
    RegradeAnswer,
    RegradeOutcome,
    RegradeRequest,
    Ruling,
)
from grader.store.values import Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the audit list; ``what`` is what was decided.

    ``former``: it is about a submission that another one has followed, so it holds no more.
    """

    student: str
    lab: str
    what: Reason
    who: str
    why: str
    decided_at: str
    former: bool


def decisions(workspace: Workspace, student: str | None, lab: str | None) -> tuple[Entry, ...]:
    """Every decision, of one student or lab or all, the oldest first."""
    with Records(workspace) as records:
        current = {work: known.submission for work, known in records.states().items()}
        return tuple(_entry(decision, current) for decision in records.store.decisions.list(lab, student))


def entries_of(records: Records, *, student: str, lab: str | None = None) -> tuple[Entry, ...]:
    """Every decision about a student, of one lab or all, the newest first."""
    found = records.store.decisions.list(lab, student)
    current = {
        (student, each): score.key.digest
        for each in {decision.lab for decision in found}
        if (score := records.store.scores.latest(student, each)) is not None
    }
    return tuple(_entry(each, current) for each in reversed(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPage:
    """The ``entries`` of the page ``number``, from 1, of ``pages``; the newest of ``total`` first."""

    entries: tuple[Entry, ...]
    number: int
    pages: int
    total: int


PAGE_SIZE = 50
"""The entries of a page."""


def audit_page(
    workspace: Workspace, number: int = 1, *, student: str | None = None, lab: str | None = None
) -> AuditPage:
    """One page of the decisions, of one student or lab or all; the nearest page that exists."""
    with Records(workspace) as records:
        current = {work: known.submission for work, known in records.states().items()}
        total = records.store.decisions.count(lab, student)
        pages = max(1, -(-total // PAGE_SIZE))
        number = min(max(number, 1), pages)
        found = records.store.decisions.newest(lab, student, skip=(number - 1) * PAGE_SIZE, limit=PAGE_SIZE)
        entries = tuple(_entry(each, current) for each in found)
    return AuditPage(entries=entries, number=number, pages=pages, total=total)


def _entry(decision: Decision, current: Mapping[tuple[str, str], str]) -> Entry:
    now = current.get((decision.student, decision.lab), decision.submission)
    return Entry(
        student=decision.student,
        lab=decision.lab,
        what=summary(decision.ruling),
        who=decision.who,
        why=decision.why,
        decided_at=decision.decided_at.isoformat(timespec="seconds"),
        former=decision.submission not in {None, now},
    )


def summary(ruling: Ruling) -> Reason:
    """``ruling`` in a few words."""
    return _SUMMARIES[type(ruling)](ruling)


def _extension(ruling: Extension) -> Reason:
    if ruling.until is not None:
        return reason("decided-extension-until", until=f"{ruling.until:%Y-%m-%d %H:%M %Z}")
    return reason("decided-extension-days", count=ruling.days) if ruling.days else reason("decided-withdrawn")


def _board_choice(ruling: BoardChoice) -> Reason:
    if ruling.shown:
        return reason("decided-board-name", name=ruling.nickname)
    return reason("decided-board-none")


def _override(ruling: Override) -> Reason:
    changes = []
    if ruling.points is not None:
        changes.append(quantities.points_in_words(ruling.points))
    if ruling.verdict is not None:
        changes.append(reason("decided-verdict", verdict=ruling.verdict.value))
    return reason("decided-changes", changes=tuple(changes)) if changes else reason("decided-withdrawn")


def _comment(ruling: LineComment) -> Reason:
    code = "decided-comment" if ruling.text else "decided-comment-withdrawn"
    return reason(code, file=ruling.file, line=ruling.line)


def _regrade(ruling: RegradeOutcome) -> Reason:
    code = "decided-regrade-applied" if ruling.applied else "decided-regrade-discarded"
    before, after = map(quantities.points, (ruling.before, ruling.after))
    return reason(code, regrade=ruling.regrade, before=before, after=after)


def _answer(ruling: RegradeAnswer) -> Reason:
    return reason("decided-answer-accepted" if ruling.accepted else "decided-answer-declined")


def _publication(ruling: Publication) -> Reason:
    return reason("decided-published" if ruling.published else "decided-published-withdrawn")


def _review(ruling: FlagReview) -> Reason:
    return reason("decided-flag", decision=quantities.DECISIONS[ruling.outcome])


_SUMMARIES: Mapping[type[Ruling], Callable[[Any], Reason]] = {
    FlagReview: _review,
    Override: _override,
    Excuse: lambda _: reason("excused"),
    Extension: _extension,
    LineComment: _comment,
    RegradeRequest: lambda _: reason("decided-request"),
    RegradeAnswer: _answer,
    RegradeOutcome: _regrade,
    Publication: _publication,
    BoardChoice: _board_choice,
    BoardFreeze: lambda ruling: reason("decided-board-frozen" if ruling.frozen else "decided-board-live"),
    ErasureRequest: lambda _: reason("decided-erasure-asked"),
    Erasure: lambda _: reason("decided-erased"),
}
"""How each kind of decision is summarised."""
