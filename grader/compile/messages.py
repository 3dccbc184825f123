"""Messages of a build: the words of compilers made fit to show, and statements with a source line."""

import re

from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.reason import Reason, as_written, reason
from grader.model.text import printable

MAX_DIAGNOSTICS = 40
"""The most messages kept of one build; a missing brace can cause thousands."""

MAX_MESSAGE = 400
"""Length in characters at which a message is cut."""

MAX_QUOTED = 200
"""Length in characters at which text of a student's file is cut, so that the rest of a message has room."""

_MAX_CLEANED = 2**16
"""The most characters of a message that are cleaned, so that a message of many megabytes costs no more."""

INNER_QUOTES = str.maketrans(dict.fromkeys('"“”„«»‟', "'"))
_PATH = re.compile(r"(?<![\w.])/(?:[\w.+-]+/)+")
_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def clean(message: str, limit: int = MAX_MESSAGE) -> str:
    """``message`` as one printable line of at most ``limit`` characters, without absolute folder names."""
    line = printable(" ".join(_PATH.sub("", _COLOURS.sub(" ", message[:_MAX_CLEANED])).split()))
    return line if len(line) <= limit else line[: limit - 1] + "…"


def spoken(text: str) -> str:
    """Words of another program for a quotation: ``clean``, short, and without quotation marks that could end it."""
    return clean(text, MAX_QUOTED).translate(INNER_QUOTES)


def quoted(text: str) -> Reason:
    """A compiler's own words, cleaned."""
    return as_written(clean(text))


def compiler_diagnostic(
    severity: Severity, message: Reason, file: str | None = None, line: int | None = None
) -> Diagnostic:
    """A compiler message as a diagnostic."""
    return Diagnostic(kind=DiagnosticKind.COMPILER, severity=severity, message=message, file=file, line=line)


def located(said: Reason, file: str | None, line: int | None) -> Reason:
    """``said`` with its source line in front, if the file is known."""
    if file is None:
        return said
    return reason("at-location", location=SourceLocation(file=file, line=line), reason=said)


def located_message(diagnostic: Diagnostic) -> Reason:
    """The message of ``diagnostic`` with its source line, for output that shows no line of its own."""
    return located(diagnostic.message, diagnostic.file, diagnostic.line)


def capped(diagnostics: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The diagnostics without repetitions; if there are too many, only the most severe ones."""
    unique = list(dict.fromkeys(diagnostics))
    if len(unique) <= MAX_DIAGNOSTICS:
        return tuple(unique)
    kept = sorted(unique, key=lambda diagnostic: diagnostic.severity.rank)[: MAX_DIAGNOSTICS - 1]
    more = reason("more-messages", count=len(unique) - len(kept))
    return (*kept, compiler_diagnostic(Severity.NOTE, more))
