"""Compiler messages as diagnostics: with the student's file and line, and without paths of this machine."""

import difflib
import re
from collections.abc import Iterable, Mapping

from grader.messages import render
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.reason import as_written
from grader.model.text import printable

MAX_DIAGNOSTICS = 40
"""The most messages kept of one build; a missing brace can cause thousands."""

MAX_MESSAGE = 400
"""Length in characters at which a message is cut."""

_MAX_CLEANED = 2**16
"""The most characters of a message that are cleaned, so that a message of many megabytes costs no more."""

_NVRTC_LINE = re.compile(
    r"(?P<file>[^\n]+?)\((?P<line>\d+)\): (?:catastrophic )?(?P<severity>error|warning)(?: #[\w-]+)?: (?P<message>.*)"
)
_NVRTC_END = re.compile(r"At end of source: (?P<severity>error|warning)(?: #[\w-]+)?: (?P<message>.*)")
_ARGUMENT_TYPES = re.compile(r"\s+(argument types are: .*)")

_REWORDED = (
    (
        re.compile(
            r"A function without execution space annotations .*|A function explicitly marked as a __host__ .*"
        ),
        "this function is host code; mark it __device__ so that a kernel can call it",
    ),
    (
        re.compile(r"A namespace scope variable without memory space annotations .*"),
        "this is a host variable, which a kernel cannot read; make it const, a #define, or a kernel parameter",
    ),
    (
        re.compile(r"device-side kernel launch could not be processed .*"),
        "a kernel cannot launch another kernel here; let the lab launch each kernel",
    ),
)
_PATH = re.compile(r"(?<![\w.])/(?:[\w.+-]+/)+")
_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def clean(message: str, limit: int = MAX_MESSAGE) -> str:
    """``message`` as one printable line of at most ``limit`` characters, without absolute folder names."""
    line = printable(" ".join(_PATH.sub("", _COLOURS.sub(" ", message[:_MAX_CLEANED])).split()))
    return line if len(line) <= limit else line[: limit - 1] + "…"


def compiler_diagnostic(severity: Severity, message: str, file: str | None, line: int | None) -> Diagnostic:
    """A compiler message, cleaned, as a diagnostic."""
    return Diagnostic(
        kind=DiagnosticKind.COMPILER,
        severity=severity,
        message=as_written(clean(message)),
        file=file,
        line=line,
    )


def parse_nvrtc(log: str, files: Mapping[str, str], last: tuple[str, int]) -> list[Diagnostic]:
    """The messages in an NVRTC log, in order.

    ``files`` maps the compiler's file names to the student's. An error in any other file has no location; a warning in
    any other file is dropped. ``last`` is the unit's name and number of lines, the location of "at end of source".
    """
    found: list[Diagnostic] = []
    for text in log.splitlines():
        match = _NVRTC_LINE.fullmatch(text)
        if match is not None:
            file = files.get(match["file"])
            severity = Severity(match["severity"])
            if file is None and severity is Severity.WARNING:
                continue
            line = int(match["line"]) if file is not None else None
            found.append(compiler_diagnostic(severity, _reword(match["message"]), file, line))
            continue
        match = _NVRTC_END.fullmatch(text)
        if match is not None:
            found.append(compiler_diagnostic(Severity(match["severity"]), _reword(match["message"]), *last))
            continue
        match = _ARGUMENT_TYPES.fullmatch(text)
        if match is not None and found:
            previous = found.pop()
            message = f"{render(previous.message)}; {match[1]}"
            found.append(compiler_diagnostic(previous.severity, message, previous.file, previous.line))
    return found


def _reword(message: str) -> str:
    for pattern, wording in _REWORDED:
        if pattern.fullmatch(message):
            return wording
    return message


def diagnostic_text(diagnostic: Diagnostic) -> str:
    """A diagnostic as one line: ``row_sum.cu, line 12: identifier "y" is undefined``."""
    if diagnostic.file is None:
        return render(diagnostic.message)
    return f"{location_text(diagnostic.file, diagnostic.line)}: {render(diagnostic.message)}"


def location_text(file: str, line: int | None) -> str:
    """A source location for messages: ``row_sum.cu, line 12``."""
    return file if line is None else f"{file}, line {line}"


def location_prefix(file: str | None, line: int | None) -> str:
    """A location as the start of a message, ``row_sum.cu, line 12: ``; empty if the file is unknown."""
    return "" if file is None else f"{location_text(file, line)}: "


def defined_twice(name: str, locations: Iterable[tuple[str, int | None]]) -> str:
    """The message about a kernel that is defined at several ``locations``."""
    where = ", and in ".join(location_text(file, line) for file, line in locations)
    return f"{name} is defined more than once: in {where}; keep one of them"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`` (did you mean row_sum, not row_sum1?)`` if one of ``known`` is similar to ``name``; empty otherwise."""
    close = difflib.get_close_matches(name, known, n=1)
    return f"; rename {close[0]} if it is that kernel" if close else ""


def capped(diagnostics: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The diagnostics without repetitions; if there are too many, only the most severe ones."""
    unique = list(dict.fromkeys(diagnostics))
    if len(unique) <= MAX_DIAGNOSTICS:
        return tuple(unique)
    kept = sorted(unique, key=lambda diagnostic: diagnostic.severity.rank)[: MAX_DIAGNOSTICS - 1]
    more = f"and {len(unique) - len(kept)} more messages"
    return (*kept, compiler_diagnostic(Severity.NOTE, more, None, None))
