"""The statistics of a lab as JSON, for programs. ``python -m grader.report.statistics_json`` prints the schema."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.report import json_files
from grader.report.distribution import BINS

SCHEMA_VERSION = 1
"""Version of the document; raised when readers of the old version would misread the new one."""

_COUNT = {"minimum": 0}
_BOUNDS: json_files.Bounds = {
    "StatisticsDocument": {
        "schema_version": {"const": SCHEMA_VERSION},
        "created_at": {"format": "date-time"},
        "submissions": {"minimum": 1},
    },
    "Spread": {"most": _COUNT, "counts": {"minItems": BINS, "maxItems": BINS}},
    "VerdictCount": {"count": {"minimum": 1}},
    "CaseCount": {"failed": _COUNT, "ran": {"minimum": 1}},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How points from 0 to ``most`` are spread: ``counts`` of each tenth, then of full points. ``title`` is English."""

    title: str
    most: float
    median: float | None
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictCount:
    """How many submissions got a verdict."""

    verdict: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseCount:
    """How many of the submissions that ``ran`` a case ``failed`` it."""

    kernel: str
    case: str
    failed: int
    ran: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MistakeCluster:
    """Students with one kind of finding at lines of one shape.

    ``code`` and ``message``, in English, are those of the first student, as are the place and its ``source``.
    """

    kind: str
    severity: str
    code: str
    message: str
    file: str | None
    line: int | None
    source: str
    students: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsDocument:
    """The content of the JSON file. The hardest case and the most frequent mistake come first."""

    schema_version: int
    grader_version: str
    created_at: str
    lab: str
    submissions: int
    verdicts: tuple[VerdictCount, ...]
    score: Spread
    parts: tuple[Spread, ...]
    cases: tuple[CaseCount, ...]
    mistakes: tuple[MistakeCluster, ...]


def write(path: Path, document: StatisticsDocument) -> None:
    """Write ``document`` to ``path``. Raises: ``UserError`` where that is not possible."""
    json_files.write(path, document)


def schema() -> dict[str, Any]:
    """The JSON Schema of what ``write`` writes."""
    return json_files.schema_of(StatisticsDocument, "Grader statistics", _BOUNDS)


if __name__ == "__main__":
    sys.stdout.buffer.write(json_files.indented(schema()))
