"""Regrade requests: a student asks staff to look again, and staff answer."""

from collections.abc import Iterable
from dataclasses import dataclass

from grader.course.records import Records
from grader.course.staff import Staff, store
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.store.rulings import RegradeAnswer, RegradeRequest
from grader.store.values import Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRequest:
    """A request without an answer. ``former``: the student has submitted other work since."""

    student: str
    lab: str
    text: str
    asked_at: str
    former: bool


def ask(workspace: Workspace, student: str, lab: str, text: str) -> None:
    """Ask staff to look at the student's latest result again. Raises: ``UserError`` while an answer is missing."""
    workspace.registry.get(lab)
    with Records(workspace) as records:
        key = records.latest(student, lab).score.key
        if unanswered(records.store.decisions.list(lab, student)):
            msg = f"A request of {student} for {lab} waits for an answer already."
            raise UserError(msg, hint="Staff answer it with `grader answer`.")
        asking = Staff(because=text, by=student)
        store(records, asking.decision(student, lab, key.digest, RegradeRequest()), "request")


def answer(workspace: Workspace, student: str, lab: str, staff: Staff, *, accepted: bool) -> None:
    """Answer the student's open request; the student reads the reason. Raises: ``UserError`` if there is none."""
    workspace.registry.get(lab)
    with Records(workspace) as records:
        waiting = unanswered(records.store.decisions.list(lab, student))
        if not waiting:
            msg = f"No request of {student} for {lab} waits for an answer."
            raise UserError(msg, hint="See what waits with `grader request`.")
        about = waiting[-1].submission
        ruling = RegradeAnswer(accepted=accepted)
        store(records, staff.decision(student, lab, about, ruling), "answer")


def open_requests(workspace: Workspace) -> tuple[OpenRequest, ...]:
    """Every request without an answer, the oldest first."""
    with Records(workspace) as records:
        current = records.states()
        return tuple(
            OpenRequest(
                student=each.student,
                lab=each.lab,
                text=each.why,
                asked_at=each.decided_at.isoformat(timespec="seconds"),
                former=current[each.student, each.lab].submission != each.submission,
            )
            for each in unanswered(records.store.decisions.list())
        )


def unanswered(decisions: Iterable[Decision]) -> list[Decision]:
    """The requests among ``decisions``, of which the oldest comes first, that no answer follows."""
    waiting: dict[tuple[str, str], Decision] = {}
    for each in decisions:
        if isinstance(each.ruling, RegradeRequest):
            waiting[each.student, each.lab] = each
        elif isinstance(each.ruling, RegradeAnswer):
            waiting.pop((each.student, each.lab), None)
    return list(waiting.values())
