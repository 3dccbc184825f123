"""Draw a small map of the wrong elements of an output: the edge of a tile or a missing last column is seen at once."""

from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from grader.judge.outputs import WrongOutput, find_wrong
from grader.labs.expected import Expected
from grader.model.plan import LaunchPlan
from grader.model.wrong_map import MAX_COLUMNS, MAX_ROWS, OUTSIDE, RIGHT, SHARES, WrongMap, wrong_cell

_Mask = NDArray[np.bool_]


def wrong_map(
    outputs: Mapping[str, bytes],
    plan: LaunchPlan,
    expected: Mapping[str, Expected],
    factor: float,
    read_first: Collection[str] = (),
) -> WrongMap | None:
    """The map of the first wrong output of a run; ``None`` if a map would show nothing that a count does not.

    That is so if no element is wrong, if an output is incomplete, or if all cells of the map are equal.
    Arguments as those of ``find_wrong``.
    """
    found = find_wrong(outputs, plan, expected, factor, read_first)
    if not isinstance(found, WrongOutput):
        return None
    threads = max((launch.shape.block.size for launch in plan.launches), default=1)
    drawn = _draw(found, threads)
    return drawn if len(set("".join(drawn.cells)) - {OUTSIDE}) > 1 else None


def _draw(found: WrongOutput, threads: int) -> WrongMap:
    """``threads`` of a block: in an array of one dimension, a row of the map is what a block writes at once."""
    shape = found.buffer.shape
    if sum(extent > 1 for extent in shape) > 1:
        plane = tuple(int(index) for index in np.argwhere(found.wrong)[0][:-2])
        wrong, unwritten = found.wrong[plane], found.unwritten[plane]
        inside = np.ones(wrong.shape, np.bool_)
    else:
        plane, length = (), _row_length(found.buffer.size, threads)
        inside = _in_rows(np.ones(found.buffer.size, np.bool_), length)
        wrong, unwritten = (_in_rows(mask.reshape(-1), length) for mask in (found.wrong, found.unwritten))
    row_step, column_step = _step(wrong.shape[0], MAX_ROWS), _step(wrong.shape[1], MAX_COLUMNS)
    counts = [_sums(mask, row_step, column_step) for mask in (inside, wrong, unwritten)]
    return WrongMap(
        output=found.buffer.name,
        shape=shape,
        plane=plane,
        row_length=wrong.shape[1],
        row_step=row_step,
        column_step=column_step,
        cells=tuple(
            "".join(map(_cell, *(row.tolist() for row in rows))) for rows in zip(*counts, strict=True)
        ),
    )


def _row_length(size: int, threads: int) -> int:
    if size <= MAX_COLUMNS:
        return size
    return threads if 1 < threads < size else MAX_COLUMNS


def _in_rows(mask: _Mask, length: int) -> _Mask:
    """``mask`` in rows of ``length``, filled up with false."""
    return np.pad(mask, (0, -mask.size % length)).reshape(-1, length)


def _step(extent: int, most: int) -> int:
    """The least power of two that divides ``extent`` into at most ``most`` cells: tiles have such sizes, too."""
    return 1 << (-(-extent // most) - 1).bit_length()


def _sums(mask: _Mask, row_step: int, column_step: int) -> NDArray[np.intp]:
    """The number of true elements in each cell."""
    rows, columns = mask.shape
    padded = np.pad(mask, ((0, -rows % row_step), (0, -columns % column_step)))
    cells = padded.reshape(padded.shape[0] // row_step, row_step, -1, column_step)
    return np.asarray(cells.sum(axis=(1, 3)))


def _cell(inside: int, wrong: int, unwritten: int) -> str:
    if not inside:
        return OUTSIDE
    if not wrong:
        return RIGHT
    return wrong_cell(-(-SHARES * wrong // inside), unwritten=unwritten == wrong)
