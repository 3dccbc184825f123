"""Explain the errors of a CUDA C unit by what is missing from it: host code, headers, a closing brace."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from grader.compile.cpp_classes import class_name, defines_class, host_members
from grader.compile.cpp_outline import Item, Outline
from grader.compile.failure import BuildFailed
from grader.compile.host_code import is_host_code
from grader.compile.includes import Resolved
from grader.compile.messages import MAX_QUOTED, clean, compiler_diagnostic, located_message
from grader.compile.not_code import look_alike, markdown_line
from grader.compile.nvrtc_messages import NvrtcMessage
from grader.compile.sources import Source
from grader.compile.toolkit_headers import includes_header
from grader.model.diagnostic import Diagnostic, Severity
from grader.model.location import SourceLocation
from grader.model.reason import reason

_MAX_ROUNDS = 8
_ABSENT_HEADERS = frozenset({"header-missing", "header-unavailable", "curand-not-installed"})
_QUOTED = "as-written"
_UNREADABLE = "unrecognized token"


@dataclass(slots=True)
class Dropped:
    """Top-level items that the compiler rejected and that no kernel may need, and its errors about them.

    These are items without a CUDA space specifier, and classes: one with device functions may serve host code only.
    """

    items: dict[str, list[Item]] = field(default_factory=dict)
    errors: list[tuple[Item, NvrtcMessage]] = field(default_factory=list)
    rounds: int = 0

    def drop(self, messages: list[NvrtcMessage], outlines: Mapping[str, Outline]) -> bool:
        """Drop the items that contain errors. Returns whether compiling again may succeed."""
        self.rounds += 1
        progress = False
        for message in messages if self.rounds < _MAX_ROUNDS else ():
            if message.severity is not Severity.ERROR or message.file is None or message.line is None:
                continue
            for item in outlines[message.file].items:
                if _droppable(item) and message.line in item.lines:
                    known = self.items.setdefault(message.file, [])
                    if item not in known:
                        known.append(item)
                        progress = True
                    self.errors.append((item, message))
        return progress

    @property
    def classes(self) -> dict[str, NvrtcMessage]:
        """The first error of each dropped class with device functions, by the class's name."""
        found: dict[str, NvrtcMessage] = {}
        for item, error in self.errors:
            name = class_name(item)
            if item.device and name is not None:
                found.setdefault(name, error)
        return found

    def warnings(self) -> Iterator[Diagnostic]:
        """What to say of dropped classes with device functions: nvcc would not compile the file."""
        for error in self.classes.values():
            said = error.diagnostic
            message = reason("type-left-out", reason=said.message)
            yield replace(said, severity=Severity.WARNING, message=message)


def _droppable(item: Item) -> bool:
    return not is_host_code(item) and (not item.device or defines_class(item))


def at_includes(messages: list[NvrtcMessage], unit: str, resolved: Resolved) -> list[NvrtcMessage]:
    """``messages`` with a line for errors in a header of the toolkit: that of the ``#include`` that leads there."""
    return [_at_include(message, unit, resolved) if message.file is None else message for message in messages]


def _at_include(message: NvrtcMessage, unit: str, resolved: Resolved) -> NvrtcMessage:
    for name, location in resolved.toolkit.items():
        if message.header is not None and includes_header(name, message.header):
            return replace(message, file=location.file, line=location.line, included=True)
    return replace(message, file=unit)


def failure(
    outlines: Mapping[str, Outline],
    sources: Sequence[Source],
    resolved: Resolved,
    messages: list[NvrtcMessage],
    dropped: Dropped,
) -> BuildFailed:
    """The failure of a unit that does not compile; the most likely cause gives the reason.

    ``sources`` are the unit and its own headers.
    """
    unit = sources[0].name
    explained = [_explained(message, outlines, dropped) for message in messages]
    hints = [*_not_code(sources, messages), *_unclosed(outlines)]
    errors = [pair for pair in zip(messages, explained, strict=True) if pair[0].severity is Severity.ERROR]
    if errors and errors[0][0].undeclared and errors[0][1].message.code == _QUOTED:
        hints += [each for each in resolved.diagnostics if each.message.code in _ABSENT_HEADERS]
    first = next(iter([*hints, *(diagnostic for _, diagnostic in errors)]), None)
    said = reason("file-does-not-compile", file=unit) if first is None else located_message(first)
    return BuildFailed(said, tuple(dict.fromkeys([*hints, *resolved.diagnostics, *explained])))


def _not_code(sources: Sequence[Source], messages: Sequence[NvrtcMessage]) -> Iterator[Diagnostic]:
    """What a file has besides code, at or below the first error in it."""
    for source in sources:
        errors = [each for each in messages if each.file == source.name and each.severity is Severity.ERROR]
        if not errors:
            continue
        if (fence := markdown_line(source, errors[0].line)) is not None:
            yield compiler_diagnostic(Severity.ERROR, reason("markdown-in-code"), source.name, fence)
        for each in errors:
            if each.text == _UNREADABLE and (said := look_alike(source, each.line)) is not None:
                yield compiler_diagnostic(Severity.ERROR, said, source.name, each.line)


def _unclosed(outlines: Mapping[str, Outline]) -> Iterator[Diagnostic]:
    for name, file in outlines.items():
        if file.unclosed is not None:
            yield compiler_diagnostic(Severity.ERROR, reason("brace-not-closed"), name, file.unclosed.line)


def _explained(message: NvrtcMessage, outlines: Mapping[str, Outline], dropped: Dropped) -> Diagnostic:
    """What is missing at the line of ``message``: host code, or something dropped; otherwise the message itself."""
    name = message.undefined_name or message.missing_member
    for file, item in _host_functions(outlines, members=message.undefined_name is None):
        if name is not None and item.name == name:
            location = SourceLocation(file=file, line=item.tokens[0].line)
            said = reason("host-function-called", location=location, function=clean(name, MAX_QUOTED))
            return compiler_diagnostic(Severity.ERROR, said, message.file, message.line)
    for item, error in dropped.errors:
        if message.undefined_name is not None and item.mentions(message.undefined_name):
            return error.diagnostic
    for used, error in dropped.classes.items():
        if any(item.mentions(used) for item in _items_at(message, outlines)):
            return error.diagnostic
    return message.diagnostic


def _items_at(message: NvrtcMessage, outlines: Mapping[str, Outline]) -> Iterator[Item]:
    outline = outlines.get(message.file or "")
    return (item for item in (outline.items if outline else ()) if message.line in item.lines)


def _host_functions(outlines: Mapping[str, Outline], *, members: bool) -> Iterator[tuple[str, Item]]:
    """Host functions at the top level, or those that are ``members`` of classes, with their files."""
    for file, outline in outlines.items():
        for item in outline.items:
            if members:
                yield from ((file, member) for member in host_members(item, outline.markers))
            elif is_host_code(item):
                yield file, item
