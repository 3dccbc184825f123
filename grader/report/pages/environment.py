"""Render pages: the Jinja environment, which escapes every string, and the inline style sheet and script."""

import base64
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from grader.messages import Speech
from grader.messages.rendering import render_location
from grader.model.location import SourceLocation
from grader.report import quantities
from grader.report.feedback import case_groups
from grader.report.plots.charts import bar_length
from grader.report.rubric import next_step, rubric_lines
from grader.report.summary import has_score
from grader.report.text import MESSAGE_LIMIT, safe_text
from grader.report.wrong_map import LEGEND, picture

_FIGURES = (
    *(quantities.seconds, quantities.times, quantities.interval, quantities.points, quantities.score),
    *(quantities.share, quantities.size, quantities.amount, quantities.percent),
)
"""Filters that show a figure, by the names of their functions."""


@cache
def environment(language: str) -> Environment:
    """The configured Jinja environment, which says reasons in ``language``."""
    speech = Speech(language)
    made = Environment(
        loader=PackageLoader("grader.report.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_escape_controls,
    )
    made.filters.update(
        **{shown.__name__: _localised(shown, speech) for shown in _FIGURES},
        moment=partial(quantities.moment, language=language),
        figure=speech.figure,
        part_title=quantities.title,
        tally=partial(quantities.tally, language=language),
        isolation=quantities.isolation_note,
        time_used=quantities.time_note,
        decision=quantities.decision_note,
        adjustment=quantities.adjustment_note,
        waiting=quantities.waiting_note,
        next_step=next_step,
        rubric_lines=rubric_lines,
        slug=_slug,
        say=speech,
        word=speech.word,
        line_text=partial(_line_text, language=language),
        picture=picture,
        groups=case_groups,
    )
    made.tests.update(scored=has_score)
    made.globals.update(bar_length=bar_length, map_legend=LEGEND, language=language)
    made.globals.update(label=speech.says, colon=speech.colon)
    return made


def render_page(template: str, /, *, script: str = "", language: str = "en", **values: Any) -> str:
    """A page from ``template`` with the style sheet and the named ``script`` in it; its policy allows only these."""
    page = environment(language).get_template(template)
    return page.render(style=_inline("report.css"), script=_inline(script) if script else None, **values)


@dataclass(frozen=True, slots=True)
class _Inline:
    """A style sheet or script, and its source expression in a Content-Security-Policy."""

    text: str
    source: str


def _inline(name: str) -> _Inline:
    text = resources.files("grader.report.pages").joinpath("templates", name).read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return _Inline(text, f"sha256-{digest}")


def _localised(shown: Callable[..., str], speech: Speech) -> Callable[..., str]:
    """``shown`` with the separators of the language."""
    return lambda *values: speech.figure(shown(*values))


def _escape_controls(value: Any) -> Any:
    """Escape control characters in every string that a template prints; autoescape follows."""
    is_text = isinstance(value, str) and not hasattr(value, "__html__")
    return safe_text(value, MESSAGE_LIMIT) if is_text else value


def _line_text(location: SourceLocation, language: str) -> str:
    """The line of ``location`` in words, without its file."""
    return render_location(SourceLocation(line=location.line), language)


def _slug(word: str) -> str:
    """A verdict or severity as a CSS class."""
    return word.replace(" ", "-")
