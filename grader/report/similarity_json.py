"""``similarity.json`` and its schema. ``python -m grader.report.similarity_json`` prints the schema."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.model.similarity import BINS, SimilarityReport
from grader.report import json_files

SCHEMA_VERSION = 1
"""Version of the document; raised when readers of the old version would misread the new one."""

_SHARE = {"minimum": 0, "maximum": 1}
_BOUNDS: json_files.Bounds = {
    "SimilarityDocument": {
        "schema_version": {"const": SCHEMA_VERSION},
        "created_at": {"format": "date-time"},
    },
    "SimilarityDistribution": {
        "median": _SHARE,
        "pairs": {"minimum": 1},
        "counts": {"minItems": BINS, "maxItems": BINS},
    },
    "Measure": {
        "similarity": _SHARE,
        "first_share": _SHARE,
        "second_share": _SHARE,
        "rank": {"minimum": 1},
        "shared": {"minimum": 1},
    },
    "Passage": {"runs": {"minimum": 1}, "others": {"minimum": 0}},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarityDocument:
    """The content of ``similarity.json``. ``created_at`` is ISO 8601 in UTC."""

    schema_version: int
    grader_version: str
    created_at: str
    report: SimilarityReport


def document(report: SimilarityReport, *, grader_version: str, created_at: str) -> SimilarityDocument:
    """``report`` as a document."""
    return SimilarityDocument(
        schema_version=SCHEMA_VERSION, grader_version=grader_version, created_at=created_at, report=report
    )


def write(path: Path, content: SimilarityDocument) -> None:
    """Write ``content`` to ``path``. Raises: ``UserError`` where that is not possible."""
    json_files.write(path, content)


def schema() -> dict[str, Any]:
    """The JSON Schema of ``similarity.json``."""
    return json_files.schema_of(SimilarityDocument, "Grader similarity", _BOUNDS)


if __name__ == "__main__":
    sys.stdout.buffer.write(json_files.indented(schema()))
