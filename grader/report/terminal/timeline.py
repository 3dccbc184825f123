"""The timeline of a program in a terminal: a row of bars for each lane, as wide as the terminal allows."""

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from grader.messages import Speech
from grader.model.program import Lane, ProgramRun
from grader.report import palette, quantities
from grader.report.plots.timeline import notes
from grader.report.program_end import times_of
from grader.report.timeline import Row, Timeline, timeline

_COLOURS = {
    Lane.HOST: palette.GREY,
    Lane.COPY_IN: palette.BLUE,
    Lane.COPY_OUT: palette.ORANGE,
    Lane.KERNELS: palette.GREEN,
}
_LEAST, _MOST = 16, 100
"""Characters of a row of bars."""

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_GAP = 2


def timeline_sections(run: ProgramRun, device: str, speech: Speech) -> list[RenderableType]:
    """A heading, the rows, and what they say; nothing where the device did nothing."""
    drawn = timeline(run.activities)
    if drawn is None:
        return []
    heading = Rule(Text(speech.says("heading-timeline"), style="bold"), align="left", style=palette.GREY)
    said = [Text(note) for note in notes(drawn, speech)]
    return [
        Padding(heading, (1, 0, 0, 0)),
        _Rows(drawn, speech),
        *said,
        Text(speech(times_of(run, device)), style=palette.GREY),
    ]


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows: titles on the left, how long each was busy on the right, and a scale below."""

    drawn: Timeline
    speech: Speech

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The lines for a terminal of this width."""
        titles = [self.speech(row.title) for row in self.drawn.rows]
        figures = [
            f"{self._figure(quantities.seconds(row.busy))}  {self._figure(quantities.percent(row.share)):>5}"
            for row in self.drawn.rows
        ]
        left, right = max(map(cell_len, titles)), max(map(cell_len, figures))
        width = max(_LEAST, min(_MOST, options.max_width - left - right - 2 * _GAP))
        gap = " " * _GAP
        for row, title, figure in zip(self.drawn.rows, titles, figures, strict=True):
            yield Text.assemble(
                (title + " " * (left - cell_len(title)) + gap, ""),
                (_bars(row, width), _COLOURS[row.lane]),
                (gap + figure.rjust(right), palette.GREY),
                no_wrap=True,
            )
        yield Text(" " * (left + _GAP) + self._scale(width), style=palette.GREY, no_wrap=True)

    def _scale(self, width: int) -> str:
        start, end = (self._figure(quantities.seconds(each)) for each in (self.drawn.start, self.drawn.end))
        return start + end.rjust(width - cell_len(start))

    def _figure(self, text: str) -> str:
        return self.speech.figure(text)


def _bars(row: Row, width: int) -> str:
    """The bars of a row as text; each character shows how much of its time is busy."""
    return "".join(_EIGHTHS[min(8, round(share * 8) or int(share > 0))] for share in _shares(row, width))


def _shares(row: Row, width: int) -> Iterator[float]:
    filled = [0.0] * width
    for bar in row.bars:
        first, last = bar.start * width, (bar.start + bar.length) * width
        for cell in range(int(first), min(int(last) + 1, width)):
            filled[cell] += max(0.0, min(last, cell + 1) - max(first, cell))
    return iter(filled)
