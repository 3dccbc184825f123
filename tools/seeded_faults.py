"""Programs with one fault in each case: which cases they have, and what must be found where.

A case begins with ``case N:`` and ends with ``break;`` or where the next begins. A comment ``//-> code`` names what
must be found at its line.
"""

import re
from pathlib import Path

_CASE = re.compile(r"^    case (\d+):", re.MULTILINE)
_END = re.compile(r"\s*break;$|    case \d")
_EXPECTED = re.compile(r"//-> ([\w, -]+)$")


def cases(program: Path) -> list[str]:
    """The numbers of the cases."""
    return _CASE.findall(program.read_text(encoding="utf-8"))


def expected(program: Path, number: str) -> set[tuple[str, int]]:
    """The codes and lines that the comments of a case name."""
    lines = program.read_text(encoding="utf-8").splitlines()
    start = next(index for index, line in enumerate(lines) if line.startswith(f"    case {number}:"))
    behind = range(start + 1, len(lines))
    end = next((index for index in behind if _END.match(lines[index])), len(lines))
    return {
        (code.strip(), index + 1)
        for index in range(start, end)
        if (match := _EXPECTED.search(lines[index]))
        for code in match[1].split(",")
    }
