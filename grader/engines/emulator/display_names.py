"""Names of threads, blocks, lines, amounts and variables, as parts of statements."""

import re
from collections.abc import Iterable

from grader.compile.mangled_names import variable_name
from grader.engines.emulator.isa.cells import WARP
from grader.engines.emulator.ptx.syntax import Location
from grader.model.plan import Dim3, LaunchShape
from grader.model.reason import Reason, reason

_NUMBA_SHARED = re.compile(r"_cudapy_smem_(\d+)(?:_(\w+))?")


def coordinates(extents: Dim3, linear: int) -> str:
    """``(3,1,0)`` for a linear index of a thread in its block, or of a block in its grid."""
    x, y = linear % extents.x, linear // extents.x % extents.y
    return f"({x},{y},{linear // (extents.x * extents.y)})"


def thread_name(shape: LaunchShape, thread: int) -> Reason:
    """A thread, by its linear index in the block."""
    return reason("thread", thread=coordinates(shape.block, thread))


def thread_of_block(shape: LaunchShape, thread: int, block: int) -> Reason:
    """A thread and its block, by linear indices."""
    return reason(
        "thread-of-block", thread=coordinates(shape.block, thread), block=coordinates(shape.grid, block)
    )


def block_name(shape: LaunchShape, block: int) -> Reason:
    """A block, by its linear index in the grid."""
    return reason("block", block=coordinates(shape.grid, block))


def line_name(location: Location | None, beside: Location | None = None) -> Reason:
    """A line, with its file if that is another one than that of ``beside``."""
    if location is None:
        return reason("location-unknown")
    if beside is not None and location.file != beside.file:
        return reason("location", file=location.file, line=location.line)
    return reason("location-line", line=location.line)


def bytes_name(count: int) -> Reason:
    """An amount of bytes."""
    return reason("bytes", count=count)


def elements_name(count: int, width: int) -> Reason:
    """``count`` bytes, as elements of ``width`` bytes if they divide evenly."""
    if width <= 1 or count % width:
        return bytes_name(count)
    return reason("elements", count=count // width, bytes=bytes_name(count))


def lanes_name(mask: int) -> Reason:
    """The lanes of a warp's lane mask."""
    return reason("lanes", count=mask.bit_count(), lanes=_members(mask))


def warps_name(mask: int) -> Reason:
    """The warps of a block's mask of warps."""
    return reason("warps", count=mask.bit_count(), warps=_members(mask))


def _members(mask: int) -> str:
    """The numbers of the set bits."""
    return numbers_name(member for member in range(WARP) if mask >> member & 1)


def numbers_name(numbers: Iterable[int]) -> str:
    """``0-15, 31``: different numbers as ranges."""
    present = sorted(set(numbers))
    starts = [number for number in present if number - 1 not in present]
    ends = [number for number in present if number + 1 not in present]
    return ", ".join(
        str(first) if first == last else f"{first}-{last}" for first, last in zip(starts, ends, strict=True)
    )


def shared_array_name(symbol: str, symbols: Iterable[str]) -> Reason:
    """A shared array among all of a kernel's.

    Numba numbers the arrays of the whole process; the build appends the student's name. An array without one, which
    no variable is bound to, is named by its position in the kernel.
    """
    numbered = _NUMBA_SHARED.fullmatch(symbol)
    if numbered is None:
        return reason("shared-array", name=variable_name(symbol))
    if numbered[2] is not None:
        return reason("shared-array", name=numbered[2])
    numbers = sorted(int(match[1]) for other in symbols if (match := _NUMBA_SHARED.fullmatch(other)))
    return reason("shared-array-by-number", number=numbers.index(int(numbered[1])) + 1)
