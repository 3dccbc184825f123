"""Code by which a kernel could tell where, or in which of several launches, it runs."""

import re
from collections.abc import Collection, Iterator

from grader.compile.address_flow import decisions_by_address
from grader.compile.forbidden import Feature, occurrences
from grader.compile.ptx import Entry, blank_comments, entries
from grader.model.location import SourceLocation
from grader.model.module import DeviceProbe, ProbeKind

_MULTIPROCESSOR = re.compile(r"%(?:n?smid|n?warpid|reserved_smem_offset_\w+)(?![\w$.])")
_ALLOCATION = re.compile(r"\bcall(?:\.uni)?\s+\([^)]*\)\s*,\s*(?:malloc|_Znwm|_Znam)\b")
_PARAMETER = re.compile(r"\.param\s+(?:\.align\s+\d+\s+)?\.\w+\s+(?:\.ptr\b[^,]*?\s)?([\w$]+)")


def device_probe(
    ptx: str, kernel: Entry, pointers: Collection[int], files: Collection[str]
) -> DeviceProbe | None:
    """The first probe in ``kernel``, or in a function that it may call; ``None`` if it has none.

    ``pointers`` are the positions of the parameters that are addresses.
    """
    finders = {
        ProbeKind.MULTIPROCESSOR: lambda text: _starts(_MULTIPROCESSOR, text),
        ProbeKind.ADDRESS: lambda text: _decisions(text, kernel, pointers),
        ProbeKind.HEAP: lambda text: _starts(_ALLOCATION, text),
    }
    for kind, find in finders.items():
        for file, line in occurrences(ptx, kernel, Feature("", find), files):
            return DeviceProbe(kind=kind, location=SourceLocation(file=file, line=line))
    return None


def _starts(pattern: re.Pattern[str], ptx: str) -> Iterator[int]:
    return (match.start() for match in pattern.finditer(blank_comments(ptx)))


def _decisions(ptx: str, kernel: Entry, pointers: Collection[int]) -> Iterator[int]:
    text = blank_comments(ptx)
    entry = next(entry for entry in entries(ptx) if entry.symbol == kernel.symbol)
    head, body = text[entry.start : entry.end].split("{", 1)
    named = [name for index, name in enumerate(_PARAMETER.findall(head)) if index in pointers]
    return decisions_by_address(body, entry.start + len(head) + 1, named)
