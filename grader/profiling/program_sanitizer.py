"""compute-sanitizer on a whole program: its errors and leaks at the lines of host code and kernels."""

import xml.etree.ElementTree as ET
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from grader.errors import UserError
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.reason import as_written, reason
from grader.model.text import printable
from grader.profiling.sanitizer import SANITIZER

_OPTIONS = ("--tool", "memcheck", "--leak-check", "full", "--print-limit", "200")

_KINDS = {
    "Api": DiagnosticKind.RUNTIME_ERROR,
    "Leak": DiagnosticKind.LEAK,
    "Precise": DiagnosticKind.OUT_OF_BOUNDS,
    "Imprecise": DiagnosticKind.DEVICE_FAULT,
}
_ERRORS = {"misaligned": DiagnosticKind.MISALIGNED}
"""Kinds by what the tool calls the error, where they differ from those of the record."""


def sanitizer_command(report: Path) -> list[str]:
    """The command that a program's command follows; it writes ``report``. Raises: ``UserError`` without the tool."""
    log = report.with_suffix(".log")
    return [SANITIZER.find(), *_OPTIONS, "--log-file", str(log), "--xml", "--save", str(report)]


def read_findings(report: Path, files: Collection[str]) -> tuple[Diagnostic, ...]:
    """The findings in ``report``, equal ones counted; ``files`` are the names of the program's own sources.

    Raises: ``UserError`` where the tool wrote none: the program was ended, or the tool does not work here.
    """
    if not report.is_file():
        log = report.with_suffix(".log")
        last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-1:] if log.is_file() else []
        msg = f"compute-sanitizer wrote no report: {printable(' '.join(last)) or 'it says nothing'}."
        raise UserError(msg, hint="A program that is ended by a signal or by --seconds leaves no report.")
    found: dict[tuple[object, ...], Diagnostic] = {}
    for record in ET.parse(report).getroot().findall("record"):  # noqa: S314 - written by a tool of NVIDIA's, on this machine
        each = _finding(record, files)
        before = found.get(each.identity)
        found[each.identity] = each if before is None else replace(before, count=before.count + 1)
    return tuple(found.values())


def _finding(record: ET.Element, files: Collection[str]) -> Diagnostic:
    kind = _KINDS.get(record.findtext("kind", ""), DiagnosticKind.DEVICE_FAULT)
    kind = _ERRORS.get(record.findtext("what/error", ""), kind)
    lines = [each for name in ("where", "frame") for each in _lines(record, name, files)]
    first, related = (lines[0], lines[1:2]) if lines else (SourceLocation(), [])
    text = record.findtext("what/text", "").removesuffix(".")
    return Diagnostic(
        kind=kind,
        severity=Severity.ERROR,
        message=as_written(text) if text else reason("unnamed-sanitizer-error"),
        kernel=record.findtext(".//where/func", ""),
        file=first.file,
        line=first.line,
        related=tuple(each for each in related if each != first),
    )


def _lines(record: ET.Element, name: str, files: Collection[str]) -> list[SourceLocation]:
    """The first line of the program's own sources among the elements called ``name``, innermost first."""
    for each in record.iter(name):
        file, line = Path(each.findtext("path", "")).name, each.findtext("line", "")
        if file in files and line.isdecimal():
            return [SourceLocation(file=file, line=int(line))]
    return []
