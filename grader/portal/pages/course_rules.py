"""The rules of the course and the points of a lab: what a change would do is shown before it is stored."""

from urllib.parse import quote

from starlette.responses import Response

from grader.course.edit_rules import RulesEffect, change_rules, rules_effect, rules_text
from grader.course.lab_points import PointsEffect, change_points, points_effect, points_text
from grader.policy.access import Scope
from grader.portal.answers import page
from grader.portal.asked import Asked
from grader.portal.forms import NOT_FAILED, Failed, done_or_again, shown_or_again
from grader.portal.page import Page

_RULES = "/manage/rules"
_POINTS = "/manage/points/{lab}"
_MAX_TEXT = 200_000


def rules(asked: Asked, failed: Failed = NOT_FAILED, effect: RulesEffect | None = None) -> Response:
    """The text of the course file, and what the typed one would do."""
    now = rules_text(asked.workspace)
    return page(
        asked,
        "rules.html.j2",
        text=_lines(asked) if asked.form.fields else now.text,
        seen=asked.text("seen", default=now.digest),
        effect=effect,
        failed=failed,
    )


def change_course(asked: Asked) -> Response:
    """Show what the text would do, or store it."""
    text = _lines(asked)
    if asked.choice("do", {"preview": True, "save": False}):
        return shown_or_again(
            asked, "rules", lambda: rules(asked, effect=rules_effect(asked.workspace, text)), rules
        )

    def act() -> str:
        change_rules(asked.workspace, text, seen=asked.text("seen"), who=asked.visitor.name)
        return "/manage"

    return done_or_again(asked, "rules", act, rules)


def points(asked: Asked, failed: Failed = NOT_FAILED, effect: PointsEffect | None = None) -> Response:
    """The course's own points of a lab, and what the typed ones would do."""
    lab = asked.path["lab"]
    manifest = asked.workspace.registry.get(lab).manifest
    stored = points_text(asked.workspace, lab)
    example = f"[labs.{lab}.rubric]\ncorrectness = {manifest.rubric.correctness:g}\n"
    return page(
        asked,
        "points.html.j2",
        lab=lab,
        rubric=manifest.rubric,
        text=_lines(asked) if asked.form.fields else stored or example,
        effect=effect,
        failed=failed,
    )


def change_rubric(asked: Asked) -> Response:
    """Show what other points would do, or store them and score the lab by them."""
    lab, lines = asked.path["lab"], _lines(asked)
    again = f"/manage/points/{quote(lab, safe='')}"
    if asked.choice("do", {"preview": True, "save": False}):
        return shown_or_again(
            asked,
            "points",
            lambda: points(asked, effect=points_effect(asked.workspace, lab, lines)),
            points,
        )

    def act() -> str:
        change_points(asked.workspace, lab, lines)
        return again

    return done_or_again(asked, "points", act, points)


def _lines(asked: Asked) -> str:
    """The typed text as it stands in a file: browsers send lines with a carriage return."""
    text = asked.text("text", _MAX_TEXT, default="").replace("\r\n", "\n")
    return f"{text}\n" if text else ""


ROUTES = (
    Page(path=_RULES, endpoint=rules, scope=Scope.MANAGE_COURSE),
    Page(path=_RULES, endpoint=change_course, scope=Scope.MANAGE_COURSE, methods=("POST",)),
    Page(path=_POINTS, endpoint=points, scope=Scope.MANAGE_COURSE),
    Page(path=_POINTS, endpoint=change_rubric, scope=Scope.MANAGE_COURSE, methods=("POST",)),
)
