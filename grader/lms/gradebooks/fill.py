"""Fill a gradebook in: grades and feedback into their cells, and notes about everything that was left."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from grader.errors import UserError
from grader.lms.gradebooks.entry import Entry
from grader.lms.gradebooks.feedback_html import merged
from grader.lms.gradebooks.layout import Layout, Request, Scaling
from grader.lms.gradebooks.people import AmbiguousError, People
from grader.lms.sheets import Row, Sheet, number, written
from grader.model.formulas import starts_a_formula
from grader.model.reason import Reason, first_of, reason
from grader.model.text import printable

_LISTED = 10
"""How many people a note names."""

_HTML = "HTML"
"""What the column of a feedback's format holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """The file with grades. ``changed`` cells of grades are new, ``same`` were there already."""

    data: bytes
    changed: int
    same: int
    notes: tuple[Reason, ...]


def fill(sheet: Sheet, layout: Layout, entries: Sequence[Entry], request: Request) -> Filled:
    """Write ``entries`` into the grade and feedback cells of ``sheet``; no other byte changes.

    Rows of unknown people, closed rows and grades that the system would not take stay as they are, with a note each.

    Raises: ``UserError`` if the file's maximum is not the lab's and ``request`` does not say what to do about it.
    """
    return _Filler(sheet, layout, request).fill(entries)


class _Filler:
    def __init__(self, sheet: Sheet, layout: Layout, request: Request) -> None:
        self._sheet = sheet
        self._layout = layout
        self._request = request
        self._changes: dict[tuple[int, int], str] = {}
        self._left: dict[str, list[str]] = defaultdict(list)
        self._ambiguous: list[Reason] = []
        self._changed = 0
        self._same = 0

    def fill(self, entries: Sequence[Entry]) -> Filled:
        people, seen = People(entries), set()
        for row_number in self._layout.rows:
            row = self._sheet.rows[row_number]
            try:
                entry = people.find(self._layout.keys(row))
            except AmbiguousError as error:
                who = tuple(each.label for each in error.who)
                self._ambiguous.append(reason("export-ambiguous", line=row.line, people=who))
                continue
            if entry is None:
                self._left["export-unknown"].append(self._name(row))
                continue
            seen.add(entry.student)
            self._fill_row(row_number, row, entry)
        missing = [each for each in entries if each.student not in seen]
        self._left["export-not-in-file"] += [each.label for each in missing if _counts(each)]
        return Filled(
            data=self._sheet.with_cells(self._changes),
            changed=self._changed,
            same=self._same,
            notes=tuple(self._notes()),
        )

    def _fill_row(self, row_number: int, row: Row, entry: Entry) -> None:
        if entry.excused and self._layout.excused is None:
            self._left["export-excused"].append(entry.label)
        elif not _counts(entry):
            self._left["export-without-points"].append(entry.label)
        elif self._layout.closed(row):
            self._left["export-closed"].append(entry.label)
        elif not entry.excused and row[self._layout.grade].strip() == self._layout.excused:
            self._left["export-excused-there"].append(entry.label)
        elif (text := self._grade(row, entry)) is None:
            self._left["export-above-maximum"].append(entry.label)
        else:
            self._set_grade(row_number, row, text)
            self._set_feedback(row_number, row, entry)

    def _grade(self, row: Row, entry: Entry) -> str | None:
        """The text of the grade; ``None`` for one that the system would not take."""
        if entry.excused or entry.points is None:
            return self._layout.excused
        most = self._layout.most(row)
        points = self._scaled(entry, most)
        if most is not None and self._layout.capped and points > most:
            return None
        return written(float(points), self._layout.mark)

    def _scaled(self, entry: Entry, most: Decimal | None) -> Decimal:
        points, own = (Decimal(repr(value or 0.0)) for value in (entry.points, entry.max_points))
        if most is None or most == own or self._request.scaling is Scaling.AS_IS:
            return points
        if self._request.scaling is Scaling.SCALE and own:
            return points * most / own
        msg = f"The file's maximum is {most:f}, and the lab gives {entry.max_points:g} points."
        raise UserError(msg, hint="Convert them with --scale, or write them unchanged with --as-is.")

    def _set_grade(self, row_number: int, row: Row, text: str) -> None:
        column = self._layout.grade
        old, new = number(row[column]), number(text)
        if row[column].strip() == text or (new is not None and old == new):
            self._same += 1
            return
        self._changed += 1
        self._changes[row_number, column] = text

    def _set_feedback(self, row_number: int, row: Row, entry: Entry) -> None:
        column = self._layout.feedback
        if column is None or not self._request.feedback or not entry.feedback:
            return
        self._changes[row_number, column] = merged(row[column], entry.feedback)
        if self._layout.feedback_format is not None:
            self._changes[row_number, self._layout.feedback_format] = _HTML

    def _notes(self) -> Iterator[Reason]:
        yield from self._layout.notes
        for code, names in self._left.items():
            if names:
                listed = first_of([printable(name) for name in names], _LISTED)
                yield replace(_NOTES[code], params={"count": len(names), "people": listed})
        yield from self._ambiguous[:_LISTED]
        lines = [row.line for row in self._sheet.rows if any(map(_is_formula, row.values))]
        if lines:
            yield reason("export-formulas-in-file", count=len(lines), lines=first_of(lines, _LISTED))

    def _name(self, row: Row) -> str:
        return self._layout.name(row).strip() or next(filter(None, row.values), "")


_NOTES = {
    code: Reason(code=code)
    for code in (
        *("export-unknown", "export-not-in-file", "export-excused", "export-without-points"),
        *("export-excused-there", "export-closed", "export-above-maximum"),
    )
}


def _counts(entry: Entry) -> bool:
    return entry.excused or entry.points is not None


def _is_formula(text: str) -> bool:
    """Whether a spreadsheet would calculate the cell; a lone dash and a number are what they look like."""
    return starts_a_formula(text) and len(text) > 1 and number(text) is None
