"""The labs for staff: dates, exceptions, and what is published."""

from starlette.responses import Response

from grader.course.extensions import extend
from grader.course.lab_overview import lab_overview
from grader.course.publish import publish
from grader.course.staff import Staff
from grader.errors import UserError
from grader.policy.access import Scope
from grader.policy.rules import Scores
from grader.portal.answers import page
from grader.portal.asked import Asked
from grader.portal.forms import NOT_FAILED, Failed, done_or_again
from grader.portal.page import Page

_HERE = "/manage"
_VISIBLE = {
    Scores.AT_ONCE: "staff-visible-at-once",
    Scores.AFTER_DUE: "staff-visible-after-due",
    Scores.WHEN_PUBLISHED: "staff-withheld",
}
_MAX_DAYS = 365
_MAX_REASON = 1000


def manage(asked: Asked, failed: Failed = NOT_FAILED) -> Response:
    """Every lab, and the exceptions that staff gave."""
    return page(
        asked,
        "manage.html.j2",
        visible=_VISIBLE,
        found=lab_overview(asked.workspace),
        may_grade=asked.visitor.may(Scope.GRADE),
        may_manage=asked.visitor.may(Scope.MANAGE_COURSE),
        failed=failed,
    )


def publish_lab(asked: Asked) -> Response:
    """Publish the scores of a lab, or withdraw that."""

    def act() -> str:
        staff = Staff(because=asked.text("because", _MAX_REASON), by=asked.visitor.name)
        withdraw = asked.choice("do", {"publish": False, "withdraw": True})
        publish(asked.workspace, asked.text("lab"), staff, withdraw=withdraw)
        return _HERE

    return done_or_again(asked, "publication", act, manage)


def give_extension(asked: Asked) -> Response:
    """Give a student, a group or those with a label more time; with neither time nor days, withdraw it."""

    def act() -> str:
        until, days = asked.text("until", default=""), asked.text("days", default="")
        if until and days:
            msg = "Give a time or days, not both."
            raise UserError(msg)
        extend(
            asked.workspace,
            asked.text("who"),
            asked.text("lab"),
            Staff(because=asked.text("because", _MAX_REASON), by=asked.visitor.name),
            until=until.replace("T", " ") or None,
            days=asked.number("days", 0, _MAX_DAYS) if days else 0,
        )
        return f"{_HERE}#exceptions"

    return done_or_again(asked, "extension", act, manage)


ROUTES = (
    Page(path=_HERE, endpoint=manage, scope=Scope.READ_COURSE, label="staff-manage"),
    Page(path=f"{_HERE}/publication", endpoint=publish_lab, scope=Scope.MANAGE_COURSE, methods=("POST",)),
    Page(path=f"{_HERE}/extension", endpoint=give_extension, scope=Scope.GRADE, methods=("POST",)),
)
