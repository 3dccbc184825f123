"""Read a CSV file into cells that know their place in the text, and write it again with some of them changed."""

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from grader.errors import UserError
from grader.lms.sheets.encoding import Encoding, decoded
from grader.lms.words import words

SEPARATORS = (",", ";", "\t", "|")
"""What separates cells: a choice of the site, of the user or of the country."""

MOST_BYTES = 64 * 2**20
"""The largest file that is read: a hundred thousand students with a page of feedback each."""

_SPREADSHEETS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How .xlsx and .ods, and .xls start."""

_QUOTE = '"'
_SEPARATOR_LINE = re.compile(r"sep=", re.IGNORECASE)
_ENDS = {separator: re.compile(rf"[{re.escape(separator)}\r\n]") for separator in SEPARATORS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The ``value`` of one cell, and the part of the text that holds it. ``quoted``: it stands in quotation marks."""

    value: str
    start: int
    end: int
    quoted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The cells of one row. ``line`` is the line of the file on which it starts, from 1."""

    cells: tuple[Cell, ...]
    line: int

    def __getitem__(self, column: int) -> str:
        """The value in ``column``; empty behind the last cell, where spreadsheets leave out empty cells."""
        return self.cells[column].value if column < len(self.cells) else ""

    @property
    def values(self) -> tuple[str, ...]:
        """The values of all cells."""
        return tuple(cell.value for cell in self.cells)

    @property
    def is_empty(self) -> bool:
        """Whether no cell holds anything."""
        return not any(cell.value.strip() for cell in self.cells)


@dataclass(frozen=True)
class Sheet:
    """A CSV file as text with its encoding, its separator and its rows; the first row is that of the headers."""

    text: str
    encoding: Encoding
    separator: str
    rows: tuple[Row, ...]

    @cached_property
    def header_row(self) -> int:
        """The number of the row of headers: the first that is neither empty nor Excel's line ``sep=;``."""
        rows = enumerate(self.rows)
        return next(
            (number for number, row in rows if not row.is_empty and not _SEPARATOR_LINE.match(row[0])), 0
        )

    @property
    def headers(self) -> tuple[str, ...]:
        """The values of the row of headers."""
        return self.rows[self.header_row].values if self.rows else ()

    @property
    def body(self) -> Iterator[tuple[int, Row]]:
        """The rows below the headers that are not empty, with their numbers."""
        rows = enumerate(self.rows)
        return ((number, row) for number, row in rows if number > self.header_row and not row.is_empty)

    def with_cells(self, changes: Mapping[tuple[int, int], str]) -> bytes:
        """The file with the values of ``changes`` by row and column; every other byte is as it was.

        A cell keeps its quotation marks, and gets some where its value needs them. A row that ends before the column
        is filled up with empty cells.

        Raises: ``UserError`` for a value that the encoding of the file lacks.
        """
        pieces, position = [self.encoding.mark], 0
        for number, changed in groupby(sorted(changes.items()), key=lambda each: each[0][0]):
            row = self.rows[number]
            for start, end, text in self._edits(row, {column: value for (_, column), value in changed}):
                pieces += [self.encoding.encode(self.text[position:start]), self._encoded(text, row.line)]
                position = end
        return b"".join([*pieces, self.encoding.encode(self.text[position:])])

    def _edits(self, row: Row, values: Mapping[int, str]) -> Iterator[tuple[int, int, str]]:
        """The parts of the text that change in ``row``, and what stands there instead."""
        for column, cell in enumerate(row.cells):
            if column in values and values[column] != cell.value:
                yield cell.start, cell.end, self._cell(values[column], quoted=cell.quoted)
        behind = range(len(row.cells), max(values, default=0) + 1)
        if any(values.get(column) for column in behind):
            added = (self._cell(values.get(column, ""), quoted=False) for column in behind)
            end = row.cells[-1].end
            yield end, end, "".join(self.separator + text for text in added)

    def _cell(self, value: str, *, quoted: bool) -> str:
        needs = any(char in value for char in (self.separator, _QUOTE, "\r", "\n")) or value != value.strip()
        if not quoted and not needs:
            return value
        return _QUOTE + value.replace(_QUOTE, _QUOTE * 2) + _QUOTE

    def _encoded(self, text: str, line: int) -> bytes:
        try:
            return self.encoding.encode(text)
        except UnicodeEncodeError as error:
            lacking = text[error.start : error.start + 1]
            msg = f"Line {line}: the file is in {self.encoding.codec}, which has no {lacking!r}."
            hint = (
                "Download or save the file in UTF-8, write all feedback in a language that it can hold (--language), "
                "or none (--no-feedback)."
            )
            raise UserError(msg, hint=hint) from error


