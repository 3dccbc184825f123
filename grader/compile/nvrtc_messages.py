"""Read the log of NVRTC: its messages with the student's file and line."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from grader.compile.architectures import compiler_needs_newer, newer_architecture
from grader.compile.declaring_headers import not_included
from grader.compile.mangled_names import without_versions
from grader.compile.messages import compiler_diagnostic, quoted
from grader.model.diagnostic import Diagnostic, Severity
from grader.model.reason import Reason, reason

_LINE = re.compile(
    r"(?P<file>[^\n]+?)\((?P<line>\d+)\): (?:catastrophic )?(?P<severity>error|warning)(?: #[\w-]+)?: (?P<text>.*)"
)
_END = re.compile(r"At end of source: (?P<severity>error|warning)(?: #[\w-]+)?: (?P<text>.*)")
_ARGUMENT_TYPES = re.compile(r"\s+(argument types are: .*)")
_INSTANTIATED = re.compile(r".*\bat line (?P<line>\d+) of (?P<file>\S+)")
_CARET = re.compile(r"[ \t]*\^")
_NAMELESS = re.compile(r"name (?:followed by|must be) .*")
_WORD = re.compile(r"\w+")
_CONSEQUENCE = "<error-type>"

_UNDEFINED = re.compile(r'identifier "(?P<name>[\w:]+)" is undefined.*')
_NO_SCOPE = re.compile(r"name (?:followed by|must be) .*: (?P<name>\w+)")
_NO_NAMESPACE_MEMBER = re.compile(r'namespace "(?P<namespace>[^"]*)" has no member "(?P<name>\w+)"')
_NO_CLASS_MEMBER = re.compile(r'(?:class|struct) "[^"]*" has no member "(?P<name>\w+)"')
_NO_CONSTRUCTOR = re.compile(
    r'no (?:instance of constructor|suitable constructor exists to convert from ".*" to)'
    r' "(?:.*::)?(?P<name>\w+)"(?: .*)?'
)
_UNDECLARED = re.compile(
    r'identifier ".*" is undefined.*|.* has no (?:tag )?member .*|no (?:operator|instance|suitable) .*'
    r"|name (?:followed by|must be) .*|.* is not a template"
)
_ALGORITHM = re.compile(
    r"thrust::\w+|(?:cub::)?Device(?:AdjacentDifference|Copy|Find|For|Histogram|Memcpy|Merge|MergeSort|Partition|RadixSort"
    r"|Reduce|RunLengthEncode|Scan|SegmentedRadixSort|SegmentedReduce|SegmentedSort|Select|TopK|Transform)"
)
"""Thrust, and the classes of CUB that start kernels of their own."""

_ON_HOST = re.compile(
    r"std::\w+|cuda(?:Device|Event|Free|Get|Host|Malloc|Memcpy|Memset|Set|Stream)\w*|s?rand|drand48|exit|abort|time"
    r"|f?(?:scanf|open|close|flush|puts|gets)|s?n?printf|fprintf|std(?:out|err|in)|getenv|system|gettimeofday|usleep"
)
"""The standard library of C and C++, and the CUDA runtime's functions for the host."""

