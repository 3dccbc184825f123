"""What a report leads with: the one cause, the lines that it names, the line to add, and which elements are wrong."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from grader.model.diagnostic import Severity
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason
from grader.model.report import CaseReport, Report, Visibility
from grader.model.submission import SourceFile
from grader.model.wrong_map import WrongMap
from grader.report.annotate import Finding, Line, annotate, findings

_CONTEXT = 2
"""Source lines above and below those of the cause."""

_MOST_LINES = 24
"""A cause with more lines between its sides is shown at its first line only."""


class _Where(StrEnum):
    BEFORE = "before"
    AFTER = "after"


_INSERTED = {
    "add-barrier": ("other_line", _Where.BEFORE),
    "add-warp-barrier": ("other_line", _Where.BEFORE),
    "add-barrier-in-loop": ("line", _Where.AFTER),
}
"""Advice to add its ``barrier``: the parameter with the line that it goes beside, and on which side."""

_ENDS_OF_STATEMENTS = (";", "{", "}")


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadLine:
    """A source line, a line to add (``added``), or a gap of ``skipped`` lines before a source line."""

    line: Line | None = None
    added: str = ""
    skipped: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongElements:
    """The wrong elements of an output in a public ``case``, and what the case ``said``: how many, and one of them."""

    case: str
    said: Reason
    map: WrongMap


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """The one cause. ``said`` is what is wrong, ``advice`` what to do; ``verdict`` is said below if it adds something.

    ``finding`` is the finding behind it, with its lines in ``lines``; ``more`` counts the other mistakes.
    """

    said: Reason
    advice: Reason | None = None
    verdict: Reason | None = None
    finding: Finding | None = None
    lines: tuple[LeadLine, ...] = ()
    wrong: WrongElements | None = None
    case: str | None = None
    more: int = 0


def lead(report: Report, files: Sequence[SourceFile]) -> Lead | None:
    """The cause that ``report``, as its reader may see it, leads with; ``None`` if nothing is wrong."""
    errors = [each for each in findings(report) if each.diagnostic.severity is Severity.ERROR]
    wrong = _wrong_elements(report)
    if not errors:
        if report.verdict.earns_correctness:
            return None
        return Lead(said=report.reason, wrong=wrong, case=_failed_case(report))
    first = errors[0]
    what = first.diagnostic
    return Lead(
        said=what.message,
        advice=what.advice,
        verdict=None if report.reason == what.message else report.reason,
        finding=first,
        lines=tuple(_lines(first, files)),
        wrong=wrong,
        case=what.case or _failed_case(report),
        more=len(errors) - 1,
    )


def headline(report: Report) -> Reason:
    """How far the work is from all points, in a few words."""
    missing = report.earnable - report.score
    if report.is_excused:
        return reason("lead-excused")
    if report.verdict.earns_correctness:
        return reason("lead-complete") if missing <= 0 else reason("lead-right", points=missing)
    mistakes = sum(each.diagnostic.severity is Severity.ERROR for each in findings(report))
    if not mistakes:
        return reason("lead-not-right", points=missing)
    return reason("lead-mistakes", count=mistakes, points=missing)


def _wrong_elements(report: Report) -> WrongElements | None:
    cases = (case for kernel in report.kernels for case in kernel.cases)
    return next(
        (
            WrongElements(case=each.name, said=each.reason, map=each.wrong_map)
            for each in cases
            if each.wrong_map is not None
        ),
        None,
    )


def _failed_case(report: Report) -> str | None:
    """The first public case that failed."""

    def failed(case: CaseReport) -> bool:
        return case.visibility is Visibility.PUBLIC and not case.verdict.earns_correctness

    return next((case.name for kernel in report.kernels for case in kernel.cases if failed(case)), None)


def _lines(found: Finding, files: Sequence[SourceFile]) -> Iterator[LeadLine]:
    """The lines of the finding in its own file, with some around them and the line to add."""
    file = next((each for each in files if each.name == found.location.file), None)
    if file is None or found.location.line is None:
        return
    numbers = [each.line for each in (found.location, *found.related) if each.file == file.name and each.line]
    far = max(numbers) - min(numbers) > _MOST_LINES
    shown = annotate(file, [found], _CONTEXT)
    beside, where, added = _addition(found)
    for excerpt in shown.excerpts:
        if far and all(line.number != found.location.line for line in excerpt.lines):
            continue
        for index, line in enumerate(excerpt.lines):
            new = _added(added, line) if beside == line.location else ""
            if new and where is _Where.BEFORE:
                yield LeadLine(added=new)
            yield LeadLine(line=line, skipped=excerpt.skipped if index == 0 else 0)
            if new and where is _Where.AFTER:
                yield LeadLine(added=new)


def _addition(found: Finding) -> tuple[SourceLocation | None, _Where, str]:
    """What the advice adds: the line that it goes beside, the side, and its text."""
    advice = found.diagnostic.advice
    while advice is not None:
        if advice.code in _INSERTED:
            name, where = _INSERTED[advice.code]
            beside = _location(advice.params[name], found.location.file)
            return beside, where, str(advice.params["barrier"])
        # Advice to put it elsewhere names no line.
        inner = advice.params.get("advice") if advice.code == "or-own-elements" else None
        advice = inner if isinstance(inner, Reason) else None
    return None, _Where.BEFORE, ""


def _location(named: object, file: str | None) -> SourceLocation | None:
    """The line that a parameter of advice names; one without a file is in that of the finding."""
    if not isinstance(named, Reason) or not isinstance(line := named.params.get("line"), int):
        return None
    other = named.params.get("file")
    return SourceLocation(file=other if isinstance(other, str) else file, line=line)


def _added(barrier: str, beside: Line) -> str:
    """The statement ``barrier`` as a line of its own beside another, indented and ended as that one is."""
    text = "".join(piece.text for piece in beside.pieces)
    ended = text.rstrip().endswith(_ENDS_OF_STATEMENTS)
    return f"{beside.indent}{barrier}{';' if ended else ''}"