def read_sheet(data: bytes, *, codec: str | None = None, any_legacy: bool = False) -> Sheet:
    """Read ``data``, in the encoding ``codec`` if the user names one.

    A legacy encoding is known by a header with letters of it. With ``any_legacy``, for those who need no names, a file
    without such headers is read too.

    Raises: ``UserError`` for what is no CSV file: an unknown encoding, an open quotation mark, a spreadsheet.
    """
    if data.startswith(_SPREADSHEETS):
        msg = "The file is a spreadsheet, not CSV."
        raise UserError(msg, hint="Download it again as CSV, or save it as CSV with the same columns.")
    if len(data) > MOST_BYTES:
        msg = f"The file has {len(data)} bytes, more than the {MOST_BYTES} that are read."
        raise UserError(msg, hint="Split it by sections.")
    text, encoding = decoded(data, _has_a_known_header, codec=codec, any_legacy=any_legacy)
    separator = _separator(text)
    return Sheet(text=text, encoding=encoding, separator=separator, rows=_rows(text, separator))


def _has_a_known_header(text: str) -> bool:
    """Whether a header with letters beyond ASCII is known."""
    line = text.lstrip("\r\n").splitlines()[:1]
    cells = next(csv.reader(line, delimiter=_separator(text)), [])
    return any(words(cell) for cell in cells if not cell.isascii())


def _separator(text: str) -> str:
    """What separates the cells of the first line outside of quotation marks; a comma where there is one column."""
    counts = dict.fromkeys(SEPARATORS, 0)
    inside = False
    for char in text:
        if char == _QUOTE:
            inside = not inside
        elif inside:
            continue
        elif char in "\r\n" and any(counts.values()):
            break
        elif char in counts:
            counts[char] += 1
    return max(SEPARATORS, key=lambda each: counts[each])


def _rows(text: str, separator: str) -> tuple[Row, ...]:
    rows: list[Row] = []
    cells: list[Cell] = []
    position, line, first = 0, 1, 1
    while position < len(text):
        cell = _cell_at(text, position, separator, line)
        cells.append(cell)
        line += _line_ends(text[cell.start : cell.end])
        position = cell.end
        if text.startswith(separator, position):
            position += 1
            if position < len(text):
                continue
            cells.append(Cell(value="", start=position, end=position, quoted=False))
        rows.append(Row(cells=tuple(cells), line=first))
        position += 2 if text.startswith("\r\n", position) else 1
        line += 1
        cells, first = [], line
    return tuple(rows)


def _cell_at(text: str, start: int, separator: str, line: int) -> Cell:
    """The cell at ``start``; as in spreadsheets, what follows a closing quotation mark belongs to the value."""
    if not text.startswith(_QUOTE, start):
        end = _plain_end(text, start, separator)
        return Cell(value=text[start:end], start=start, end=end, quoted=False)
    closing = start
    while (closing := text.find(_QUOTE, closing + 1)) >= 0 and text.startswith(_QUOTE, closing + 1):
        closing += 1
    if closing < 0:
        msg = f"Line {line}: a quotation mark is not closed."
        raise UserError(msg, hint="Download the file again.")
    end = _plain_end(text, closing + 1, separator)
    value = text[start + 1 : closing].replace(_QUOTE * 2, _QUOTE) + text[closing + 1 : end]
    return Cell(value=value, start=start, end=end, quoted=True)


def _plain_end(text: str, start: int, separator: str) -> int:
    found = _ENDS[separator].search(text, start)
    return len(text) if found is None else found.start()


def _line_ends(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")