_SAID_BETTER = (
    (
        re.compile(
            r"A function without execution space annotations .*|A function explicitly marked as a __host__ .*"
        ),
        reason("function-is-host-code"),
    ),
    (
        re.compile(
            r"A (?:namespace scope variable without memory space annotations|class static data member) .*"
        ),
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
    """One message in NVRTC's own words, at a line of the student's file.

    ``header`` is the name of another header in which NVRTC found the error. The line is then the one that uses that
    header's template; ``included``: there is none, and the line is that of the ``#include``. The ``file`` is ``None``
    if the line is unknown.
    """

    severity: Severity
    text: str
    file: str | None
    line: int | None
    header: str | None = None
    included: bool = False

    @property
    def undefined_name(self) -> str | None:
        """The name that the message calls undefined, if it does."""
        match = _UNDEFINED.fullmatch(self.text) or _NO_SCOPE.fullmatch(self.text)
        return match["name"] if match else None

    @property
    def missing_member(self) -> str | None:
        """The member function or constructor that a class does not have, if the message is about one."""
        match = _NO_CLASS_MEMBER.fullmatch(self.text) or _NO_CONSTRUCTOR.fullmatch(self.text)
        return match["name"] if match else None

    @property
    def undeclared(self) -> bool:
        """Whether a declaration that is missing may be the cause."""
        return _UNDECLARED.fullmatch(self.text) is not None

    @property
    def diagnostic(self) -> Diagnostic:
        """The message for a student."""
        said = self._said
        if self.header is not None:
            code = "error-in-included-header" if self.included else "error-in-cuda-header"
            said = reason(code, header=self.header, reason=said)
        return compiler_diagnostic(self.severity, said, self.file, self.line)

    @property
    def _said(self) -> Reason:
        better = (said for pattern, said in _SAID_BETTER if pattern.fullmatch(self.text))
        return next(better, None) or compiler_needs_newer(self.text) or self._of_name or quoted(self.text)

    @property
    def _of_name(self) -> Reason | None:
        """What is known about the undefined name, if the message names one."""
        patterns = (_UNDEFINED, _NO_NAMESPACE_MEMBER, _NO_SCOPE)
        match = next(filter(None, (pattern.fullmatch(self.text) for pattern in patterns)), None)
        if match is None:
            return None
        name = match["name"]
        qualified = "::".join(filter(None, (match.groupdict().get("namespace"), name)))
        known = newer_architecture(name) or not_included(qualified) or not_included(name)
        if known is None and _ALGORITHM.fullmatch(qualified):
            return reason("library-on-host-only", name=qualified)
        if known is None and _ON_HOST.fullmatch(qualified):
            return reason("function-of-host-library", name=qualified)
        return known


def parse_log(
    log: str, files: Mapping[str, str], last: tuple[str, int], header_name: Callable[[str], str] = str
) -> list[NvrtcMessage]:
    """The messages in an NVRTC log, in order.

    ``files`` maps the compiler's file names to the student's. An error in any other file is at the line that
    instantiates the template in which it is; a warning in any other file is dropped. ``header_name`` shortens the path
    of another file. ``last`` is the unit's name and number of lines, the location of "at end of source".
    """
    found: list[NvrtcMessage] = []
    before = ""
    for text in map(without_versions, log.splitlines()):
        if match := _LINE.fullmatch(text):
            file = files.get(match["file"])
            severity = Severity(match["severity"])
            if file is not None or severity is not Severity.WARNING:
                found.append(
                    NvrtcMessage(
                        severity=severity,
                        text=match["text"],
                        file=file,
                        line=int(match["line"]) if file is not None else None,
                        header=header_name(match["file"]) if file is None else None,
                    )
                )
        elif match := _END.fullmatch(text):
            severity, (file, line) = Severity(match["severity"]), last
            found.append(NvrtcMessage(severity=severity, text=match["text"], file=file, line=line))
        elif found and (match := _ARGUMENT_TYPES.fullmatch(text)):
            found[-1] = replace(found[-1], text=f"{found[-1].text}; {match[1]}")
        elif found and found[-1].file is None and (match := _INSTANTIATED.fullmatch(text)):
            file = files.get(match["file"])
            found[-1] = replace(found[-1], file=file, line=int(match["line"]) if file is not None else None)
        elif found and _NAMELESS.fullmatch(found[-1].text) and (match := _CARET.fullmatch(text)):
            name = _WORD.match(before, match.end() - 1)
            found[-1] = replace(found[-1], text=f"{found[-1].text}: {name[0]}" if name else found[-1].text)
        before = text
    return list(_causes(found))


def _causes(messages: list[NvrtcMessage]) -> Iterator[NvrtcMessage]:
    """``messages`` without those that follow from another: about an ``<error-type>``, or again from a header."""
    seen: set[tuple[str | None, int | None]] = set()
    for index, message in enumerate(messages):
        location = (message.file, message.line)
        again = message.header is not None and location in seen
        if not again and (index == 0 or _CONSEQUENCE not in message.text):
            yield message
        if message.header is not None:
            seen.add(location)
