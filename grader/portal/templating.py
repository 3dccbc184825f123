"""Render templates: the environment and parts of reports with what every page of the portal has."""

import contextlib
from functools import cache
from typing import TYPE_CHECKING, Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from grader.course.rules import course_of
from grader.errors import UserError
from grader.messages import LANGUAGES, Speech
from grader.portal import assets
from grader.portal.navigation import navigation
from grader.report.pages import environment as reports

if TYPE_CHECKING:
    from grader.portal.asked import Asked


@cache
def environment(language: str) -> Environment:
    """The environment of one language: filters and names of reports, and ``say("code", …)`` for a statement."""
    report = reports.environment(language)
    made = Environment(
        loader=ChoiceLoader([PackageLoader("grader.portal"), PackageLoader("grader.report.pages")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=report.finalize,
    )
    made.filters.update(report.filters)
    made.tests.update(report.tests)
    made.globals.update(report.globals)
    made.globals.update(say=Speech(language).says, asset=assets.url, languages=LANGUAGES)
    return made


def render(asked: "Asked", template: str, /, **values: Any) -> str:
    """The text of ``template`` for the visitor.

    It also knows ``asked``, ``visitor``, ``nonce``, ``here``, ``navigation`` and ``course_title``.
    """
    found = environment(asked.visitor.language).get_template(template)
    return found.render(
        asked=asked,
        visitor=asked.visitor,
        nonce=asked.nonce,
        here=asked.here,
        navigation=navigation(asked.server, asked.visitor),
        course_title=_course_title(asked),
        **values,
    )


def _course_title(asked: "Asked") -> str:
    """The title of the course; a course file with a mistake must not take the page away that says so."""
    with contextlib.suppress(UserError):
        if title := course_of(asked.workspace).title:
            return title
    return Speech(asked.visitor.language).says("portal-course")
