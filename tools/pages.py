"""Records of what was measured, and the tables that programs make of them in the documentation, between markers."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from tools.paths import CHECKOUT

PAGE = CHECKOUT / "benchmarks" / "tables" / "emulator-against-hardware.md"

RESULTS = CHECKOUT / "benchmarks" / "results"

HANDOUT_SECTION = "measured"
"""The section of a lab's handout that has the times of its rungs."""


def table(header: Sequence[str], rows: Iterable[Sequence[str]], numbers_from: int) -> str:
    """A Markdown table; columns from ``numbers_from`` on are aligned to the right."""
    rule = ["---"] * numbers_from + ["--:"] * (len(header) - numbers_from)
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, rule, *rows])


def measured_on(provenance: dict[str, Any]) -> str:
    """Where, with what, of which commit and when a record was made, to follow what was measured."""
    return (
        f"on {provenance['device']}, driver {provenance['driver']}, at commit `{provenance['commit'][:7]}`, "
        f"{provenance['measured_at'][:10]}"
    )


def section(text: str, name: str) -> str:
    """What stands between the markers of ``name`` in ``text``. Raises: ``ValueError`` where they are not there."""
    return _found(text, name)[2].strip()


def with_section(text: str, name: str, content: str) -> str:
    """``text`` with ``content`` between the markers of ``name``. Raises: ``ValueError`` where they are not there."""
    found = _found(text, name)
    return f"{text[: found.start()]}{found[1]}\n\n{content}\n\n{found[3]}{text[found.end() :]}"


def write(sections: dict[str, str], page: Path = PAGE) -> None:
    """Put every section into ``page``."""
    text = page.read_text(encoding="utf-8")
    for name, content in sections.items():
        text = with_section(text, name, content)
    page.write_text(text, encoding="utf-8")


def keep(record: object, path: Path) -> None:
    """Write what was measured to ``path``, as JSON."""
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def show(path: Path, name: str, of_record: Callable[[dict[str, Any]], str], page: Path) -> None:
    """Put what ``of_record`` makes of the record at ``path`` into the section ``name`` of ``page``."""
    write({name: of_record(json.loads(path.read_text(encoding="utf-8")))}, page)


def _found(text: str, name: str) -> re.Match[str]:
    start, end = f"<!-- {name}: begin, by [^>]* -->", f"<!-- {name}: end -->"
    match = re.search(f"({start})(.*?)({end})", text, re.DOTALL)
    if match is None:
        msg = f"the page has no section {name!r}"
        raise ValueError(msg)
    return match
