"""A small picture of an output that shows which of its elements are wrong."""

from dataclasses import dataclass

MAX_ROWS = 32
"""Rows of cells in a picture."""

MAX_COLUMNS = 64
"""Cells in a row of a picture."""

SHARES = 9
"""Steps of the share of a cell's elements that are wrong."""

RIGHT = "."
"""The cell of elements that are all right."""

OUTSIDE = " "
"""The cell beyond the last element of an array that does not fill its last row."""

_WRONG = "123456789"
_UNWRITTEN = "abcdefghi"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongMap:
    """Which elements of ``output``, an array of ``shape``, are wrong: at most 32 rows of 64 cells, one character each.

    A cell stands for ``row_step`` × ``column_step`` elements. ``.``: all are right; ``1`` to ``9``: some are wrong, in
    ninths, rounded up; ``a`` to ``i``: the same, and no wrong one was ever written; a space: beyond the last element.
    The picture shows the last two dimensions, of the ``plane`` with these leading indices. An array of one dimension
    is cut into rows of ``row_length`` elements, otherwise the length of its last dimension.
    """

    output: str
    shape: tuple[int, ...]
    plane: tuple[int, ...]
    row_length: int
    row_step: int
    column_step: int
    cells: tuple[str, ...]


def wrong_cell(share: int, *, unwritten: bool) -> str:
    """The character of a cell with ``share`` ninths (1 to 9) of wrong elements."""
    return (_UNWRITTEN if unwritten else _WRONG)[share - 1]


def share_of(cell: str) -> int:
    """The ninths of wrong elements in a cell; 0 if none is wrong."""
    return max(_WRONG.find(cell), _UNWRITTEN.find(cell)) + 1


def is_unwritten(cell: str) -> bool:
    """Whether the wrong elements of a cell were never written."""
    return cell in _UNWRITTEN
