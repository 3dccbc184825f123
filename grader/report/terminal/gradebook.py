"""The gradebook in a terminal."""

from collections.abc import Callable, Iterator, Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from grader.messages import ENGLISH, Speech
from grader.report import palette, quantities
from grader.report.gradebook import Grade, GradebookDocument
from grader.report.terminal.overview import plain_table
from grader.report.text import safe_name

_MARKS: Mapping[str, tuple[str, Callable[[Grade], bool]]] = {
    "*": ("legend-override", lambda grade: grade.override),
    "†": ("legend-penalty", lambda grade: grade.penalty > 0),
    "‡": ("legend-hidden", lambda grade: not grade.visible),
}
"""Marks beside a number: what each says, and when."""


def gradebook_table(document: GradebookDocument, speech: Speech = ENGLISH) -> RenderableType:
    """One row for each student, one column for each lab, the total in percent, its grade; then what the marks say."""
    table = plain_table()
    table.add_column(speech.says("column-student"), overflow="fold", min_width=8)
    sections = any(student.section for student in document.students)
    if sections:
        table.add_column(speech.says("column-section"), overflow="fold")
    for lab in document.labs:
        table.add_column(safe_name(lab), justify="right", overflow="fold")
    table.add_column(speech.says("column-total"), justify="right", no_wrap=True)
    graded = any(student.grade for student in document.students)
    if graded:
        table.add_column(speech.says("column-grade"), overflow="fold")
    for student in document.students:
        grades = {grade.lab: grade for grade in student.grades}
        table.add_row(
            Text(safe_name(student.id)),
            *([Text(safe_name(student.section))] if sections else []),
            *(_cell(grades[lab], speech) for lab in document.labs),
            _total(student.total, speech),
            *([Text(safe_name(student.grade))] if graded else []),
        )
    return Group(table, *_legend(document, speech))


def _cell(grade: Grade, speech: Speech) -> Text:
    if grade.excused:
        return Text(speech.says("excused"), style=palette.GREY)
    if grade.points is None:
        return Text(quantities.NOTHING, style=palette.GREY)
    marks = "".join(mark for mark, (_, holds) in _MARKS.items() if holds(grade))
    return Text(f"{speech.figure(quantities.points(grade.points))}{marks}")


def _total(total: float | None, speech: Speech) -> Text:
    if total is None:
        return Text(quantities.NOTHING, style=palette.GREY)
    return Text(f"{speech.figure(quantities.points(total))} %")


def _legend(document: GradebookDocument, speech: Speech) -> Iterator[Text]:
    grades = [
        grade for student in document.students for grade in student.grades if grade.lab in document.labs
    ]
    for mark, (code, holds) in _MARKS.items():
        if any(not grade.excused and grade.points is not None and holds(grade) for grade in grades):
            yield Text(f"{mark} {speech.says(code)}", style=palette.GREY)
