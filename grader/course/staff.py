"""Who decides, and the one way in which a decision is stored."""

import getpass
from dataclasses import dataclass
from datetime import UTC, datetime

from grader.course.records import Records
from grader.errors import UserError
from grader.logs import Event, bound_submission, log
from grader.store.rulings import Ruling
from grader.store.values import Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class Staff:
    """Who decides, and why. Raises: ``UserError`` without a reason."""

    because: str
    by: str = ""

    def __post_init__(self) -> None:
        if not self.because.strip():
            msg = "A decision needs a reason."
            raise UserError(msg, hint='Give one with --because "TEXT".')

    @property
    def name(self) -> str:
        """The name they gave, or that of the user who is logged in."""
        return self.by.strip() or getpass.getuser()

    def decision(self, student: str, lab: str, submission: str | None, ruling: Ruling) -> Decision:
        """Their decision about one submission or, without it, about whatever the student submits."""
        return Decision(
            student=student,
            lab=lab,
            submission=submission,
            ruling=ruling,
            who=self.name,
            why=self.because.strip(),
            decided_at=datetime.now(UTC),
        )


def store(records: Records, decision: Decision, kind: str) -> None:
    """Append ``decision``; the log calls it ``kind``."""
    records.store.decisions.add(decision)
    with bound_submission(decision.student, decision.lab, decision.submission or ""):
        log(Event.DECISION_STORED, decision=kind, reviewer=decision.who, reason=decision.why)
