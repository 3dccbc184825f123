"""``results.json``: a graded class for other programs, and its JSON Schema.

``python -m grader.report.results_json`` prints the schema.
"""

import sys
from pathlib import Path
from typing import Any

import msgspec

from grader.errors import UserError
from grader.model.report import SCHEMA_VERSION, ResultsDocument
from grader.report import json_files
from grader.report.text import safe_text

_BOUNDS: dict[str, dict[str, dict[str, Any]]] = {
    "ResultsDocument": {
        "schema_version": {"const": SCHEMA_VERSION},
        "created_at": {"format": "date-time"},
    },
    "Report": {"score": {"minimum": 0}, "max_score": {"minimum": 0}},
    "Part": {"score": {"minimum": 0}, "max_score": {"minimum": 0}},
    "Speedup": {"value": {"minimum": 0}, "low": {"minimum": 0}, "high": {"minimum": 0}},
    "KernelReport": {"seconds": {"minimum": 0}},
    "TimedPair": {"baseline": {"exclusiveMinimum": 0}, "submission": {"exclusiveMinimum": 0}},
    "Resources": {
        "registers": {"minimum": 0},
        "spill_bytes": {"minimum": 0},
        "shared_bytes": {"minimum": 0},
        "occupancy": {"minimum": 0, "maximum": 1},
        "active_blocks": {"minimum": 0},
        "active_warps": {"minimum": 0},
    },
    "Roofline": {
        "intensity": {"minimum": 0},
        "best_intensity": {"minimum": 0},
        "bound": {"minimum": 0},
        "peak": {"minimum": 0},
        "bandwidth": {"minimum": 0},
        "operations_per_second": {"minimum": 0},
        "bytes_per_second": {"minimum": 0},
        "share": {"minimum": 0},
    },
    "RungPoint": {"intensity": {"minimum": 0}, "operations_per_second": {"minimum": 0}},
    "LatencyHiding": {"needed": {"minimum": 2}, "there": {"minimum": 0}, "most": {"minimum": 1}},
    "Diagnostic": {"line": {"minimum": 1}, "count": {"minimum": 1}},
}
"""Constraints that Python types cannot express: type name, field name, JSON Schema keywords."""


class _Version(msgspec.Struct):
    schema_version: int


def dump(document: ResultsDocument) -> bytes:
    """``document`` as indented UTF-8 JSON in field order; equal documents give equal bytes.

    Raises: ``ValueError`` for a number that JSON cannot encode (NaN, infinity).
    """
    return json_files.dump(document)


def load(data: bytes, source: str = "The results document") -> ResultsDocument:
    """Read what ``dump`` wrote; ignores fields that this version does not know.

    Raises: ``UserError`` that names ``source`` where ``data`` is no results document of this version.
    """
    name = safe_text(source)
    try:
        version = msgspec.json.decode(data, type=_Version).schema_version
        if version == SCHEMA_VERSION:
            return msgspec.json.decode(data, type=ResultsDocument)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        problem = f"{name} is not a results document: {safe_text(str(error), limit=200)}."
        raise UserError(problem, hint="Write it again with `grader grade PATH --json FILE`.") from error
    problem = f"{name} has schema version {version}; this grader reads version {SCHEMA_VERSION}."
    raise UserError(problem, hint="Use the grader that wrote it, or grade again with this one.")


def write(path: Path, document: ResultsDocument) -> None:
    """Write ``document`` to ``path``. Raises: ``UserError`` where that is not possible."""
    json_files.write(path, document)


def schema() -> dict[str, Any]:
    """The JSON Schema of what ``dump`` writes; see ``json_files.schema_of``."""
    return json_files.schema_of(ResultsDocument, "Grader results", _BOUNDS)


def schema_bytes() -> bytes:
    """The schema as the bytes of the published file."""
    return json_files.indented(schema())


if __name__ == "__main__":
    sys.stdout.buffer.write(schema_bytes())
