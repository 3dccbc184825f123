"""Read PTX text: kernels with their parameters, source lines, file names."""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

COMPUTE_CAPABILITY = (7, 5)
"""The compute capability of every compilation, in each language: the PTX that the emulator supports."""

_ENTRY = re.compile(r"\.entry\s+([\w$.]+)\s*(?:\(([^)]*)\))?\s*([^{;]*)\{")
_BRACE = re.compile(r"[{}]")
_TEXT = re.compile(r'"[^"]*"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_VISIBLE = re.compile(r"[^\n]")
_PARAM = re.compile(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)\s+(?:\.ptr\b[^,]*?\s)?[\w$]+(\[\d+\])?")
_BOUND = re.compile(r"\.(?:max|req)ntid\s+(\d+)(?:\s*,\s*(\d+))?(?:\s*,\s*(\d+))?")
_EXTERNAL = re.compile(r"\.extern\s+\.func\s+(?:\([^)]*\)\s*)?([\w$]+)")
_CALL = re.compile(r"\bcall(?:\.uni)?\s+(?:\([^)]*\)\s*,\s*)?([\w$]+)")
_RUNTIME_FUNCTIONS = frozenset(
    {
        *("vprintf", "malloc", "free", "__assertfail", "memcpy", "memset"),
        *("cudaCGGetIntrinsicHandle", "cudaCGSynchronize"),
    }
)
_FILE = re.compile(r'^(\s*\.file\s+(\d+)\s+)"((?:\\.|[^"\\\n])*)"', re.MULTILINE)
_OCTAL = re.compile(rb"\\([0-7]{3})")
_DYNAMIC_SHARED = re.compile(r"\.extern\s+\.shared\s[^;\n]*?([\w$]+)\[\]")
_VARIABLE = re.compile(
    r"^\s*(?:\.(?:visible|extern|weak|common)\s+)*\.(?:const|global|shared)\s[^;]*;", re.MULTILINE
)
_SYMBOL = re.compile(r"[A-Za-z_$][\w$]*")
_LOC = re.compile(r"^\s*\.loc\s+(\d+)\s+(\d+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Entry:
    """A kernel in PTX. ``params`` are PTX types (``u64``; ``b8[16]`` for a structure).

    ``max_threads`` is the launch bound, if the kernel declares one. ``start`` and ``end`` delimit its text.
    """

    symbol: str
    params: tuple[str, ...]
    max_threads: int | None
    start: int
    end: int


def blank_comments(ptx: str) -> str:
    """``ptx`` with comments and strings replaced by blanks, so that only code remains. Offsets do not change."""
    return _TEXT.sub(lambda text: _VISIBLE.sub(" ", text[0]), ptx)


def entries(ptx: str) -> tuple[Entry, ...]:
    """Every kernel defined in ``ptx``, in order; comments and strings are ignored."""
    ptx = blank_comments(ptx)
    found = []
    for match in _ENTRY.finditer(ptx):
        symbol, params, directives = match.groups()
        bound = _BOUND.search(directives)
        found.append(
            Entry(
                symbol=symbol,
                params=tuple(kind + (size or "") for kind, size in _PARAM.findall(params or "")),
                max_threads=None if bound is None else _product(bound.groups()),
                start=match.start(),
                end=_end_of_body(ptx, match.end()),
            )
        )
    return tuple(found)


def _end_of_body(ptx: str, start: int) -> int:
    """The offset of the brace that closes the body opened just before ``start``."""
    depth = 1
    for brace in _BRACE.finditer(ptx, start):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start()
    return len(ptx)


def _product(extents: tuple[str | None, ...]) -> int:
    product = 1
    for extent in extents:
        product *= int(extent or 1)
    return product


def external_calls(ptx: str) -> Iterator[tuple[int, str]]:
    """Offset and callee of every call to a function that neither the unit nor the CUDA runtime defines."""
    ptx = blank_comments(ptx)
    external = {match[1] for match in _EXTERNAL.finditer(ptx)} - _RUNTIME_FUNCTIONS
    for match in _CALL.finditer(ptx):
        if match[1] in external:
            yield match.start(), match[1]


def rename_files(ptx: str, rename: Callable[[str], str]) -> str:
    """``ptx`` with every ``.file`` name replaced by ``rename``, which gets octal escapes decoded."""

    def replacement(match: re.Match[str]) -> str:
        raw = _OCTAL.sub(lambda code: bytes([int(code[1], 8)]), match[3].encode())
        return f'{match[1]}"{rename(raw.decode(errors="replace"))}"'

    return _FILE.sub(replacement, ptx)


class LineTable:
    """Maps an offset in PTX text to a line of the student's ``files``.

    Code inlined from other files (a toolkit header) belongs to the student's line that precedes it.
    """

    def __init__(self, ptx: str, files: Collection[str]) -> None:
        self._files = {int(number): name for _, number, name in _FILE.findall(ptx) if name in files}
        locations = [(match.start(), int(match[1]), int(match[2])) for match in _LOC.finditer(ptx)]
        known = [location for location in locations if location[2] > 0 and location[1] in self._files]
        self._starts = [start for start, _, _ in known]
        self._locations = [(file, line) for _, file, line in known]

    def location(self, offset: int) -> tuple[str | None, int | None]:
        """File and line of the instruction at ``offset``; ``(None, None)`` before the first known line."""
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            return None, None
        file, line = self._locations[index]
        return self._files[file], line

    def first_location(self, start: int, end: int) -> tuple[str | None, int | None]:
        """File and line of the first instruction between two offsets."""
        index = bisect_right(self._starts, start)
        if index < len(self._starts) and self._starts[index] < end:
            file, line = self._locations[index]
            return self._files[file], line
        return None, None


@dataclass(frozen=True, slots=True)
class MentionedSymbols:
    """The names in the code of a kernel and of the functions beside it. ``dynamic_shared``: one has no fixed size."""

    names: frozenset[str]
    dynamic_shared: bool

    def has(self, variable: str) -> bool:
        """Whether the code mentions a variable, possibly under a mangled name."""
        mangled = f"{len(variable)}{variable}"
        return any(name == variable or (name.startswith("_Z") and mangled in name) for name in self.names)


def mentioned_symbols(ptx: str, symbol: str) -> MentionedSymbols:
    """The variables that the kernel ``symbol`` uses; every function of the unit counts as called."""
    code = blank_comments(ptx)
    kernels = entries(ptx)
    pieces, position = [], 0
    for entry in kernels:
        pieces.append(code[position : entry.start])
        if entry.symbol == symbol:
            pieces.append(code[entry.start : entry.end])
        position = entry.end
    text = "".join([*pieces, code[position:]])
    dynamic = set(_DYNAMIC_SHARED.findall(text))
    used = frozenset(_SYMBOL.findall(_VARIABLE.sub("", text)))
    return MentionedSymbols(used, not dynamic.isdisjoint(used))
