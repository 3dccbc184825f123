"""compute-sanitizer: errors on the device by line of a kernel's source."""

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.reason import Reason, as_written, reason
from grader.model.run import LaunchJob
from grader.profiling.tools import Runner, Tool, running

SANITIZER = Tool("compute-sanitizer", "compute-sanitizer", "NVIDIA's CUDA toolkit")

CHECKS = {
    "memcheck": DiagnosticKind.OUT_OF_BOUNDS,
    "racecheck": DiagnosticKind.SHARED_RACE,
    "synccheck": DiagnosticKind.DIVERGENT_BARRIER,
}
"""The tools that can find errors here, and the kind of their findings.

Without ``initcheck``: the engine fills all memory before a launch, so none is uninitialised.
"""

_MOST = "200"


def checked(runner: Runner, jobs: Sequence[LaunchJob]) -> list[Diagnostic]:
    """The findings of all tools in ``jobs``, without repetition. Raises: as ``tools.running``."""
    found: list[Diagnostic] = []
    for tool, kind in CHECKS.items():
        options = ("--tool", tool, "--print-limit", _MOST, "--xml")
        with running(runner, SANITIZER, options, "--save", jobs) as report:
            found += read(report, kind)
    return found


def read(report: Path, kind: DiagnosticKind) -> list[Diagnostic]:
    """The findings of ``kind`` in ``report``; equal ones are counted."""
    records = ET.parse(report).getroot().findall("record")  # noqa: S314 - written by a tool of NVIDIA's, on this machine
    counts = Counter(_finding(record, kind) for record in records)
    return [replace(diagnostic, count=count) for diagnostic, count in counts.items()]


def _finding(record: ET.Element, kind: DiagnosticKind) -> Diagnostic:
    locations = [_location(where) for where in record.iter("where")]
    first = locations[0] if locations else SourceLocation()
    return Diagnostic(
        kind=kind,
        severity=Severity.ERROR,
        message=_message(record),
        kernel=record.findtext(".//where/func", ""),
        file=first.file,
        line=first.line,
        related=tuple(each for each in dict.fromkeys(locations[1:]) if each != first),
    )


def _message(record: ET.Element) -> Reason:
    """The tool's own words."""
    words = [record.findtext("what/text", ""), record.findtext("what/type", "")]
    text = ": ".join(word for word in words if word)
    return as_written(text) if text else reason("unnamed-sanitizer-error")


def _location(where: ET.Element) -> SourceLocation:
    path, line = where.findtext("path", ""), where.findtext("line", "")
    return SourceLocation(file=Path(path).name or None, line=int(line) if line.isdecimal() else None)
