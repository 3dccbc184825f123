"""The Jinja environment of all pages, which escapes every string, and the shared style sheet."""

import base64
import hashlib
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context

from grader.messages import render
from grader.model.reason import Reason
from grader.report import quantities
from grader.report.plots.charts import bar_length
from grader.report.summary import has_score
from grader.report.text import MESSAGE_LIMIT, safe_text


def environment() -> Environment:
    """The configured Jinja environment."""
    made = Environment(
        loader=PackageLoader("grader.report.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_escape_controls,
    )
    made.filters.update(
        seconds=quantities.seconds,
        times=quantities.times,
        moment=quantities.moment,
        interval=quantities.interval,
        points=quantities.points,
        score=quantities.score,
        share=quantities.share,
        size=quantities.size,
        amount=quantities.amount,
        percent=quantities.percent,
        tally=quantities.tally,
        isolation=quantities.isolation_text,
        decision=quantities.decision_text,
        slug=_slug,
        say=_say,
    )
    made.tests.update(scored=has_score)
    made.globals.update(bar_length=bar_length)
    return made


def style() -> dict[str, str]:
    """The style sheet, and its digest for the page's Content-Security-Policy."""
    text = resources.files("grader.report.pages").joinpath("templates", "report.css").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return {"style": text, "style_hash": digest}


def _escape_controls(value: Any) -> Any:
    """Escape control characters in every string that a template prints; autoescape follows."""
    is_text = isinstance(value, str) and not hasattr(value, "__html__")
    return safe_text(value, MESSAGE_LIMIT) if is_text else value


@pass_context
def _say(context: Context, said: Reason) -> str:
    """A reason in the language of the page."""
    return render(said, context.get("language", "en"))


def _slug(word: str) -> str:
    """A verdict or severity as a CSS class."""
    return word.replace(" ", "-")
