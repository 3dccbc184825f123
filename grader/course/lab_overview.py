"""The labs of a course for staff: dates, how many submitted, what is published, and the exceptions that staff gave."""

from dataclasses import dataclass
from datetime import datetime

from grader.course.audit import summary
from grader.course.publish import EVERYBODY, published
from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.model.reason import Reason
from grader.model.text import natural_key
from grader.policy.rules import LabRule, Scores
from grader.store.rulings import Excuse, Extension, Override
from grader.store.values import Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class LabLine:
    """A lab. ``withheld``: students do not see their scores now, until staff publish them."""

    name: str
    rule: LabRule
    submitted: int
    students: int
    published: bool

    @property
    def withheld(self) -> bool:
        """Whether students wait for staff to publish."""
        return self.rule.scores is Scores.WHEN_PUBLISHED and not self.published


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenException:
    """An extension or excuse that holds."""

    student: str
    lab: str
    what: Reason
    who: str
    why: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LabOverview:
    """Every lab in the order of the course, and the exceptions, the newest first."""

    labs: tuple[LabLine, ...]
    exceptions: tuple[GivenException, ...]


def lab_overview(workspace: Workspace) -> LabOverview:
    """The labs now. Raises: ``UserError`` for a mistake in the course file."""
    with Records(workspace) as records:
        state = workspace.class_grades.current(records)
        decisions = records.store.decisions.list()
    shown = published(each for each in decisions if each.student == EVERYBODY)
    labs = tuple(
        LabLine(
            name=lab,
            rule=state.course.rule(lab),
            submitted=sum(each.grades.grades[lab].submitted for each in state.students),
            students=len(state.students),
            published=lab in shown,
        )
        for lab in state.labs
    )
    return LabOverview(labs=labs, exceptions=_exceptions(decisions))


def _exceptions(decisions: tuple[Decision, ...]) -> tuple[GivenException, ...]:
    last: dict[tuple[str, str, type], Decision] = {}
    for each in decisions:
        if isinstance(each.ruling, Extension):
            last[each.student, each.lab, Extension] = each
        elif isinstance(each.ruling, Excuse | Override):
            last[each.student, each.lab, Excuse] = each
    found = [
        GivenException(
            student=each.student,
            lab=each.lab,
            what=summary(each.ruling),
            who=each.who,
            why=each.why,
            at=each.decided_at,
        )
        for each in last.values()
        if _holds(each)
    ]
    return tuple(sorted(found, key=lambda each: (each.at, natural_key(each.student)), reverse=True))


def _holds(decision: Decision) -> bool:
    """Whether ``decision``, the last of its kind, gives something."""
    match decision.ruling:
        case Extension(until=until, days=days):
            return until is not None or days > 0
        case Excuse():
            return True
        case _:
            return False
