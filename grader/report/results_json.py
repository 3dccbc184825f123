"""``results.json``: a graded class for other programs, and its JSON Schema.

``python -m grader.report.results_json`` prints the schema.
"""

import sys
from pathlib import Path
from typing import Any

import msgspec

from grader.errors import UserError
from grader.messages import render
from grader.model import diagnostic, report, results_v1
from grader.model.reason import AS_WRITTEN, Reason
from grader.model.report import ResultsDocument
from grader.model.results_v1 import SCHEMA_VERSION, values_of
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
    return json_files.dump(published(document))


def load(data: bytes, source: str = "The results document") -> ResultsDocument:
    """Read what ``dump`` wrote; ignores fields that this version does not know.

    Raises: ``UserError`` that names ``source`` where ``data`` is no results document of this version.
    """
    name = safe_text(source)
    try:
        version = msgspec.json.decode(data, type=_Version).schema_version
        if version == SCHEMA_VERSION:
            return values_of(msgspec.json.decode(data, type=results_v1.ResultsDocument))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        problem = f"{name} is not a results document: {safe_text(str(error), limit=200)}."
        raise UserError(problem, hint="Write it again with `grader grade PATH --json FILE`.") from error
    problem = f"{name} has schema version {version}; this grader reads version {SCHEMA_VERSION}."
    raise UserError(problem, hint="Use the grader that wrote it, or grade again with this one.")


def write(path: Path, document: ResultsDocument) -> None:
    """Write ``document`` to ``path``. Raises: ``UserError`` where that is not possible."""
    json_files.write(path, published(document))


def schema() -> dict[str, Any]:
    """The JSON Schema of what ``dump`` writes; see ``json_files.schema_of``."""
    return json_files.schema_of(results_v1.ResultsDocument, "Grader results", _BOUNDS)


def schema_bytes() -> bytes:
    """The schema as the bytes of the published file."""
    return json_files.indented(schema())


def published(document: ResultsDocument) -> results_v1.ResultsDocument:
    """``document`` in its published form, with English texts."""
    return results_v1.ResultsDocument(
        schema_version=SCHEMA_VERSION,
        grader_version=document.grader_version,
        created_at=document.created_at,
        engine=document.engine,
        reports=tuple(map(published_report, document.reports)),
    )


def published_report(value: report.Report) -> results_v1.Report:
    """One report in its published form."""
    return results_v1.Report(
        student=value.student,
        lab=value.lab,
        file=value.file,
        language=value.language,
        verdict=value.verdict,
        reason=render(value.reason),
        score=value.score,
        max_score=value.max_score,
        parts=tuple(map(_part, value.parts)),
        kernels=tuple(map(_kernel, value.kernels)),
        diagnostics=tuple(map(_diagnostic, value.diagnostics)),
        isolation=value.isolation,
        lab_version=value.lab_version,
        review=value.review,
        adjustment=value.adjustment,
        engine=value.engine,
        code=_code(value.reason),
        time_used=value.time_used,
    )


def _kernel(value: report.KernelReport) -> results_v1.KernelReport:
    return results_v1.KernelReport(
        name=value.name,
        verdict=value.verdict,
        reason=render(value.reason),
        cases=tuple(map(_case, value.cases)),
        speedup=value.speedup,
        seconds=value.seconds,
        resources=None if value.resources is None else _resources(value.resources),
        diagnostics=tuple(map(_diagnostic, value.diagnostics)),
        lines=value.lines,
        sites=value.sites,
        printed=value.printed,
        roofline=value.roofline,
        latency=value.latency,
        suspicion=_text(value.suspicion),
        timings=value.timings,
        code=_code(value.reason),
    )


def _resources(value: report.Resources) -> results_v1.Resources:
    return results_v1.Resources(
        registers=value.registers,
        spill_bytes=value.spill_bytes,
        shared_bytes=value.shared_bytes,
        occupancy=value.occupancy,
        limiter=value.limiter,
        active_blocks=value.active_blocks,
        active_warps=value.active_warps,
        lift=_text(value.advice),
    )


def _case(value: report.CaseReport) -> results_v1.CaseReport:
    return results_v1.CaseReport(
        name=value.name,
        visibility=value.visibility,
        verdict=value.verdict,
        reason=render(value.reason),
        code=_code(value.reason),
        wrong_map=value.wrong_map,
    )


def _part(value: report.Part) -> results_v1.Part:
    return results_v1.Part(
        name=value.name,
        score=value.score,
        max_score=value.max_score,
        reason=render(value.reason),
        withheld=_withheld(value.withheld),
        code=_code(value.reason),
    )


def _withheld(value: report.Withheld | None) -> results_v1.Withheld | None:
    return None if value is None else results_v1.Withheld(score=value.score, reason=render(value.reason))


def _diagnostic(value: diagnostic.Diagnostic) -> results_v1.Diagnostic:
    return results_v1.Diagnostic(
        kind=value.kind,
        severity=value.severity,
        message=render(value.message),
        advice=_text(value.advice),
        kernel=value.kernel,
        file=value.file,
        line=value.line,
        related=value.related,
        threads=value.threads,
        count=value.count,
        code=_code(value.message),
    )


_AROUND = frozenset({"in-kernel", "in-case", "host-code-is-cause"})


def _text(said: Reason | None) -> str:
    return render(said) if said else ""


def _code(said: Reason) -> str:
    """The code of the statement inside the names of kernel and case; of a cause and its effect, that of the cause."""
    while said.code in _AROUND and (inner := said.nested()):
        said = inner[0]
    return "" if said.code == AS_WRITTEN else said.code


if __name__ == "__main__":
    sys.stdout.buffer.write(schema_bytes())
