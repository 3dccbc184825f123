"""Ladders as pytest-benchmark JSON, for its ``compare`` command and plots.

The fields are those of pytest-benchmark's own files: a group for each lab, case and language, a benchmark for each
kernel of a rung. Values without a field of their own stand under ``extra_info``. ``machine_info`` says whether the
times are measured or modelled.
"""

import math
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from grader.model.ladder import LadderReport, Provenance, RungTiming
from grader.report.files import write_atomically

FORMAT_VERSION = "5.3.1"
"""The pytest-benchmark release that defines this file format."""

_FENCE = 1.5
"""Tukey's rule: an outlier lies more than this many interquartile ranges beyond the quartiles."""


def dump(ladders: Sequence[LadderReport], made: Provenance) -> bytes:
    """``ladders``, all of one engine, as indented UTF-8 JSON."""
    engine, kind = ladders[0].engine, ladders[0].kind
    document = {
        "machine_info": {
            "device": engine.device,
            "engine": engine.kind,
            "times": kind,
            "driver": made.driver,
            "system": made.system,
            "python_version": made.python,
            "cpu": {"brand_raw": f"{engine.device}, {kind} times"},
        },
        "commit_info": {
            "id": made.commit or "unversioned",
            "time": None,
            "author_time": None,
            "dirty": made.changed,
            "project": "grader",
            "branch": "(unknown)",
        },
        "benchmarks": [entry for ladder in ladders for entry in _benchmarks(ladder)],
        "datetime": made.created_at,
        "version": FORMAT_VERSION,
        "grader": {"version": made.grader_version, "digest": made.grader_digest},
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def write(path: Path, ladders: Sequence[LadderReport], made: Provenance) -> None:
    """Write ``ladders`` to ``path``. Raises: ``UserError`` where that is not possible."""
    write_atomically(path, dump(ladders, made))


def stats(times: Sequence[float]) -> dict[str, Any]:
    """The statistics pytest-benchmark stores for ``times`` in seconds (at least one)."""
    data = sorted(times)
    q1, q3 = _quartiles(data)
    mean, stddev = statistics.fmean(data), statistics.stdev(data) if len(data) > 1 else 0.0
    fence = _FENCE * (q3 - q1)
    inside = [time for time in data if q1 - fence <= time <= q3 + fence]
    far = sum(abs(time - mean) > stddev for time in data) if stddev else 0
    beyond = len(data) - len(inside)
    return {
        "min": data[0],
        "max": data[-1],
        "mean": mean,
        "stddev": stddev,
        "rounds": len(data),
        "median": statistics.median(data),
        "iqr": q3 - q1,
        "q1": q1,
        "q3": q3,
        "iqr_outliers": beyond,
        "stddev_outliers": far,
        "outliers": f"{far};{beyond}",
        "ld15iqr": inside[0],
        "hd15iqr": inside[-1],
        "ops": 1 / mean,
        "total": math.fsum(data),
        "data": list(times),
        "iterations": 1,
    }


def _quartiles(data: Sequence[float]) -> tuple[float, float]:
    """Quartiles of sorted ``data``: medians of its halves, averaged over including and excluding the middle value."""
    if len(data) == 1:
        return data[0], data[0]
    sizes = (len(data) // 2, (len(data) + 1) // 2)
    lower, upper = zip(
        *((statistics.median(data[:n]), statistics.median(data[-n:])) for n in sizes), strict=True
    )
    return statistics.fmean(lower), statistics.fmean(upper)


def _benchmarks(ladder: LadderReport) -> Iterator[dict[str, Any]]:
    """One benchmark per timed row."""
    for row in ladder.rows:
        if row.seconds:
            name = f"{row.rung}[{row.kernel}]"
            yield {
                "group": f"{ladder.lab} {row.case} {row.language}",
                "name": name,
                "fullname": f"{ladder.lab}/{row.case}/{row.language}::{name}",
                "params": {"rung": row.rung, "kernel": row.kernel, "language": row.language, **row.sizes},
                "param": row.kernel,
                "extra_info": _extra(ladder, row),
                "options": {},
                "stats": stats(row.seconds),
            }


def _extra(ladder: LadderReport, row: RungTiming) -> dict[str, Any]:
    return {
        "lab_version": ladder.version,
        "lab_digest": ladder.digest,
        "times": ladder.kind,
        "speedups": list(row.speedups),
        "share_of_roofline": row.share,
        "resources": row.resources,
    }
