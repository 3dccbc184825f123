"""Render templates: the environment and parts of reports with what every page of the portal has."""

import contextlib
from datetime import datetime
from functools import cache, partial
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from grader.course.rules import course_of
from grader.errors import UserError
from grader.messages import LANGUAGES, Speech
from grader.model.text import printable
from grader.policy.rules import Course
from grader.portal import assets
from grader.portal.navigation import navigation
from grader.report import quantities
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
    made.filters["typed"] = _typed
    made.filters["by_lines"] = _by_lines
    made.tests.update(report.tests)
    made.globals.update(report.globals)
    made.globals.update(say=Speech(language).says, asset=assets.url, languages=LANGUAGES)
    return made


def render(asked: "Asked", template: str, /, **values: Any) -> str:
    """The text of ``template`` for the visitor.

    It also knows ``asked``, ``visitor``, ``nonce``, ``here``, ``navigation`` and ``course_title``, and ``clock``, which
    writes a time on the clocks of the course.
    """
    language = asked.visitor.language
    found = environment(language).get_template(template)
    course = _course(asked)
    return found.render(
        asked=asked,
        visitor=asked.visitor,
        nonce=asked.nonce,
        here=asked.here,
        navigation=navigation(asked.server, asked.visitor),
        course_title=course.title or Speech(language).says("portal-course"),
        clock=partial(_clock, zone=course.zone, language=language),
        **values,
    )


def _typed(text: str) -> Markup:
    """``text`` as the content of a text area, character by character: a browser drops a newline at its start."""
    return Markup("\n") + escape(text)


def _by_lines(text: str) -> Markup:
    """``text`` that a person wrote in several lines; elsewhere a line end is shown as a control character."""
    return Markup("\n").join(printable(line) for line in text.splitlines())


def _course(asked: "Asked") -> Course:
    """The course; a course file with a mistake must not take the page away that says so."""
    with contextlib.suppress(UserError):
        return course_of(asked.workspace)
    return Course()


def _clock(when: datetime | str, zone: ZoneInfo, language: str) -> str:
    """``when``, also as ISO 8601, on the clocks of ``zone``."""
    known = datetime.fromisoformat(when) if isinstance(when, str) else when
    return quantities.clock(known.astimezone(zone), language)
