"""``report.html``: a graded class as one page that needs nothing else, not even a script."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from grader.model.report import EngineInfo, KernelReport, Report, ResultsDocument, Speedup, SpeedupKind
from grader.model.submission import SourceFile
from grader.report import quantities
from grader.report.annotate import AnnotatedFile, Finding, annotate, findings, unplaced
from grader.report.charts import bar_length, stacked
from grader.report.files import write_atomically
from grader.report.leaderboard import boards
from grader.report.redact import Audience, for_audience
from grader.report.summary import headline, ordered, verdict_counts
from grader.report.text import MESSAGE_LIMIT, safe_text

Sources = Mapping[tuple[str, str], Sequence[SourceFile]]
"""The files that each ``(student, lab)`` handed in."""

_CONTEXT = 3
"""Source lines shown above and below a finding."""

_WHOLE_FILE_LINES = 2000
"""A longer file is shown only around its findings, so that no submission makes the page unusable."""


@dataclass(frozen=True, slots=True)
class _Time:
    """A kernel's time, if it has one, beside the others': ``bar`` is its length of 100."""

    kernel: KernelReport
    seconds: float | None
    kind: SpeedupKind
    bar: float


@dataclass(frozen=True, slots=True)
class _Section:
    """One report, ready to be laid out. ``loose`` are the findings that no shown source line carries."""

    anchor: str
    report: Report
    speedup: Speedup | None
    times: tuple[_Time, ...]
    excerpts: tuple[AnnotatedFile, ...]
    files: tuple[AnnotatedFile, ...]
    loose: tuple[Finding, ...]


def render(
    document: ResultsDocument,
    sources: Sources | None = None,
    audience: Audience = Audience.STAFF,
) -> str:
    """The page: the class, its leaderboards, and every report with its source lines where ``sources`` has them."""
    reports = ordered(for_audience(report, audience) for report in document.reports)
    counts = verdict_counts(reports)
    files = sources or {}
    style = resources.files("grader.report").joinpath("templates", "report.css").read_text("utf-8")
    template = _environment().get_template("report.html.j2")
    return template.render(
        document=document,
        counts=counts,
        segments=stacked(counts),
        sections=[
            _section(f"report-{number}", report, document.engine, files.get((report.student, report.lab), ()))
            for number, report in enumerate(reports, start=1)
        ],
        boards=boards([document]),
        style=style,
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
    )


def write(
    path: Path,
    document: ResultsDocument,
    sources: Sources | None = None,
    audience: Audience = Audience.STAFF,
) -> None:
    """Write the page to ``path``. Raises: ``UserError`` where that is not possible."""
    write_atomically(path, render(document, sources, audience).encode())


def _section(anchor: str, report: Report, engine: EngineInfo, files: Sequence[SourceFile]) -> _Section:
    found = findings(report)
    whole = (annotate(file, found, None) for file in files)
    return _Section(
        anchor=anchor,
        report=report,
        speedup=headline(report),
        times=_times(report, engine),
        excerpts=tuple(a for a in (annotate(file, found, _CONTEXT) for file in files) if a.excerpts),
        files=tuple(file for file in whole if file.length <= _WHOLE_FILE_LINES),
        loose=unplaced(found, files),
    )


def _times(report: Report, engine: EngineInfo) -> tuple[_Time, ...]:
    """All kernels side by side, as soon as one of them has a time."""
    longest = max((kernel.seconds or 0.0 for kernel in report.kernels), default=0.0)
    if longest == 0.0:
        return ()
    return tuple(
        _Time(
            kernel=kernel,
            seconds=kernel.seconds,
            kind=quantities.time_kind(kernel, engine),
            bar=bar_length(kernel.seconds or 0.0, longest),
        )
        for kernel in report.kernels
    )


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("grader.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.filters.update(
        seconds=quantities.seconds,
        times=quantities.times,
        moment=quantities.moment,
        interval=quantities.interval,
        points=quantities.points,
        share=quantities.share,
        size=quantities.size,
        slug=_slug,
    )
    environment.globals.update(bar_length=bar_length)
    return environment


def _shown(value: Any) -> Any:
    """Every string that a template prints passes through here, then through autoescape."""
    is_text = isinstance(value, str) and not hasattr(value, "__html__")
    return safe_text(value, MESSAGE_LIMIT) if is_text else value


def _slug(word: str) -> str:
    """A verdict or severity as a CSS class."""
    return word.replace(" ", "-")
