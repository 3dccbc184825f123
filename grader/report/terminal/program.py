"""The run of a program in a terminal: how it ended, what was found, and its timeline."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from grader.messages import ENGLISH, Speech
from grader.model.program import Lane, ProgramRun
from grader.model.submission import SourceFile
from grader.report import palette, quantities
from grader.report.annotate import Finding
from grader.report.program_end import end_of, is_clean, times_of
from grader.report.terminal.source import findings_at_lines
from grader.report.text import MESSAGE_LIMIT, safe_text
from grader.report.timeline import Row, timeline

_COLOURS = {
    Lane.HOST: palette.GREY,
    Lane.COPY_IN: palette.BLUE,
    Lane.COPY_OUT: palette.ORANGE,
    Lane.KERNELS: palette.GREEN,
}
_WIDTH = 64
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def program_report(
    run: ProgramRun,
    device: str,
    sources: Sequence[SourceFile] = (),
    speech: Speech = ENGLISH,
    *,
    times: bool = False,
) -> RenderableType:
    """The findings at their lines, one line about the end, and with ``times`` the timeline."""
    found = [Finding(diagnostic, diagnostic.kernel or None) for diagnostic in run.diagnostics]
    sections: list[RenderableType] = list(findings_at_lines(found, sources, speech))
    if times:
        sections += _timeline(run, device, speech)
    sections.append(Padding(_end(run, device, speech), (1, 0, 0, 0)))
    return Group(*sections)


def _end(run: ProgramRun, device: str, speech: Speech) -> Text:
    text = Text(safe_text(speech(end_of(run, device)), MESSAGE_LIMIT), style=palette.GREY)
    if is_clean(run):
        return Text.assemble((speech.says("no-findings"), palette.GREEN), "  ", text)
    return text


def _timeline(run: ProgramRun, device: str, speech: Speech) -> list[RenderableType]:
    drawn = timeline(run.activities)
    if drawn is None:
        return []
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for justify in ("left", "left", "right"):
        table.add_column(justify="right" if justify == "right" else "left", no_wrap=True)
    for row in drawn.rows:
        busy = speech.figure(quantities.seconds(row.busy))
        table.add_row(Text(speech(row.title)), Text(_drawn(row), style=_COLOURS[row.lane]), Text(busy))
    ends = (
        f"{speech.figure(quantities.seconds(drawn.start))} … {speech.figure(quantities.seconds(drawn.end))}"
    )
    notes = [Text(f"{ends}   {speech(times_of(run, device))}", style=palette.GREY)]
    if drawn.overlap is not None:
        share = speech.figure(quantities.percent(drawn.overlap))
        notes.append(Text(speech.says("timeline-overlap", share=share), style=palette.GREY))
    heading = Rule(Text(speech.says("heading-timeline"), style="bold"), align="left", style=palette.GREY)
    return [Padding(heading, (1, 0, 0, 0)), table, *notes]


def _drawn(row: Row) -> str:
    """The bars of a row as text; each character shows how much of its time is busy."""
    filled = [0.0] * _WIDTH
    for bar in row.bars:
        first, last = bar.start * _WIDTH, (bar.start + bar.length) * _WIDTH
        for cell in range(int(first), min(int(last) + 1, _WIDTH)):
            filled[cell] += max(0.0, min(last, cell + 1) - max(first, cell))
    return "".join(_EIGHTHS[min(8, round(share * 8) or int(share > 0))] for share in filled)
