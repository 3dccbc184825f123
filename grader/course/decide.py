"""Decisions of staff about submissions: reviews of flags, overrides and excuses. They never edit facts."""

from grader.course.known_student import require_known
from grader.course.records import Records
from grader.course.rulings import flagged_work, reviews
from grader.course.staff import Staff, store
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.messages import ENGLISH
from grader.model.report import Report
from grader.model.review import Decision as FlagDecision
from grader.model.review import FlaggedWork, Review
from grader.model.verdict import Verdict
from grader.report import quantities
from grader.store.rulings import Excuse, FlagReview, Override
from grader.store.values import Flagged


def flagged(workspace: Workspace) -> tuple[FlaggedWork, ...]:
    """Every flagged submission that counts, the oldest first."""
    with Records(workspace) as records:
        return tuple(map(flagged_work, records.flagged()))


def flagged_of(workspace: Workspace, student: str, lab: str) -> FlaggedWork:
    """The submission that ``review`` decides about. Raises: ``UserError`` if none is flagged."""
    workspace.registry.get(lab)
    with Records(workspace) as records:
        return flagged_work(_newest_flagged(records, student, lab))


def review(workspace: Workspace, student: str, lab: str, outcome: FlagDecision, staff: Staff) -> Review:
    """Decide about the student's newest flagged submission without a review, or else about the newest one.

    Returns: the review. Raises: ``UserError`` if none is flagged, or if the same decision is stored already.
    """
    workspace.registry.get(lab)
    with Records(workspace) as records:
        found = _newest_flagged(records, student, lab)
        before = reviews(found.decisions)
        if before and (before[-1].decision, before[-1].reason) == (outcome, staff.because.strip()):
            msg = f"This decision is stored already: {ENGLISH(quantities.decision_note(before[-1]))}"
            raise UserError(msg, hint="Give another decision or another reason.")
        ruling = FlagReview(outcome=outcome, lab_code=found.score.lab_code, engine=found.score.engine)
        decision = staff.decision(student, lab, found.score.key.digest, ruling)
        store(records, decision, outcome)
    return reviews([decision])[0]


def override(  # noqa: PLR0913 - a decision and its parts
    workspace: Workspace,
    student: str,
    lab: str,
    staff: Staff,
    *,
    points: float | None = None,
    verdict: Verdict | None = None,
    comment: str = "",
) -> Report:
    """Replace points or verdict of the student's latest submission, or neither to withdraw such a decision.

    It holds for that content, also when it is graded again. Returns: the report after it.
    Raises: ``UserError`` if nothing is graded, or for points that the lab does not give.
    """
    workspace.registry.get(lab)
    with Records(workspace) as records:
        result = records.latest(student, lab)
        most = result.report.max_score
        if points is not None and not 0 <= points <= most:
            msg = f"{quantities.points(points)} points are not possible: {lab} gives 0 to {quantities.points(most)}."
            raise UserError(msg, hint="Give points in this range.")
        if points is None and verdict is not None and result.report.verdict is Verdict.NOT_GRADABLE:
            msg = f"The submission of {student} for {lab} is not gradable, so it has no points to keep."
            raise UserError(msg, hint="Give its points, too, with --points.")
        ruling = Override(
            points=points,
            max_points=None if points is None else most,
            verdict=verdict,
            comment=comment.strip(),
        )
        store(records, staff.decision(student, lab, result.score.key.digest, ruling), "override")
        return records.latest(student, lab).report


def excuse(workspace: Workspace, student: str, lab: str, staff: Staff, *, withdraw: bool = False) -> None:
    """Excuse the student from the lab, whatever they submitted or will submit, or ``withdraw`` such a decision.

    Raises: ``UserError`` for an unknown lab, or a student whom nothing knows.
    """
    workspace.registry.get(lab)
    ruling = Override() if withdraw else Excuse()
    with Records(workspace) as records:
        if not withdraw:
            require_known(records, student)
        store(
            records,
            staff.decision(student, lab, None, ruling),
            "excuse withdrawn" if withdraw else "excuse",
        )


def _newest_flagged(records: Records, student: str, lab: str) -> Flagged:
    theirs = [each for each in records.flagged(lab) if each.score.key.student == student]
    undecided = [each for each in theirs if not reviews(each.decisions)]
    if not theirs:
        msg = f"No submission of {student} for {lab} is suspicious."
        raise UserError(msg, hint="See what waits with `grader review`.")
    return (undecided or theirs)[-1]
