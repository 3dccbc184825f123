"""The map of an output's wrong elements in a terminal."""

from rich.console import Group, RenderableType
from rich.text import Text

from grader.messages import ENGLISH, Speech
from grader.model.wrong_map import WrongMap
from grader.report import palette
from grader.report.text import safe_text
from grader.report.wrong_map import LEGEND, Mark, picture

_STYLES = {
    Mark.RIGHT: palette.GREY,
    Mark.WRONG: palette.RED,
    Mark.UNWRITTEN: palette.ORANGE,
    Mark.OUTSIDE: "",
}


def wrong_map(found: WrongMap, case: str, speech: Speech = ENGLISH) -> RenderableType:
    """The map of ``case``, with the indices of rows and columns, and a legend."""
    shown = picture(found)
    legend = Text(style=palette.GREY)
    for run, meaning in LEGEND:
        legend.append(run.text, _STYLES[run.mark]).append(f" {speech(meaning)}   ")
    lines = [
        Text(safe_text(speech.says("map-case", map=shown.caption, name=case))),
        Text(shown.columns, palette.GREY),
    ]
    for row in shown.rows:
        line = Text(f"{row.label} ", palette.GREY)
        for run in row.runs:
            line.append(run.text, _STYLES[run.mark])
        lines.append(line)
    return Group(*(_unwrapped(line) for line in (*lines, legend)))


def _unwrapped(line: Text) -> Text:
    line.no_wrap, line.overflow = True, "crop"
    return line
