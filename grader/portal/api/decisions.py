"""The API for staff: decisions, each by the person of the token. The same request again has the same effect."""

from grader.api.decisions import (
    Comment,
    Extension,
    NewComment,
    NewExcuse,
    NewExtension,
    NewOverride,
    Override,
)
from grader.course import comments, decide, extensions
from grader.course.staff import Staff
from grader.policy.access import Scope
from grader.portal.api.route import Route
from grader.portal.asked import Asked


def override(asked: Asked, wanted: NewOverride) -> Override:
    """Replace the points or the verdict of a student's newest submission, or withdraw that."""
    report = decide.override(
        asked.workspace,
        wanted.student,
        wanted.lab,
        _staff(asked, wanted.because),
        points=wanted.points,
        verdict=wanted.verdict,
        comment=wanted.comment,
    )
    return Override(
        student=wanted.student,
        lab=wanted.lab,
        verdict=report.verdict,
        score=report.score,
        max_score=report.max_score,
    )


def excuse(asked: Asked, wanted: NewExcuse) -> None:
    """Excuse a student from a lab, or withdraw that."""
    staff = _staff(asked, wanted.because)
    decide.excuse(asked.workspace, wanted.student, wanted.lab, staff, withdraw=wanted.withdraw)


def extend(asked: Asked, wanted: NewExtension) -> Extension:
    """Give a student, a group or those with a label more time for a lab."""
    staff = _staff(asked, wanted.because)
    students = extensions.extend(
        asked.workspace, wanted.who, wanted.lab, staff, until=wanted.until, days=wanted.days
    )
    return Extension(lab=wanted.lab, students=students)


def comment(asked: Asked, wanted: NewComment) -> Comment:
    """Put a comment beside a line of a student's newest submission, or withdraw those at the line."""
    stored = comments.comment(
        asked.workspace,
        wanted.student,
        wanted.lab,
        f"{wanted.file}:{wanted.line}",
        text=wanted.text,
        by=asked.visitor.person,
    )
    return Comment(
        student=wanted.student, lab=wanted.lab, file=stored.file, line=stored.line, text=stored.text
    )


def _staff(asked: Asked, because: str) -> Staff:
    return Staff(because=because, by=asked.visitor.person)


_STAFF = (Scope.GRADE,)

ROUTES = (
    Route(
        path="/overrides", endpoint=override, scopes=_STAFF, method="POST", takes=NewOverride, gives=Override
    ),
    Route(
        path="/excuses",
        endpoint=excuse,
        scopes=_STAFF,
        method="POST",
        takes=NewExcuse,
        gives=None,
        status=204,
    ),
    Route(
        path="/extensions", endpoint=extend, scopes=_STAFF, method="POST", takes=NewExtension, gives=Extension
    ),
    Route(path="/comments", endpoint=comment, scopes=_STAFF, method="POST", takes=NewComment, gives=Comment),
)
