"""What the template of one submission shows: its report, times, plots, and sources with findings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.messages import Speech
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason
from grader.model.report import EngineInfo, KernelReport, ProgramReport, Report, Speedup, SpeedupKind
from grader.model.submission import SourceFile
from grader.report import quantities
from grader.report.annotate import AnnotatedFile, Finding, annotate, findings, without_line
from grader.report.efficiency import efficiency_notes
from grader.report.plots.charts import bar_length
from grader.report.plots.roofline import RooflinePlot, plots
from grader.report.plots.timeline import TimelinePlot, plot
from grader.report.profile import (
    Column,
    LineFigures,
    WorkBreakdown,
    figures,
    shown_columns,
    total,
    work_breakdown,
)
from grader.report.summary import best_speedup
from grader.report.text import output_lines, safe_name
from grader.report.timeline import timeline

Sources = Mapping[tuple[str, str], Sequence[SourceFile]]
"""The submitted files of each ``(student, lab)``."""

_CONTEXT = 3
"""Source lines shown above and below findings and executed lines."""

_WHOLE_FILE_LINES = 2000
"""A longer file is shown only around its findings, to keep the page usable."""

_PRINTED_LINES = 100


@dataclass(frozen=True, slots=True)
class Time:
    """A kernel's time, if any; ``bar`` is its length in percent of the longest time."""

    kernel: KernelReport
    seconds: float | None
    kind: SpeedupKind
    bar: float


@dataclass(frozen=True, slots=True)
class Listing:
    """Sources with findings at their lines; ``anchors`` holds the ids of linked lines.

    ``loose`` holds the findings without a source line.
    """

    files: tuple[AnnotatedFile, ...]
    columns: tuple[Column, ...]
    anchors: Mapping[SourceLocation, str]
    loose: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Printed:
    """The first lines of a kernel's output; ``left_out`` lines follow."""

    kernel: str
    lines: tuple[str, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class ProgramTimeline:
    """The timeline of a whole program, and what to know about it."""

    plot: TimelinePlot
    notes: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class _Kernel:
    """The template's data for one kernel. ``at_lines``: findings that ``listing`` shows, the most severe first.

    ``totals`` sums its lines; ``notes`` say what limits it. ``timeline`` is that of a whole program.
    """

    report: KernelReport
    anchor: str
    at_lines: tuple[Finding, ...]
    totals: LineFigures
    work: tuple[WorkBreakdown, ...]
    listing: Listing
    notes: tuple[Reason, ...]
    printed: Printed | None
    timeline: ProgramTimeline | None


@dataclass(frozen=True, slots=True)
class SubmissionView:
    """The template's data for one report."""

    anchor: str
    report: Report
    speedup: Speedup | None
    times: tuple[Time, ...]
    build: Listing
    rooflines: tuple[RooflinePlot, ...]
    kernels: tuple[_Kernel, ...]
    files: tuple[AnnotatedFile, ...]

    @property
    def is_profiled(self) -> bool:
        """Whether it shows figures for source lines."""
        return any(kernel.work for kernel in self.kernels)


def submission_view(
    anchor: str, report: Report, engine: EngineInfo, files: Sequence[SourceFile], language: str
) -> SubmissionView:
    """The view of ``report``; ``anchor`` is its id on the page and starts all its ids."""
    found = findings(report)
    whole = (annotate(file, found, None) for file in files)
    return SubmissionView(
        anchor=anchor,
        report=report,
        speedup=best_speedup(report),
        times=times_of(report, engine),
        build=listing_of(f"{anchor}-build", [f for f in found if f.kernel is None], files, {}),
        rooflines=plots(report.kernels, Speech(language)),
        kernels=tuple(
            _kernel(
                f"{anchor}-kernel-{number}",
                kernel,
                [f for f in found if f.kernel == kernel.name],
                files,
                quantities.time_kind(kernel, engine),
                Speech(language),
            )
            for number, kernel in enumerate(report.kernels, start=1)
        ),
        files=tuple(file for file in whole if file.length <= _WHOLE_FILE_LINES),
    )


def _kernel(  # noqa: PLR0913, PLR0917 - what a kernel's section shows
    anchor: str,
    kernel: KernelReport,
    found: Sequence[Finding],
    files: Sequence[SourceFile],
    kind: SpeedupKind,
    speech: Speech,
) -> _Kernel:
    profiled = figures(kernel)
    listing = listing_of(anchor, found, files, profiled)
    return _Kernel(
        report=kernel,
        anchor=anchor,
        at_lines=tuple(finding for finding in found if finding.location in listing.anchors),
        totals=total(profiled.values()),
        work=work_breakdown(profiled),
        listing=listing,
        notes=tuple(efficiency_notes(kernel, kind)),
        printed=printed_of(kernel),
        timeline=None if kernel.program is None else timeline_of(kernel.program, speech),
    )


def timeline_of(program: ProgramReport, speech: Speech) -> ProgramTimeline | None:
    """The timeline of ``program``; ``None`` where the device did nothing."""
    drawn = timeline(program.activities)
    if drawn is None:
        return None
    notes = [reason("timeline-note", device=safe_name(program.device))]
    shown = len(program.activities)
    if shown < program.activity_count:
        notes.append(reason("timeline-cut", shown=shown, total=program.activity_count))
    return ProgramTimeline(plot(drawn, speech), tuple(notes))


def printed_of(kernel: KernelReport) -> Printed | None:
    """The output of ``kernel``, if it printed."""
    if not kernel.printed:
        return None
    lines, left_out = output_lines(kernel.printed, _PRINTED_LINES)
    return Printed(kernel.name, tuple(lines), left_out)


def listing_of(
    anchor: str,
    found: Sequence[Finding],
    files: Sequence[SourceFile],
    profiled: Mapping[SourceLocation, LineFigures],
) -> Listing:
    """The lines of ``files`` with findings or figures, and the lines around them."""
    shown = [annotate(file, found, _CONTEXT, profiled) for file in files]
    return Listing(
        files=tuple(file for file in shown if file.excerpts),
        columns=shown_columns(profiled.values()),
        anchors={
            line.location: f"{anchor}-{index}-{line.number}"
            for index, file in enumerate(shown, start=1)
            for line in file.lines
            if line.findings or line.tags or line.figures
        },
        loose=without_line(found, files),
    )


def times_of(report: Report, engine: EngineInfo) -> tuple[Time, ...]:
    """The times of all kernels, or nothing where no kernel has one."""
    longest = max((kernel.seconds or 0.0 for kernel in report.kernels), default=0.0)
    if longest == 0.0:
        return ()
    return tuple(
        Time(
            kernel=kernel,
            seconds=kernel.seconds,
            kind=quantities.time_kind(kernel, engine),
            bar=bar_length(kernel.seconds or 0.0, longest),
        )
        for kernel in report.kernels
    )
