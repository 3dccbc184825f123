"""Public leaderboards: ``leaderboard.json``, its schema, and a page.

``python -m grader.report.public_leaderboard`` prints the schema.
"""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grader.model.text import natural_key
from grader.report import json_files
from grader.report.files import write_atomically
from grader.report.leaderboard import Board

SCHEMA_VERSION = 1
"""Version of the document; raised when readers of the old version would misread the new one."""

_POSITIVE = {"minimum": 0}
_BOUNDS: json_files.Bounds = {
    "Leaderboards": {"schema_version": {"const": SCHEMA_VERSION}, "created_at": {"format": "date-time"}},
    "Entry": {"rank": {"minimum": 1}},
    "Speedup": {"value": _POSITIVE, "low": _POSITIVE, "high": _POSITIVE},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboards:
    """The content of ``leaderboard.json``. ``created_at`` is ISO 8601 in UTC; ``student`` fields hold public names."""

    schema_version: int
    grader_version: str
    created_at: str
    boards: tuple[Board, ...]


def public_leaderboards(
    boards: Iterable[Board], public_name: Callable[[str], str], *, grader_version: str, created_at: str
) -> Leaderboards:
    """``boards`` with the public name of every student."""
    return Leaderboards(
        schema_version=SCHEMA_VERSION,
        grader_version=grader_version,
        created_at=created_at,
        boards=tuple(with_public_names(board, public_name) for board in boards),
    )


def with_public_names(board: Board, public_name: Callable[[str], str]) -> Board:
    """``board`` with the public name of every student, in an order that reveals no other."""
    entries = (replace(entry, student=public_name(entry.student)) for entry in board.entries)
    # Ties were sorted by real name; sort again so that the order reveals none.
    ordered = sorted(entries, key=lambda e: (e.rank, -e.speedup.value, natural_key(e.student), e.kernel))
    return replace(board, entries=tuple(ordered))


def write_json(path: Path, document: Leaderboards) -> None:
    """Write ``document`` to ``path``. Raises: ``UserError`` where that is not possible."""
    json_files.write(path, document)


def render(document: Leaderboards, language: str = "en") -> str:
    """The page with all boards."""
    from grader.report.pages.environment import render_page  # noqa: PLC0415 - loads the templates

    return render_page("leaderboard.html.j2", language=language, document=document)


def write_html(path: Path, document: Leaderboards, language: str = "en") -> None:
    """Write the page to ``path``. Raises: ``UserError`` where that is not possible."""
    write_atomically(path, render(document, language).encode())


def schema() -> dict[str, Any]:
    """The JSON Schema of ``leaderboard.json``."""
    return json_files.schema_of(Leaderboards, "Grader leaderboards", _BOUNDS)


if __name__ == "__main__":
    sys.stdout.buffer.write(json_files.indented(schema()))
