"""Readable names of threads, blocks, lines and variables."""

import re
from collections.abc import Iterable

from grader.engines.emulator.isa.cells import WARP
from grader.engines.emulator.ptx.syntax import Location
from grader.model.plan import Dim3

_NESTED = re.compile(r"_ZZ.*E(?P<rest>\d+[A-Za-z_]\w*)$")
_NUMBA_SHARED = re.compile(r"_cudapy_smem_(\d+)")


def thread_name(extents: Dim3, linear: int) -> str:
    """``thread (3,1,0)`` for a linear index in the block."""
    return f"thread {_triple(extents, linear)}"


def block_name(extents: Dim3, linear: int) -> str:
    """``block (3,1,0)`` for a linear index in the grid."""
    return f"block {_triple(extents, linear)}"


def _triple(extents: Dim3, linear: int) -> str:
    x, y = linear % extents.x, linear // extents.x % extents.y
    return f"({x},{y},{linear // (extents.x * extents.y)})"


def line_name(location: Location | None) -> str:
    """``line 12``, or ``an unknown line``."""
    return "an unknown line" if location is None else f"line {location.line}"


def amount(count: int, unit: str) -> str:
    """``1 byte``, ``1,024 bytes``."""
    return f"{count:,} {unit}{'' if count == 1 else 's'}"


def elements(count: int, width: int) -> str:
    """``count`` bytes, as elements of ``width`` bytes if they divide evenly: ``2 elements (8 bytes)``."""
    if width <= 1 or count % width:
        return amount(count, "byte")
    return f"{amount(count // width, 'element')} ({amount(count, 'byte')})"


def lanes_name(mask: int) -> str:
    """``lane 3`` or ``lanes 0-15, 31`` for a warp's lane mask."""
    return _members("lane", mask)


def warps_name(mask: int) -> str:
    """``warp 3`` or ``warps 0-1`` for a block's mask of warps."""
    return _members("warp", mask)


def _members(unit: str, mask: int) -> str:
    present = [member for member in range(WARP) if mask >> member & 1]
    starts = [member for member in present if member - 1 not in present]
    ends = [member for member in present if member + 1 not in present]
    runs = [
        str(first) if first == last else f"{first}-{last}" for first, last in zip(starts, ends, strict=True)
    ]
    return f"{unit}{'' if len(present) == 1 else 's'} {', '.join(runs)}"


def shared_array_name(symbol: str, symbols: Iterable[str]) -> str:
    """Name of a shared array among all of a kernel's.

    Numba drops the names and numbers the arrays of the whole process. For Numba the name is the array's position in
    the kernel.
    """
    if _NUMBA_SHARED.fullmatch(symbol) is None:
        return f"shared array {variable_name(symbol)}"
    numbers = sorted(int(match[1]) for other in symbols if (match := _NUMBA_SHARED.fullmatch(other)))
    return f"shared array no. {numbers.index(int(symbol.rpartition('_')[2])) + 1}"


def variable_name(symbol: str) -> str:
    """A variable's name in the source, from its mangled C++ symbol."""
    if _NESTED.match(symbol):
        return _last_name(re.sub(r"_\d+$", "", symbol)) or _last_name(symbol) or symbol
    return symbol


def _last_name(symbol: str) -> str | None:
    """The innermost name of a mangled local variable: ``tile`` of ``_ZZ6kernelPfE4tile``."""
    found = None
    for match in re.finditer(r"E(?=(\d+)(.*))", symbol):
        digits, rest = match.groups()
        if int(digits) == len(rest) and rest[:1].isidentifier():
            found = rest
    return found
