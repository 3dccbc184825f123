"""The map of an output's wrong elements as rows of marks, for a terminal and for a page."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from grader.model.reason import Reason, reason
from grader.model.wrong_map import RIGHT, SHARES, WrongMap, is_unwritten, share_of

_SHADES = "░▒▓█"
_LABEL_EVERY = 16
"""Cells between two labels of columns."""


class Mark(StrEnum):
    """What a cell says about its elements."""

    RIGHT = "right"
    WRONG = "wrong"
    UNWRITTEN = "unwritten"
    OUTSIDE = "outside"


_CHARACTERS = {Mark.RIGHT: "·", Mark.UNWRITTEN: "?", Mark.OUTSIDE: " "}


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring cells with one mark, as the characters to show."""

    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row of cells with the index of its first row of elements (or of its first element in one dimension)."""

    label: str
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A map to show: ``caption`` says what and to which scale, ``columns`` labels every sixteenth cell."""

    caption: Reason
    columns: str
    rows: tuple[Row, ...]


LEGEND = (
    (Run(Mark.WRONG, _SHADES[-1]), reason("map-wrong")),
    (Run(Mark.WRONG, _SHADES[0]), reason("map-few")),
    (Run(Mark.UNWRITTEN, _CHARACTERS[Mark.UNWRITTEN]), reason("map-unwritten")),
    (Run(Mark.RIGHT, _CHARACTERS[Mark.RIGHT]), reason("map-right")),
)
"""The marks and their meanings."""


def picture(found: WrongMap) -> Picture:
    """``found`` as rows of marks."""
    one_dimension = found.row_length != found.shape[-1] or len(found.cells) == 1
    first = found.row_step * (found.row_length if one_dimension else 1)
    labels = [str(first * number) for number in range(len(found.cells))]
    width = max(map(len, labels))
    return Picture(
        caption=_caption(found, rows_of_elements=one_dimension),
        columns=" " * (width + 1) + _column_labels(found),
        rows=tuple(
            Row(label.rjust(width), tuple(_runs(cells)))
            for label, cells in zip(labels, found.cells, strict=True)
        ),
    )


def _caption(found: WrongMap, *, rows_of_elements: bool) -> Reason:
    parts = [reason("map-of", array=_element(found, found.shape))]
    if found.plane:
        parts.append(reason("map-plane", plane=_element(found, found.plane)))
    if rows_of_elements and len(found.cells) > 1:
        parts.append(reason("map-rows", length=found.row_length))
    if found.row_step * found.column_step > 1:
        parts.append(reason("map-scale", rows=found.row_step, columns=found.column_step))
    return reason("map-caption", parts=tuple(parts))


def _element(found: WrongMap, indices: tuple[int, ...]) -> str:
    return found.output + "".join(f"[{index}]" for index in indices)


def _column_labels(found: WrongMap) -> str:
    cells = len(found.cells[0])
    labels = [str(cell * found.column_step).ljust(_LABEL_EVERY) for cell in range(0, cells, _LABEL_EVERY)]
    return "".join(labels).rstrip()


def _runs(cells: str) -> Iterator[Run]:
    for mark, run in groupby(cells, key=_mark):
        yield Run(mark, "".join(_CHARACTERS.get(mark) or _shade(cell) for cell in run))


def _mark(cell: str) -> Mark:
    if cell == RIGHT:
        return Mark.RIGHT
    if not share_of(cell):
        return Mark.OUTSIDE
    return Mark.UNWRITTEN if is_unwritten(cell) else Mark.WRONG


def _shade(cell: str) -> str:
    return _SHADES[(share_of(cell) - 1) * len(_SHADES) // SHARES]
