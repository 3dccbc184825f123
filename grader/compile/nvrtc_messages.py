"""Read the log of NVRTC: its messages with the student's file and line."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from grader.compile.messages import compiler_diagnostic, quoted
from grader.model.diagnostic import Diagnostic, Severity
from grader.model.reason import Reason, reason

_LINE = re.compile(
    r"(?P<file>[^\n]+?)\((?P<line>\d+)\): (?:catastrophic )?(?P<severity>error|warning)(?: #[\w-]+)?: (?P<text>.*)"
)
_END = re.compile(r"At end of source: (?P<severity>error|warning)(?: #[\w-]+)?: (?P<text>.*)")
_ARGUMENT_TYPES = re.compile(r"\s+(argument types are: .*)")
_UNDEFINED = re.compile(r'identifier "(?P<name>\w+)" is undefined.*')

_SAID_BETTER = (
    (
        re.compile(
            r"A function without execution space annotations .*|A function explicitly marked as a __host__ .*"
        ),
        reason("function-is-host-code"),
    ),
    (
        re.compile(r"A namespace scope variable without memory space annotations .*"),
        reason("variable-is-host-code"),
    ),
    (
        re.compile(r"device-side kernel launch could not be processed .*"),
        reason("launch-in-kernel"),
    ),
)
"""Messages of NVRTC that do not say what to do, and the statements that do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NvrtcMessage:
    """One message in NVRTC's own words, at a line of the student's file."""

    severity: Severity
    text: str
    file: str | None
    line: int | None

    @property
    def undefined_name(self) -> str | None:
        """The name that the message calls undefined, if it does."""
        match = _UNDEFINED.fullmatch(self.text)
        return match["name"] if match else None

    @property
    def diagnostic(self) -> Diagnostic:
        """The message for a student."""
        return compiler_diagnostic(self.severity, self._said, self.file, self.line)

    @property
    def _said(self) -> Reason:
        better = (said for pattern, said in _SAID_BETTER if pattern.fullmatch(self.text))
        return next(better, None) or quoted(self.text)


def parse_log(log: str, files: Mapping[str, str], last: tuple[str, int]) -> list[NvrtcMessage]:
    """The messages in an NVRTC log, in order.

    ``files`` maps the compiler's file names to the student's. An error in any other file has no location; a warning in
    any other file is dropped. ``last`` is the unit's name and number of lines, the location of "at end of source".
    """
    found: list[NvrtcMessage] = []
    for text in log.splitlines():
        if match := _LINE.fullmatch(text):
            file = files.get(match["file"])
            severity = Severity(match["severity"])
            if file is not None or severity is not Severity.WARNING:
                line = int(match["line"]) if file is not None else None
                found.append(NvrtcMessage(severity=severity, text=match["text"], file=file, line=line))
        elif match := _END.fullmatch(text):
            severity, (file, line) = Severity(match["severity"]), last
            found.append(NvrtcMessage(severity=severity, text=match["text"], file=file, line=line))
        elif found and (match := _ARGUMENT_TYPES.fullmatch(text)):
            found[-1] = replace(found[-1], text=f"{found[-1].text}; {match[1]}")
    return found
