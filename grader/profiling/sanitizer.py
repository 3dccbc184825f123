"""compute-sanitizer: what it finds wrong at the lines of a kernel's source, on the device."""

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity, SourceLocation
from grader.model.run import LaunchJob
from grader.profiling.tools import Runner, Tool, running

SANITIZER = Tool("compute-sanitizer", "compute-sanitizer", "NVIDIA's CUDA toolkit")

CHECKS = {
    "memcheck": DiagnosticKind.OUT_OF_BOUNDS,
    "racecheck": DiagnosticKind.SHARED_RACE,
    "synccheck": DiagnosticKind.DIVERGENT_BARRIER,
}
"""Its tools that find anything here, and what kind of finding theirs are.

Not ``initcheck``: before a launch the engine fills all memory, so that none is uninitialised.
"""

_MOST = "200"


def checked(runner: Runner, jobs: Sequence[LaunchJob]) -> list[Diagnostic]:
    """What every tool finds in ``jobs``, each finding once. Raises: as ``tools.running``."""
    found: list[Diagnostic] = []
    for tool, kind in CHECKS.items():
        options = ("--tool", tool, "--print-limit", _MOST, "--xml")
        with running(runner, SANITIZER, options, "--save", jobs) as report:
            found += read(report, kind)
    return found


def read(report: Path, kind: DiagnosticKind) -> list[Diagnostic]:
    """The findings of ``kind`` in ``report``, those of one line and text as one."""
    records = ET.parse(report).getroot().findall("record")  # noqa: S314 - written by a tool of NVIDIA's, on this machine
    counts = Counter(_finding(record, kind) for record in records)
    return [replace(diagnostic, count=count) for diagnostic, count in counts.items()]


def _finding(record: ET.Element, kind: DiagnosticKind) -> Diagnostic:
    places = [_place(where) for where in record.iter("where")]
    first = places[0] if places else SourceLocation()
    words = [record.findtext("what/text", ""), record.findtext("what/type", "")]
    return Diagnostic(
        kind=kind,
        severity=Severity.ERROR,
        message=": ".join(word for word in words if word) or "an error without a name",
        kernel=record.findtext(".//where/func", ""),
        file=first.file,
        line=first.line,
        related=tuple(place for place in dict.fromkeys(places[1:]) if place != first),
    )


def _place(where: ET.Element) -> SourceLocation:
    path, line = where.findtext("path", ""), where.findtext("line", "")
    return SourceLocation(file=Path(path).name or None, line=int(line) if line.isdecimal() else None)
